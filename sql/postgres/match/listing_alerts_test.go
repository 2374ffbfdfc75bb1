package match_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func ofSide(side match.Side, change ...func(*match.SearchDraft)) func(*match.SearchDraft) {
	return func(d *match.SearchDraft) {
		d.Text, d.Items, d.Side = "", []core.ItemID{1}, side
		for _, c := range change {
			c(d)
		}
	}
}

func TestABellRingsOnceForAListing(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer, either, wanted := w.SignUp("rowan"), w.SignUp("maple"), w.SignUp("fern"), w.SignUp("wren")
	apart, muter := w.SignUp("aspen"), w.SignUp("moss")
	watch := w.watches(buyer, ofSide(match.SaleSide, func(d *match.SearchDraft) { d.MaxPrice, d.Importance = 50, []game.Importance{game.Urgent} }))
	for _, by := range []core.Actor{either, seller, apart, muter} {
		w.watches(by, ofSide(match.EitherSide))
	}
	w.watches(wanted, ofSide(match.WantedSide))
	must(t, w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())", apart.UserID, seller.UserID))
	must(t, w.SQL("insert into muted_buyers (user_id, buyer_id, created_at) values ($1, $2, now())", muter.UserID, seller.UserID))

	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40}, match.StockDraft{ItemName: "Oak Log", Quantity: 5, Price: 1})[0]
	got := w.alerts(buyer)
	if len(got) != 1 || got[0].Listing != listed.ID || got[0].OrderID != 0 || got[0].Quantity != 300 || got[0].Price != 40 ||
		got[0].Search != watch.ID || got[0].CausedBy != seller.UserID {
		t.Fatalf("alerts %+v", got)
	}
	if got := w.alerts(either); len(got) != 1 || got[0].Listing != listed.ID {
		t.Errorf("who watches both sides: %+v", got)
	}
	for name, by := range map[string]core.Actor{"the seller": seller, "who wants requests": wanted, "who has blocked the seller": apart, "who has muted the seller": muter} {
		if got := w.alerts(by); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}

	// A user hears of a listing once, and of a change only where it newly fits their search.
	cheap, late := w.SignUp("cay"), w.SignUp("reed")
	w.watches(cheap, ofSide(match.SaleSide, func(d *match.SearchDraft) { d.MaxPrice = 20 }))
	w.watches(late, ofSide(match.SaleSide))
	w.Clock.Forward(match.RepeatedWithin + time.Minute)
	lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 400, Price: 40})
	lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 400, Price: 15})
	if got := w.alerts(cheap); len(got) != 1 || got[0].Price != 15 {
		t.Errorf("whose price it meets now: %+v", got)
	}
	if got := w.alerts(late); len(got) > 0 {
		t.Errorf("whose search it fitted before: %+v", got)
	}
	if got := w.alerts(buyer); len(got) != 1 {
		t.Errorf("who heard of it: %+v", got)
	}

	// A request rings for those who watch requests.
	order, err := w.Trade.PostOrder(t.Context(), w.SignUp("birch"), trade.OrderDraft{ItemName: "Iron Ore", Quantity: 5, MaxPrice: 30, BuyerContact: "birch"})
	must(t, err)
	for name, by := range map[string]core.Actor{"both sides": either, "requests": wanted} {
		if got := w.alerts(by); len(got) == 0 || got[0].OrderID != order.ID {
			t.Errorf("who watches %s: %+v", name, got)
		}
	}
	if got := w.alerts(buyer); len(got) != 1 {
		t.Errorf("who watches what is for sale hears of a request: %+v", got)
	}
	if n := w.Value("select count(*) from listing_rounds"); n != 0 {
		t.Errorf("%d rounds wait", n)
	}
	w.CheckInvariants()
}

func TestAListingThatIsOverRingsNoBell(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer := w.SignUp("rowan"), w.SignUp("maple")
	w.watches(buyer, ofSide(match.SaleSide))
	listed := lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40})[0]
	must(t, w.Match.DeleteStock(t.Context(), seller, listed.ID))
	if got := w.alerts(buyer); len(got) > 0 {
		t.Errorf("alerts %+v", got)
	}
	hidden := match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40}
	_, err := w.Match.SaveStock(t.Context(), seller, []match.StockDraft{hidden})
	must(t, err)
	if got := w.alerts(buyer); len(got) > 0 || w.Value("select count(*) from listing_rounds") != 0 {
		t.Errorf("alerts to stock that is not shown %+v", got)
	}
	lists(t, w, seller, hidden)
	if got := w.alerts(buyer); len(got) != 1 {
		t.Errorf("alerts once it is shown %+v", got)
	}
}

func TestASearchForBothSidesIsTriedOnBoth(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	seller, buyer := w.SignUp("rowan"), w.SignUp("maple")
	lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40})
	_, err := w.Trade.PostOrder(t.Context(), seller, trade.OrderDraft{ItemName: "Iron Ore", Quantity: 5, MaxPrice: 30, BuyerContact: "rowan"})
	must(t, err)
	for side, want := range map[match.Side]int{match.WantedSide: 1, match.SaleSide: 1, match.EitherSide: 2} {
		tried, err := w.Match.TrySearch(t.Context(), buyer, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{1}, Side: side})
		if must(t, err); tried.Fired != want {
			t.Errorf("for %q it would have fired %d times, want %d", side, tried.Fired, want)
		}
	}
	for side, want := range map[match.Side]core.ErrorKind{match.WantedSide: 0, match.SaleSide: core.Invalid, "auction": core.Invalid} {
		_, err := w.Match.AddSearch(t.Context(), buyer, match.SearchDraft{Bell: match.BellOn, ForMe: true, Side: side})
		if core.KindOf(err) != want {
			t.Errorf("for what suits me on side %q: %v", side, err)
		}
	}
	saved, err := w.Match.AllSearches(t.Context(), buyer)
	must(t, err)
	edited := saved[0].SearchDraft
	edited.Items, edited.ForMe, edited.Side = []core.ItemID{1}, false, match.EitherSide
	_, err = w.Match.EditSearch(t.Context(), buyer, saved[0].ID, edited)
	must(t, err)
	if saved, err = w.Match.AllSearches(t.Context(), buyer); err != nil || saved[0].Side != match.EitherSide {
		t.Errorf("saved %+v, %v", saved, err)
	}
}

func TestAListSaysWhatIsForSale(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	one, two, buyer := w.SignUp("rowan"), w.SignUp("fern"), w.SignUp("maple")
	listed := lists(t, w, one, match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40}, match.StockDraft{ItemName: "Oak Log", Quantity: 7, Price: 9})
	lists(t, w, two, match.StockDraft{ItemName: "iron ore", Quantity: 50, Price: 45})
	lists(t, w, buyer, match.StockDraft{ItemName: "Iron Ore", Quantity: 1000, Price: 1})
	_, err := w.Match.Ask(t.Context(), w.SignUp("cay"), listed[0].ID, match.AskDraft{Quantity: 100})
	must(t, err)
	list, err := w.Trade.PostList(t.Context(), buyer, trade.ListDraft{Name: "Hall", Text: "5x Iron Ore 1s\n5x Moon Pearl 1s", BuyerContact: "maple"})
	must(t, err)
	want := []match.ForSaleLine{{ForSale: match.ForSale{Quantity: 250, Lowest: 40}, Order: list.Orders[0].ID}}
	if got, err := w.Match.ForSaleOnList(t.Context(), buyer, list.ID); err != nil || !slices.Equal(got, want) {
		t.Errorf("for sale is %+v, %v", got, err)
	}
	if got, err := w.Match.ForSaleOnList(t.Context(), core.Actor{}, list.ID); err != nil || len(got) != 1 || got[0].Quantity != 1250 || got[0].Lowest != 1 {
		t.Errorf("a visitor reads %+v, %v", got, err)
	}
	must(t, w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())", buyer.UserID, one.UserID))
	if got, err := w.Match.ForSaleOnList(t.Context(), buyer, list.ID); err != nil || len(got) != 1 || got[0].Lowest != 45 {
		t.Errorf("without a blocked seller %+v, %v", got, err)
	}
}

func TestAListingFollowsItsItemToAnotherProfession(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	lists(t, w, w.SignUp("rowan"), match.StockDraft{ItemName: "Iron Ore", Quantity: 300, Price: 40}, match.StockDraft{ItemName: "Tin Ore", Quantity: 3, Price: 40})
	found := func(c game.Category) (names []string) {
		t.Helper()
		page, err := w.Match.Listings(t.Context(), core.Actor{}, match.ListingQuery{ListingFilter: match.ListingFilter{Categories: []game.Category{c}}})
		must(t, err)
		for _, l := range page.Listings {
			names = append(names, l.ItemName)
		}
		slices.Sort(names)
		return names
	}
	if got := found("Miner"); !slices.Equal(got, []string{"Iron Ore"}) {
		t.Errorf("a miner's: %q", got)
	}
	w.Imports("name,made_by\nIron Ore,Chef\nOak Log,Woodcutter\nMoon Pearl,\nTin Ore,Miner\n")
	if miner, chef := found("Miner"), found("Chef"); !slices.Equal(miner, []string{"Tin Ore"}) || !slices.Equal(chef, []string{"Iron Ore"}) {
		t.Errorf("after an import, a miner's %q, a chef's %q", miner, chef)
	}
	w.Imports("name,made_by\nIron Ore,\nOak Log,Woodcutter\nMoon Pearl,\nTin Ore,Miner\n")
	if usual := found(game.Standard().Default); !slices.Equal(usual, []string{"Iron Ore"}) {
		t.Errorf("of no profession %q", usual)
	}
}
