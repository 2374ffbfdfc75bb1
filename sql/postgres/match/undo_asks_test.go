package match_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// An ask that was agreed ends with an undo of its sale, or waits again: nothing that its buyer has posted
// meanwhile keeps either side from that.
func TestTheSaleOfAnAskIsUndoneWhateverItsBuyerHasOpen(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(t *testing.T, w *world, buyer core.Actor, listing core.StockID){
		"an equal ask": func(t *testing.T, w *world, buyer core.Actor, listing core.StockID) {
			_, err := w.Match.Ask(t.Context(), buyer, listing, match.AskDraft{Quantity: 5})
			must(t, err)
		},
		"an equal request": func(t *testing.T, w *world, buyer core.Actor, _ core.StockID) {
			ask, err := w.Trade.Order(t.Context(), buyer, core.OrderID(w.Value("select max(id) from orders")))
			must(t, err)
			_, err = w.Trade.PostOrder(t.Context(), buyer, ask.OrderDraft)
			must(t, err)
		},
		"as many requests as they may": func(t *testing.T, w *world, buyer core.Actor, _ core.StockID) {
			for i := range 3 {
				_, err := w.Trade.PostOrder(t.Context(), buyer, trade.OrderDraft{ItemName: "Oak Log", Quantity: 1 + i,
					MaxPrice: 10, BuyerContact: "maple", InGameName: "Maple"})
				must(t, err)
			}
		},
	} {
		for _, atOnce := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := withListings(t)
				buyer, fern := w.SignUp("maple"), w.SignUp("fern")
				w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
					Quotas: core.Quotas{OpenRequests: 3}})
				daily := 0
				if atOnce {
					daily = 5
				}
				lists(t, w, fern, match.StockDraft{ItemName: "Iron Ore", Quantity: 20, Price: 30, SellsDaily: daily})
				listing := core.StockID(w.Value("select max(id) from stock"))
				_, err := w.Match.PostPlan(t.Context(), buyer, match.PlanDraft{
					ListDraft: trade.ListDraft{Name: "Guild hall", BuyerContact: "maple"},
					Lines:     []match.PlanDraftLine{{ItemName: "Iron Ore", Listing: listing, Quantity: 5, Price: 30}}})
				must(t, err)
				if !atOnce {
					_, err := w.Match.AnswerAsk(t.Context(), fern, core.OrderID(w.Value("select max(id) from orders")), match.AskAnswer{Accept: 5})
					must(t, err)
				}
				sale := saleOf(t, w, buyer)
				meanwhile(t, w, buyer, listing)
				by := buyer
				if atOnce {
					by = fern
				}
				if _, err := w.Trade.UndoSale(t.Context(), by, sale); err != nil {
					t.Errorf("at once %t: %v", atOnce, err)
				}
				w.CheckInvariants()
			})
		}
	}
}
