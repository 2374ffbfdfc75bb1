package seed

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// listing is stock that a player has for sale.
type listing struct {
	player   int
	hours    int // ago
	itemName string
	quantity int
	price    core.Copper
	note     string
	daily    int // that are sold without asking, where crossing is on
}

var listings = []listing{
	{1, 30, "Fine Granite", 900, 6_400, "From 100 up, whole stacks preferred.", 0},
	{2, 25, "Greater Eel", 60, 86_000, "", 20},
	{0, 20, "Coarse Poplar Log", 1_500, 13_500, "Cut to order. At the sawmill most evenings.", 0},
	{2, 6, "Signal Oyster", 120, 31_000, "Fresh every morning, at the pier until noon.", 40},
	{1, 4, "Iron Ore", 800, 250, "", 300},
	{3, 3, "Iron Ore", 150, 240, "", 0},
	{3, 2, "Coarse Flint", 400, 5_500, "Drop by at the forge.", 0},
}

// listings puts stock up for sale, and has a player plan a list with some of another's.
func (s *seeder) listings(ctx context.Context, now time.Time) error {
	for _, l := range listings {
		s.at = now.Add(-time.Duration(l.hours) * time.Hour)
		actor := s.actors[l.player]
		actor.PriceConfirmed = true
		_, err := s.market.Match.SaveStock(ctx, actor, []match.StockDraft{{
			ItemName: l.itemName, Quantity: l.quantity, Price: l.price, Note: l.note, Public: true,
			SellsDaily: l.daily,
		}})
		if err != nil {
			return err
		}
	}
	s.at = now.Add(-time.Hour)
	page, err := s.market.Match.Listings(ctx, s.actors[0], match.ListingQuery{
		ListingFilter: match.ListingFilter{Text: "granite"},
	})
	if err != nil || len(page.Listings) == 0 {
		return err
	}
	granite := page.Listings[0]
	_, err = s.market.Match.PostPlan(ctx, s.actors[0], match.PlanDraft{
		ListDraft: trade.ListDraft{Name: "New guild hall", BuyerContact: s.players[0].Username,
			InGameName: s.players[0].InGameName},
		Lines: []match.PlanDraftLine{{ItemName: granite.ItemName, Listing: granite.ID, Quantity: 200,
			Price: granite.Price}},
	})
	return err
}

// standing are requests that take offers as they come: the first buys from a listing that sells without
// asking, the others wait for one that is cheaper.
var standing = []struct {
	player   int
	itemName string
	quantity int
	price    core.Copper
	sellers  trade.Sellers
}{
	{0, "Iron Ore", 200, 260, trade.SellersAnybody},
	{3, "Signal Oyster", 80, 29_000, trade.SellersAnybody},
	{1, "Greater Eel", 25, 80_000, trade.SellersTrusted},
}

// crossings has players post requests that take offers as they come. One trades with a listing at once.
func (s *seeder) crossings(ctx context.Context, crosses *market.Market, now time.Time) error {
	for n, r := range standing {
		s.at = now.Add(time.Duration(n-40) * time.Minute)
		buyer, player := s.actors[r.player], s.players[r.player]
		buyer.PriceConfirmed = true
		draft := trade.OrderDraft{ItemName: r.itemName, Quantity: r.quantity, MaxPrice: r.price,
			BuyerContact: player.Username, InGameName: player.InGameName,
			Importance: game.Medium}
		if _, err := crosses.Trade.PostOrderWith(ctx, buyer, draft,
			trade.PostTerms{Standing: &trade.StandingDraft{Sellers: r.sellers}}); err != nil {
			return err
		}
	}
	return nil
}
