package notify

import (
	"time"

	"tradepost/core"
)

const (
	// MaxAlertBatch is how many alerts one message lists; it shows the first few.
	MaxAlertBatch = 100
)

const (
	// LongestHold is how long an alert is held at most: to the next digest, and by the quota of messages.
	LongestHold = 3 * core.Day
)

// SentDM says where a direct message is.
type SentDM struct{ ChannelID, MessageID string }

// Undeliverable says that a message cannot reach its reader, and that trying again would not help.
type Undeliverable struct {
	Reason string // a sentence safe to show the reader
	Closed bool   // no message would reach them, until they do something about it
}

func (e *Undeliverable) Error() string { return "undeliverable: " + e.Reason }

const (
	// BatchWindow is how long after the last ping another offer is added to an unanswered message,
	// instead of making a new one.
	BatchWindow = 2 * time.Minute
	// HandoverBatchWindow is BatchWindow for prompts about handovers with the same partner. It ends before
	// Discord begins to limit the edits of a message, at an hour: a prompt does not wait for that.
	HandoverBatchWindow = 50 * time.Minute
	// MaxBatch is how many offers one message lists.
	MaxBatch = 10
	// ExpiryBatchWindow is BatchWindow for notices that expiry causes: no ping is worth repeating for them.
	ExpiryBatchWindow = 15 * time.Minute
	// MaxExpiryBatch is how many warnings, or lapsed offers, one message covers. The message lists
	// the first few.
	MaxExpiryBatch = 1000
	// NoticeLifetime is how long a notice is tried before it is given up.
	NoticeLifetime = 3 * 24 * time.Hour
	// MeetingSoonLifetime is NoticeLifetime for the reminder of when two meet, ten minutes before.
	MeetingSoonLifetime = 20 * time.Minute
)

const (
	// DeliveryLease is how long one attempt may take before another may start.
	DeliveryLease = 45 * time.Second
)

const (
	// MaxRetryWait is between two attempts of unknown outcome.
	MaxRetryWait = time.Minute
	// MaxRetryAfter is the longest pause that is taken from Discord; then it is asked again.
	MaxRetryAfter = time.Hour
	// MaxSpread is the longest Spread.
	MaxSpread = 30 * time.Second
)

// Spread is how much longer than it has to a notice waits at most, so that not all are due at once.
func Spread(wait time.Duration) time.Duration { return min(wait/8, MaxSpread) }
