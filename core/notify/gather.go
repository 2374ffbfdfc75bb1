package notify

import (
	"slices"
	"time"
)

const (
	// GatherAfter is how many offers within GatherEvery have messages of their own, for a reader who has
	// offers gathered. Those after them come together.
	GatherAfter = 3
	// GatherEvery is the time between two messages that gather offers.
	GatherEvery = time.Hour
	// MaxGathered limits the offers of one such message; it shows the first few.
	MaxGathered = 100
)

// OfferTime says when a reader was notified of an offer.
type OfferTime struct {
	At        time.Time
	HoldUntil time.Time // zero for one that was not held
}

// GatherUntil returns until when a new offer is held for a reader who has offers gathered; zero when it is
// sent at once. earlier are the reader's offers before it. AddNotices applies the same rule.
func GatherUntil(earlier []OfferTime, now time.Time) time.Time {
	var held, last time.Time
	recent := 0
	for _, o := range earlier {
		if !o.At.After(now.Add(-2 * GatherEvery)) {
			continue
		}
		if o.HoldUntil.After(held) {
			held = o.HoldUntil
		}
		if o.At.After(now.Add(-GatherEvery)) {
			recent++
			last = slices.MaxFunc([]time.Time{last, o.At}, time.Time.Compare)
		}
	}
	switch {
	case held.After(now): // it joins those that wait
		return held
	case held.Add(GatherEvery).After(now):
		return held.Add(GatherEvery)
	case recent >= GatherAfter:
		return last.Add(GatherEvery)
	}
	return time.Time{}
}

// Gathers reports whether the notice is of an offer that comes in a message with others.
func (n Notice) Gathers() bool { return n.Kind == NoticeOfferReceived && !n.HoldUntil.IsZero() }

// BatchLimits returns the limits of the notice's kind. Gathered offers are a new message, and many in it.
func (n Notice) BatchLimits() (most int, within time.Duration) {
	if n.Gathers() {
		return MaxGathered, 0
	}
	return n.Kind.BatchLimits()
}
