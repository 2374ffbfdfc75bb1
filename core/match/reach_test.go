package match

import (
	"testing"
	"time"

	"tradepost/core"
)

func TestABuyersReachGrowsWithTrust(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	reached := []core.UserID{1, 2, 3}
	for name, c := range map[string]struct {
		sender Sender
		quota  core.Quota
		want   int
	}{
		"a new account":         {Sender{Since: now, Reached: reached}, core.Quota{Limit: 10, Per: core.Day}, 7},
		"after a week":          {Sender{Since: now.Add(-knownAfter), Reached: reached}, core.Quota{Limit: 10}, 47},
		"an established trader": {Sender{Since: now, Established: true, Reached: reached}, core.Quota{Limit: 10}, 197},
		"used up":               {Sender{Since: now, Reached: reached}, core.Quota{Limit: 2}, 0},
	} {
		if got := c.sender.mayReach(c.quota, now); got != c.want {
			t.Errorf("%s: may reach %d more, want %d", name, got, c.want)
		}
	}
	if got := (Sender{Reached: reached}).mayReach(core.Quota{}, now); got < 1_000_000 {
		t.Errorf("without a limit %d may be reached", got)
	}
}

func TestAlertsBeyondTheReachAreInTheInboxOnly(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	to := func(user core.UserID) Alert {
		return Alert{Watcher: Watcher{SavedSearch: SavedSearch{Owner: user}}, MessageAt: now, Turn: true}
	}
	known, ofList, inbox := to(1), to(2), to(3)
	inbox.MessageAt, inbox.Turn, inbox.Inbox = time.Time{}, false, true
	sender := Sender{Since: now, Reached: []core.UserID{1, 2}, HeardOfList: []core.UserID{2}}
	got := sender.within([]Alert{known, ofList, inbox, to(4), to(5)}, core.Quota{Limit: 3, Per: core.Day}, now)
	for i, want := range []bool{false, true, true, false, true} {
		if a := got[i]; a.Inbox != want || a.Turn == want || a.MessageAt.IsZero() != want {
			t.Errorf("the alert of user %d is in the inbox only: %t, want %t", a.Owner, a.Inbox, want)
		}
	}
}

func TestFirstPostsAndReportedOnesWait(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	q := core.Quotas{NewRequests: core.LimitRequests.Quota}
	newcomer, known := Sender{Since: now.Add(-time.Hour)}, Sender{Since: now.Add(-core.Day)}
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
