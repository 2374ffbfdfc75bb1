package match_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

// withListings is a market in which Rowan has things for sale.
func withListings(t *testing.T) *world {
	t.Helper()
	w := &world{storetest.New(t)}
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.EveryFeature(), Moderators: people.Moderators{Accounts: []string{"1mod"}},
	})
	w.Imports("name,made_by\nIron Ore,Miner\nOak Log,Woodcutter\nMoon Pearl,\n")
	return w
}

func lists(t *testing.T, w *world, seller core.Actor, drafts ...match.StockDraft) []match.Stock {
	t.Helper()
	for i := range drafts {
		drafts[i].Public = true
	}
	seller.PriceConfirmed = true
	stock, err := w.Match.SaveStock(t.Context(), seller, drafts)
	must(t, err)
	return stock
}

func noticesOf(t *testing.T, w *world, user core.Actor) (kinds []notify.Kind) {
	t.Helper()
	page, err := w.Notify.Notices(t.Context(), user, 0, 50)
	must(t, err)
	for _, n := range page.Notices {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// shownAnywhere reports where people other than its buyer and its seller find a request.
func shownAnywhere(t *testing.T, w *world, reader core.Actor, id core.OrderID) (where []string) {
	t.Helper()
	for _, list := range match.OrderLists {
		page, err := w.Store.Orders(t.Context(), match.OrderQuery{List: list, Now: w.Clock.Now()})
		must(t, err)
		if slices.ContainsFunc(page.Orders, func(o trade.ListedOrder) bool { return o.ID == id }) || page.Total > 0 {
			where = append(where, string(list))
		}
	}
	counts, err := w.Store.CategoryCounts(t.Context(), match.OrderFilter{}, w.Clock.Now())
	must(t, err)
	if counts.All > 0 {
		where = append(where, "chips")
	}
	if _, err := w.Trade.Order(t.Context(), reader, id); core.KindOf(err) != core.NotFound {
		where = append(where, "by its number")
	}
	if _, err := w.Trade.SendOffer(t.Context(), reader, id, trade.OfferDraft{SellerName: "x", Message: "x", Quantity: 1}); core.KindOf(err) != core.NotFound {
		where = append(where, "offers")
	}
	if n := w.Value("select count(*) from alert_rounds"); n > 0 {
		where = append(where, "alerts")
	}
	return where
}

func TestABuyerAsksAndTheSellerSaysYesToFewer(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer, other := w.SignUp("rowan"), w.SignUp("maple"), w.SignUp("fern")
	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40, Note: "Docks"})[0]
	ask, err := w.Match.Ask(t.Context(), buyer, listed.ID, match.AskDraft{Quantity: 200, InGameName: "Maple"})
	must(t, err)
	if ask.MaxPrice != 40 || ask.Category != "Miner" || !ask.ExpiresAt.Equal(w.Clock.Now().Add(48*time.Hour)) {
		t.Errorf("asked %+v", ask)
	}
	if where := shownAnywhere(t, w, other, ask.ID); where != nil {
		t.Errorf("others find it in %s", where)
	}
	if where := shownAnywhere(t, w, seller, ask.ID); where != nil {
		t.Errorf("the seller finds it as a request in %s", where)
	}
	counts, err := w.Counts(t.Context(), buyer)
	must(t, err)
	if counts.Active != 1 || counts.Ending != 0 {
		t.Errorf("counts %+v", counts)
	}
	own, err := w.Match.OwnListings(t.Context(), seller)
	must(t, err)
	if len(own) != 1 || len(own[0].Asks) != 1 || own[0].Asks[0].Buyer.Username != "maple" {
		t.Fatalf("own listings %+v", own)
	}
	if got := noticesOf(t, w, seller); !slices.Equal(got, []notify.Kind{notify.NoticeAskReceived}) {
		t.Errorf("the seller's notices %s", got)
	}
	page, err := w.Match.Listings(t.Context(), other, match.ListingQuery{})
	must(t, err)
	if len(page.Listings) != 1 || page.Listings[0].Left() != 100 || page.Total != 1 {
		t.Errorf("listings %+v", page)
	}
	for name, bad := range map[string]struct {
		by    core.Actor
		draft match.AskDraft
		kind  core.ErrorKind
	}{
		"a visitor":     {core.Actor{}, match.AskDraft{Quantity: 1}, core.Unauthenticated},
		"the seller":    {seller, match.AskDraft{Quantity: 1}, core.Forbidden},
		"twice":         {buyer, match.AskDraft{Quantity: 1}, core.Conflict},
		"more":          {other, match.AskDraft{Quantity: 101}, core.Invalid},
		"another price": {other, match.AskDraft{Quantity: 1, PriceSeen: 39}, core.Conflict},
	} {
		if _, err := w.Match.Ask(t.Context(), bad.by, listed.ID, bad.draft); core.KindOf(err) != bad.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"edit": func() error {
			_, err := w.Trade.EditOrder(t.Context(), buyer, ask.ID, trade.OrderEdit{Version: 1, Quantity: new(500)})
			return err
		}(),
		"close": func() error { _, err := w.Trade.CloseOrder(t.Context(), buyer, ask.ID); return err }(),
		"renew": func() error { _, err := w.Trade.RenewOrder(t.Context(), buyer, ask.ID); return err }(),
		"sale": func() error {
			_, err := w.Trade.LogSale(t.Context(), buyer, ask.ID, trade.SaleDraft{Quantity: 1})
			return err
		}(),
	} {
		if core.KindOf(err) != core.Conflict {
			t.Errorf("%s of an ask: %v", name, err)
		}
	}
	if _, err := w.Match.AnswerAsk(t.Context(), other, ask.ID, match.AskAnswer{Accept: 1}); core.KindOf(err) != core.NotFound {
		t.Errorf("another seller answers: %v", err)
	}
	if _, err := w.Match.AnswerAsk(t.Context(), seller, ask.ID, match.AskAnswer{Accept: 201}); core.KindOf(err) != core.Invalid {
		t.Errorf("more than was asked for: %v", err)
	}
	done, err := w.Match.AnswerAsk(t.Context(), seller, ask.ID, match.AskAnswer{Accept: 150})
	must(t, err)
	if done.Sale.Quantity != 150 || done.Sale.UnitPrice != 40 || done.Sale.Buyer != buyer.UserID || done.Sale.Seller != seller.UserID {
		t.Errorf("sold %+v", done.Sale)
	}
	order, err := w.Trade.Order(t.Context(), buyer, ask.ID)
	must(t, err)
	if order.Status != trade.Fulfilled || order.CloseReason != trade.Filled || order.Quantity != 150 || order.Sold != 150 {
		t.Errorf("the request is %+v", order)
	}
	if stock, err := w.Match.Stock(t.Context(), seller); err != nil || stock[0].Quantity != 150 {
		t.Errorf("stock %+v, %v", stock, err)
	}
	if _, err := w.Match.AnswerAsk(t.Context(), seller, ask.ID, match.AskAnswer{Accept: 1}); core.KindOf(err) != core.Conflict {
		t.Errorf("answered twice: %v", err)
	}
	if got := noticesOf(t, w, buyer); !slices.Equal(got, []notify.Kind{notify.NoticeAskAccepted}) {
		t.Errorf("the buyer's notices %s", got)
	}
	if where := shownAnywhere(t, w, other, ask.ID); where != nil {
		t.Errorf("once it is sold, others find it in %s", where)
	}
	w.CheckInvariants()

	// From here on the specification's rules: the buyer undoes it, and has the offer again.
	_, err = w.Trade.UndoSale(t.Context(), buyer, done.Sale.ID)
	must(t, err)
	if stock, err := w.Match.Stock(t.Context(), seller); err != nil || stock[0].Quantity != 300 {
		t.Errorf("after the undo, stock %+v, %v", stock, err)
	}
	if where := shownAnywhere(t, w, other, ask.ID); where != nil {
		t.Errorf("once it is undone, others find it in %s", where)
	}
	_, err = w.Trade.AcceptOffer(t.Context(), buyer, done.Offer.ID, 150)
	must(t, err)
	w.CheckInvariants()
}

func TestAnAskEndsWithoutAMark(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer, other := w.SignUp("rowan"), w.SignUp("maple"), w.SignUp("fern")
	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 40})[0]
	ask := func(by core.Actor) core.OrderID {
		t.Helper()
		o, err := w.Match.Ask(t.Context(), by, listed.ID, match.AskDraft{Quantity: 10})
		must(t, err)
		return o.ID
	}
	refused := ask(buyer)
	if _, err := w.Match.Ask(t.Context(), other, listed.ID, match.AskDraft{Quantity: 1}); core.KindOf(err) != core.Conflict {
		t.Errorf("all of it is asked for: %v", err)
	}
	_, err := w.Match.AnswerAsk(t.Context(), seller, refused, match.AskAnswer{})
	must(t, err)
	silent := ask(other)
	must(t, w.Trade.DeleteOrder(t.Context(), other, silent)) // withdrawn
	silent = ask(other)
	if expired, warned, err := w.Trade.ExpireOrders(t.Context(), 100); err != nil || expired != 0 || warned != 0 {
		t.Errorf("before its end %d expired, %d warned, %v", expired, warned, err)
	}
	w.Clock.Forward(48 * time.Hour)
	if _, err := w.Match.AnswerAsk(t.Context(), seller, silent, match.AskAnswer{Accept: 10}); core.KindOf(err) != core.Conflict {
		t.Errorf("a yes after 48 hours: %v", err)
	}
	if expired, _, err := w.Trade.ExpireOrders(t.Context(), 100); err != nil || expired != 1 {
		t.Errorf("%d expired, %v", expired, err)
	}
	for by, why := range map[string]string{"maple": "The seller said no", "fern": "The seller did not answer in 48 hours"} {
		page, err := w.Notify.Notices(t.Context(), map[string]core.Actor{"maple": buyer, "fern": other}[by], 0, 50)
		must(t, err)
		if len(page.Notices) != 1 || page.Notices[0].Kind != notify.NoticeAskEnded || page.Notices[0].Message != why {
			t.Errorf("%s: %+v", by, page.Notices)
		}
	}
	if n := w.Value("select (select count(*) from orders) + (select count(*) from handovers) + (select count(*) from order_updates)"); n != 0 {
		t.Errorf("%d rows of it are left", n)
	}
	w.CheckInvariants()
}

// Two ask for all of it at once, again and again: only one gets it, and it is never oversold.
func TestListingsAreNeverOversold(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyers := w.SignUp("rowan"), []core.Actor{w.SignUp("maple"), w.SignUp("fern"), w.SignUp("tamsin")}
	for round := range 8 {
		listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 40})[0]
		asks := make([]core.OrderID, len(buyers))
		errs := storetest.AtOnce(len(buyers), func(i int) error {
			o, err := w.Match.Ask(t.Context(), buyers[i], listed.ID, match.AskDraft{Quantity: 6})
			asks[i] = o.ID
			return err
		})
		won := -1
		for i, err := range errs {
			switch {
			case err == nil && won < 0:
				won = i
			case err == nil:
				t.Fatalf("round %d: two of them have asked for 6 of 10", round)
			case core.KindOf(err) != core.Invalid && core.KindOf(err) != core.Conflict:
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if won < 0 {
			t.Fatalf("round %d: %v", round, errors.Join(errs...))
		}
		// The seller says yes while they sell the same stock to another request.
		order := w.Post(buyers[(won+1)%3], func(d *trade.OrderDraft) { d.ItemName, d.Quantity, d.MaxPrice = "Iron Ore", 9, 50 })
		offer := w.OfferOn(seller, order, 9)
		errs = storetest.AtOnce(2, func(i int) error {
			if i == 0 {
				_, err := w.Trade.AcceptOffer(t.Context(), buyers[(won+1)%3], offer.ID, 9)
				return err
			}
			_, err := w.Match.AnswerAsk(t.Context(), seller, asks[won], match.AskAnswer{Accept: 6})
			return err
		})
		if errs[0] != nil || errs[1] != nil && core.KindOf(errs[1]) != core.Invalid {
			t.Fatalf("round %d: %v", round, errors.Join(errs...))
		}
		if errs[1] != nil {
			_, err := w.Match.AnswerAsk(t.Context(), seller, asks[won], match.AskAnswer{})
			must(t, err)
		}
	}
	w.CheckInvariants()
}

// The database finds the listings that comparing each of them by hand finds, page by page.
func TestListingsAreFoundByEachFilter(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	random := rand.New(rand.NewPCG(40, 2))
	reader := w.SignUp("reader")
	var all []match.Stock
	for i := range 12 {
		seller := w.SignUp(fmt.Sprint("seller", i))
		for _, name := range []string{"Iron Ore", "Oak Log", "Moon Pearl"}[:1+random.IntN(3)] {
			d := match.StockDraft{ItemName: name, Quantity: 1 + random.IntN(9), Price: core.Copper(1 + random.IntN(5)), Note: []string{"", "Docks", "by the oak"}[random.IntN(3)],
				Public: random.IntN(4) > 0}
			if random.IntN(3) == 0 {
				d.Until = w.Clock.Now().Add(time.Hour)
			}
			seller.PriceConfirmed = true
			stock, err := w.Match.SaveStock(t.Context(), seller, []match.StockDraft{d})
			must(t, err)
			i := slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == name })
			all = append(all, stock[i])
		}
		w.Clock.Forward(time.Duration(random.IntN(2)) * time.Second)
	}
	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), all[0].User, "spam"))
	w.Clock.Forward([]time.Duration{0, 2 * time.Hour}[random.IntN(2)])
	index, err := w.Items.Index(t.Context())
	must(t, err)
	for range 60 {
		q := match.ListingQuery{Sort: match.ListingSorts[random.IntN(2)], Limit: 1 + random.IntN(4), Now: w.Clock.Now()}
		q.Categories = pickOf(random, game.Category("Miner"), "Woodcutter", game.Standard().Default)
		q.Text = append(pickOf(random, "oak", "ORE", "iron dock", "o"), "")[0]
		q.MaxPrice = append(pickOf(random, core.Copper(2), 4), 0)[0]
		if random.IntN(3) == 0 {
			item, _ := index.Named("Oak Log")
			q.ItemID = item.ID
		}
		var got []core.StockID
		for {
			page, err := w.Match.Listings(t.Context(), reader, q)
			must(t, err)
			for _, l := range page.Listings {
				got = append(got, l.ID)
			}
			if page.Next == nil {
				if page.Total != len(got) {
					t.Errorf("%+v: %d in all, %d on the pages", q, page.Total, len(got))
				}
				break
			}
			q.After = page.Next
		}
		var want []match.Stock
		for _, s := range all {
			if s.User != all[0].User && s.Listed(w.Clock.Now()) && fits(s, q, index) {
				want = append(want, s)
			}
		}
		slices.SortFunc(want, func(a, b match.Stock) int {
			if q.Sort == match.Cheapest && a.Price != b.Price {
				return int(a.Price - b.Price)
			}
			if q.Sort != match.Cheapest && !a.TouchedAt.Equal(b.TouchedAt) {
				return b.TouchedAt.Compare(a.TouchedAt)
			}
			return int(b.ID - a.ID)
		})
		if len(want) != len(got) {
			t.Fatalf("%+v: %d listings, want %d", q, len(got), len(want))
		}
		for i, s := range want {
			if got[i] != s.ID {
				t.Fatalf("%+v: %v, want %+v", q, got, want)
			}
		}
	}
}

func fits(s match.Stock, q match.ListingQuery, index *items.Index) bool {
	for _, word := range strings.Fields(q.Text) {
		if !strings.Contains(strings.ToLower(s.ItemName+" "+s.Note), strings.ToLower(word)) {
			return false
		}
	}
	item, _ := index.Named(s.ItemName)
	return (len(q.Categories) == 0 || slices.Contains(q.Categories, s.Category)) && (q.MaxPrice == 0 || s.Price <= q.MaxPrice) &&
		(q.ItemID == 0 || item.ID == q.ItemID)
}

// A block of the buyer does not show what they asked for, and its end neither.
func TestAnAskStaysHiddenWhateverHappensToItsBuyer(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer, other := w.SignUp("rowan"), w.SignUp("maple"), w.SignUp("fern")
	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 40})[0]
	ask, err := w.Match.Ask(t.Context(), buyer, listed.ID, match.AskDraft{Quantity: 5})
	must(t, err)
	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), buyer.UserID, "spam"))
	if _, err := w.Match.AnswerAsk(t.Context(), seller, ask.ID, match.AskAnswer{Accept: 5}); core.KindOf(err) != core.NotFound {
		t.Errorf("a yes to a blocked buyer: %v", err)
	}
	must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), buyer.UserID))
	if where := shownAnywhere(t, w, other, ask.ID); where != nil {
		t.Errorf("others find it in %s", where)
	}
	_, err = w.Match.AnswerAsk(t.Context(), seller, ask.ID, match.AskAnswer{Accept: 5})
	must(t, err)
	w.CheckInvariants()
}
