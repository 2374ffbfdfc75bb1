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

// Gathers reports whether the notice comes in a message with others: of an offer, or of what a plan bought at
// once, which is held until the moment of its writing.
func (n Notice) Gathers() bool {
	return (n.Kind == NoticeOfferReceived || n.Kind == NoticeStandingAccepted) && !n.HoldUntil.IsZero()
}

// BatchLimits returns the limits of the notice's kind. Gathered notices are a new message, and many in it.
func (n Notice) BatchLimits() (most int, within time.Duration) {
	if n.Gathers() {
		return MaxGathered, 0
	}
	return n.Kind.BatchLimits()
}
