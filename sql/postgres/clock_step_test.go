package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// stepping is a clock whose steps do not keep periodic jobs waiting.
type stepping struct{ *pgconnect.Clock }

func (stepping) Steady() time.Duration { return 0 }

// A server whose clock was ahead for a moment keeps nothing waiting once it is right again: no message, no periodic job, no
// call to Discord; whether the program was restarted meanwhile, or not.
func TestAStepOfTheDatabasesClockIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{6 * time.Minute, 31 * 24 * time.Hour, 120 * 24 * time.Hour} {
		for _, restart := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, restart %t", step, restart), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				conn := storetest.Connect(t, w.DSN)
				exec := func(statement string, args ...any) {
					t.Helper()
					_, err := conn.Exec(t.Context(), statement, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
					must(t, err)
				}
				exec(pgembed.SteppableClock)
				set := func(ahead time.Duration) { t.Helper(); exec("update stepped.clock set ahead = $1::interval", ahead) }

				letters := storetest.NewDMSender()
				one := w.stepped(t, letters)
				set(step)
				one.measure(t)
				letters.Mu.Lock()
				letters.Answer = func(channels.Delivery) error { return errors.New("nothing came back") }
				letters.Mu.Unlock()
				one.start(t)
				one.trade(t, "dan")
				letters.Next(t)
				one.turn(t)
				one.runsPeriodicJobs(t) // River has their next times in memory, as far ahead as the clock is
				if restart {
					one.stop(t)
					// Its lead of the queue outlives a process that is killed.
					exec(`insert into river_leader (leader_id, elected_at, expires_at) values ('gone', stepped.now(), stepped.now() + interval '15 s')
on conflict (name) do nothing`)
				}
				set(0)
				letters.Mu.Lock()
				for len(letters.Came) > 0 {
					<-letters.Came
				}
				letters.Answer = nil
				letters.Mu.Unlock()
				if restart {
					one = w.stepped(t, letters)
					one.start(t)
				}
				one.measure(t)
				letters.Next(t) // the message that waited
				one.turn(t)
				order := one.trade(t, "eve")
				until(t, letters, notify.NoticeOfferReceived, order)
				for len(one.expired) > 0 {
					<-one.expired
				}
				one.runsPeriodicJobs(t)
				w.Settled()
				// A job that was on its way while the clock stepped is brought back within a minute.
				var broken []invariants.Violation
				holds := func() bool { broken = w.LivenessBroken(one.clock.Now()); return len(broken) == 0 }
				if !storetest.Within(75*time.Second, holds) {
					t.Errorf("broken: %v", broken)
				}
				one.stop(t)
			})
		}
	}
}

// steppedReplica is a replica on a database whose clock steps.
type steppedReplica struct {
	w       *world
	clock   *pgconnect.Clock
	store   *postgres.Store
	market  *market.Market
	jobs    *queue.Queue
	expired chan struct{}
}

func (w *world) stepped(t *testing.T, letters channels.DMSender) *steppedReplica {
	t.Helper()
	r := &steppedReplica{w: w, clock: pgconnect.NewClock(pgconnect.Host{}), expired: make(chan struct{}, 1000)}
	r.store = w.Another(postgres.Options{Now: r.clock.Now})
	r.measure(t)
	r.market = market.New(r.store, market.Options{Now: r.clock.Now, Steady: r.clock.Steady})
	r.jobs = storetest.NewQueue(t, r.store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return r.market.Channels.DeliverNotice(ctx, letters, id)
		},
		Expire: func(context.Context, int) (int, int, error) {
			r.expired <- struct{}{}
			return 0, 0, nil
		},
		Clock: stepping{r.clock},
	})
	return r
}

func (r *steppedReplica) measure(t *testing.T) {
	t.Helper()
	must(t, r.clock.Measure(t.Context(), r.store.Pool()))
}

func (r *steppedReplica) start(t *testing.T) {
	t.Helper()
	must(t, r.jobs.Start(context.WithoutCancel(t.Context())))
}

func (r *steppedReplica) stop(t *testing.T) {
	t.Helper()
	must(t, r.jobs.Stop(context.WithoutCancel(t.Context())))
}

// runsPeriodicJobs waits until a periodic job has run.
func (r *steppedReplica) runsPeriodicJobs(t *testing.T) {
	t.Helper()
	select {
	case <-r.expired:
	case <-time.After(coretest.Patience(40 * time.Second)):
		t.Error("periodic jobs do not run")
	}
}

func (r *steppedReplica) turn(t *testing.T) {
	t.Helper()
	pace := postgres.Pace{Name: "discord", Every: time.Second / 45, Burst: 45}
	if wait, ok, err := r.store.TakeTurn(t.Context(), pace, 10*time.Second); !ok || err != nil {
		t.Errorf("a call to Discord waits %s (%t, %v)", wait, ok, err)
	}
}

func (r *steppedReplica) trade(t *testing.T, buyer string) core.OrderID {
	t.Helper()
	order, err := r.market.Trade.PostOrder(t.Context(), r.w.SignUp(buyer), trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: storetest.Lot(), BuyerContact: buyer,
		Category: "Miner", Importance: game.Medium,
	})
	must(t, err)
	_, err = r.market.Trade.SendOffer(t.Context(), r.w.Bob, order.ID, trade.OfferDraft{
		SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 2,
	})
	must(t, err)
	return order.ID
}
