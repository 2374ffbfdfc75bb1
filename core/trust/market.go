package trust

import (
	"time"

	"tradepost/core"
)

// Market is what the last computation of trust said of the whole market.
type Market struct {
	ComputedAt time.Time // zero for never
	Of         string    // what it was computed from: the same again needs no computation
	Trusted    int       // people whom others here know
	Circles    int       // of people that these are in
	Active     int       // people who traded within ActiveFor
	ActiveWeek int       // within a week
	Young      bool
}

const (
	// ActiveFor is for how long a trade keeps its two sides active.
	ActiveFor = 30 * core.Day

	// CirclesWanted is how many circles the trusted of a market that is young no more are in, at least.
	CirclesWanted = 3

	// A market is young until so many are trusted, or a tenth of the active ones where that is less, but
	// nobody is a market.
	grownTrusted     = 10
	grownLeast       = 3
	activeForTrusted = 10
)

// settledBefore is the time before which accepts without a handover count.
func settledBefore(now time.Time) time.Time { return now.Add(-core.SettledAfter) }

// marketOf returns what shares say of a market in which so many people are active.
func marketOf(shares []Share, active int, of string, now time.Time) Market {
	m := Market{ComputedAt: now, Of: of, Active: active}
	circles := map[core.UserID]bool{}
	for _, s := range shares {
		if s.Trusted() {
			m.Trusted++
			circles[s.Circle] = true
		}
	}
	m.Circles = len(circles)
	m.Young = m.Trusted < m.TrustedWanted() || m.Circles < CirclesWanted
	return m
}

// TrustedWanted returns how many have to be trusted, at least, for a market that is young no more.
func (m Market) TrustedWanted() int {
	return min(grownTrusted, max(grownLeast, (m.Active+activeForTrusted-1)/activeForTrusted))
}

// newTraders returns the people who are trusted by what they traded.
func newTraders(shares []Share, now time.Time) (traders []NewTrader) {
	for _, s := range shares {
		if s.Trusted() && !s.Source {
			traders = append(traders, NewTrader{s.User, now})
		}
	}
	return traders
}
