package postgres_test

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
	"tradepost/sql/postgres"
)

// letters is a Courier that keeps what it is given. Its answer may be set.
type letters struct {
	mu     sync.Mutex
	sent   []core.Delivery
	answer func(core.Delivery) error
	came   chan core.Delivery
}

func newLetters() *letters { return &letters{came: make(chan core.Delivery, 1000)} }

func (l *letters) Deliver(_ context.Context, d core.Delivery) (core.Receipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, d)
	l.came <- d
	if l.answer != nil {
		if err := l.answer(d); err != nil {
			return core.Receipt{}, err
		}
	}
	return core.Receipt{ChannelID: "c" + d.To.DiscordID, MessageID: "m" + d.Nonce()}, nil
}

func (l *letters) next(t *testing.T) core.Delivery {
	t.Helper()
	select {
	case d := <-l.came:
		return d
	case <-time.After(10 * time.Second):
		t.Fatal("no letter came for 10 s")
		return core.Delivery{}
	}
}

// startQueue delivers w's notices by the courier, on a store of its own.
func (w *world) startQueue(courier core.Courier) *postgres.Queue {
	w.t.Helper()
	store := w.another(postgres.Options{})
	market := core.New(store, core.Options{Now: w.clock.now})
	queue, err := store.NewQueue(postgres.Work{
		Deliver: func(ctx context.Context, id core.NoticeID) error { return market.DeliverNotice(ctx, courier, id) },
		Expire:  market.ExpireOrders,
	})
	must(w.t, err)
	ctx := context.WithoutCancel(w.t.Context())
	must(w.t, queue.Start(ctx))
	w.t.Cleanup(func() { must(w.t, queue.Stop(ctx)) })
	return queue
}

// settled waits until no notice is pending.
func (w *world) settled() {
	w.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for w.value("select count(*) from notices where state = 'pending'") > 0 {
		if time.Now().After(deadline) {
			w.t.Fatal("notices are still pending after 20 s")
		}
	}
}

func TestANoticeRecordedByOneProcessIsDeliveredByAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	order := w.post(w.ann)
	w.offer(w.bob, order, 2)
	w.startQueue(courier)
	d := courier.next(t)
	if d.To.User != w.ann.UserID || d.To.DiscordID != "1ann" || d.Kind != core.OfferReceived || len(d.Notices) != 1 || len(d.Offers) != 1 {
		t.Errorf("delivered %+v", d)
	}
	w.settled()
	w.offer(w.cat, w.post(w.bob), 1)
	if d := courier.next(t); d.To.User != w.bob.UserID {
		t.Errorf("delivered %+v", d)
	}
	w.settled()
	page, err := w.Notices(t.Context(), w.ann, 0, 10)
	must(t, err)
	if n := page.Notices[0]; n.State != core.NoticeDelivered || n.SettledAt.IsZero() {
		t.Errorf("notice = %+v", n)
	}
	got, err := w.Delivery(t.Context(), w.ann, d.ID)
	must(t, err)
	if got.MessageID != "m"+d.Nonce() || got.SentAt.IsZero() || len(got.Notices) != 1 || len(got.Offers) != 1 || got.Offers[0].Order.ID != order.ID {
		t.Errorf("delivery = %+v", got)
	}
	_, err = w.Delivery(t.Context(), w.bob, d.ID)
	wantKind(t, err, core.NotFound)
	w.keepsItsPromises()
}

func TestANoticeThatFailedIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	fails := 3
	courier.answer = func(core.Delivery) error {
		if fails--; fails >= 0 {
			return errors.New("nothing came back")
		}
		return nil
	}
	w.offer(w.bob, w.post(w.ann), 2)
	w.startQueue(courier)
	first := courier.next(t)
	// How long to wait is decided after the courier has answered, by a time that must then go on.
	w.timePasses()
	for range 3 {
		again := courier.next(t)
		if again.Nonce() != first.Nonce() || again.StartedAt.IsZero() {
			t.Errorf("the same message is to be tried again, but %+v came", again)
		}
	}
	w.settled()
	w.keepsItsPromises()
}

// timePasses moves the clock until the test ends, as fast as everybody else's.
func (w *world) timePasses() {
	ended := make(chan struct{})
	var passing sync.WaitGroup
	passing.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.clock.forward(100 * time.Millisecond)
			case <-ended:
				return
			}
		}
	})
	w.t.Cleanup(func() {
		close(ended)
		passing.Wait()
	})
}

func TestANoticeWaitsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tried := make(chan time.Time)
	first := true
	store := w.another(postgres.Options{})
	queue, err := store.NewQueue(postgres.Work{
		Deliver: func(_ context.Context, id core.NoticeID) error {
			defer func() { first = false }()
			tried <- time.Now()
			if first {
				return &core.Later{After: 300 * time.Millisecond}
			}
			return nil
		},
		Expire: w.ExpireOrders,
	})
	must(t, err)
	must(t, w.SendTestNotice(t.Context(), w.ann))
	ctx := context.WithoutCancel(t.Context())
	must(t, queue.Start(ctx))
	defer func() { must(t, queue.Stop(ctx)) }()
	if wait := -(<-tried).Sub(<-tried); wait < 300*time.Millisecond || wait > 3*time.Second {
		t.Errorf("tried again after %s, want 300ms", wait)
	}
	if n := w.value("select max(attempt) from river_job where kind = 'deliver_notice'"); n > 1 {
		t.Errorf("waiting counted as an attempt: %d", n)
	}
}

func TestAUserWhoCannotBeReachedIsToldOnTheWeb(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	courier.answer = func(core.Delivery) error {
		return &core.Undeliverable{Reason: "Your direct messages are closed", Closed: true}
	}
	w.offer(w.bob, w.post(w.ann), 2)
	w.startQueue(courier)
	courier.next(t)
	w.settled()
	page, err := w.Notices(t.Context(), w.ann, 0, 10)
	must(t, err)
	if len(page.Notices) != 2 || page.Notices[0].Kind != core.DirectMsgFailed || page.Notices[1].State != core.NoticeRefused {
		t.Errorf("notices = %+v", page.Notices)
	}
	_, closed, err := w.NoticeSettings(t.Context(), w.ann)
	must(t, err)
	if closed != "Your direct messages are closed" {
		t.Errorf("closed = %q", closed)
	}
	w.post(w.ann) // they act again: their mailbox is open again
	_, closed, err = w.NoticeSettings(t.Context(), w.ann)
	must(t, err)
	if closed != "" {
		t.Errorf("closed = %q", closed)
	}
	w.keepsItsPromises()
}

func TestOffersThatComeTogetherAreOneMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	courier := newLetters()
	order := w.post(w.ann)
	for range 12 {
		w.offer(core.Actor{Address: "::1"}, order, 1)
	}
	w.startQueue(courier)
	w.settled()
	told := map[core.DeliveryID]int{}
	courier.mu.Lock()
	for _, d := range courier.sent {
		told[d.ID] = len(d.Notices)
	}
	courier.mu.Unlock()
	if len(told) != 2 {
		t.Errorf("12 offers were told in %d messages: %v, want one of 10 and one of 2", len(told), told)
	}
	w.keepsItsPromises()
}

func TestAJobThatFailsIsLoggedAndTheQueuesOwnWorkingIsNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offer(w.bob, w.post(w.ann), 1)
	log := &lines{came: make(chan string, 1000)}
	queue, err := w.another(postgres.Options{Log: slog.New(slog.NewTextHandler(log, nil))}).NewQueue(postgres.Work{
		Deliver: func(context.Context, core.NoticeID) error { panic("out of ink") },
		Expire:  func(context.Context, int) (int, int, error) { return 0, 0, errors.New("no clock") },
	})
	must(t, err)
	ctx := context.WithoutCancel(t.Context())
	must(t, queue.Start(ctx))
	defer func() { must(t, queue.Stop(ctx)) }()
	for missing := []string{"out of ink", "no clock"}; len(missing) > 0; {
		select {
		case line := <-log.came:
			if strings.Contains(line, "level=ERROR") {
				missing = slices.DeleteFunc(missing, func(want string) bool { return strings.Contains(line, want) })
			}
			if strings.Contains(line, "level=INFO") {
				t.Errorf("the log says: %s", line)
			}
		case <-time.After(10 * time.Second):
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

func TestSettingsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := core.NoticeSettings{Muted: []core.NoticeKind{core.OfferReceived, core.OrderFilled}, QuietFrom: 60, QuietTo: 420, TimeZone: "Europe/Berlin"}
	_, err := w.SetNoticeSettings(t.Context(), w.ann, want)
	must(t, err)
	got, _, err := w.NoticeSettings(t.Context(), w.ann)
	must(t, err)
	same(t, want, got)
	_, err = w.SetNoticeSettings(t.Context(), w.ann, core.NoticeSettings{})
	must(t, err)
	got, _, err = w.NoticeSettings(t.Context(), w.ann)
	must(t, err)
	if len(got.Muted) != 0 || got.QuietTo != 0 || got.TimeZone != "" {
		t.Errorf("settings = %+v", got)
	}
}

func TestChoresAreDoneByOneOfMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann)
	w.offer(w.bob, order, 2)
	w.clock.forward(core.OrderLife)
	must(t, w.sql("insert into sessions values ('old', '', now() - interval '1 day'), ('new', '', now() + interval '1 day')"))
	must(t, w.sql("insert into claims values ('old', '', '', now() - interval '25 hours'), ('new', '', '', now())"))
	must(t, w.sql("delete from river_job")) // somebody has meddled with the jobs
	must(t, w.sql("update notices set created_at = created_at - interval '1 year'"))
	var mu sync.Mutex
	running, most := 0, 0
	expire := func(ctx context.Context, limit int) (int, int, error) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		defer func() { mu.Lock(); running--; mu.Unlock() }()
		return w.ExpireOrders(ctx, limit)
	}
	ctx := context.WithoutCancel(t.Context())
	for range 3 {
		store := w.another(postgres.Options{})
		queue, err := store.NewQueue(postgres.Work{
			Deliver: func(context.Context, core.NoticeID) error { return &core.Later{After: time.Hour} }, Expire: expire,
		})
		must(t, err)
		must(t, queue.Start(ctx))
		defer func() { must(t, queue.Stop(ctx)) }()
	}
	w.eventually("select count(*) = 2 from river_job where kind in ('expire_orders', 'tidy') and state = 'completed'")
	w.eventually("select (select count(*) from offers) = 0 and (select count(*) from sessions) = 1 and (select count(*) from claims) = 1")
	w.eventually("select count(*) = (select count(*) from notices where state = 'pending') from river_job where kind = 'deliver_notice'")
	if most != 1 {
		t.Errorf("%d did the same chore at once", most)
	}
	w.keepsItsPromises()
}

func (w *world) eventually(question string) {
	w.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for w.value("select ("+question+")::int") == 0 {
		if time.Now().After(deadline) {
			w.t.Fatalf("not true after 20 s: %s", question)
		}
	}
}
