package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/trade"
)

func newPricedMarket(t *testing.T) (trader, core.ItemID) {
	t.Helper()
	r := newTrader(t)
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	items, err := items.ReadRows([]byte("name,kind\nIron Ore,Ore\nCopper Ore,Ore\n"), coretest.Forms)
	must(t, err)
	_, err = r.Items.Import(t.Context(), items, false)
	must(t, err)
	item, _, err := r.Items.NameItem(t.Context(), "iron ore")
	must(t, err)
	return r, item.ID
}

// grows has the market be young no more, by ten people that a moderator vouches for.
func (r trader) grows() {
	r.T.Helper()
	for i := range 10 {
		r.vouched(r.SignUp(fmt.Sprint("known", i)))
	}
	r.names()
}

// sells has a user sell to another at a price, and waits until that is settled.
func (r trader) sells(seller, buyer core.Actor, item string, price core.Copper) {
	r.T.Helper()
	r.agrees(seller, buyer, item, price)
	r.Clock.Forward(core.SettledAfter)
}

// agrees has a user sell to another at a price, and returns the sale, which can be undone.
func (r trader) agrees(seller, buyer core.Actor, item string, price core.Copper) core.SaleID {
	r.T.Helper()
	buyer.PriceConfirmed = true
	order := r.Post(buyer, func(d *trade.OrderDraft) { d.ItemName, d.MaxPrice, d.Quantity = item, price, 1 })
	r.Clock.Forward(time.Minute)
	done, err := r.Trade.AcceptOffer(r.T.Context(), buyer, r.OfferOn(seller, order, 1).ID, 1)
	must(r.T, err)
	return done.Sale.ID
}

func TestPricesComeFromTradesThatCount(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	price := func() *items.Price {
		t.Helper()
		got, err := r.Items.Prices(t.Context(), iron, true)
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
	for i := range 5 {
		if price() != nil {
			t.Fatalf("%d trades make a price", i)
		}
		r.agrees(people[2*i], people[2*i+1], []string{"Iron Ore", "iron  ORE"}[i%2], core.Copper(100+10*i))
	}
	if got, err := r.Items.Prices(t.Context(), iron, false); err != nil || got.Windows[0].Price != nil || got.OnTheirWay != 5 {
		t.Errorf("before they are settled five trades make the prices %+v, %v", got, err)
	}
	last := r.agrees(people[10], people[11], "Iron Ore", 9999)
	_, err := r.Trade.UndoSale(t.Context(), people[11], last)
	must(t, err)
	r.Clock.Forward(core.SettledAfter)
	if got := price(); got == nil || got.Median != 120 || got.Fills != 5 || got.Trades != 5 || got.MedianFrom != 100 || got.MedianTo != 140 {
		t.Errorf("in a young market the price is %+v", got)
	}
	// The account of one of them was made on this day.
	made := (r.Clock.Now().Add(-core.Day).UnixMilli() - 1420070400000) << 22
	must(t, r.SQL("update users set discord_id = $1 where id = $2", fmt.Sprint(made), people[0].UserID))
	r.agrees(people[11], people[10], "Coal", 1) // prices are read again
	r.Clock.Forward(core.SettledAfter)
	if got := price(); got != nil {
		t.Errorf("with a trade of a new account a young market has the price %+v", got)
	}
	must(t, r.SQL("update users set discord_id = '1trader0' where id = $1", people[0].UserID))

	r.vouched(people[:10]...)
	r.names()
	got, err := r.Items.Prices(t.Context(), iron, false)
	if err != nil || got.Young || got.Windows[1].Price == nil || got.Days != nil {
		t.Errorf("among ten established traders the prices are %+v, %v", got, err)
	}
	if got := price(); got == nil || got.Circles != 5 {
		t.Errorf("the price of five pairs is %+v", got)
	}
	r.sells(people[10], people[11], "Iron Ore", 9999)
	if got := price(); got == nil || got.Median != 120 || got.Fills != 5 {
		t.Errorf("strangers change the price to %+v", got)
	}

	// One ring is set aside, and counts again.
	mod := r.Moderator()
	ring := r.proposed(people[0], people[2])
	_, err = r.Trust.SetAside(t.Context(), r.Ann, ring)
	wantKind(t, err, core.Forbidden)
	_, err = r.Trust.SetAside(t.Context(), mod, ring)
	must(t, err)
	if got := price(); got != nil {
		t.Errorf("with two of five pairs set aside the price is %+v", got)
	}
	_, err = r.Trust.SetAside(t.Context(), mod, ring)
	wantKind(t, err, core.NotFound)
	rings, err := r.Trust.Rings(t.Context(), mod)
	if err != nil || len(rings) != 1 || len(rings[0].Members) != 2 || rings[0].Members[0].Username != "trader0" ||
		rings[0].Reason != "96 % of their 25 trades are with each other; 20 of 24 trades between them were at the lowest price there is" {
		t.Fatalf("the rings are %+v, %v", rings, err)
	}
	r.CheckInvariants()
	must(t, r.Trust.CountAgain(t.Context(), mod, rings[0].ID))
	wantKind(t, r.Trust.CountAgain(t.Context(), mod, rings[0].ID), core.NotFound)
	r.vouched(people[10]) // ten are established once more
	if got := price(); got == nil || got.Fills != 5 {
		t.Errorf("once they count again the price is %+v", got)
	}
	r.CheckInvariants()

	// What is asked is no price.
	ann := r.Ann
	ann.PriceConfirmed = true
	for _, price := range []core.Copper{9999, 70} { // of one buyer the latest counts
		r.Post(ann, func(d *trade.OrderDraft) { d.MaxPrice = price }) // beside the one that was undone
		r.Clock.Forward(time.Minute)
	}
	if got, err := r.Items.Prices(t.Context(), iron, false); err != nil || got.Asked != (items.Asked{Buyers: 2, Low: 70, Median: 70, High: 9999}) {
		t.Errorf("asked is %+v, %v", got.Asked, err)
	}
	off := market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true}})
	_, err = off.Items.Prices(t.Context(), iron, false)
	wantKind(t, err, core.NotFound)
	_, err = off.Items.Odds(t.Context(), iron)
	wantKind(t, err, core.NotFound)
}

func TestATradeCountsOnceBothSidesHaveMet(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms,
		Features: core.Features{Items: true, Prices: true, Handover: true}})
	wants := func(what string, onTheirWay, fills int) {
		t.Helper()
		got, err := r.Items.Prices(t.Context(), iron, false)
		must(t, err)
		found := 0
		if p := got.Windows[0].Price; p != nil {
			found = p.Fills
		}
		if got.OnTheirWay != onTheirWay || found != fills {
			t.Errorf("%s: %d trades on their way and %d in the price, want %d and %d", what, got.OnTheirWay, found, onTheirWay, fills)
		}
	}
	people := r.people("trader", 14)
	say := func(by core.Actor, word trade.Word, sales ...core.SaleID) {
		t.Helper()
		_, err := r.Trade.SayHandovers(t.Context(), by, sales, word)
		must(t, err)
	}
	var sales []core.SaleID
	for i := range 7 {
		sales = append(sales, r.agrees(people[2*i], people[2*i+1], "Iron Ore", 100))
	}
	r.Clock.Forward(2 * core.SettledAfter)
	wants("two days after the accept", 7, 0)
	for i := range 5 {
		say(people[2*i], trade.SaidMet, sales[i])
	}
	wants("with one word each", 7, 0)
	for i := range 5 {
		say(people[2*i+1], trade.SaidMet, sales[i])
	}
	wants("with five words of both", 2, 5)
	say(people[11], trade.SaidNotMet, sales[5])
	wants("with one that did not happen", 1, 5)
	say(people[12], trade.SaidMet, sales[6])
	say(people[13], trade.SaidNotMet, sales[6])
	wants("with a dispute", 1, 5)
}

// slowOutcomes has the outcomes of the market wait, and counts how often they are read.
type slowOutcomes struct {
	market.Store
	asked, ready chan struct{}
}

func (s slowOutcomes) MarketOutcomes(ctx context.Context, since, until time.Time) ([]items.Outcome, error) {
	s.asked <- struct{}{}
	<-s.ready
	return s.Store.MarketOutcomes(ctx, since, until)
}

func TestOddsAreReadOnEvenWhereTheirFirstCallerStopsWaiting(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	r.grows()
	store := slowOutcomes{r.Store, make(chan struct{}, 2), make(chan struct{})}
	market := market.New(store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	hurried, stop := context.WithCancel(t.Context())
	go func() {
		<-store.asked
		stop()
	}()
	if _, err := market.Items.Odds(hurried, iron); !errors.Is(err, context.Canceled) {
		t.Fatalf("who stops waiting gets %v", err)
	}
	close(store.ready)
	_, err := market.Items.Odds(t.Context(), iron)
	must(t, err)
	if len(store.asked) != 0 {
		t.Error("the outcomes were read again")
	}
}

func TestOddsComeFromRequestsOfTheItemElseOfItsKind(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	var people []core.Actor
	for i := range 12 {
		people = append(people, r.SignUp(fmt.Sprint("buyer", i)))
	}
	post := func(by core.Actor, item string, price core.Copper) trade.Order {
		return r.Post(by, func(d *trade.OrderDraft) { d.ItemName, d.MaxPrice = item, price })
	}
	for i := range 8 { // nine tenths are bought within two hours
		order := post(people[i], "Copper Ore", 100)
		for _, n := range []int{5, 4} {
			r.Clock.Forward(time.Hour)
			_, err := r.Trade.AcceptOffer(t.Context(), people[i], r.OfferOn(people[i+1], order, n).ID, n)
			must(t, err)
		}
	}
	for range 30 { // one buyer, who counts once
		order := post(people[8], "copper  ORE", 100)
		r.Clock.Forward(time.Minute)
		_, err := r.Trade.CloseOrder(t.Context(), people[8], order.ID)
		must(t, err)
	}
	r.Clock.Forward(7*24*time.Hour - time.Hour)
	post(people[9], "Iron Ore", 100)
	fresh := func() items.Odds {
		t.Helper()
		market := market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
		odds, err := market.Items.Odds(t.Context(), iron)
		must(t, err)
		return odds
	}
	r.Clock.Forward(2 * time.Hour)
	if odds := fresh(); len(odds.Steps) > 0 {
		t.Errorf("a young market has the odds %+v", odds)
	}
	r.vouched(people[:10]...)
	r.names() // the market is young no more
	odds := fresh()
	if got := odds.At(100); got == nil || got.Of != items.OddsOfKind || got.Buyers != 9 || got.Percent[0] < 75 || got.Percent[0] > 92 {
		t.Fatalf("by its kind the odds are %+v", got)
	}
	if odds.At(1) != nil || odds.At(10_000) != nil || odds.TooLow(1) {
		t.Error("there are odds where nobody asked")
	}
	// Two pairs agreed on 60 or less for the item itself, and five ask at 100 in vain.
	r.sells(people[0], people[1], "Iron Ore", 50)
	r.sells(people[1], people[0], "Iron Ore", 55)
	r.sells(people[2], people[3], "iron  ORE", 60)
	for _, by := range people[4:9] {
		post(by, "Iron Ore", 100)
	}
	r.Clock.Forward(8 * 24 * time.Hour)
	odds = fresh()
	if got := odds.At(100); got == nil || got.Of != items.OddsOfItem || got.Buyers < 5 || got.Percent[0] > 75 {
		t.Errorf("by itself the odds are %+v", got)
	}
	if odds.Lowest != 60 || !odds.TooLow(59) || odds.TooLow(60) || odds.At(59) != nil {
		t.Errorf("the lowest is %d, and at 59 the odds are %+v", odds.Lowest, odds.At(59))
	}
	copper, _, err := r.Items.NameItem(t.Context(), "copper ore")
	must(t, err)
	another := func() *market.Market {
		return market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	}
	alone, err := another().Items.Odds(t.Context(), copper.ID)
	must(t, err)
	want := map[core.ItemID]items.Odds{iron: odds, copper.ID: alone}
	together, err := another().Items.OddsOfItems(t.Context(), []core.ItemID{copper.ID, 999, iron, copper.ID})
	must(t, err)
	if !reflect.DeepEqual(together, want) {
		t.Errorf("read together the odds are\n%+v, one by one\n%+v", together, want)
	}
}

// Beside a suggested price stands how many asked at about it, and how many of them got what they asked for.
func TestFilledOfAskedAtAboutAPrice(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	var people []core.Actor
	for i := range 10 {
		people = append(people, r.SignUp(fmt.Sprint("known", i)))
	}
	r.vouched(people...)
	r.names()
	for i := range 5 {
		r.sells(people[i], people[i+1], "Iron Ore", 100)
	}
	post := func(by core.Actor, price core.Copper) {
		by.PriceConfirmed = true
		r.Post(by, func(d *trade.OrderDraft) { d.ItemName, d.MaxPrice = "iron  ORE", price })
	}
	for i, price := range []core.Copper{96, 98, 100, 104, 95, 105, 1000} { // the last three are other prices
		post(people[i], price)
	}
	post(r.SignUp("newcomer"), 100)
	r.Clock.Forward(8 * 24 * time.Hour)
	odds, err := r.Items.Odds(t.Context(), iron)
	must(t, err)
	if want := []items.Filled{{Price: 100, Asked: 9, Filled: 5}}; !slices.Equal(odds.Near, want) {
		t.Errorf("%+v, want %+v", odds.Near, want)
	}
}

// oddsStore counts how often requests are read.
type oddsStore struct {
	market.Store
	reads atomic.Int64
}

func (s *oddsStore) Outcomes(ctx context.Context, groups [][]string, since, until time.Time) ([][]items.Outcome, error) {
	s.reads.Add(1)
	return s.Store.Outcomes(ctx, groups, since, until)
}

func (s *oddsStore) MarketOutcomes(ctx context.Context, since, until time.Time) ([]items.Outcome, error) {
	s.reads.Add(1)
	return s.Store.MarketOutcomes(ctx, since, until)
}

func TestOddsAreReadOnceForManyKeystrokes(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	r.grows()
	store := &oddsStore{Store: r.Store}
	market := market.New(store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	for range 20 {
		_, err := market.Items.Odds(t.Context(), iron)
		must(t, err)
	}
	if n := store.reads.Load(); n != 2 { // of the market and of the item
		t.Errorf("twenty answers took %d readings", n)
	}
	r.Clock.Forward(11 * time.Minute)
	_, err := market.Items.Odds(t.Context(), iron)
	must(t, err)
	if n := store.reads.Load(); n != 3 {
		t.Errorf("after eleven minutes there were %d readings, want one more", n)
	}
}
