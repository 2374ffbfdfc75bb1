package postgres_test

import (
	"log/slog"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// BenchmarkPost is one buyer who posts requests, one after the other.
func BenchmarkPost(b *testing.B) {
	store, err := postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	market := market.New(store, market.Options{})
	user, err := market.People.SignIn(b.Context(), people.Profile{DiscordID: "1", Username: "maple", DisplayName: "maple"})
	if err != nil {
		b.Fatal(err)
	}
	// Each of another quantity: requests that are alike are compared with one another, and no buyer has hundreds of them.
	draft := trade.OrderDraft{ItemName: "Iron Ore", MaxPrice: 1, BuyerContact: "maple", Description: storetest.Lot()}
	for b.Loop() {
		draft.Quantity = draft.Quantity%core.MaxQuantity + 1
		if _, err := market.Trade.PostOrder(b.Context(), user.Actor(), draft); err != nil {
			b.Fatal(err)
		}
	}
}
