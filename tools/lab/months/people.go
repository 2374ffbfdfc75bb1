package months

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/sql/waits"
)

// reader is a user who is sent messages.
type reader struct {
	user core.UserID
	match.Watcher
}

var zones = []string{"", "", "", "", "Europe/Berlin", "America/New_York"}

// people adds readers, each with settings and a way to be alerted.
func (w *world) people() {
	for i := range 12 + w.random.IntN(12) {
		r := &reader{user: core.UserID(i + 1)}
		r.Owner, r.ID = r.user, core.SearchID(i+1)
		r.Way = []match.Way{match.WayDirect, match.WayDirect, match.WayDigest, match.WayInbox}[w.random.IntN(4)]
		r.Pause = []time.Duration{0, 0, time.Hour}[w.random.IntN(3)]
		r.Quota = core.Quota{Limit: 1 + w.random.IntN(5), Per: core.Day}
		w.readers = append(w.readers, r)
		w.store.AddReader(notify.Mailbox{User: r.user, Settings: w.settings()})
	}
	w.quotas.DMPair = []core.Quota{{}, {Limit: 4, Per: time.Hour}, {Limit: 2, Per: core.Day}}[w.random.IntN(3)]
	w.quotas.DMReader = []core.Quota{{}, {Limit: 20, Per: time.Hour}, {Limit: 5, Per: core.Day}}[w.random.IntN(3)]
}

func (w *world) settings() (s notify.Settings) {
	if w.chance(0.5) {
		s.QuietFrom, s.QuietTo = w.random.IntN(24)*60, w.random.IntN(24)*60+w.random.IntN(60)
		s.TimeZone = zones[w.random.IntN(len(zones))]
	}
	if w.chance(0.1) {
		s.Muted = []notify.Kind{notify.NoticeOfferDeclined}
	}
	return s
}

func (w *world) anyone() *reader { return w.readers[w.random.IntN(len(w.readers))] }

// often has something happen again and again, with a pause of about as long.
func (w *world) often(about time.Duration, do func()) {
	w.after(w.between(0, 2*about), func() {
		if w.faults {
			do()
			w.often(about, do)
		}
	})
}

// plan says what happens in a month.
func (w *world) plan() {
	w.often(90*time.Minute, func() { w.add(w.event(w.anyone())) })
	w.often(10*time.Hour, w.burst)
	w.often(20*time.Hour, w.wave)
	w.often(2*core.Day, func() {
		to, s := w.anyone().user, w.settings()
		_ = w.store.Atomically("", func(tx *Tx) error { return tx.SaveNoticeSettings(context.Background(), to, s) })
		w.lookAt(core.LateAfter)
	})
	w.often(6*core.Day, func() {
		r := w.anyone()
		w.closed[r.user] = true
		w.after(w.longer(time.Hour, 2*core.Day), func() {
			delete(w.closed, r.user)
			_ = w.store.Atomically("", func(tx *Tx) error { return tx.OpenMailbox(context.Background(), r.user) })
		})
	})
	w.often(7*core.Day, func() {
		w.result.Outages++
		w.down = true
		if w.chance(0.4) {
			w.after(w.between(0, time.Minute), w.clockSteps)
		}
		w.after(w.longer(5*time.Second, 6*time.Hour), func() {
			w.down = false
			w.excuse(0)
		})
	})
	w.often(7*core.Day, func() {
		if w.failing != 0 {
			return
		}
		w.failing = w.anyone().user
		w.after(w.longer(5*time.Second, 6*time.Hour), func() {
			w.failing = 0
			w.excuse(0)
		})
	})
	w.often(5*core.Day, func() {
		w.result.Limits++
		w.limited = time.Now().Add(w.longer(time.Second, 3*time.Hour))
		w.excuse(0)
	})
	w.often(4*core.Day, w.restart)
	w.often(8*core.Day, func() {
		for _, p := range w.processes {
			w.killAfter(p, 0)
		}
	})
	w.often(6*core.Day, w.clockSteps)
	w.often(time.Hour, func() {
		if time.Since(w.setAt) < core.Day { // later nothing is ahead
			w.sweep(waits.All)
		}
	})
}

// clockSteps sets the clock: for good by a little, or for a while by more.
func (w *world) clockSteps() {
	by, lasts := w.longer(time.Second, 2*time.Hour), w.longer(time.Second, time.Hour)
	switch w.random.IntN(3) {
	case 0: // for a moment by as much as a month
		by, lasts = w.longer(time.Minute, month), w.between(time.Second, 50*time.Second)
	case 1:
		by = -by
	}
	w.step(by)
	w.after(lasts, func() { w.step(-by) })
}

// tradeKinds are what happens to people who trade.
var tradeKinds = []notify.Kind{
	notify.NoticeOfferReceived, notify.NoticeOfferReceived, notify.NoticeOfferReceived, notify.NoticeOfferAccepted,
	notify.NoticeOfferDeclined, notify.NoticeOfferWithdrawn, notify.NoticeOrderFilled, notify.NoticeOrderExpiring,
	notify.NoticeOfferLapsed, notify.NoticeUserBlocked, notify.NoticeTest,
}

// event is a notice about a trade.
func (w *world) event(to *reader) notify.Notice {
	n := notify.Notice{User: to.user, Kind: tradeKinds[w.random.IntN(len(tradeKinds))], Quantity: 1,
		CausedBy: core.UserID(w.random.IntN(len(w.readers) + 1)), State: notify.NoticePending}
	switch n.Kind {
	case notify.NoticeOfferReceived:
		w.offered++
		n.OfferID = w.offered
		w.store.offers[n.OfferID] = 1
		id := n.OfferID
		w.after(w.longer(time.Minute, 3*core.Day), func() { delete(w.store.offers, id) })
	case notify.NoticeOrderExpiring:
		w.orders++
		n.OrderID = w.orders
		w.store.requests[n.OrderID] = &request{open: true, updated: w.now()}
	}
	return n
}

// add adds notices, in one transaction.
func (w *world) add(notices ...notify.Notice) {
	for i := range notices {
		notices[i].CreatedAt = w.now()
	}
	_ = w.store.Atomically("", func(tx *Tx) error { return notify.AddNotices(context.Background(), tx, notices) })
	for i := range notices {
		w.made[core.NoticeID(len(w.store.notices)-i)] = time.Now()
	}
	w.lookAt(core.LateAfter)
}

// burst is much for one reader at once.
func (w *world) burst() {
	w.result.Bursts++
	to, spread := w.anyone(), w.longer(time.Second, time.Hour)
	for range 2 + w.random.IntN(40) {
		w.after(w.between(0, spread), func() { w.add(w.event(to)) })
	}
}

// wave alerts readers to a request, by the rule of core/match.
func (w *world) wave() {
	w.orders++
	id := w.orders
	w.store.requests[id] = &request{open: true, updated: w.now()}
	w.after(w.longer(time.Minute, 3*core.Day), func() { w.store.requests[id].open = false })
	left := append([]*reader(nil), w.readers...)
	w.alert(id, left, match.AlertRound{})
}

func (w *world) alert(order core.OrderID, left []*reader, round match.AlertRound) {
	w.result.Waves++
	var watchers []match.Watcher
	for _, r := range left {
		b := w.store.boxes[r.user]
		r.Settings, r.Closed = b.Settings, b.Closed
		watchers = append(watchers, r.Watcher)
	}
	now := w.now()
	alerts, next := round.Plan(watchers, false, now)
	var notices []notify.Notice
	for _, a := range alerts {
		n := notify.Notice{User: a.Owner, Kind: notify.NoticeRequestWatched, OrderID: order, Quantity: 1,
			HoldUntil: a.HoldUntil, State: notify.NoticePending}
		if a.Inbox {
			n.State, n.Reason, n.SettledAt = notify.NoticeDelivered, "inbox", now
		}
		notices = append(notices, n)
		for i, r := range left {
			if r.user != a.Owner {
				continue
			}
			if !a.MessageAt.IsZero() {
				r.AlertedAt = a.MessageAt
				r.Messages = append([]time.Time{a.MessageAt}, r.Messages[:min(len(r.Messages), r.Quota.Limit-1)]...)
			}
			if a.Turn {
				r.WaitedSince = now
			}
			left = append(left[:i:i], left[i+1:]...)
			break
		}
	}
	if len(notices) > 0 {
		w.add(notices...)
	}
	if next != nil && len(left) > 0 {
		w.after(max(next.DueAt.Sub(now), time.Second), func() { w.alert(order, left, *next) })
	}
}
