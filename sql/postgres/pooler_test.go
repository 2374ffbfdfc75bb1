package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/gatewaylock"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// Two replicas share two sessions of PostgreSQL through a pooler, and each has what needs a session beside it: it hears of changes,
// delivers notices, and waits for a lock that the other has.
func TestReplicasShareSessionsThroughAPooler(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	through := pgtest.Pooler(t, dsn, "default_pool_size = 2")
	w := storetest.On(t, dsn, postgres.Options{Pooler: through})
	other := w.Another(postgres.Options{Pooler: through})
	there := market.New(other, market.Options{Now: w.Clock.Now})
	heard := storetest.Listen(t, other)

	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 1000 })
	heard.Until(order.ID)
	var sellers [40]core.Actor
	for i := range sellers {
		sellers[i] = w.SignUp(fmt.Sprint("seller", i))
	}
	for i, err := range storetest.AtOnce(len(sellers), func(i int) error {
		if i%2 == 0 {
			_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
			return err
		}
		_, err := there.Trade.SendOffer(t.Context(), sellers[i], order.ID, trade.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have it", Quantity: 1})
		return err
	}) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	page, err := there.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{Text: "iron"}})
	if err != nil || len(page.Orders) != 1 || page.Orders[0].Sold != 20 {
		t.Errorf("the board has %+v, %v", page.Orders, err)
	}

	sender := storetest.NewDMSender()
	w.StartQueue(sender, postgres.Options{Pooler: through})
	w.Settled()
	w.Eventually("exists (select from pg_stat_activity where datname = current_database() and application_name = 'tradepost direct')") // listens to jobs
	if len(sender.Sent) == 0 {
		t.Error("nothing was sent about 20 offers")
	}

	release, alone, err := w.Store.AloneAsCanary(t.Context())
	storetest.Must(t, err)
	releaseToo, too, err := other.AloneAsCanary(t.Context())
	if !alone || too || err != nil {
		t.Errorf("the canary trades here: %t, and there: %t, %v", alone, too, err)
	}
	for _, end := range []func(){release, releaseToo} {
		if end != nil {
			end()
		}
	}
	if release, alone, err = other.AloneAsCanary(t.Context()); !alone || err != nil {
		t.Fatalf("the lock of the canary was not released: %v", err)
	}
	release()
	log := slog.New(slog.DiscardHandler)
	lock, err := gatewaylock.Acquire(t.Context(), w.Store.Direct(), log)
	storetest.Must(t, err)
	waiting, end := context.WithCancel(t.Context())
	taken := make(chan bool)
	go func() {
		second, err := gatewaylock.Acquire(waiting, other.Direct(), log)
		if err == nil {
			second.Release()
		}
		taken <- err == nil
	}()
	w.Eventually("(select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tradepost gateway') = 2")
	lock.Release()
	if !<-taken {
		t.Error("the lock of the gateway was not passed on")
	}
	end()

	if n := w.Value("select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tradepost'"); n > 2 {
		t.Errorf("two replicas have %d sessions", n)
	}
	w.CheckInvariants()
}
