package postgres_test

import (
	"log/slog"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// BenchmarkPageOfOrders reads a full page of open orders, without the count of its matches once that is cached.
func BenchmarkPageOfOrders(b *testing.B) {
	store, err := postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	user, err := store.SaveUser(b.Context(), people.Profile{DiscordID: "1", Username: "maple", DisplayName: "maple"}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	for range core.PageSize + 1 {
		order, err := trade.NewOrder(coretest.OrderDraft(), user.ID, game.Standard(), coretest.Forms, time.Now())
		if err != nil {
			b.Fatal(err)
		}
		if err := store.Atomically(b.Context(), func(tx market.Tx) error { _, err := tx.AddOrder(b.Context(), order); return err }); err != nil {
			b.Fatal(err)
		}
	}
	// A list of one buyer needs no cached counts.
	q := match.OrderQuery{List: match.OpenOrders, Owner: user.ID, Sort: match.Newest, Limit: core.PageSize, Now: time.Now()}
	b.ReportAllocs()
	for b.Loop() {
		if page, err := store.Orders(b.Context(), q); err != nil || len(page.Orders) != core.PageSize {
			b.Fatalf("%d orders: %v", len(page.Orders), err)
		}
	}
}
