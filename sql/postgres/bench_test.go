package postgres_test

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
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
	market := market.New(store, market.Options{})
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
							if _, err := market.Trade.AcceptOffer(b.Context(), by, offers[i%int64(len(offers))], 1); err != nil {
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
func benchOffers(b *testing.B, market *market.Market, orders int) (core.Actor, []core.OfferID) {
	b.Helper()
	persons := make([]core.Actor, 2)
	for i, name := range []string{"buyer", "seller"} {
		user, err := market.People.SignIn(b.Context(), people.Profile{DiscordID: name, Username: name, DisplayName: name})
		if err != nil {
			b.Fatal(err)
		}
		persons[i] = user.Actor()
	}
	var offers []core.OfferID
	for range orders {
		order, err := market.Trade.PostOrder(b.Context(), persons[0],
			trade.OrderDraft{ItemName: "Iron Ore", Quantity: core.MaxQuantity, MaxPrice: 1, BuyerContact: "buyer", Description: storetest.Lot()})
		if err != nil {
			b.Fatal(err)
		}
		sent, err := market.Trade.SendOffer(b.Context(), persons[1], order.ID,
			trade.OfferDraft{SellerName: "Seller", Message: "All of it", Quantity: core.MaxQuantity})
		if err != nil {
			b.Fatal(err)
		}
		offers = append(offers, sent.Offer.ID)
	}
	return persons[0], offers
}
