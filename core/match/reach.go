package match

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

const (
	// FirstPostsWait is how long requests that are posted on the first day of an account wait before anybody
	// is alerted to them, so that a moderator can remove them before that.
	FirstPostsWait = 5 * time.Minute
	// ReportHold is for how long a report by an established trader delays the alerts about a request. A
	// moderator's decision ends the delay, within reportLook.
	ReportHold = time.Hour
	reportLook = time.Minute
)

const (
	sharedReach    = 2 // of all accounts together, at least
	activeForReach = 50
)

// DrawPause is the time between two draws of shared places. Draws are aligned to the clock.
const DrawPause = 5 * time.Minute

// Sender holds the facts about the buyer of an order that decide which people its alerts reach.
type Sender struct {
	trust.Reach
	// those of Reached who were messaged by alerts: another one to them takes no shared place
	Alerted []core.UserID
	// the people that messages have alerted to other orders of the same list, without messages that wait
	HeardOfList []core.UserID
	// the time of the first open report about the order by an established trader; zero for none
	ReportedAt time.Time
}

// waitUntil returns when the round is to be looked at again, zero when alerts may be sent now.
func (s Sender) waitUntil(r AlertRound, q core.Quotas, now time.Time) time.Time {
	var until time.Time
	if q.NewRequests.Limit > 0 && r.Since.Before(s.Since.Add(core.LimitFirstDay.Per)) {
		until = r.Since.Add(FirstPostsWait)
	}
	if held := s.ReportedAt.Add(ReportHold); !s.ReportedAt.IsZero() && held.After(until) {
		until = earlier(held, now.Add(reportLook))
	}
	if !until.After(now) {
		return time.Time{}
	}
	return until
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// within turns alerts beyond the sender's reach, and alerts that get no shared place, into entries of the
// inbox without a message of their own. It does the same with alerts to readers that have been messaged about
// another order of the same list. Each reader counts once. It returns the readers who the alerts take shared
// places for.
func (s Sender) within(
	alerts []Alert, q core.Quota, places int, now time.Time,
) (sent []Alert, taken []core.UserID) {
	alerts = slices.Clone(alerts)
	reached, own, limit := len(s.Reached), s.Own(q), s.Limit(q, now)
	one := func(a Alert) int {
		if slices.Contains(s.Reached, a.Owner) { // by an offer
			return 0
		}
		return 1
	}
	for i, a := range alerts {
		beyond := !slices.Contains(s.HeardOfList, a.Owner)
		switch {
		case a.MessageAt.IsZero():
			continue
		case !beyond || s.Stopped:
		case q.Limit == 0 || slices.Contains(s.Alerted, a.Owner):
			continue
		case reached+one(a) <= own:
			reached += one(a)
			continue
		case reached+one(a) <= limit && len(taken) < places:
			reached += one(a)
			taken = append(taken, a.Owner)
			continue
		}
		alerts[i].Inbox, alerts[i].BeyondReach, alerts[i].Turn = true, beyond, false
		alerts[i].HoldUntil, alerts[i].MessageAt = time.Time{}, time.Time{}
	}
	return alerts, taken
}

// wanted returns how many shared places the alerts would take.
func (s Sender) wanted(alerts []Alert, q core.Quota, now time.Time) int {
	_, wanted := s.within(alerts, q, math.MaxInt, now)
	return len(wanted)
}

// SharedReach is the market-wide budget of people messaged by alerts beyond their senders' own reach. A place
// is one person. More accounts do not add places. A place is free again once its reader has offered on the
// request: who answers was not disturbed by it.
type SharedReach struct {
	Taken   int // within LimitSharedReach.Per, by readers who have not offered since
	Active  int // people who traded within a week
	Waiting int // rounds of alerts that are due
}

// left returns how many places are left, and of how many.
func (s SharedReach) left(q core.Quota) (left, of int) {
	of = max(q.Limit*sharedReach, s.Active/activeForReach)
	return max(of-s.Taken, 0), of
}

// places returns how many places a round gets now, or false if the round has to wait for the next draw. The
// first half of a day's places is given at once. Each draw then gives out half of the places left, with the
// same chance for each waiting round. drawn says whether a draw takes place now; luck is a random number from
// 0 to below 1.
func (s SharedReach) places(q core.Quota, drawn bool, luck float64) (places int, now bool) {
	left, of := s.left(q)
	switch free := left - of/2; {
	case left == 0:
		return 0, true
	case free > 0:
		return free, true
	case !drawn:
		return 0, false
	}
	return int(float64(left)/2/float64(max(s.Waiting, 1)) + luck), true
}

// atDraw reports whether a round became due at a draw.
func atDraw(due time.Time) bool { return due.Equal(due.Truncate(DrawPause)) }

// nextDraw returns when the next draw is.
func nextDraw(now time.Time) time.Time { return now.Truncate(DrawPause).Add(DrawPause) }

// drawLuck returns a number from 0 to below 1.
func drawLuck(random io.Reader) (float64, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, err
	}
	return float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53), nil
}
