package match

import (
	"math"
	"slices"
	"time"

	"tradepost/core"
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
	knownAfter       = 7 * core.Day // how long an account must have been here to reach more people
	knownReach       = 5            // as many times more
	establishedReach = 20
)

// Sender holds the facts about the buyer of an order that decide which people its alerts reach.
type Sender struct {
	Since       time.Time // when the account first came to this market
	Established bool      // as a trader
	// the people that alerts about the buyer's orders have messaged within LimitReach.Per, each once
	Reached []core.UserID
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

// mayReach returns how many more people the sender's alerts may message.
func (s Sender) mayReach(q core.Quota, now time.Time) int {
	limit := q.Limit
	switch {
	case limit == 0:
		return math.MaxInt
	case s.Established:
		limit *= establishedReach
	case now.Sub(s.Since) >= knownAfter:
		limit *= knownReach
	}
	return max(limit-len(s.Reached), 0)
}

// within turns alerts beyond the sender's reach into entries of the inbox, without a message. It does the
// same with alerts to readers that have been messaged about another order of the same list. Each reader
// counts once.
func (s Sender) within(alerts []Alert, q core.Quota, now time.Time) []Alert {
	left := s.mayReach(q, now)
	for i, a := range alerts {
		switch {
		case a.MessageAt.IsZero():
			continue
		case slices.Contains(s.HeardOfList, a.Owner):
		case slices.Contains(s.Reached, a.Owner):
			continue
		case left > 0:
			left--
			continue
		}
		alerts[i].Inbox, alerts[i].Turn = true, false
		alerts[i].HoldUntil, alerts[i].MessageAt = time.Time{}, time.Time{}
	}
	return alerts
}
