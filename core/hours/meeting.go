package hours

import (
	"strings"
	"time"

	"tradepost/core"
)

const (
	// Ahead is how far ahead a time is proposed at most.
	Ahead = 3 * core.Day
	// MaxAhead is how far ahead two can choose a time.
	MaxAhead = 14 * core.Day
	// Notice is how far ahead a proposed time is at least.
	Notice = 30 * time.Minute
	// RemindBefore is how long before the time both are reminded.
	RemindBefore = 10 * time.Minute
	// step is between the times that are proposed: they are full and half hours.
	step = 30 * time.Minute
	// MaxProposals is how often each side of a trade proposes another time at most.
	MaxProposals = 3
)

// Player is what decides when somebody can meet.
type Player struct {
	Week  Week                 // empty where it is not known: then any hour may suit them
	Quiet func(time.Time) bool // reports whether they take no messages then; nil for never
}

// canMeet reports whether a time, and the reminder of it, suit a player.
func (p Player) canMeet(at time.Time) bool {
	plays := p.Week.Empty() || p.Week.Has(At(at))
	return plays && (p.Quiet == nil || !p.Quiet(at) && !p.Quiet(at.Add(-RemindBefore)))
}

// Next returns the soonest full or half hour in which both play, after a time (zero: any), Notice ahead at
// least and Ahead at most. Where the hours of one are not known it is an hour of the other, and no more than
// a question. It is zero for none, and where nothing is known of either.
func Next(a, b Player, after, now time.Time) time.Time {
	if a.Week.Empty() && b.Week.Empty() {
		return time.Time{}
	}
	at := now.UTC().Add(Notice + step - 1).Truncate(step)
	if !at.After(after) {
		at = after.UTC().Add(step).Truncate(step)
	}
	for ; !at.After(now.Add(Ahead)); at = at.Add(step) {
		if a.canMeet(at) && b.canMeet(at) {
			return at
		}
	}
	return time.Time{}
}

// Meeting is the one time that is proposed to the buyer and the seller of a trade. It is agreed on once both
// have said that it works.
type Meeting struct {
	At            time.Time // zero for none
	Buyer, Seller bool      // have said that it works
	Reminded      bool      // both were, ten minutes before
	// How often each side has proposed another time: by Propose or Choose.
	ByBuyer  int `json:",omitzero"`
	BySeller int `json:",omitzero"`
}

// Agreed reports whether both have said that the time works.
func (m Meeting) Agreed() bool { return m.Buyer && m.Seller }

// Ahead reports whether there is a time that has not come.
func (m Meeting) Ahead(now time.Time) bool { return now.Before(m.At) }

// RemindAt returns when both are reminded; zero for never, and once they were.
func (m Meeting) RemindAt() time.Time {
	if !m.Agreed() || m.Reminded {
		return time.Time{}
	}
	return m.At.Add(-RemindBefore)
}

// said marks that one side says that the time works.
func (m Meeting) said(buyer bool) Meeting {
	if buyer {
		m.Buyer = true
	} else {
		m.Seller = true
	}
	return m
}

// Left returns how often a side can propose another time.
func (m Meeting) Left(buyer bool) int {
	if buyer {
		return max(0, MaxProposals-m.ByBuyer)
	}
	return max(0, MaxProposals-m.BySeller)
}

// moved returns the meeting at another time that a side proposes: neither has said that it works. It fails
// with Conflict once the side has proposed MaxProposals.
func (m Meeting) moved(buyer bool, at time.Time) (Meeting, error) {
	if m.Left(buyer) == 0 {
		return Meeting{}, core.NewError(core.Conflict, core.NewText("meeting_proposed_often",
			"most", MaxProposals))
	}
	moved := Meeting{At: at, ByBuyer: m.ByBuyer, BySeller: m.BySeller}
	if buyer {
		moved.ByBuyer++
	} else {
		moved.BySeller++
	}
	return moved, nil
}

// Accept is the meeting once a side has said that the time works. It fails with Conflict when another time
// is proposed by now, and when the time has come.
func (m Meeting) Accept(buyer bool, at, now time.Time) (Meeting, error) {
	switch {
	case m.At.IsZero() || !m.At.Equal(at):
		return Meeting{}, core.NewError(core.Conflict, core.NewText("meeting_changed"))
	case !m.Ahead(now):
		return Meeting{}, core.NewError(core.Conflict, core.NewText("meeting_past"))
	}
	return m.said(buyer), nil
}

// Choose returns the meeting at a time that a side has chosen: the other has not said that it works. It
// fails with Invalid when the time is out of reach, and with Conflict as Propose.
func (m Meeting) Choose(buyer bool, at, now time.Time) (Meeting, error) {
	at = at.UTC().Truncate(time.Minute)
	if at.Before(now) || at.After(now.Add(MaxAhead)) {
		return Meeting{}, core.NewFieldError("at",
			core.NewText("meeting_range", "days", int(MaxAhead/core.Day)))
	}
	if m.At.Equal(at) {
		return m.said(buyer), nil
	}
	moved, err := m.moved(buyer, at)
	if err != nil {
		return Meeting{}, err
	}
	return moved.said(buyer), nil
}

// TimeTyped reads a time that somebody types in their time zone (an IANA name; empty for UTC): the next
// 20:30, or 2026-12-01 20:30. It reports false for anything else.
func TimeTyped(text, zone string, now time.Time) (time.Time, bool) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	text = strings.Join(strings.Fields(text), " ")
	if at, err := time.ParseInLocation("2006-01-02 15:04", text, location); err == nil {
		return at.UTC(), true
	}
	clock, err := time.Parse("15:04", strings.Replace(text, ".", ":", 1))
	if err != nil {
		return time.Time{}, false
	}
	here := now.In(location)
	at := time.Date(here.Year(), here.Month(), here.Day(), clock.Hour(), clock.Minute(), 0, 0, location)
	if at.Before(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at.UTC(), true
}

// Propose returns the meeting at the soonest time after the present one in which both play, which a side asks
// for: neither has said that it works. It fails with Conflict when there is none, and once the side has
// proposed MaxProposals.
func (m Meeting) Propose(buyer bool, a, b Player, now time.Time) (Meeting, error) {
	at := Next(a, b, m.At, now)
	if at.IsZero() {
		return Meeting{}, core.NewError(core.Conflict, core.NewText("meeting_none"))
	}
	return m.moved(buyer, at)
}
