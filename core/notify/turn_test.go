package notify

import (
	"testing"
	"time"
)

func TestFirstInLineIsTheOldestTradeAndThenTheOldestAlert(t *testing.T) {
	t.Parallel()
	line := []Notice{{ID: 3, Kind: NoticeRequestWatched}, {ID: 7, Kind: NoticeOfferReceived}, {ID: 5, Kind: NoticeOfferAccepted},
		{ID: 2, Kind: NoticeRequestWatched}}
	for _, want := range []int64{5, 7, 2, 3} {
		first := First(line)
		if int64(first.ID) != want {
			t.Errorf("first is %d, want %d", first.ID, want)
		}
		for i := range line {
			if line[i].ID == first.ID {
				line = append(line[:i:i], line[i+1:]...)
				break
			}
		}
	}
	if First(nil).ID != 0 {
		t.Error("an empty line has a first notice")
	}
}

func TestATurnSaysWhatANoticeWaitsFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	quiet := Settings{QuietFrom: 11 * 60, QuietTo: 13 * 60}
	offer := Notice{ID: 1, Kind: NoticeOfferReceived, CreatedAt: now, State: NoticePending}
	with := func(change func(*Notice)) Notice {
		n := offer
		change(&n)
		return n
	}
	held := with(func(n *Notice) { n.HoldUntil = now.Add(time.Hour) })
	aheadByAMonth := with(func(n *Notice) { n.HoldUntil = now.AddDate(0, 1, 0) })
	old := with(func(n *Notice) { n.CreatedAt = now.Add(-NoticeLifetime - time.Hour) })
	older := with(func(n *Notice) { n.CreatedAt = now.Add(-NoticeLifetime - lookupLifetime - time.Hour) })
	test := with(func(n *Notice) { n.Kind = NoticeTest })
	pending := func(wait time.Duration, why Cause) Turn { return Turn{State: NoticePending, Wait: wait, For: why} }
	expired := Turn{State: NoticeExpired, Reason: "It could not be delivered in time"}
	over := expired
	over.Over = true
	for name, c := range map[string]struct {
		box    Mailbox
		notice Notice
		thread Thread
		steady time.Duration
		want   Turn
	}{
		"nothing":                          {Mailbox{}, offer, NoThread, 0, pending(0, ForNothing)},
		"quiet hours":                      {Mailbox{Settings: quiet}, offer, NoThread, 0, pending(time.Hour, ForQuietHours)},
		"a test in quiet hours":            {Mailbox{Settings: quiet}, test, NoThread, 0, pending(0, ForNothing)},
		"its hold":                         {Mailbox{}, held, NoThread, 0, pending(time.Hour, ForHold)},
		"a hold by a clock that was wrong": {Mailbox{}, aheadByAMonth, NoThread, 0, pending(0, ForNothing)},
		"a message": {Mailbox{BusyUntil: now.Add(30 * time.Second)}, offer, NoThread, 0,
			pending(BusyPoll, ForMessage)},
		"a lease by a clock that was wrong": {Mailbox{BusyUntil: now.Add(time.Hour)}, offer, NoThread, 0, pending(0, ForNothing)},
		"a retry": {Mailbox{NotBefore: now.Add(20 * time.Second)}, offer, NoThread, 0,
			pending(20*time.Second, ForRetry)},
		"a thread":                   {Mailbox{}, offer, ThreadAwaited, 0, pending(BusyPoll, ForThread)},
		"no thread for closed":       {Mailbox{Closed: "closed"}, offer, NoThread, 0, Turn{State: NoticeRefused, Reason: "closed"}},
		"a thread that reaches them": {Mailbox{Closed: "closed"}, offer, ThreadMade, 0, pending(0, ForNothing)},
		"a steady clock":             {Mailbox{}, old, NoThread, time.Minute, pending(time.Minute, ForClock)},
		"its end":                    {Mailbox{}, old, NoThread, 0, expired},
		"its end, too old to look":   {Mailbox{}, older, NoThread, 0, over},
	} {
		if got := c.box.Turn(c.notice, c.thread, c.steady, now); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAShorterPauseOfDiscordTakesNothingBackFromALongerOne(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ had, pause, want time.Duration }{
		"the first":                    {0, time.Minute, time.Minute},
		"a longer one":                 {time.Second, time.Minute, time.Minute},
		"a shorter one":                {10 * time.Minute, time.Second, 10 * time.Minute},
		"after a clock that was wrong": {2 * MaxRetryAfter, time.Minute, time.Minute},
	} {
		box := Mailbox{LimitedUntil: now.Add(c.had)}.Limited(c.pause, now)
		if got := box.LimitedUntil.Sub(now); got != c.want {
			t.Errorf("%s: Discord's pause lasts %s, want %s", name, got, c.want)
		}
		if longest := box.LongestWait(Notice{}, now); longest < c.had && c.had <= MaxRetryAfter {
			t.Errorf("%s: a job that waits for %s may wait for %s only", name, c.had, longest)
		}
	}
}
