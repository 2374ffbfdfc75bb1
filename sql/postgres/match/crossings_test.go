package match_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

// wantsOre posts a request for iron ore, with the number of pieces that any seller's offers are taken for.
func wantsOre(t *testing.T, w *world, buyer core.Actor, quantity int, price core.Copper) trade.Order {
	t.Helper()
	return w.Post(buyer, func(d *trade.OrderDraft) { d.ItemName, d.Quantity, d.MaxPrice = "Iron Ore", quantity, price })
}

func stands(t *testing.T, w *world, buyer core.Actor, o trade.Order, others int) trade.StandingAcceptance {
	t.Helper()
	s, err := w.Trade.SetStanding(t.Context(), buyer, o.ID, trade.StandingDraft{
		Sellers: trade.SellersAnybody, FromOthers: others, Until: w.Clock.Now().Add(20 * core.Day)})
	must(t, err)
	return s
}

func sellsOre(t *testing.T, w *world, seller core.Actor, quantity int, price core.Copper, daily int) match.Stock {
	t.Helper()
	stock := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: quantity, Price: price, SellsDaily: daily})
	return stock[slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == "Iron Ore" })]
}

// tradesOf describes a user's trades, the latest first.
func tradesOf(t *testing.T, w *world, user core.Actor) (all []string) {
	t.Helper()
	trades, err := w.Trade.Handovers(t.Context(), user, trade.Query{Limit: 50})
	must(t, err)
	for _, h := range trades {
		all = append(all, fmt.Sprintf("%d at %d with %s", h.Quantity, h.UnitPrice, h.Other(user.UserID).Contact))
	}
	return all
}

func saleOf(t *testing.T, w *world, user core.Actor) core.SaleID {
	t.Helper()
	trades, err := w.Trade.Handovers(t.Context(), user, trade.Query{Limit: 1})
	must(t, err)
	if len(trades) == 0 {
		t.Fatal("nothing was traded")
	}
	return trades[0].Sale
}

func wantsTrades(t *testing.T, w *world, what string, user core.Actor, want ...string) {
	t.Helper()
	if got := tradesOf(t, w, user); !slices.Equal(got, want) {
		t.Errorf("%s: traded %q, want %q", what, got, want)
	}
}

func TestARequestThatComesLaterBuysFromTheCheapestListing(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, dear, cheap, silent := w.SignUp("maple"), w.SignUp("dear"), w.SignUp("cheap"), w.SignUp("silent")
	sellsOre(t, w, dear, 100, 45, 100)
	sellsOre(t, w, cheap, 30, 40, 100)
	sellsOre(t, w, silent, 100, 30, 0) // is asked first
	order := wantsOre(t, w, buyer, 50, 45)
	wantsTrades(t, w, "before its buyer takes offers as they come", buyer)
	set := stands(t, w, buyer, order, 50)
	wantsTrades(t, w, "the request", buyer, "20 at 45 with dear", "30 at 40 with cheap")
	if set.TakenFromOthers != 50 {
		t.Errorf("the standing acceptance has taken %d", set.TakenFromOthers)
	}
	got, err := w.Trade.Order(t.Context(), buyer, order.ID)
	must(t, err)
	if got.Status != trade.Fulfilled || got.CloseReason != trade.Filled {
		t.Errorf("the request is %s, %s", got.Status, got.CloseReason)
	}
	sales, _, err := w.Store.Sales(t.Context(), order.ID, 5)
	must(t, err)
	cheapest := sales[1]
	if cheapest.UnitPrice != 40 || cheapest.Offer != 0 || cheapest.Notes != "Accepted offer from CHEAP (cheap)" || cheapest.SellerContact != "cheap" {
		t.Errorf("the sale is %+v", cheapest)
	}
	if n := w.Value("select count(*) from offers") + w.Value("select count(*) from sent_offers"); n != 0 {
		t.Errorf("%d offers were written", n)
	}
	for who, seller := range map[string]core.Actor{"dear": dear, "cheap": cheap} {
		if kinds := noticesOf(t, w, seller); !slices.Equal(kinds, []notify.Kind{notify.NoticeListingSold}) {
			t.Errorf("%s heard %s", who, kinds)
		}
	}
	if kinds := noticesOf(t, w, buyer); !slices.Equal(kinds, []notify.Kind{notify.NoticeOrderFilled,
		notify.NoticeStandingAccepted, notify.NoticeStandingAccepted}) {
		t.Errorf("the buyer heard %s", kinds)
	}
	if n := w.Value("select sum(quantity) from stock where price > 30"); n != 80 {
		t.Errorf("%d are left", n)
	}
	w.CheckInvariants()
}

func TestAListingThatComesLaterSellsToTheHighestRequest(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, low, high, waiting := w.SignUp("rowan"), w.SignUp("low"), w.SignUp("high"), w.SignUp("waiting")
	for buyer, price := range map[*core.Actor]core.Copper{&low: 45, &high: 60} {
		stands(t, w, *buyer, wantsOre(t, w, *buyer, 20, price), 20)
	}
	wantsOre(t, w, waiting, 20, 90) // waits for its buyer's answer
	saved := sellsOre(t, w, seller, 100, 40, 30)
	wantsTrades(t, w, "the listing", seller, "10 at 45 with low", "20 at 60 with high")
	if saved.Quantity != 70 {
		t.Errorf("saving answers %d left", saved.Quantity)
	}
	// The limit of 24 hours is kept, and over after them.
	order := wantsOre(t, w, waiting, 50, 40)
	w.Clock.Forward(24*time.Hour - time.Second)
	stands(t, w, waiting, order, 50)
	wantsTrades(t, w, "within 24 hours", waiting)
	w.Clock.Forward(2 * time.Second)
	_, err := w.Trade.RenewOrder(t.Context(), waiting, order.ID)
	must(t, err)
	wantsTrades(t, w, "after 24 hours", waiting, "30 at 40 with rowan")
	w.CheckInvariants()
}

func TestEachSideUndoesACrossing(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"maple", "rowan"} {
		w := withListings(t)
		buyer, seller, other := w.SignUp("maple"), w.SignUp("rowan"), w.SignUp("fern")
		sides := map[string][2]core.Actor{"maple": {buyer, seller}, "rowan": {seller, buyer}}[by]
		sellsOre(t, w, seller, 100, 40, 100)
		order := wantsOre(t, w, buyer, 20, 45)
		stands(t, w, buyer, order, 20)
		sale := saleOf(t, w, buyer)
		if _, err := w.Trade.UndoSale(t.Context(), other, sale); core.KindOf(err) != core.Forbidden {
			t.Errorf("another undoes it: %v", err)
		}
		after, err := w.Trade.UndoSale(t.Context(), sides[0], sale)
		must(t, err)
		if after.Sold != 0 || after.Status != trade.Active || w.Value("select sum(quantity) from stock") != 100 {
			t.Errorf("after %s has undone it: %+v", by, after)
		}
		if kinds := noticesOf(t, w, sides[1]); !slices.Contains(kinds, notify.NoticeCrossingUndone) || len(kinds) > 2 ||
			slices.Contains(kinds, notify.NoticeListingSold) {
			t.Errorf("%s undid it, and the other side heard %s", by, kinds)
		}
		// These two never cross again, and others do.
		order, err = w.Trade.EditOrder(t.Context(), buyer, order.ID, trade.OrderEdit{Version: after.Version, MaxPrice: new(core.Copper(50))})
		must(t, err)
		sellsOre(t, w, seller, 90, 40, 100)
		wantsTrades(t, w, "after the undo", seller)
		stock := lists(t, w, other, match.StockDraft{ItemName: "Iron Ore", Quantity: 20, Price: 50, SellsDaily: 20})
		if stock[0].Quantity != 0 {
			t.Errorf("another listing did not sell: %+v", stock)
		}
		if _, err := w.Trade.UndoSale(t.Context(), sides[0], sale); core.KindOf(err) != core.Conflict {
			t.Errorf("it is undone twice: %v", err)
		}
		w.CheckInvariants()
	}
}

func TestAnUndoIsToldByTheNoticeThatIsNotReadYet(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	sellsOre(t, w, seller, 100, 40, 100)
	for i := range 2 {
		stands(t, w, buyer, wantsOre(t, w, buyer, 20+i, 45), 20)
		if i == 1 {
			page, err := w.Notify.Notices(t.Context(), seller, 0, 50)
			must(t, err)
			must(t, w.Notify.ReadNotices(t.Context(), seller, page.Notices[0].ID))
		}
		_, err := w.Trade.UndoSale(t.Context(), buyer, saleOf(t, w, buyer))
		must(t, err)
	}
	want := []notify.Kind{notify.NoticeCrossingUndone, notify.NoticeListingSold, notify.NoticeCrossingUndone}
	if kinds := noticesOf(t, w, seller); !slices.Equal(kinds, want) {
		t.Errorf("the seller's notices are %s, want %s", kinds, want)
	}
	w.CheckInvariants()
}

func TestWhoUndoesThreeInADayCrossesAgainTheNext(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	sellsOre(t, w, seller, 500, 40, 500)
	again := func(quantity int) {
		t.Helper()
		stands(t, w, buyer, wantsOre(t, w, buyer, quantity, 45), quantity)
	}
	for i := range 3 {
		again(10 + i)
		_, err := w.Trade.UndoSale(t.Context(), buyer, saleOf(t, w, buyer))
		must(t, err)
		w.Clock.Forward(time.Minute)
	}
	again(20)
	wantsTrades(t, w, "after three", buyer)
	w.Clock.Forward(core.Day)
	again(21)
	wantsTrades(t, w, "on the next day", buyer, "21 at 40 with rowan")
}

func TestOnlyRowsWhoseOwnersTakeEachOtherCross(t *testing.T) {
	t.Parallel()
	for name, bar := range map[string]func(w *world, buyer, seller core.Actor, order trade.Order) error{
		"the buyer has blocked the seller": func(w *world, buyer, seller core.Actor, _ trade.Order) error {
			return w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())", buyer.UserID, seller.UserID)
		},
		"the seller has blocked the buyer": func(w *world, buyer, seller core.Actor, _ trade.Order) error {
			return w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($2, $1, now())", buyer.UserID, seller.UserID)
		},
		"a moderator has blocked the seller": func(w *world, _, seller core.Actor, _ trade.Order) error {
			return w.SQL("update users set blocked_at = now(), blocked_for = 'Scams' where id = $1", seller.UserID)
		},
		"the buyer asks for people they have met": func(w *world, buyer, _ core.Actor, o trade.Order) error {
			return w.Trade.SetLeastRecord(context.Background(), buyer, o.ID, trade.LeastRecord{Sellers: trade.SellersMet})
		},
		"the seller has an offer there": func(w *world, _, seller core.Actor, o trade.Order) error {
			_, err := w.Trade.SendOffer(context.Background(), seller, o.ID, trade.OfferDraft{SellerName: "Rowan", Message: "Mine", Quantity: 1})
			return err
		},
		"it costs more": func(w *world, _, seller core.Actor, _ trade.Order) error {
			return w.SQL("update stock set price = 46 where user_id = $1", seller.UserID)
		},
		"it is for sale no more": func(w *world, _, seller core.Actor, _ trade.Order) error {
			return w.SQL("update stock set shown_until = $2 where user_id = $1", seller.UserID, w.Clock.Now())
		},
		"all of it is asked for": func(w *world, _, _ core.Actor, _ trade.Order) error {
			asks := w.SignUp("fern")
			_, err := w.Match.Ask(context.Background(), asks, 1, match.AskDraft{Quantity: 100})
			return err
		},
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withListings(t)
			buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
			sellsOre(t, w, seller, 100, 40, 100)
			order := wantsOre(t, w, buyer, 20, 45)
			if bar == nil {
				stands(t, w, buyer, order, 20)
				wantsTrades(t, w, "unbarred", buyer, "20 at 40 with rowan")
				return
			}
			must(t, bar(w, buyer, seller, order))
			stands(t, w, buyer, order, 20)
			wantsTrades(t, w, name, buyer)
		})
	}
	w := withListings(t)
	own := w.SignUp("maple")
	sellsOre(t, w, own, 100, 40, 100)
	stands(t, w, own, wantsOre(t, w, own, 20, 45), 20)
	wantsTrades(t, w, "with oneself", own)
}

func TestARepeatedWriteCrossesOnceAndAnswersTheSame(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	stands(t, w, buyer, wantsOre(t, w, buyer, 20, 45), 20)
	seller = storetest.Keyed(seller, "save-1")
	first := sellsOre(t, w, seller, 100, 40, 100)
	if again := sellsOre(t, w, seller, 100, 40, 100); again.ID != first.ID || again.Quantity != 80 || first.Quantity != 80 {
		t.Errorf("a repeat answers %+v, after %+v", again, first)
	}
	wantsTrades(t, w, "the repeated write", seller, "20 at 45 with maple")
}

func TestNothingCrossesWithoutTheFeature(t *testing.T) {
	t.Parallel()
	w := &world{storetest.New(t)}
	without := core.EveryFeature()
	without.Crossing = false
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: without,
		Moderators: people.Moderators{Accounts: []string{"1mod"}}})
	w.Imports("name,made_by\nIron Ore,Miner\n")
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	if saved := sellsOre(t, w, seller, 100, 40, 100); saved.SellsDaily != 0 {
		t.Errorf("saved %+v", saved)
	}
	must(t, w.SQL("update stock set sells_daily = 100"))
	stands(t, w, buyer, wantsOre(t, w, buyer, 20, 45), 20)
	wantsTrades(t, w, "without the feature", buyer)
}

func TestListingsThatSellUnaskedAreNeverOversold(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller := w.SignUp("rowan")
	sellsOre(t, w, seller, 25, 40, 40)
	var orders []trade.Order
	var buyers []core.Actor
	for i := range 6 {
		buyers = append(buyers, w.SignUp(fmt.Sprint("buyer", i)))
		orders = append(orders, wantsOre(t, w, buyers[i], 10, 45))
	}
	for _, err := range storetest.AtOnce(len(orders)+2, func(i int) error {
		if i >= len(orders) {
			_, err := w.Match.SaveStock(context.Background(), seller, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 25, Price: 40,
				Public: true, SellsDaily: 40}})
			return err
		}
		_, err := w.Trade.SetStanding(context.Background(), buyers[i], orders[i].ID, trade.StandingDraft{
			Sellers: trade.SellersAnybody, FromOthers: 10, Until: w.Clock.Now().Add(core.Day)})
		return err
	}) {
		must(t, err)
	}
	if sold := w.Value("select sum(quantity_sold) from order_updates"); sold > 40 || sold < 25 {
		t.Errorf("sold %d, at most 40 in 24 hours", sold)
	}
	w.CheckInvariants()
}

// postsStanding posts a request for iron ore that takes any seller's offers as they come.
func postsStanding(t *testing.T, w *world, buyer core.Actor, quantity int, price core.Copper) trade.Order {
	t.Helper()
	order, err := w.Trade.PostOrderWith(t.Context(), buyer, trade.OrderDraft{ItemName: "Iron Ore", Quantity: quantity,
		MaxPrice: price, BuyerContact: buyer.Username, Category: "Miner", Description: "Any grade"},
		trade.PostTerms{Standing: &trade.StandingDraft{Sellers: trade.SellersAnybody}})
	must(t, err)
	return order
}

func TestAPostThatStandsBuysInItsOwnTransaction(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, dear, cheap := w.SignUp("maple"), w.SignUp("dear"), w.SignUp("cheap")
	sellsOre(t, w, dear, 100, 45, 100)
	sellsOre(t, w, cheap, 30, 40, 100)
	order := postsStanding(t, w, buyer, 50, 45)
	if order.Sold != 50 || order.Status != trade.Fulfilled {
		t.Errorf("the answer to the post has %d sold, and is %s", order.Sold, order.Status)
	}
	wantsTrades(t, w, "the post", buyer, "20 at 45 with dear", "30 at 40 with cheap")
	if kinds := noticesOf(t, w, buyer); !slices.Equal(kinds, []notify.Kind{notify.NoticeOrderFilled,
		notify.NoticeStandingAccepted, notify.NoticeStandingAccepted}) {
		t.Errorf("the buyer heard %s", kinds)
	}
	rest := postsStanding(t, w, buyer, 100, 46)
	if rest.Sold != 80 {
		t.Errorf("%d of the rest are sold", rest.Sold)
	}
	terms, err := w.Trade.Terms(t.Context(), buyer, rest.ID)
	must(t, err)
	if s := terms.Standing; len(s) != 1 || s[0].FromOthers != 100 || s[0].TakenFromOthers != 80 || !s[0].Stands(w.Clock.Now()) {
		t.Errorf("it stands as %+v", s)
	}
	_, err = w.Trade.PostOrderWith(t.Context(), buyer, trade.OrderDraft{ItemName: "Iron Ore", Quantity: 5, MaxPrice: 50,
		BuyerContact: "maple", Category: "Miner"}, trade.PostTerms{Standing: &trade.StandingDraft{FromOthers: 6}})
	if core.KindOf(err) != core.Invalid {
		t.Errorf("more than it asks for: %v", err)
	}
	w.CheckInvariants()
}

func TestAPostWithTheSameKeyTradesOnce(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	sellsOre(t, w, seller, 100, 45, 100)
	buyer.Key = "one-post-0123456789"
	first := postsStanding(t, w, buyer, 10, 45)
	if again := postsStanding(t, w, buyer, 10, 45); again.ID != first.ID || again.Sold != first.Sold {
		t.Errorf("the repeat was answered with %d, %d sold, not %d, %d", again.ID, again.Sold, first.ID, first.Sold)
	}
	wantsTrades(t, w, "a post that was repeated", buyer, "10 at 45 with rowan")
}

func TestARestoredListingSellsToRequestsThatStand(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	listing := sellsOre(t, w, seller, 30, 40, 100)
	must(t, w.Match.DeleteStock(t.Context(), seller, listing.ID))
	postsStanding(t, w, buyer, 50, 45)
	wantsTrades(t, w, "while the listing is removed", buyer)
	must(t, w.Match.RestoreStock(t.Context(), seller, listing.ID))
	wantsTrades(t, w, "once it is back", buyer, "30 at 45 with rowan")
	must(t, w.Match.RestoreStock(t.Context(), seller, listing.ID))
	wantsTrades(t, w, "once it is back twice", buyer, "30 at 45 with rowan")
	w.CheckInvariants()
}

func TestAnUndoGivesBothRowsToOthersAndNeverToEachOther(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, later, cheap, dear := w.SignUp("maple"), w.SignUp("later"), w.SignUp("cheap"), w.SignUp("dear")
	sellsOre(t, w, cheap, 10, 40, 100)
	order := postsStanding(t, w, buyer, 10, 45)
	sellsOre(t, w, dear, 100, 44, 100)
	postsStanding(t, w, later, 4, 41)
	wantsTrades(t, w, "before the undo", buyer, "10 at 40 with cheap")
	wantsTrades(t, w, "before the undo", later)
	_, err := w.Trade.UndoSale(t.Context(), cheap, saleOf(t, w, buyer))
	must(t, err)
	wantsTrades(t, w, "the request that was filled", buyer, "10 at 44 with dear")
	wantsTrades(t, w, "the listing that sold out", later, "4 at 41 with cheap")
	got, err := w.Trade.Order(t.Context(), buyer, order.ID)
	must(t, err)
	if got.Sold != 10 || got.Status != trade.Fulfilled {
		t.Errorf("the request has %d sold, and is %s", got.Sold, got.Status)
	}
	_, err = w.Trade.UndoSale(t.Context(), buyer, saleOf(t, w, buyer))
	must(t, err)
	wantsTrades(t, w, "with nobody left to trade with", buyer)
	w.CheckInvariants()
}

func TestARequestThatIsOpenAgainBuys(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer, seller := w.SignUp("maple"), w.SignUp("rowan")
	order := postsStanding(t, w, buyer, 10, 45)
	_, err := w.Trade.CloseOrder(t.Context(), buyer, order.ID)
	must(t, err)
	sellsOre(t, w, seller, 6, 40, 100)
	wantsTrades(t, w, "while it is closed", buyer)
	_, err = w.Trade.UndoClose(t.Context(), buyer, order.ID)
	must(t, err)
	wantsTrades(t, w, "once it is open again", buyer, "6 at 40 with rowan")
	w.CheckInvariants()
}

// Nothing is oversold, and no two rows trade again, when people post, undo, remove and restore at once.
func TestPostsUndosAndRestoredListingsAtOnce(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller := w.SignUp("rowan")
	listing := sellsOre(t, w, seller, 60, 40, 60)
	first := w.SignUp("first")
	postsStanding(t, w, first, 20, 45)
	sale := saleOf(t, w, first)
	var doing sync.WaitGroup
	for n := range 6 {
		buyer := w.SignUp(fmt.Sprintf("buyer%d", n))
		doing.Go(func() { postsStanding(t, w, buyer, 20, 45) })
	}
	doing.Go(func() { _, err := w.Trade.UndoSale(context.Background(), seller, sale); must(t, err) })
	doing.Go(func() {
		if err := w.Match.DeleteStock(context.Background(), seller, listing.ID); core.KindOf(err) != core.NotFound {
			must(t, err)
		}
		must(t, w.Match.RestoreStock(context.Background(), seller, listing.ID))
	})
	doing.Wait()
	if n := w.Value("select sum(quantity_sold) from order_updates u where not exists (select from sale_reversals r where r.sale_id = u.id)"); n != 60 {
		t.Errorf("%d of 60 were sold", n)
	}
	wantsTrades(t, w, "after the undo", first)
	w.CheckInvariants()
}
