package notify

import "time"

const (
	// GatherAfter is how many offers within GatherEvery have messages of their own, for a reader who has
	// offers gathered. Those after them come together.
	GatherAfter = 3
	// GatherEvery is the time between two messages that gather offers.
	GatherEvery = time.Hour
	// MaxGathered limits the offers of one such message; it shows the first few.
	MaxGathered = 100
)

// Gathers reports whether the notice is of an offer that comes in a message with others.
func (n Notice) Gathers() bool { return n.Kind == NoticeOfferReceived && !n.HoldUntil.IsZero() }

// BatchLimits returns the limits of the notice's kind. Gathered offers are a new message, and many in it.
func (n Notice) BatchLimits() (most int, within time.Duration) {
	if n.Gathers() {
		return MaxGathered, 0
	}
	return n.Kind.BatchLimits()
}
