package match

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

func TestAccountsWithoutTrustSharePlaces(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	q := core.Quota{Limit: 3, Per: core.Day}
	alerts := make([]Alert, 5)
	for i := range alerts {
		alerts[i] = Alert{Watcher: Watcher{SavedSearch: SavedSearch{Owner: core.UserID(i + 1)}}, MessageAt: now}
	}
	messaged := func(s Sender, q core.Quota, places int) (readers []core.UserID, n int) {
		sent, taken := s.within(alerts, q, places, now)
		for _, a := range sent {
			if !a.MessageAt.IsZero() {
				readers = append(readers, a.Owner)
			}
		}
		return readers, len(taken)
	}
	for name, c := range map[string]struct {
		sender  Sender
		quota   core.Quota
		places  int
		readers []core.UserID
		taken   int
	}{
		"no trust, two places":                {Sender{Reach: trust.Reach{Since: now}}, q, 2, []core.UserID{1, 2}, 2},
		"no trust, more places than its own":  {Sender{Reach: trust.Reach{Since: now}}, q, 9, []core.UserID{1, 2, 3}, 3},
		"no place":                            {Sender{Reach: trust.Reach{Since: now}}, q, 0, nil, 0},
		"one had a message today":             {Sender{Reach: trust.Reach{Since: now, Reached: []core.UserID{4}}, Alerted: []core.UserID{4}}, q, 1, []core.UserID{1, 4}, 1},
		"an offer's buyer takes a place":      {Sender{Reach: trust.Reach{Since: now, Reached: []core.UserID{1, 2, 9}}}, q, 1, []core.UserID{1}, 1},
		"two by trust, one place":             {Sender{Reach: trust.Reach{Since: now, Trust: 0.04}}, q, 9, []core.UserID{1, 2, 3}, 1},
		"two by trust, no place":              {Sender{Reach: trust.Reach{Since: now, Trust: 0.04}}, q, 0, []core.UserID{1, 2}, 0},
		"an established trader takes none":    {Sender{Reach: trust.Reach{Since: now, Trust: 1}}, q, 0, []core.UserID{1, 2, 3, 4, 5}, 0},
		"a user that a moderator stopped":     {Sender{Reach: trust.Reach{Since: now, Trust: 1, Reached: []core.UserID{4}, Stopped: true}}, q, 9, nil, 0},
		"where reach has no limit, none, too": {Sender{Reach: trust.Reach{Since: now}}, core.Quota{}, 0, []core.UserID{1, 2, 3, 4, 5}, 0},
	} {
		readers, taken := messaged(c.sender, c.quota, c.places)
		if !slices.Equal(readers, c.readers) || taken != c.taken {
			t.Errorf("%s: messages %v and takes %d places, want %v and %d", name, readers, taken, c.readers, c.taken)
		}
	}
}

func TestSharedPlacesAreGivenAndThenDrawn(t *testing.T) {
	q := core.Quota{Limit: 10, Per: core.Day}
	for name, c := range map[string]struct {
		shared SharedReach
		drawn  bool
		luck   float64
		places int
		now    bool
	}{
		"the first half is given at once":          {SharedReach{Waiting: 1}, false, 0, 10, true},
		"what is left of it":                       {SharedReach{Taken: 7, Waiting: 9}, false, 0, 3, true},
		"then a round waits for a draw":            {SharedReach{Taken: 10, Waiting: 1}, false, 0, 0, false},
		"a draw gives half of what is left":        {SharedReach{Taken: 10, Waiting: 1}, true, 0, 5, true},
		"to all that wait, the same":               {SharedReach{Taken: 10, Waiting: 5}, true, 0, 1, true},
		"one place for four has luck decide":       {SharedReach{Taken: 18, Waiting: 4}, true, 0.7, 0, true},
		"and a fourth of them gets it":             {SharedReach{Taken: 18, Waiting: 4}, true, 0.8, 1, true},
		"none is left":                             {SharedReach{Taken: 20, Waiting: 1}, true, 0.9, 0, true},
		"and nothing waits for that":               {SharedReach{Taken: 20, Waiting: 1}, false, 0.9, 0, true},
		"a fiftieth of many who are active":        {SharedReach{Active: 2000, Waiting: 1}, false, 0, 20, true},
		"of which more than half were given today": {SharedReach{Active: 2000, Taken: 20, Waiting: 1}, true, 0, 10, true},
	} {
		if places, now := c.shared.places(q, c.drawn, c.luck); places != c.places || now != c.now {
			t.Errorf("%s: %d places, now %t; want %d and %t", name, places, now, c.places, c.now)
		}
	}
}

func TestDrawsAreAtFullFiveMinutes(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 3, 4, 0, time.UTC)
	next := nextDraw(at)
	if want := time.Date(2026, 5, 1, 12, 5, 0, 0, time.UTC); !next.Equal(want) || atDraw(at) || !atDraw(next) {
		t.Errorf("the draw after %s is at %s, want %s", at, next, want)
	}
	if after := nextDraw(next); !after.After(next) {
		t.Errorf("the draw after one is at %s", after)
	}
	for _, c := range []struct {
		bytes []byte
		least float64
	}{{bytes.Repeat([]byte{0}, 8), 0}, {bytes.Repeat([]byte{255}, 8), 0.999}} {
		if luck, err := drawLuck(bytes.NewReader(c.bytes)); err != nil || luck < c.least || luck >= 1 {
			t.Errorf("luck of %v: %v, %v", c.bytes, luck, err)
		}
	}
	if _, err := drawLuck(bytes.NewReader(nil)); err == nil {
		t.Error("without randomness there is luck")
	}
}

func TestAlertsBeyondTheReachAreInTheInboxOnly(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	to := func(user core.UserID) Alert {
		return Alert{Watcher: Watcher{SavedSearch: SavedSearch{Owner: user}}, MessageAt: now, Turn: true}
	}
	known, ofList, inbox := to(1), to(2), to(3)
	inbox.MessageAt, inbox.Turn, inbox.Inbox = time.Time{}, false, true
	sender := Sender{Reach: trust.Reach{Since: now, Reached: []core.UserID{1, 2}}, Alerted: []core.UserID{1, 2}, HeardOfList: []core.UserID{2}}
	got, _ := sender.within([]Alert{known, ofList, inbox, to(4), to(5)}, core.Quota{Limit: 3, Per: core.Day}, 9, now)
	for i, want := range []bool{false, true, true, false, true} {
		if a := got[i]; a.Inbox != want || a.Turn == want || a.MessageAt.IsZero() != want {
			t.Errorf("the alert of user %d is in the inbox only: %t, want %t", a.Owner, a.Inbox, want)
		}
	}
}

func TestFirstPostsAndReportedOnesWait(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	q := core.Quotas{NewRequests: core.LimitRequests.Quota}
	newcomer, known := Sender{Reach: trust.Reach{Since: now.Add(-time.Hour)}}, Sender{Reach: trust.Reach{Since: now.Add(-core.Day)}}
	reported := known
	reported.ReportedAt = now.Add(-time.Minute)
	for name, c := range map[string]struct {
		sender Sender
		quotas core.Quotas
		at     time.Duration // after the post
		want   time.Duration // zero for none
	}{
		"a newcomer's post":            {newcomer, q, 0, FirstPostsWait},
		"five minutes later":           {newcomer, q, FirstPostsWait, 0},
		"where posts have no limit":    {newcomer, core.Quotas{}, 0, 0},
		"on the second day":            {known, q, 0, 0},
		"reported by a trader":         {reported, q, 0, reportLook},
		"reported an hour before":      {reported, q, ReportHold - time.Minute, 0},
		"reported, and where no quota": {reported, core.Quotas{}, ReportHold - 70*time.Second, ReportHold - time.Minute},
	} {
		want := time.Time{}
		if c.want > 0 {
			want = now.Add(c.want)
		}
		if got := c.sender.waitUntil(AlertRound{Since: now}, c.quotas, now.Add(c.at)); !got.Equal(want) {
			t.Errorf("%s: waits until %s, want %s", name, got, want)
		}
	}
}
