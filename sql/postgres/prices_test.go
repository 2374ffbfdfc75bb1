package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

func newPricedMarket(t *testing.T) (trader, core.ItemID) {
	t.Helper()
	r := newTrader(t)
	r.Market = core.New(r.Store, core.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	items, err := core.ReadItems([]byte("name,kind\nIron Ore,Ore\nCopper Ore,Ore\n"), coretest.Forms)
	must(t, err)
	_, err = r.ImportItems(t.Context(), items, false)
	must(t, err)
	item, _, err := r.NameItem(t.Context(), "iron ore")
	must(t, err)
	return r, item.ID
}

// sells has a user sell to another at a price, and returns the sale.
func (r trader) sells(seller, buyer core.Actor, item string, price core.Copper) core.SaleID {
	r.T.Helper()
	order := r.Post(buyer, func(d *core.OrderDraft) { d.ItemName, d.MaxPrice, d.Quantity = item, price, 1 })
	r.Clock.Forward(time.Minute)
	done, err := r.AcceptOffer(r.T.Context(), buyer, r.OfferOn(seller, order, 1).ID, 1)
	must(r.T, err)
	return done.Sale.ID
}

func TestPricesComeFromTradesThatCount(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	price := func() *core.Price {
		t.Helper()
		got, err := r.ItemPrices(t.Context(), iron, true)
		must(t, err)
		if len(got.Days) != 90 {
			t.Fatalf("%d days", len(got.Days))
		}
		day, week := got.Days[89].Price, got.Windows[0].Price
		if (day == nil) != (week == nil) || day != nil && *day != *week {
			t.Errorf("today's price is %+v, that of the week %+v", day, week)
		}
		return week
	}
	var people []core.Actor
	for i := range 12 {
		people = append(people, r.SignUp(fmt.Sprint("trader", i)))
	}
	var last core.SaleID
	for i := range 5 {
		if price() != nil {
			t.Fatalf("%d trades make a price", i)
		}
		last = r.sells(people[2*i], people[2*i+1], []string{"Iron Ore", "iron  ORE"}[i%2], core.Copper(100+10*i))
	}
	if got := price(); got == nil || got.Median != 120 || got.Fills != 5 || got.Pairs != 5 {
		t.Errorf("in a young market the price is %+v", got)
	}
	_, err := r.UndoSale(t.Context(), people[9], last)
	must(t, err)
	if got := price(); got != nil {
		t.Errorf("without the trade that was undone the price is %+v", got)
	}
	r.sells(people[8], people[9], "Iron Ore", 140)

	r.vouched(people[:10]...)
	got, err := r.ItemPrices(t.Context(), iron, false)
	if err != nil || got.Young || got.Windows[1].Price == nil || got.Days != nil {
		t.Errorf("among ten established traders the prices are %+v, %v", got, err)
	}
	r.sells(people[10], people[11], "Iron Ore", 9999)
	if got := price(); got == nil || got.Median != 120 || got.Fills != 5 {
		t.Errorf("strangers change the price to %+v", got)
	}

	// One ring is set aside, and counts again.
	mod := r.Moderator()
	_, err = r.SetAside(t.Context(), mod, []string{"@Trader0", "1trader2"}, "They trade with each other only")
	must(t, err)
	if got := price(); got != nil {
		t.Errorf("with two of five pairs set aside the price is %+v", got)
	}
	_, err = r.SetAside(t.Context(), mod, []string{"trader0"}, "Again")
	wantKind(t, err, core.Conflict)
	_, err = r.SetAside(t.Context(), mod, []string{"trader4", "nobody"}, "They trade with each other only")
	wantKind(t, err, core.Invalid)
	_, err = r.SetAside(t.Context(), r.Ann, []string{"trader4"}, "They trade with each other only")
	wantKind(t, err, core.Forbidden)
	rings, err := r.Rings(t.Context(), mod)
	if err != nil || len(rings) != 1 || len(rings[0].Members) != 2 || rings[0].Members[0].Username != "trader0" {
		t.Fatalf("the rings are %+v, %v", rings, err)
	}
	r.CheckInvariants()
	must(t, r.CountAgain(t.Context(), mod, rings[0].ID))
	wantKind(t, r.CountAgain(t.Context(), mod, rings[0].ID), core.NotFound)
	r.vouched(people[10]) // ten are established once more
	if got := price(); got == nil || got.Fills != 5 {
		t.Errorf("once they count again the price is %+v", got)
	}
	r.CheckInvariants()

	// What is asked is no price.
	r.Post(r.Ann, func(d *core.OrderDraft) { d.MaxPrice = 70 }) // beside the one that was undone
	if got, err := r.ItemPrices(t.Context(), iron, false); err != nil || got.Asked != (core.Asked{Requests: 2, Low: 70, Median: 70, High: 140}) {
		t.Errorf("asked is %+v, %v", got.Asked, err)
	}
	off := core.New(r.Store, core.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true}})
	_, err = off.ItemPrices(t.Context(), iron, false)
	wantKind(t, err, core.NotFound)
	_, err = off.ItemOdds(t.Context(), iron)
	wantKind(t, err, core.NotFound)
}

func TestOddsComeFromRequestsOfTheItemElseOfItsKind(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	post := func(item string, price core.Copper) core.Order {
		return r.Post(r.Ann, func(d *core.OrderDraft) { d.ItemName, d.MaxPrice = item, price })
	}
	for i := range 8 {
		order := post("Copper Ore", 100)
		r.Clock.Forward(time.Hour)
		_, err := r.LogSale(t.Context(), r.Ann, order.ID, core.SaleDraft{Quantity: 5})
		must(t, err)
		r.Clock.Forward(time.Hour)
		if i == 0 {
			_, err = r.CloseOrder(t.Context(), r.Ann, order.ID)
		} else {
			_, err = r.LogSale(t.Context(), r.Ann, order.ID, core.SaleDraft{Quantity: 4}) // nine tenths are enough
		}
		must(t, err)
	}
	post("Iron Ore", 100)
	r.Clock.Forward(8 * 24 * time.Hour)
	odds, err := r.ItemOdds(t.Context(), iron)
	must(t, err)
	if !odds.OfKind || len(odds.Steps) != 1 || odds.Steps[0].Requests != 9 || odds.Steps[0].Ended != 8 {
		t.Fatalf("the odds are %+v", odds)
	}
	if got := odds.Steps[0].Within[0]; got.Share < 0.77 || got.Share > 0.78 { // seven of nine
		t.Errorf("within two days %+v", got)
	}
	if odds.At(101) != nil {
		t.Error("there are odds above every price")
	}
}
