package postgres_test

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"tradepost/core"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// BenchmarkAccept is 8 buyers accepting at once, over 64 orders or all on one, with and without an idempotency key.
func BenchmarkAccept(b *testing.B) {
	store, err := postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	market := core.New(store, core.Options{})
	for _, orders := range []int{64, 1} {
		for _, keyed := range []bool{false, true} {
			b.Run(fmt.Sprintf("orders=%d/keyed=%v", orders, keyed), func(b *testing.B) {
				buyer, offers := benchOffers(b, market, orders)
				var next atomic.Int64
				var wait sync.WaitGroup
				b.ResetTimer()
				for range 8 {
					wait.Go(func() {
						for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
							by := buyer
							if keyed {
								by.Key = fmt.Sprintf("%d-%d-%d", offers[0], b.N, i)
							}
							if _, err := market.AcceptOffer(b.Context(), by, offers[i%int64(len(offers))], 1); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				wait.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "accepts/s")
			})
		}
	}
}

// benchOffers makes a buyer with large orders, and an offer on each.
func benchOffers(b *testing.B, market *core.Market, orders int) (core.Actor, []core.OfferID) {
	b.Helper()
	people := make([]core.Actor, 2)
	for i, name := range []string{"buyer", "seller"} {
		user, err := market.SignIn(b.Context(), core.Profile{DiscordID: name, Username: name, DisplayName: name})
		if err != nil {
			b.Fatal(err)
		}
		people[i] = user.Actor()
	}
	var offers []core.OfferID
	for range orders {
		order, err := market.PostOrder(b.Context(), people[0],
			core.OrderDraft{ItemName: "Iron Ore", Quantity: core.MaxQuantity, MaxPrice: 1, BuyerContact: "buyer", Description: storetest.Lot()})
		if err != nil {
			b.Fatal(err)
		}
		sent, err := market.SendOffer(b.Context(), people[1], order.ID,
			core.OfferDraft{SellerName: "Seller", Message: "All of it", Quantity: core.MaxQuantity})
		if err != nil {
			b.Fatal(err)
		}
		offers = append(offers, sent.Offer.ID)
	}
	return people[0], offers
}
