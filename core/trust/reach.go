package trust

import (
	"slices"
	"time"

	"tradepost/core"
)

// Reach is what decides how many people messages reach because of one user's acts: alerts about their
// requests, their offers, and warnings about names that they typed.
type Reach struct {
	Since   time.Time     // when the account first came to this market
	Trust   float64       // the user's share of the community's trust; one for an established trader
	Reached []core.UserID // within LimitReach.Per, each once
	Stopped bool          // by a moderator: no one is messaged
}

const (
	knownAfter       = 7 * core.Day // how long an account must have been here to reach more people
	knownReach       = 5            // as many times more
	establishedReach = 20
)

// Own returns how many people the user may reach because of their trust.
func (r Reach) Own(q core.Quota) int {
	return int(float64(q.Limit*establishedReach) * min(r.Trust, 1))
}

// Limit returns how many people the user may reach in all.
func (r Reach) Limit(q core.Quota, now time.Time) int {
	limit := q.Limit
	if now.Sub(r.Since) >= knownAfter {
		limit *= knownReach
	}
	return max(limit, r.Own(q))
}

// Covers reports whether one reader more may be messaged. Each reader counts once.
func (r Reach) Covers(reader core.UserID, q core.Quota, now time.Time) bool {
	return !r.Stopped && (q.Limit == 0 || slices.Contains(r.Reached, reader) ||
		len(r.Reached) < r.Limit(q, now))
}
