package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// inHand marks the jobs of pending notices as running on a worker, with the mailbox reserved.
func inHand(w *storetest.World, worker string, since time.Duration) {
	w.T.Helper()
	storetest.Must(w.T, w.SQL(`update river_job set state = 'running', attempt = 1, attempted_by = array[$1], attempted_at = now() - make_interval(secs => $2)
		where kind = 'deliver_notice' and finalized_at is null`, worker, since.Seconds()))
	storetest.Must(w.T, w.SQL("update mailboxes set busy_by = $1, busy_until = $2", worker, w.Clock.Now().Add(45*time.Second)))
}

func TestJobsOfAKilledWorkerAreRescued(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	inHand(w, "tradepost-4711", time.Second)
	began := time.Now()
	w.StartQueue(sender)
	sender.Next(t)
	w.Settled()
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("taken over after %s", took)
	}
	w.CheckInvariants()
}

func TestPeriodicJobOfAKilledWorkerIsRescued(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	first := w.StartQueue(storetest.NewDMSender())
	w.Eventually("select count(*) = 1 from river_job where kind = 'expire_orders' and state = 'completed'")
	storetest.Must(t, first.Stop(context.WithoutCancel(t.Context())))
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	w.Clock.Forward(trade.OrderLifetime)
	// While one is running, no other is enqueued.
	storetest.Must(t, w.SQL(`update river_job set state = 'running', finalized_at = null, attempted_at = now(), attempted_by = '{tradepost-4711}'
		where kind = 'expire_orders'`))
	w.StartQueue(storetest.NewDMSender())
	w.Eventually("select count(*) = 0 from offers")
	w.CheckInvariants()
}

func TestJobsOfALivingWorkerAreNotRescued(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	slow := storetest.NewDMSender()
	hold := make(chan struct{})
	slow.Answer = func(channels.Delivery) error {
		<-hold
		return nil
	}
	w.StartQueue(slow)
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	slow.Next(t)
	other := storetest.NewDMSender()
	w.StartQueue(other)
	select {
	case <-other.Came:
		t.Error("the same message was sent by two")
	case <-time.After(6 * time.Second): // longer than a worker is missed before it is given up
	}
	close(hold)
	w.Settled()
	w.CheckInvariants()
}

func TestAJobThatCouldNotBeStoredAsFinishedIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	sender.Answer = func(channels.Delivery) error { return errors.New("nothing came back") }
	w.StartQueue(sender)
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	sender.Next(t)
	w.Eventually("select attempted_by is not null and state <> 'running' from river_job where kind = 'deliver_notice'")
	sender.Mu.Lock()
	sender.Answer = nil
	sender.Mu.Unlock()
	w.Clock.Forward(time.Minute)
	// As River leaves it when the server was away for so long that it gave up.
	storetest.Must(t, w.SQL(`update river_job set state = 'running', attempted_at = now() - interval '8 seconds' where kind = 'deliver_notice'`))
	sender.Next(t)
	w.Settled()
	w.CheckInvariants()
}

func TestANoticeIsNotLostWhenItsWorkersConnectionsAreCut(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	w.StartQueue(sender)
	order := w.Post(w.Ann)
	for range 10 {
		w.OfferOn(core.Actor{Address: "::1"}, order, 1)
		storetest.Must(t, w.SQL(`select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and application_name like 'tradepost %'`))
	}
	w.Settled()
	w.CheckInvariants()
}

func TestChangedSettingsWakeNoticesDelayedByQuietHours(t *testing.T) {
	t.Parallel()
	w := storetest.New(t) // at noon
	sender := storetest.NewDMSender()
	_, err := w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{QuietFrom: 11 * 60, QuietTo: 13 * 60})
	storetest.Must(t, err)
	w.StartQueue(sender)
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	w.Eventually("select state = 'scheduled' and scheduled_at > now() + interval '50 minutes' from river_job where kind = 'deliver_notice'")
	_, err = w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{})
	storetest.Must(t, err)
	sender.Next(t)
	w.Settled()
	w.CheckInvariants()
}

func TestStartingTheQueueWakesSnoozedJobs(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	storetest.Must(t, w.SQL("update river_job set state = 'scheduled', scheduled_at = now() + interval '1 hour' where kind = 'deliver_notice'"))
	sender := storetest.NewDMSender()
	w.StartQueue(sender)
	sender.Next(t)
	w.Settled()
}

func TestTheBacklogIsCounted(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	want := func(pending int, state string, overdue bool) {
		t.Helper()
		b, err := queue.ReadBacklog(t.Context(), w.Store.Pool(), time.Now())
		storetest.Must(t, err)
		if b.Pending != pending || b.Jobs[state] != pending || (b.Overdue > 0) != overdue || (b.Oldest > 0) != (pending > 0) {
			t.Errorf("backlog = %+v, want %d %s", b, pending, state)
		}
	}
	want(0, "available", false)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 1)
	w.OfferOn(w.Cat, order, 1)
	want(2, "available", true)
	storetest.Must(t, w.SQL("update river_job set state = 'scheduled', scheduled_at = now() + interval '1 hour'"))
	want(2, "scheduled", false)
}

func TestStoppingTheQueueWaitsForARunningMessage(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	going := make(chan struct{})
	sender.Answer = func(channels.Delivery) error {
		<-going
		return nil
	}
	store := w.Another(postgres.Options{})
	market := market.New(store, market.Options{Now: w.Clock.Now})
	jobs := storetest.NewQueue(t, store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return market.Channels.DeliverNotice(ctx, sender, id)
		},
		Expire: market.Trade.ExpireOrders,
	})
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	sender.Next(t)
	stopped := make(chan error, 1)
	go func() { stopped <- jobs.Stop(ctx) }()
	close(going)
	storetest.Must(t, <-stopped)
	if n := w.Value("select count(*) from notices where state = 'delivered'"); n != 1 {
		t.Errorf("%d delivered", n)
	}
	w.CheckInvariants()
}
