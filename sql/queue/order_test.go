package queue_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

func TestANoticeThatMustNotBeSentEndsAsItIsWritten(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	_, err := w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{Muted: []notify.Kind{notify.NoticeOfferReceived}})
	storetest.Must(t, err)
	order := w.Post(w.Ann)
	storetest.Must(t, w.SQL("update mailboxes set closed = 'Closed', closed_at = now() where user_id = "+fmt.Sprint(w.Bob.UserID)))
	offer := w.OfferOn(w.Cat, order, 2)
	storetest.Must(t, w.SQL("update mailboxes set closed = 'Closed', closed_at = now() where user_id = "+fmt.Sprint(w.Cat.UserID)))
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 1)
	storetest.Must(t, err)
	for reader, want := range map[core.Actor]string{w.Ann: notify.NoticeMuted, w.Cat: "Closed"} {
		page, err := w.Notify.Notices(t.Context(), reader, 0, 10)
		storetest.Must(t, err)
		if n := page.Notices[0]; len(page.Notices) != 1 || n.State != notify.NoticeRefused || n.Reason != want || n.SettledAt.IsZero() {
			t.Errorf("notices = %+v, want one refused with %q", page.Notices, want)
		}
	}
	if n := w.Value("select count(*) from river_job where kind = 'deliver_notice'"); n != 0 {
		t.Errorf("%d jobs wait for what nobody may receive", n)
	}
	storetest.Must(t, w.Notify.SendTest(t.Context(), w.Cat))
	if n := w.Value("select count(*) from river_job where kind = 'deliver_notice'"); n != 1 {
		t.Errorf("%d jobs deliver a test, want 1", n)
	}
	w.CheckInvariants()
}

// A smoke form of a large backlog: what is counted is how many deliveries come before a new one.
func TestANewNoticePassesABacklog(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	const backlog, workers = 60, 10
	order := w.Post(w.Ann)
	for range backlog {
		w.OfferOn(core.Actor{Address: "::1"}, order, 1)
	}
	if n := w.Value("select count(*) from river_job where kind = 'deliver_notice' and priority = 2"); n != backlog-1 {
		t.Errorf("%d of %d jobs for one reader come after those of others, want all but the first", n, backlog)
	}
	var mu sync.Mutex
	var begun []core.NoticeID
	first, release := make(chan struct{}, 2*backlog), make(chan struct{})
	jobs := storetest.NewQueue(t, w.Another(postgres.Options{}), queue.Options{
		Deliver: func(_ context.Context, id core.NoticeID) error {
			mu.Lock()
			begun = append(begun, id)
			mu.Unlock()
			first <- struct{}{}
			<-release
			return nil
		},
		Expire: w.Trade.ExpireOrders,
	})
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	defer func() { storetest.Must(t, jobs.Stop(ctx)) }()
	for range workers {
		<-first
	}
	w.OfferOn(core.Actor{Address: "::1"}, w.Post(w.Ann), 1) // she has others
	w.OfferOn(core.Actor{Address: "::1"}, w.Post(w.Bob), 1)
	newest := core.NoticeID(w.Value("select max(id) from notices"))
	close(release)
	for range backlog + 2 - workers {
		<-first
	}
	mu.Lock()
	defer mu.Unlock()
	if place := slices.Index(begun, newest); place < 0 || place >= 2*workers {
		t.Errorf("%d of %d deliveries came before a new one, want those that were at work, and %d more at most", place, backlog, workers)
	}
}

func TestAJobThatHasWaitedLetsNewOnesGoFirst(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	release := make(chan struct{})
	begun := make(chan struct{}, 100)
	jobs := storetest.NewQueue(t, w.Another(postgres.Options{}), queue.Options{
		Deliver: func(context.Context, core.NoticeID) error { begun <- struct{}{}; <-release; return nil }, Expire: w.Trade.ExpireOrders,
	})
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	defer func() { close(release); storetest.Must(t, jobs.Stop(ctx)) }()
	order := w.Post(w.Ann)
	for range 15 { // more than there are workers
		w.OfferOn(core.Actor{Address: "::1"}, order, 1)
	}
	for range 10 {
		<-begun
	}
	w.Clock.Forward(3 * time.Second)
	w.Eventually("select count(*) = 5 from river_job where kind = 'deliver_notice' and state = 'available' and priority = 3")
}
