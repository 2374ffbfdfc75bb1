package notify

import (
	"time"

	"tradepost/core"
)

// NoticeDigest is the kind of a direct message that sums up the notices beyond the message quotas.
// No notice is of this kind.
const NoticeDigest Kind = "digest"

// MaxDigest is how many notices one digest covers. Further ones are kept in the inbox only.
const MaxDigest = 100

// DigestFull is why a notice ends that has no room in a digest.
const DigestFull = "Too many messages at once: it is in your inbox only"

// MessageTimes are when a reader was sent messages, newest first: as many as Quotas limits.
type MessageTimes struct {
	Pair []time.Time // by the person who caused the notice, of its PairKinds
	All  []time.Time // by any user
}

// Beyond says which quotas of messages one more would break, and since when a digest counts that takes it.
type Beyond struct {
	Pair, All bool
	Since     time.Time
}

// Beyond compares the messages that a reader was sent with the quotas.
func (t MessageTimes) Beyond(q core.Quotas, now time.Time) Beyond {
	b := Beyond{Pair: q.DMPair.Wait(t.Pair, now) > 0, All: q.DMReader.Wait(t.All, now) > 0, Since: now}
	if b.Pair {
		b.Since = now.Add(-q.DMPair.Per)
	}
	if since := now.Add(-q.DMReader.Per); b.All && since.Before(b.Since) {
		b.Since = since
	}
	return b
}
