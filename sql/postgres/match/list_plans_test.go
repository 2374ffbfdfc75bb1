package match_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/plan"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

func planned(t *testing.T, w *world, buyer core.Actor, q match.PlanQuery) match.Planned {
	t.Helper()
	p, err := w.Match.Plan(t.Context(), buyer, q)
	must(t, err)
	return p
}

// described says what a plan buys of each line, from whom, and what it leaves for requests.
func described(p match.Planned) (lines []string) {
	for _, line := range p.Lines {
		text := fmt.Sprintf("%d %s:", line.Quantity, line.ItemName)
		for _, l := range line.Listings {
			if l.Take > 0 {
				text += fmt.Sprintf(" %d of %s at %d", l.Take, l.Seller.Username, l.Price)
			}
			if l.AtOnce() {
				text += " at once"
			}
		}
		if line.Request > 0 {
			text += fmt.Sprintf(" %d by request at %d", line.Request, line.Price)
		}
		lines = append(lines, text)
	}
	return lines
}

// asDraft is what the page posts of a plan.
func asDraft(p match.Planned) match.PlanDraft {
	d := match.PlanDraft{ListDraft: trade.ListDraft{Name: "Guild hall", BuyerContact: "maple", InGameName: "Maple"}}
	for _, line := range p.Lines {
		for _, l := range line.Listings {
			if l.Take > 0 {
				d.Lines = append(d.Lines, match.PlanDraftLine{ItemName: line.ItemName, Listing: l.ID, Quantity: l.Take, Price: l.Price})
			}
		}
		if line.Request > 0 && line.Price > 0 {
			d.Lines = append(d.Lines, match.PlanDraftLine{ItemName: line.ItemName, Quantity: line.Request, Price: line.Price})
		}
	}
	return d
}

func wantsPlan(t *testing.T, what string, p match.Planned, want ...string) {
	t.Helper()
	if got := described(p); !slices.Equal(got, want) {
		t.Errorf("%s: planned %q, want %q", what, got, want)
	}
}

const guildHall = "30x Iron Ore 50c\n10x Oak Log 20c\n2x Moon Pearl 900c"

// plannedMarket has Rowan with ore and logs, Fern with cheaper ore that sells without asking, and the buyer.
func plannedMarket(t *testing.T) (w *world, buyer, rowan, fern core.Actor) {
	t.Helper()
	w = withListings(t)
	buyer, rowan, fern = w.SignUp("maple"), w.SignUp("rowan"), w.SignUp("fern")
	lists(t, w, rowan, match.StockDraft{ItemName: "Iron Ore", Quantity: 100, Price: 42},
		match.StockDraft{ItemName: "Oak Log", Quantity: 8, Price: 15})
	lists(t, w, fern, match.StockDraft{ItemName: "Iron Ore", Quantity: 20, Price: 30, SellsDaily: 20})
	return w, buyer, rowan, fern
}

func TestAPlanBuysWhatIsForSaleAndAsksForTheRest(t *testing.T) {
	t.Parallel()
	w, buyer, rowan, fern := plannedMarket(t)
	p := planned(t, w, buyer, match.PlanQuery{Text: guildHall, Weight: plan.Balanced})
	wantsPlan(t, "the list", p, "30 Iron Ore: 20 of fern at 30 at once 10 of rowan at 42",
		"10 Oak Log: 8 of rowan at 15 2 by request at 20", "2 Moon Pearl: 2 by request at 900")
	posted, err := w.Match.PostPlan(t.Context(), buyer, asDraft(p))
	must(t, err)
	if posted.Agreed != 1 || posted.Asked != 2 || posted.Requested != 2 {
		t.Errorf("posted %+v", posted)
	}
	wantsTrades(t, w, "at once", buyer, "20 at 30 with fern")
	list, err := w.Trade.PostedList(t.Context(), buyer, posted.List)
	must(t, err)
	if progress := list.Progress(); len(list.Orders) != 5 || progress.Sold != 20 || progress.Wanted != 42 {
		t.Errorf("the list has %d requests, and came to %+v", len(list.Orders), progress)
	}
	others, err := w.Trade.PostedList(t.Context(), rowan, posted.List)
	must(t, err)
	if len(others.Orders) != 2 {
		t.Errorf("others see %d requests of it", len(others.Orders))
	}
	if kinds := noticesOf(t, w, fern); !slices.Equal(kinds, []notify.Kind{notify.NoticeListingSold}) {
		t.Errorf("fern heard %s", kinds)
	}
	if kinds := noticesOf(t, w, rowan); !slices.Equal(kinds, []notify.Kind{notify.NoticeAskReceived, notify.NoticeAskReceived}) {
		t.Errorf("rowan heard %s", kinds)
	}
	w.CheckInvariants()

	// What the buyer asks for already is not planned again.
	wantsPlan(t, "again", planned(t, w, buyer, match.PlanQuery{Text: "30x Iron Ore 50c"}), "30 Iron Ore: 30 by request at 50")
	// The seller of an ask answers as ever, and the list follows.
	for _, o := range list.Orders {
		if o.Listing != 0 && o.ItemName == "Oak Log" {
			_, err := w.Match.AnswerAsk(t.Context(), rowan, o.ID, match.AskAnswer{Accept: 8})
			must(t, err)
		}
	}
	wantsTrades(t, w, "after a yes", buyer, "8 at 15 with rowan", "20 at 30 with fern")
	w.CheckInvariants()
}

func TestAPlanIsEdited(t *testing.T) {
	t.Parallel()
	w, buyer, rowan, fern := plannedMarket(t)
	edit := func(q match.PlanQuery) match.Planned {
		t.Helper()
		q.Text = guildHall
		return planned(t, w, buyer, q)
	}
	wantsPlan(t, "without a seller", edit(match.PlanQuery{Without: []core.UserID{fern.UserID}}),
		"30 Iron Ore: 30 of rowan at 42", "10 Oak Log: 8 of rowan at 15 2 by request at 20", "2 Moon Pearl: 2 by request at 900")
	wantsPlan(t, "without a line, with fewer, and by request", edit(match.PlanQuery{Edits: []match.PlanEdit{
		{Number: 1, Quantity: new(12)}, {Number: 2, Request: true}, {Number: 3, Quantity: new(0)}}}),
		"12 Iron Ore: 12 of fern at 30 at once", "10 Oak Log: 10 by request at 20", "0 Moon Pearl:")
	wantsPlan(t, "as few people as possible", edit(match.PlanQuery{Weight: plan.Fewest, Edits: []match.PlanEdit{{Number: 3, Quantity: new(0)}}}),
		"30 Iron Ore: 20 of fern at 30 at once 10 of rowan at 42", "10 Oak Log: 8 of rowan at 15 2 by request at 20", "0 Moon Pearl:")
	wantsPlan(t, "no price is typed, nor known", planned(t, w, buyer, match.PlanQuery{Text: "5 Moon Pearl\n120x Iron Ore"}),
		"5 Moon Pearl: 5 by request at 0", "120 Iron Ore: 20 of fern at 30 at once 100 of rowan at 42")
	if p := planned(t, w, buyer, match.PlanQuery{Text: "Iron Ore\n3x Oak Log 20c"}); p.Lines[0].Why == nil || p.Lines[1].Why != nil {
		t.Errorf("a line without a quantity is %+v", p.Lines[0])
	}
	// People who are apart, and one's own listings, are left out.
	must(t, w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now()), ($3, $1, now())",
		buyer.UserID, fern.UserID, rowan.UserID))
	lists(t, w, buyer, match.StockDraft{ItemName: "Iron Ore", Quantity: 100, Price: 1})
	wantsPlan(t, "apart", planned(t, w, buyer, match.PlanQuery{Text: "30x Iron Ore 50c"}), "30 Iron Ore: 30 by request at 50")
	if _, err := w.Match.Plan(t.Context(), core.Actor{}, match.PlanQuery{Text: guildHall}); core.KindOf(err) != core.Unauthenticated {
		t.Errorf("a visitor plans: %v", err)
	}
}

func TestAPlanIsPostedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meanwhile func(w *world, buyer, rowan, fern core.Actor) error
		field     string
	}{
		"a listing is gone": {func(w *world, _, _, fern core.Actor) error {
			return w.SQL("delete from stock where user_id = $1", fern.UserID)
		}, "lines[1]"},
		"a listing is dearer": {func(w *world, _, _, fern core.Actor) error {
			return w.SQL("update stock set price = 31 where user_id = $1", fern.UserID)
		}, "lines[1]"},
		"another was quicker": {func(w *world, _, _, _ core.Actor) error {
			other := w.SignUp("birch")
			_, err := w.Match.Ask(context.Background(), other, 1, match.AskDraft{Quantity: 95})
			return err
		}, "lines[2]"},
		"a seller has blocked the buyer": {func(w *world, buyer, rowan, _ core.Actor) error {
			return w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())",
				rowan.UserID, buyer.UserID)
		}, "lines[2]"},
		"an equal request is open": {func(w *world, buyer, _, _ core.Actor) error {
			_, err := w.Trade.PostOrder(context.Background(), buyer, trade.OrderDraft{ItemName: "Moon Pearl", Quantity: 2,
				MaxPrice: 900, BuyerContact: "maple", InGameName: "Maple"})
			return err
		}, "lines[5]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, buyer, rowan, fern := plannedMarket(t)
			draft := asDraft(planned(t, w, buyer, match.PlanQuery{Text: guildHall, Weight: plan.Balanced}))
			must(t, tt.meanwhile(w, buyer, rowan, fern))
			before := w.Value("select count(*) from orders")
			_, err := w.Match.PostPlan(t.Context(), buyer, draft)
			var c core.Checks
			c.Add(err)
			if core.KindOf(err) != core.Invalid || len(c.Fields) == 0 || c.Fields[0].Field != tt.field {
				t.Errorf("posted: %v, %+v", err, c.Fields)
			}
			if n := w.Value("select count(*) from orders") - before + w.Value("select count(*) from posted_lists") +
				w.Value("select count(*) from order_updates"); n != 0 {
				t.Errorf("%d rows were written", n)
			}
			w.CheckInvariants()
		})
	}
}

func TestAPlanIsNeverDearerThanItWasShown(t *testing.T) {
	t.Parallel()
	w, buyer, _, fern := plannedMarket(t)
	draft := asDraft(planned(t, w, buyer, match.PlanQuery{Text: "20x Iron Ore 50c"}))
	must(t, w.SQL("update stock set price = 28 where user_id = $1", fern.UserID))
	buyer = storetest.Keyed(buyer, "plan-1")
	first, err := w.Match.PostPlan(t.Context(), buyer, draft)
	must(t, err)
	again, err := w.Match.PostPlan(t.Context(), buyer, draft)
	must(t, err)
	if again != first {
		t.Errorf("a repeat answers %+v, after %+v", again, first)
	}
	wantsTrades(t, w, "a cheaper listing", buyer, "20 at 28 with fern")
}

func TestEitherSideUndoesWhatAPlanBought(t *testing.T) {
	t.Parallel()
	for _, bySeller := range []bool{false, true} {
		w, buyer, _, fern := plannedMarket(t)
		draft := asDraft(planned(t, w, buyer, match.PlanQuery{Text: "20x Iron Ore 50c"}))
		posted, err := w.Match.PostPlan(t.Context(), buyer, draft)
		must(t, err)
		by := buyer
		if bySeller {
			by = fern
		}
		after, err := w.Trade.UndoSale(t.Context(), by, saleOf(t, w, buyer))
		must(t, err)
		if after.Status != trade.Fulfilled || after.CloseReason == trade.Filled || after.Sold != 0 {
			t.Errorf("after the undo the ask is %+v", after)
		}
		if left := w.Value("select quantity from stock where user_id = " + fmt.Sprint(int64(fern.UserID))); left != 20 {
			t.Errorf("%d are back in stock", left)
		}
		list, err := w.Trade.PostedList(t.Context(), buyer, posted.List)
		must(t, err)
		if len(list.Orders) != 1 {
			t.Errorf("the list has %d lines", len(list.Orders))
		}
		w.CheckInvariants()
	}
}

func TestAPlanReplacesTheOpenRequestsOfAList(t *testing.T) {
	t.Parallel()
	w, buyer, rowan, _ := plannedMarket(t)
	list, err := w.Trade.PostList(t.Context(), buyer, trade.ListDraft{Name: "Guild hall", Text: guildHall, BuyerContact: "maple", InGameName: "Maple"})
	must(t, err)
	draft := asDraft(planned(t, w, buyer, match.PlanQuery{Text: guildHall}))
	draft.Replaces = list.ID
	if _, err := w.Match.PostPlan(t.Context(), rowan, draft); core.KindOf(err) != core.NotFound {
		t.Errorf("another replaces it: %v", err)
	}
	posted, err := w.Match.PostPlan(t.Context(), buyer, draft) // an equal request is none once it is closed
	must(t, err)
	before, err := w.Trade.PostedList(t.Context(), buyer, list.ID)
	must(t, err)
	for _, o := range before.Orders {
		if o.Status != trade.Fulfilled || o.CloseReason == trade.Filled {
			t.Errorf("%s of the list is %s", o.ItemName, o.Status)
		}
	}
	if posted.Requested != 2 {
		t.Errorf("posted %+v", posted)
	}
	w.CheckInvariants()
}

func TestAPlanAsksWhereNothingIsSoldUnasked(t *testing.T) {
	t.Parallel()
	w := &world{storetest.New(t)}
	without := core.EveryFeature()
	without.Crossing = false
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: without,
		Moderators: people.Moderators{Accounts: []string{"1mod"}}})
	w.Imports("name,made_by\nIron Ore,Miner\n")
	buyer, fern := w.SignUp("maple"), w.SignUp("fern")
	lists(t, w, fern, match.StockDraft{ItemName: "Iron Ore", Quantity: 20, Price: 30})
	must(t, w.SQL("update stock set sells_daily = 20"))
	p := planned(t, w, buyer, match.PlanQuery{Text: "20x Iron Ore 50c"})
	wantsPlan(t, "without the feature", p, "20 Iron Ore: 20 of fern at 30")
	posted, err := w.Match.PostPlan(t.Context(), buyer, asDraft(p))
	must(t, err)
	if posted.Agreed != 0 || posted.Asked != 1 {
		t.Errorf("posted %+v", posted)
	}
	w.CheckInvariants()
}

func TestPlansAtOnceNeverOversell(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	rowan, fern := w.SignUp("rowan"), w.SignUp("fern")
	for _, seller := range []core.Actor{rowan, fern} {
		lists(t, w, seller, match.StockDraft{ItemName: "Iron Ore", Quantity: 25, Price: 40, SellsDaily: 15},
			match.StockDraft{ItemName: "Oak Log", Quantity: 25, Price: 10})
	}
	var buyers []core.Actor
	var drafts []match.PlanDraft
	for i := range 6 {
		buyers = append(buyers, w.SignUp(fmt.Sprint("buyer", i)))
		p := planned(t, w, buyers[i], match.PlanQuery{Text: "30x Iron Ore 50c\n30x Oak Log 20c"})
		drafts = append(drafts, asDraft(p))
		for j := range drafts[i].Lines { // ten of each listing for each of six
			drafts[i].Lines[j].Quantity = 10
		}
		if i%2 == 1 {
			slices.Reverse(drafts[i].Lines)
		}
	}
	won := 0
	for _, err := range storetest.AtOnce(len(drafts), func(i int) error {
		_, err := w.Match.PostPlan(context.Background(), buyers[i], drafts[i])
		return err
	}) {
		if err == nil {
			won++
		} else if core.KindOf(err) != core.Invalid {
			t.Error(err)
		}
	}
	if won != 2 { // of 25, ten can be had twice
		t.Errorf("%d plans were posted", won)
	}
	if n := w.Value("select count(*) from (select listing_id from orders where listing_id is not null group by 1 having sum(quantity) > 25) o"); n != 0 {
		t.Errorf("%d listings are oversold", n)
	}
	w.CheckInvariants()
}
