package postgres_test

import (
	"log/slog"
	"testing"

	"tradepost/core"
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
	market := core.New(store, core.Options{})
	user, err := market.SignIn(b.Context(), core.Profile{DiscordID: "1", Username: "maple", DisplayName: "maple"})
	if err != nil {
		b.Fatal(err)
	}
	// Each of another quantity: requests that are alike are compared with one another, and no buyer has hundreds of them.
	draft := core.OrderDraft{ItemName: "Iron Ore", MaxPrice: 1, BuyerContact: "maple", Description: storetest.Lot()}
	for b.Loop() {
		draft.Quantity = draft.Quantity%core.MaxQuantity + 1
		if _, err := market.PostOrder(b.Context(), user.Actor(), draft); err != nil {
			b.Fatal(err)
		}
	}
}
