package queue_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

func TestANoticeRecordedByOneProcessIsDeliveredByAnother(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	w.StartQueue(sender)
	d := sender.Next(t)
	if d.To.User != w.Ann.UserID || d.To.DiscordID != "1ann" || d.Kind != notify.NoticeOfferReceived || len(d.Notices) != 1 || len(d.Offers) != 1 {
		t.Errorf("delivered %+v", d)
	}
	w.Settled()
	w.OfferOn(w.Cat, w.Post(w.Bob), 1)
	if d := sender.Next(t); d.To.User != w.Bob.UserID {
		t.Errorf("delivered %+v", d)
	}
	w.Settled()
	page, err := w.Notify.Notices(t.Context(), w.Ann, 0, 10)
	storetest.Must(t, err)
	if n := page.Notices[0]; n.State != notify.NoticeDelivered || n.SettledAt.IsZero() {
		t.Errorf("notice = %+v", n)
	}
	got, err := w.Channels.Delivery(t.Context(), w.Ann, d.ID)
	storetest.Must(t, err)
	if got.MessageID != "m"+d.Nonce() || got.SentAt.IsZero() || len(got.Notices) != 1 || len(got.Offers) != 1 || got.Offers[0].Order.ID != order.ID {
		t.Errorf("delivery = %+v", got)
	}
	_, err = w.Channels.Delivery(t.Context(), w.Bob, d.ID)
	storetest.WantKind(t, err, core.NotFound)
	w.CheckInvariants()
}

func TestSellersOfAClosedRequestAreNotifiedByAnotherProcess(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	storetest.Must(t, err)
	w.Clock.Forward(core.UndoWindow)
	sender := storetest.NewDMSender()
	w.StartQueue(sender)
	if d := sender.Next(t); d.To.User != w.Bob.UserID || d.Kind != notify.NoticeOfferLapsed || len(d.Notices) != 1 || d.Notices[0].OrderID != order.ID {
		t.Errorf("delivered %+v", d)
	}
	w.Settled()
	w.CheckInvariants()
}

func TestANoticeThatFailedIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	fails := 3
	sender.Answer = func(channels.Delivery) error {
		if fails--; fails >= 0 {
			return errors.New("nothing came back")
		}
		return nil
	}
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	w.StartQueue(sender)
	first := sender.Next(t)
	// How long to wait is decided after the sender has answered, by a clock that keeps running.
	w.TimePasses()
	for range 3 {
		again := sender.Next(t)
		if again.Nonce() != first.Nonce() || again.StartedAt.IsZero() {
			t.Errorf("the same message is to be tried again, but %+v came", again)
		}
	}
	w.Settled()
	w.CheckInvariants()
}

func TestNoticeWaitsForItsRetryTime(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	tried := make(chan time.Time)
	first := true
	store := w.Another(postgres.Options{})
	jobs := storetest.NewQueue(t, store, queue.Options{
		Deliver: func(_ context.Context, id core.NoticeID) error {
			defer func() { first = false }()
			tried <- time.Now()
			if first {
				return &channels.RetryLater{After: 300 * time.Millisecond}
			}
			return nil
		},
		Expire: w.Trade.ExpireOrders,
	})
	storetest.Must(t, w.Notify.SendTest(t.Context(), w.Ann))
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	defer func() { storetest.Must(t, jobs.Stop(ctx)) }()
	if wait := -(<-tried).Sub(<-tried); wait < 300*time.Millisecond || wait > 3*time.Second {
		t.Errorf("tried again after %s, want 300ms", wait)
	}
	if n := w.Value("select max(attempt) from river_job where kind = 'deliver_notice'"); n > 1 {
		t.Errorf("waiting counted as an attempt: %d", n)
	}
}

func TestUnreachableUserSeesAWarningOnThePage(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	sender.Answer = func(channels.Delivery) error {
		return &notify.Undeliverable{Reason: "Your direct messages are closed", Closed: true}
	}
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	w.StartQueue(sender)
	sender.Next(t)
	w.Settled()
	page, err := w.Notify.Notices(t.Context(), w.Ann, 0, 10)
	storetest.Must(t, err)
	if len(page.Notices) != 2 || page.Notices[0].Kind != notify.NoticeDMFailed || page.Notices[1].State != notify.NoticeRefused {
		t.Errorf("notices = %+v", page.Notices)
	}
	_, closed, err := w.Notify.Settings(t.Context(), w.Ann)
	storetest.Must(t, err)
	if closed != "Your direct messages are closed" {
		t.Errorf("closed = %q", closed)
	}
	w.Post(w.Ann) // they act again: their mailbox is open again
	_, closed, err = w.Notify.Settings(t.Context(), w.Ann)
	storetest.Must(t, err)
	if closed != "" {
		t.Errorf("closed = %q", closed)
	}
	w.CheckInvariants()
}

func TestConcurrentOffersAreOneMessage(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	sender := storetest.NewDMSender()
	order := w.Post(w.Ann)
	for range 12 {
		w.OfferOn(core.Actor{Address: "::1"}, order, 1)
	}
	w.StartQueue(sender)
	w.Settled()
	sent := map[core.DeliveryID]int{}
	sender.Mu.Lock()
	for _, d := range sender.Sent {
		sent[d.ID] = len(d.Notices)
	}
	sender.Mu.Unlock()
	if len(sent) != 2 {
		t.Errorf("12 offers were sent in %d messages: %v, want one of 10 and one of 2", len(sent), sent)
	}
	w.CheckInvariants()
}

func TestAJobThatFailsIsLoggedAndTheQueuesOwnWorkingIsNot(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	log := &lines{came: make(chan string, 1000)}
	jobs, err := queue.New(w.Another(postgres.Options{}), queue.Options{
		Log:     slog.New(slog.NewTextHandler(log, nil)),
		Deliver: func(context.Context, core.NoticeID) error { panic("out of ink") },
		Expire:  func(context.Context, int) (int, int, error) { return 0, 0, errors.New("no clock") },
	})
	storetest.Must(t, err)
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	defer func() { storetest.Must(t, jobs.Stop(ctx)) }()
	for missing := []string{"out of ink", "no clock"}; len(missing) > 0; {
		select {
		case line := <-log.came:
			if strings.Contains(line, "level=ERROR") {
				missing = slices.DeleteFunc(missing, func(want string) bool { return strings.Contains(line, want) })
			}
			if strings.Contains(line, "level=INFO") {
				t.Errorf("the log says: %s", line)
			}
		case <-time.After(coretest.Patience(10 * time.Second)):
			t.Fatalf("nothing was logged of %q", missing)
		}
	}
}

// lines is a log that hands on its lines.
type lines struct{ came chan string }

func (l *lines) Write(line []byte) (int, error) {
	l.came <- string(line)
	return len(line), nil
}

func TestChoresAreDoneByOneOfMany(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	w.Clock.Forward(trade.OrderLifetime)
	storetest.Must(t, w.SQL("insert into sessions values ('old', '', now() - interval '1 day'), ('new', '', now() + interval '1 day')"))
	storetest.Must(t, w.SQL("insert into claims values ('old', '', '', now() - interval '25 hours'), ('new', '', '', now())"))
	storetest.Must(t, w.SQL("delete from river_job")) // the jobs were deleted from outside
	storetest.Must(t, w.SQL("update notices set created_at = created_at - interval '1 year'"))
	var mu sync.Mutex
	running, most := 0, 0
	expire := func(ctx context.Context, limit int) (int, int, error) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		defer func() { mu.Lock(); running--; mu.Unlock() }()
		return w.Trade.ExpireOrders(ctx, limit)
	}
	ctx := context.WithoutCancel(t.Context())
	for range 3 {
		store := w.Another(postgres.Options{})
		jobs := storetest.NewQueue(t, store, queue.Options{
			Deliver: func(context.Context, core.NoticeID) error { return &channels.RetryLater{After: time.Hour} }, Expire: expire,
			Retention: core.Retention{Keys: 24 * time.Hour},
		})
		storetest.Must(t, jobs.Start(ctx))
		defer func() { storetest.Must(t, jobs.Stop(ctx)) }()
	}
	w.Eventually("select count(*) = 2 from river_job where kind in ('expire_orders', 'tidy') and state = 'completed'")
	w.Eventually("select (select count(*) from offers) = 0 and (select count(*) from sessions) = 1 and (select count(*) from claims) = 1")
	w.Eventually("select count(*) = (select count(*) from notices where state = 'pending') from river_job where kind = 'deliver_notice'")
	if most != 1 {
		t.Errorf("%d did the same chore at once", most)
	}
	w.CheckInvariants()
}

// River schedules retries by the time of the store, not by its host's.
func TestRetriesAreScheduledByTheStoresClock(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	store := w.Another(postgres.Options{Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	jobs := storetest.NewQueue(t, store, queue.Options{
		Deliver: func(context.Context, core.NoticeID) error { return &channels.RetryLater{After: 30 * time.Minute} }, Expire: w.Trade.ExpireOrders,
	})
	storetest.Must(t, w.Notify.SendTest(t.Context(), w.Ann))
	ctx := context.WithoutCancel(t.Context())
	storetest.Must(t, jobs.Start(ctx))
	defer func() { storetest.Must(t, jobs.Stop(ctx)) }()
	w.Eventually("select state = 'scheduled' and scheduled_at < now() from river_job where kind = 'deliver_notice'")
}
