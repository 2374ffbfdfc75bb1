package match

import (
	"cmp"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

const (
	// WaveSize is how many people a wave messages. When no more are to be messaged, all of them are at once.
	WaveSize = 10
	// WavePause is between two waves.
	WavePause = 5 * time.Minute
	// MaxWaves is how many waves there are. The others hear of the request in their inbox and their digest.
	MaxWaves = 3
	// alertStep is how many alerts one transaction adds.
	alertStep = 500
	// RepeatedWithin is how long after an alert a user gets no other one for the same item of the same buyer.
	RepeatedWithin = core.Day
)

const (
	// alertRetry is after a round fails for the first time, and MaxAlertRetry the longest pause between two
	// attempts.
	alertRetry = 5 * time.Second
	// MaxAlertRetry is the longest pause after a round that failed.
	MaxAlertRetry = 10 * time.Minute
	// alertTime is how long a round may take.
	alertTime = 5 * time.Second
)

const (
	// LongestSnooze is to the morning of the next day, in any zone.
	LongestSnooze = 2 * core.Day
	// digestHour is when digests are sent, and tomorrowHour when a day begins, in the reader's zone.
	digestHour   = 18
	tomorrowHour = 8
)

// AlertOver is the reason of an alert that ends because its request takes no offers any more, or none from
// this seller. It does not say which: a seller is not notified of a block.
const AlertOver = "The request was over before the message went out"

// alertStopped is the reason of an alert that ends because its reader no longer wants it.
const alertStopped = "You stopped these alerts"

// Watcher is a saved search with a bell that fits a request, with the facts that decide when its user is
// alerted.
type Watcher struct {
	SavedSearch
	Skills      bool        // can fill the request
	Has         int         // of the item, for an alert from stock; zero for a saved search
	Least       core.Copper // that they take for one of it
	WaitedSince time.Time   // when the user was last among the first to hear of one; zero for never
	Settings    notify.Settings
	Closed      string      // why direct messages do not arrive; empty while they do
	Gathered    bool        // the request does not need them: it comes in the day's digest
	Messages    []time.Time // the latest direct messages with alerts, newest first, also held ones
	Quota       core.Quota  // of these
}

// messaged reports whether the bell sends direct messages at all.
func (w Watcher) messaged() bool {
	return w.Way != WayInbox && w.Closed == "" &&
		!slices.Contains(w.Settings.Muted, notify.NoticeRequestWatched)
}

// heldUntil returns until when an alert is held, zero for not at all.
func (w Watcher) heldUntil(now time.Time) time.Time {
	var until time.Time
	later := func(t time.Time) {
		if t.After(now) && t.After(until) {
			until = t
		}
	}
	if w.Way == WayDigest {
		later(nextHour(w.Settings, digestHour, now))
	}
	if w.Gathered {
		later(beforeUsualHour(w.Settings, now))
	}
	if w.AlertedAt.After(now) { // one is held already: they come together
		later(w.AlertedAt)
	} else {
		later(w.AlertedAt.Add(w.Pause))
	}
	later(w.SnoozedUntil)
	if end, quiet := w.Settings.Quiet(now); quiet {
		later(end)
	}
	if until.IsZero() {
		until = now
	}
	if until = w.Quota.Next(w.Messages, until); until.After(now) {
		return until
	}
	return time.Time{}
}

// nextHour returns the next time at which it is an hour in the zone of the settings.
func nextHour(s notify.Settings, hour int, now time.Time) time.Time {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	here := now.In(zone)
	at := time.Date(here.Year(), here.Month(), here.Day(), hour, 0, 0, 0, zone)
	if !at.After(now) {
		at = time.Date(here.Year(), here.Month(), here.Day()+1, hour, 0, 0, 0, zone)
	}
	return at.UTC()
}

// Snooze says for how long a bell is silent.
type Snooze string

// The snoozes.
const (
	SnoozeHour     Snooze = "hour"
	SnoozeTomorrow Snooze = "tomorrow" // until eight in the morning
)

// Snoozes lists every snooze.
var Snoozes = []Snooze{SnoozeHour, SnoozeTomorrow}

// until returns when a snooze that begins now ends.
func (s Snooze) until(settings notify.Settings, now time.Time) time.Time {
	if s == SnoozeHour {
		return now.Add(time.Hour)
	}
	zone, err := time.LoadLocation(settings.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	here := now.In(zone)
	return time.Date(here.Year(), here.Month(), here.Day()+1, tomorrowHour, 0, 0, 0, zone).UTC()
}

// AlertRound is the progress of the alerts about a request.
type AlertRound struct {
	Order   core.OrderID
	Listing core.StockID // that the round is about; zero for a request
	// when the request was posted or last edited; searches that were changed later are left out
	Since      time.Time
	Before     *trade.OrderDraft // the request before an edit, to skip users alerted then; nil for new ones
	Waves      int               // that were sent
	NextWaveAt time.Time
	DueAt      time.Time
	Resting    bool // all were alerted: it is looked at again once the request needs more
	Failures   int  // in a row
}

// failed returns the round after it has failed once more: it is tried again after a pause that grows.
func (r AlertRound) failed(now time.Time) AlertRound {
	pause := MaxAlertRetry
	if r.Failures < 10 {
		pause = min(alertRetry<<r.Failures, MaxAlertRetry)
	}
	r.Failures, r.DueAt = r.Failures+1, now.Add(pause)
	return r
}

// Alert alerts one user to a request, by one of their saved searches or by their stock.
type Alert struct {
	Watcher
	HoldUntil time.Time // zero for now
	MessageAt time.Time // when the direct message is sent; zero for none
	Inbox     bool      // no message of its own
	// it gets no message because of its sender's reach; the reader's next message about alerts counts it
	BeyondReach bool
	Turn        bool // a direct message now: it counts when the next wave is chosen
}

// Plan chooses the watchers to alert to a request now. It returns the round as it goes on, nil when every
// watcher has been alerted. enough reports whether the open offers cover the rest of the request.
func (r AlertRound) Plan(watchers []Watcher, enough bool, now time.Time) ([]Alert, *AlertRound) {
	var quick, others []Alert
	for _, w := range onePerUser(watchers, now) {
		switch held := w.heldUntil(now); {
		case !w.messaged():
			others = append(others, Alert{Watcher: w, Inbox: w.Way == WayInbox})
		case !held.IsZero():
			others = append(others, Alert{Watcher: w, HoldUntil: held, MessageAt: held})
		default:
			quick = append(quick, Alert{Watcher: w, MessageAt: now, Turn: true})
		}
	}
	slices.SortStableFunc(quick, func(a, b Alert) int { return a.before(b.Watcher) })

	var first []Alert
	left := 0
	switch {
	case r.Waves == 0 && len(quick) <= WaveSize:
		first = quick
	case r.Waves >= MaxWaves:
		for _, a := range quick {
			a.HoldUntil = a.Quota.Next(a.Messages, nextHour(a.Settings, digestHour, now))
			a.Turn, a.MessageAt = false, a.HoldUntil
			others = append(others, a)
		}
	case now.Before(r.NextWaveAt):
		left = len(quick)
	default:
		size := 0
		if !enough {
			size = min(WaveSize, len(quick))
		}
		first, left = quick[:size], len(quick)-size
		r.Waves++
		r.NextWaveAt = now.Add(WavePause)
	}
	step := max(min(alertStep-len(first), len(others)), 0)
	alerts := append(slices.Clone(first), others[:step]...)
	switch {
	case len(others) > step:
		r.DueAt = now
	case left > 0:
		r.DueAt = r.NextWaveAt
	default:
		return alerts, nil
	}
	return alerts, &r
}

// before orders watchers: users who can fill the request and have waited longest come first.
func (w Watcher) before(other Watcher) int {
	if w.Skills != other.Skills {
		if w.Skills {
			return -1
		}
		return 1
	}
	return cmp.Or(w.WaitedSince.Compare(other.WaitedSince), cmp.Compare(w.Owner, other.Owner),
		cmp.Compare(w.ID, other.ID))
}

// onePerUser keeps one watcher of each user: the one that alerts them soonest.
func onePerUser(watchers []Watcher, now time.Time) []Watcher {
	soonest := map[core.UserID]int{}
	var kept []Watcher
	for _, w := range watchers {
		at, known := soonest[w.Owner]
		if !known {
			soonest[w.Owner] = len(kept)
			kept = append(kept, w)
			continue
		}
		if w.sooner(kept[at], now) {
			kept[at] = w
		}
	}
	return kept
}

func (w Watcher) sooner(other Watcher, now time.Time) bool {
	if w.messaged() != other.messaged() {
		return w.messaged()
	}
	return w.heldUntil(now).Before(other.heldUntil(now))
}

// notice returns the notice of the alert.
func (a Alert) notice(o trade.Order, now time.Time) notify.Notice {
	n := trade.NoticeAbout(o, a.Owner, notify.NoticeRequestWatched, now)
	n.Quantity, n.CausedBy, n.Search, n.HoldUntil = o.Remaining(), o.Owner, a.ID, a.HoldUntil
	n.Name = a.Name // of the saved search
	if a.Has > 0 {
		n.Quantity = min(n.Quantity, a.Has)
	}
	return a.placed(n)
}

// placed returns the notice where the alert goes: to the reader's inbox alone, or in a message as well.
func (a Alert) placed(n notify.Notice) notify.Notice {
	switch {
	case a.BeyondReach:
		return n.ForInbox(notify.BeyondReach)
	case a.Inbox:
		return n.ForInbox(notify.InboxOnly)
	}
	return n
}

// knew reports whether a request fitted the search before it was edited. It uses the user's present skills.
func (w Watcher) knew(before, after WatchedOrder) bool {
	draft := w.SearchDraft
	if draft.ForMe && before.Category == after.Category && before.LevelRequired() >= after.LevelRequired() &&
		!w.Skills {
		return false
	}
	draft.ForMe = draft.ForMe && (before.Category != after.Category ||
		before.LevelRequired() > after.LevelRequired())
	return draft.Fits(before, nil)
}

// noticeOf returns the notice of an alert to a listing.
func (a Alert) noticeOf(l Listing, now time.Time) notify.Notice {
	return a.placed(notify.Notice{
		User: a.Owner, Kind: notify.NoticeRequestWatched, Listing: l.ID, ItemName: l.ItemName,
		Quantity: l.Left(), Price: l.Price, Name: a.Name, CausedBy: l.User, Search: a.ID,
		HoldUntil: a.HoldUntil, State: notify.NoticePending, CreatedAt: now,
	})
}
