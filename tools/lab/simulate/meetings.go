package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/notify"
)

// Times to meet: the program knows when some people play, proposes one time to both sides of a trade, and
// they answer, and come or do not.

// known is how the program knows when somebody plays who takes part.
type known string

const (
	knownUsual   known = "usual"   // they press the hours of the program around the time they usually play at
	knownFree    known = "free"    // they choose those hours in which -arranged has everybody free
	knownLearned known = "learned" // they say nothing, and have the program learn from "We met"
)

// tells reports whether a person takes part.
func (w *world) tells(p *person) bool { return draw(w.seed, "hours", p.n).Float64() < w.hours }

// tellHours has a person who takes part tell the program when they play.
func (w *world) tellHours(ctx context.Context, p *person) error {
	if !w.tells(p) {
		return nil
	}
	switch w.known {
	case knownLearned:
		return w.market.People.LearnPlayHours(ctx, p.Actor, true)
	case knownFree:
		return w.market.People.SavePlayHours(ctx, p.Actor, freeHours(p.zone).List())
	}
	return w.market.People.SavePlayHours(ctx, p.Actor, usualHours(p.usual, p.zone, w.clock()).List())
}

// usualHours are the hours that a person presses who lives in a zone: those presets of the program that have
// the hour at which they usually begin to play. Who finds none says none.
func usualHours(usual time.Duration, zone int, now time.Time) (said hours.Week) {
	named := fmt.Sprintf("Etc/GMT%+d", -zone) // the names have the other sign
	for _, preset := range hours.Presets {
		week := preset.Of(named, now)
		if !week.Shared(everyDay(int(usual/time.Hour), zone)).Empty() {
			said = said.With(week)
		}
	}
	return said
}

// freeHours are those from freeFrom until midnight, every day.
func freeHours(zone int) (free hours.Week) {
	for hour := freeFrom; hour < 24; hour++ {
		free = free.With(everyDay(hour, zone))
	}
	return free
}

// everyDay is an hour of each day of those who live in a zone.
func everyDay(hour, zone int) hours.Week {
	var list []int
	for day := range 7 {
		list = append(list, (day*24+hour-zone+hours.InWeek)%hours.InWeek)
	}
	week, _ := hours.Of(list) // all are of a week
	return week
}

// timed is how two came to meet at a time that was proposed to them.
type timed struct {
	known    bool          // the program knows when both play, and not of one alone
	first    time.Time     // what it proposed at first; zero for none
	on       time.Time     // what both have agreed on; zero for nothing
	came     bool          // both did
	proposed int           // how many times were
	wait     time.Duration // from when the trade was agreed until both met
}

// proposed lets both sides of a new trade answer the time that the program proposes: the side that is there
// at once, the other after reading the message.
func (w *world) proposed(ctx context.Context, h *handover, there *person) error {
	if w.hours == 0 {
		return nil
	}
	buyer := h.wanted.buyer
	weeks, err := w.market.People.PlayWeeks(ctx, []core.UserID{buyer.UserID, h.seller.UserID})
	if err != nil {
		return err
	}
	h.known = !weeks[buyer.UserID].Empty() && !weeks[h.seller.UserID].Empty()
	read, err := w.market.Trade.Details(ctx, buyer.Actor, h.sale)
	if err != nil {
		return err
	}
	h.first = read.Trade.Meets.At
	if h.first.IsZero() {
		return nil
	}
	h.proposed++
	for _, p := range []*person{buyer, h.seller} {
		at := w.clock()
		if p != there {
			at = w.readsTime(h, p)
		}
		w.after(at, func(ctx context.Context) error { return w.answersTime(ctx, h, p) })
	}
	return nil
}

// readsTime is when a side answers the message with a time that was just proposed.
func (w *world) readsTime(h *handover, p *person) time.Time {
	random := draw(w.seed, "time", p.n, h.wanted.buyer.n, h.wanted.n, h.seller.n, h.proposed)
	return answersAt(random, p.zone, w.clock())
}

// works reports whether a person can come at a time that is proposed to them: it is ahead, and they have told
// the program when they play, or -arranged has them free then.
func (w *world) works(p *person, at time.Time) bool {
	return at.After(w.clock()) &&
		(w.known != knownLearned && w.tells(p) || freeHours(p.zone).Has(hours.At(at)))
}

// answersTime has a side press that the proposed time works. Where it does not, or has passed, they leave it
// at that, or press for another one where the plan has that.
func (w *world) answersTime(ctx context.Context, h *handover, p *person) error {
	if h.met {
		return nil
	}
	read, err := w.market.Trade.Details(ctx, p.Actor, h.sale)
	if err != nil {
		return err
	}
	if meets := read.Trade.Meets; meets.Agreed() && !meets.Ahead(w.clock()) {
		return nil // agreed on for another trade of the two, and past
	}
	asked := false
	for meets := read.Trade.Meets; !meets.Agreed() && !w.works(p, meets.At); meets = read.Trade.Meets {
		if !w.another {
			return nil
		}
		read.Trade, err = w.market.Trade.ProposeMeeting(ctx, p.Actor, h.sale, meets.At)
		if core.KindOf(err) == core.Conflict {
			return nil // there is none
		}
		if err != nil {
			return fmt.Errorf("%s asks for another time: %w", p.Username, err)
		}
		h.proposed++
		asked = true
	}
	if asked {
		other := h.other(p)
		w.after(w.readsTime(h, other),
			func(ctx context.Context) error { return w.answersTime(ctx, h, other) })
	}
	after, err := w.market.Trade.AcceptMeeting(ctx, p.Actor, h.sale, read.Trade.Meets.At)
	if err != nil {
		return fmt.Errorf("%s says that a time works: %w", p.Username, err)
	}
	if after.Meets.Agreed() {
		w.agreedOn(h, after.Meets.At)
	}
	return nil
}

// other is the other side.
func (h *handover) other(p *person) *person {
	if p == h.seller {
		return h.wanted.buyer
	}
	return h.seller
}

// between reports whether two people are the sides, in either order.
func (h *handover) between(a, b *person) bool {
	return h.seller == a && h.wanted.buyer == b || h.seller == b && h.wanted.buyer == a
}

// agreedOn has two come or not at the time that they have agreed on, for all that is open between them.
func (w *world) agreedOn(with *handover, at time.Time) {
	a, b := with.wanted.buyer, with.seller
	came := w.keeps(a, b, at) && w.keeps(b, a, at)
	for _, h := range w.handovers {
		if h.met || h.on.Equal(at) || !h.between(a, b) {
			continue
		}
		if h.on, h.came = at, came; came {
			w.meetAt(h, at.Add(meetingTakes))
		}
	}
}

// keeps reports whether a person comes at a time that they agreed on with another.
func (w *world) keeps(p, with *person, at time.Time) bool {
	minutes := int(at.Sub(w.begin) / time.Minute)
	return draw(w.seed, "comes", p.n, with.n, minutes).Float64() < keepsTime
}

// meetingTimes are what came of the times that were proposed.
type meetingTimes struct {
	known, proposed, agreed, came int             // trades
	messages                      int             // by which a side heard what the other had said
	ahead                         []time.Duration // of the first proposed time, from when a trade was agreed
	waits, chance                 []time.Duration // of trades whose sides came, and of others that were met
	// of requests until all was handed over: whose trades' sides all came at an agreed time, and of others
	all, others []time.Duration
}

// timesOfAll sums up what came of the times of all trades.
func (w *world) timesOfAll(ctx context.Context) error {
	if w.hours == 0 {
		return nil
	}
	t := &w.result.times
	err := w.store.Pool().QueryRow(ctx, "select count(*) from notices where kind = $1",
		notify.NoticeMeetingTime).Scan(&t.messages)
	if err != nil {
		return err
	}
	came, last := map[*want]int{}, map[*want]time.Time{}
	for _, h := range w.handovers {
		if h.known {
			t.known++
		}
		if !h.first.IsZero() {
			t.proposed++
			t.ahead = append(t.ahead, h.first.Sub(h.agreed))
		}
		if !h.on.IsZero() {
			t.agreed++
		}
		if h.came {
			t.came++
			came[h.wanted]++
		}
		if met := h.agreed.Add(h.wait); h.met && h.came {
			t.waits = append(t.waits, h.wait)
			last[h.wanted] = latest(last[h.wanted], met)
		} else if h.met {
			t.chance = append(t.chance, h.wait)
			last[h.wanted] = latest(last[h.wanted], met)
		}
	}
	for _, wanted := range w.all {
		if wanted.met < wanted.Quantity {
			continue
		}
		took := last[wanted].Sub(wanted.at)
		if came[wanted] == wanted.trades {
			t.all = append(t.all, took)
		} else {
			t.others = append(t.others, took)
		}
	}
	for _, list := range [][]time.Duration{t.ahead, t.waits, t.chance, t.all, t.others} {
		slices.Sort(list)
	}
	return nil
}

// with counts what two seeds have shown as if it were one.
func (t meetingTimes) with(other meetingTimes) meetingTimes {
	return meetingTimes{
		known: t.known + other.known, proposed: t.proposed + other.proposed, agreed: t.agreed + other.agreed,
		came: t.came + other.came, messages: t.messages + other.messages,
		ahead: both(t.ahead, other.ahead),
		waits: both(t.waits, other.waits), chance: both(t.chance, other.chance),
		all: both(t.all, other.all), others: both(t.others, other.others),
	}
}
