package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/sql/postgres"
)

// inHand makes it look as if a worker had the pending notices in hand, with the mailbox reserved.
func (w *world) inHand(worker string, since time.Duration) {
	w.t.Helper()
	must(w.t, w.sql(`update river_job set state = 'running', attempt = 1, attempted_by = array[$1], attempted_at = now() - make_interval(secs => $2)
		where kind = 'deliver_notice' and finalized_at is null`, worker, since.Seconds()))
	must(w.t, w.sql("update mailboxes set busy_by = $1, busy_until = $2", worker, w.clock.now().Add(45*time.Second)))
}

func TestWhatAKilledWorkerHadInHandIsTakenOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	w.offer(w.bob, w.post(w.ann), 2)
	w.inHand("tradepost-4711", time.Second)
	began := time.Now()
	w.startQueue(courier)
	courier.next(t)
	w.settled()
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("taken over after %s", took)
	}
	w.keepsItsPromises()
}

func TestAChoreThatAKilledWorkerHadInHandIsTakenOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.startQueue(newLetters())
	w.eventually("select count(*) = 1 from river_job where kind = 'expire_orders' and state = 'completed'")
	must(t, first.Stop(context.WithoutCancel(t.Context())))
	w.offer(w.bob, w.post(w.ann), 2)
	w.clock.forward(core.OrderLife)
	// While one is running, no other is enqueued.
	must(t, w.sql(`update river_job set state = 'running', finalized_at = null, attempted_at = now(), attempted_by = '{tradepost-4711}'
		where kind = 'expire_orders'`))
	w.startQueue(newLetters())
	w.eventually("select count(*) = 0 from offers")
	w.keepsItsPromises()
}

func TestWhatALivingWorkerHasInHandIsLeftToIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow := newLetters()
	hold := make(chan struct{})
	slow.answer = func(core.Delivery) error {
		<-hold
		return nil
	}
	w.startQueue(slow)
	w.offer(w.bob, w.post(w.ann), 2)
	slow.next(t)
	other := newLetters()
	w.startQueue(other)
	select {
	case <-other.came:
		t.Error("the same message was sent by two")
	case <-time.After(6 * time.Second): // longer than a worker is missed before it is given up
	}
	close(hold)
	w.settled()
	w.keepsItsPromises()
}

func TestAJobThatCouldNotBeStoredAsFinishedIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	courier.answer = func(core.Delivery) error { return errors.New("nothing came back") }
	w.startQueue(courier)
	w.offer(w.bob, w.post(w.ann), 2)
	courier.next(t)
	w.eventually("select attempted_by is not null and state <> 'running' from river_job where kind = 'deliver_notice'")
	courier.mu.Lock()
	courier.answer = nil
	courier.mu.Unlock()
	w.clock.forward(time.Minute)
	// As River leaves it when the server was away for so long that it gave up.
	must(t, w.sql(`update river_job set state = 'running', attempted_at = now() - interval '8 seconds' where kind = 'deliver_notice'`))
	courier.next(t)
	w.settled()
	w.keepsItsPromises()
}

func TestANoticeIsNotLostWhenItsWorkersConnectionsAreCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	w.startQueue(courier)
	order := w.post(w.ann)
	for range 10 {
		w.offer(core.Actor{Address: "::1"}, order, 1)
		must(t, w.sql(`select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and application_name like 'tradepost %'`))
	}
	w.settled()
	w.keepsItsPromises()
}

func TestChangedSettingsWakeWhatWaitsForTheEndOfQuietHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // at noon
	courier := newLetters()
	_, err := w.SetNoticeSettings(t.Context(), w.ann, core.NoticeSettings{QuietFrom: 11 * 60, QuietTo: 13 * 60})
	must(t, err)
	w.startQueue(courier)
	w.offer(w.bob, w.post(w.ann), 2)
	w.eventually("select state = 'scheduled' and scheduled_at > now() + interval '50 minutes' from river_job where kind = 'deliver_notice'")
	_, err = w.SetNoticeSettings(t.Context(), w.ann, core.NoticeSettings{})
	must(t, err)
	courier.next(t)
	w.settled()
	w.keepsItsPromises()
}

func TestWhoStartsTheQueueWakesWhatSleeps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offer(w.bob, w.post(w.ann), 2)
	must(t, w.sql("update river_job set state = 'scheduled', scheduled_at = now() + interval '1 hour' where kind = 'deliver_notice'"))
	courier := newLetters()
	w.startQueue(courier)
	courier.next(t)
	w.settled()
}

func TestTheBacklogIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := func(pending int, state string, overdue bool) {
		t.Helper()
		b, err := w.store.Backlog(t.Context())
		must(t, err)
		if b.Pending != pending || b.Jobs[state] != pending || (b.Overdue > 0) != overdue || (b.Oldest > 0) != (pending > 0) {
			t.Errorf("backlog = %+v, want %d %s", b, pending, state)
		}
	}
	want(0, "available", false)
	order := w.post(w.ann)
	w.offer(w.bob, order, 1)
	w.offer(w.cat, order, 1)
	want(2, "available", true)
	must(t, w.sql("update river_job set state = 'scheduled', scheduled_at = now() + interval '1 hour'"))
	want(2, "scheduled", false)
}

func TestStoppingTheQueueLetsItsMessageArrive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	going := make(chan struct{})
	courier.answer = func(core.Delivery) error {
		<-going
		return nil
	}
	store := w.another(postgres.Options{})
	market := core.New(store, core.Options{Now: w.clock.now})
	queue, err := store.NewQueue(postgres.Work{
		Deliver: func(ctx context.Context, id core.NoticeID) error { return market.DeliverNotice(ctx, courier, id) },
		Expire:  market.ExpireOrders,
	})
	must(t, err)
	ctx := context.WithoutCancel(t.Context())
	must(t, queue.Start(ctx))
	w.offer(w.bob, w.post(w.ann), 2)
	courier.next(t)
	stopped := make(chan error, 1)
	go func() { stopped <- queue.Stop(ctx) }()
	close(going)
	must(t, <-stopped)
	if n := w.value("select count(*) from notices where state = 'delivered'"); n != 1 {
		t.Errorf("%d delivered", n)
	}
	w.keepsItsPromises()
}
