package match

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

const (
	// FewHave is how many others have an item in stock when a request for it no longer needs each of them.
	FewHave = 30
	// NeedLife is the life of a request for its alerts, at most. It is shown for much longer, but most are
	// filled within a week or not at all.
	NeedLife = 7 * core.Day
	// NeedsAllAfter is the longest time until a request that lacks offers needs everybody.
	NeedsAllAfter = NeedLife / 3
)

// Need holds the facts that decide whether a request needs one more reader: whether an alert that its reader
// did not ask for by name is a message of its own, or a line of the day's digest.
type Need struct {
	Have   int  // how many besides the buyer have the item in stock; FewHave + 1 for more
	Enough bool // the open offers cover the rest of the request
	Since  time.Time
	Until  time.Time // the end of the request's life
}

// needOf returns the need of a request, without Have.
func needOf(o trade.Order, enough bool) Need {
	return Need{Enough: enough, Since: o.CreatedAt, Until: o.ExpiresAt}
}

// AllAt returns when a third of the request's life is over. From then on it needs everybody while it lacks
// offers.
func (n Need) AllAt() time.Time {
	return n.Since.Add(min(n.Until.Sub(n.Since), NeedLife) / 3).Truncate(time.Microsecond)
}

// Of reports whether the request needs a watcher. A bell that was set by hand always rings.
func (n Need) Of(w Watcher, now time.Time) bool {
	others := n.Have
	if w.Has > 0 {
		others--
	}
	return !w.Inferred() || others < FewHave || !n.Enough && !now.Before(n.AllAt())
}

// Inferred reports whether the market infers that a request concerns the watcher: from their stock, or from
// nothing but their professions and levels.
func (w Watcher) Inferred() bool { return w.ID == 0 || !w.Named() }

// Named reports whether the search says what it looks for, beyond professions and levels.
func (d SearchDraft) Named() bool {
	return len(d.Items) > 0 || d.Kind != "" || len(d.Terms()) > 0 || d.Texts != (trade.TextFilter{}) ||
		len(d.Importance) > 0 || d.MinPrice > 0 || d.MaxPrice > 0 || d.MinQuantity > 0
}

// Rank returns the place of an alert among others in one message; the highest comes first. It is what the
// reader can expect to earn: the worth of what they can bring, less for a buyer of whom little is known, and
// shared with those who could bring it instead.
func (n Need) Rank(quantity int, price core.Copper, trust float64) int64 {
	const unknown = 0.5 // of what an established trader's request counts
	worth := float64(price) * float64(max(quantity, 1))
	sure := unknown + (1-unknown)*min(max(trust, 0), 1)
	return int64(worth * sure / float64(1+max(n.Have, 0)))
}

// gathered returns the watchers with those marked whom the request does not need.
func (n Need) gathered(watchers []Watcher, now time.Time) []Watcher {
	for i, w := range watchers {
		watchers[i].Gathered = !n.Of(w, now)
	}
	return watchers
}

// rests returns the round of a request whose watchers have all been alerted as it waits until the request
// needs more; nil where that is not to come.
func (r AlertRound) rests(n Need, now time.Time) *AlertRound {
	if r.Resting || !now.Before(n.AllAt()) {
		return nil
	}
	r.Resting, r.Waves, r.Failures, r.DueAt = true, 0, 0, n.AllAt()
	return &r
}

// beforeUsualHour returns when the next digest of what did not need a reader is due: in the evening of their
// zone, when most begin to play.
func beforeUsualHour(s notify.Settings, now time.Time) time.Time { return nextHour(s, digestHour, now) }
