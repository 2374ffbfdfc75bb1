package seed

import (
	"context"
	"time"

	"tradepost/core"
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
	daily    int // sold without asking
}

var listings = []listing{
	{1, 30, "Fine Granite", 900, 6_400, "From 100 up, whole stacks preferred.", 0},
	{2, 25, "Greater Eel", 60, 86_000, "", 0},
	{0, 20, "Coarse Poplar Log", 1_500, 13_500, "Cut to order. At the sawmill most evenings.", 0},
	{2, 6, "Signal Oyster", 120, 31_000, "Fresh every morning, at the pier until noon.", 0},
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
