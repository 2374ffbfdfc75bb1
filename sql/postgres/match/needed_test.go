package match_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

func (w *world) postIron(by core.Actor, change ...func(*trade.OrderDraft)) trade.Order {
	w.T.Helper()
	draft := trade.OrderDraft{ItemName: "Iron Ore", Quantity: 100, MaxPrice: 40, BuyerContact: "birch"}
	for _, c := range change {
		c(&draft)
	}
	o, err := w.Trade.PostOrder(w.T.Context(), by, draft)
	must(w.T, err)
	return o
}

// manySellers have iron in stock.
func (w *world) manySellers(n int) []core.Actor {
	w.T.Helper()
	sellers := make([]core.Actor, n)
	for i := range sellers {
		sellers[i] = w.SignUp(fmt.Sprintf("seller%d", i))
		lists(w.T, w, sellers[i], match.StockDraft{ItemName: "Iron Ore", Quantity: 50, Price: 30})
	}
	return sellers
}

func TestSellersOfWhatManyHaveHearOnceADayAndBellsByHandAtOnce(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	sellers := w.manySellers(match.FewHave + 1)
	fan, miner := w.SignUp("fan"), w.SignUp("miner")
	w.watches(fan, func(d *match.SearchDraft) { d.Text, d.Items = "", []core.ItemID{1} })
	w.watches(miner, func(d *match.SearchDraft) { d.Text, d.Categories = "", []game.Category{"Miner"} })

	o := w.postIron(w.Ann)
	for name, by := range map[string]core.Actor{"a seller": sellers[0], "another": sellers[30], "a bell for a profession": miner} {
		got := w.alerts(by)
		if len(got) != 1 || got[0].OrderID != o.ID || !got[0].HoldUntil.After(w.Clock.Now()) || got[0].HoldUntil.Hour() != 18 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := w.alerts(fan); len(got) != 1 || !got[0].HoldUntil.IsZero() || got[0].Rank <= 0 {
		t.Errorf("a bell for the item: %+v", got)
	}

	// What few have needs each of them.
	lists(t, w, sellers[0], match.StockDraft{ItemName: "Oak Log", Quantity: 5, Price: 1})
	few := w.postIron(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Oak Log" })
	if got := w.alerts(sellers[0]); len(got) != 2 || got[0].OrderID != few.ID || !got[0].HoldUntil.IsZero() || got[0].Rank <= got[1].Rank {
		t.Errorf("the only one who has it: %+v", got)
	}
	w.CheckInvariants()
}

func TestARequestThatLacksOffersNeedsWhoeverHasItAfterAThirdOfItsLife(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	w.manySellers(match.FewHave + 2)
	lacks, covered, closed := w.postIron(w.Ann), w.postIron(w.Bob), w.postIron(w.SignUp("birch"))
	late := w.SignUp("late")
	if w.alerts(late); w.Value("select count(*) from alert_rounds where resting") != 3 {
		t.Fatal("a round does not rest")
	}
	w.Clock.Forward(time.Hour)
	lists(t, w, late, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 30})
	w.OfferOn(w.SignUp("quick"), covered, 100)
	_, err := w.Trade.CloseOrder(t.Context(), core.Actor{UserID: closed.Owner}, closed.ID)
	must(t, err)

	w.Clock.Forward(match.NeedsAllAfter - time.Hour - time.Second)
	if got := w.alerts(late); len(got) > 0 {
		t.Fatalf("before a third is over: %+v", got)
	}
	w.Clock.Forward(2 * time.Second)
	if got := w.alerts(late); len(got) != 1 || got[0].OrderID != lacks.ID || !got[0].HoldUntil.IsZero() {
		t.Errorf("after a third: %+v", got)
	}
	if n := w.Value("select count(*) from alert_rounds"); n != 0 {
		t.Errorf("%d rounds go on", n)
	}
	if n := w.Value("select count(*) from (select order_id, user_id from notices where kind = 'request_watched' group by 1, 2 having count(*) > 1) twice"); n != 0 {
		t.Errorf("%d hear twice", n)
	}
	w.CheckInvariants()
}

func TestAnEditOfARequestThatRestsAlertsThoseWhomItNewlyFits(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	o := w.postIron(w.Ann)
	dear, late := w.SignUp("dear"), w.SignUp("late")
	w.alerts(w.Ann)
	lists(t, w, dear, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 60})
	lists(t, w, late, match.StockDraft{ItemName: "Iron Ore", Quantity: 10, Price: 30})
	w.Clock.Forward(time.Minute)
	_, err := w.Trade.EditOrder(t.Context(), w.Ann, o.ID, trade.OrderEdit{Version: o.Version, MaxPrice: new(core.Copper(70))})
	must(t, err)
	if got := w.alerts(dear); len(got) != 1 || got[0].Price != 70 {
		t.Errorf("whose price it meets now: %+v", got)
	}
	if got := w.alerts(late); len(got) > 0 {
		t.Errorf("whose price it met before: %+v", got)
	}
	if w.Value("select count(*) from alert_rounds where resting") != 1 {
		t.Error("its round does not rest again")
	}
}

func TestWithoutListingsEverySellerHearsAtOnce(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	sellers := w.manySellers(match.FewHave + 5)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(),
		Moderators: people.Moderators{Accounts: []string{"1mod"}}})
	w.postIron(w.Ann)
	for range match.MaxWaves {
		w.alerts(w.Ann)
		w.Clock.Forward(match.WavePause)
	}
	if n := w.Value("select count(*) from notices where kind = 'request_watched' and hold_until is null"); n != match.MaxWaves*match.WaveSize {
		t.Errorf("%d of %d hear at once", n, len(sellers))
	}
	w.alerts(w.Ann)
	if n := w.Value("select count(*) from alert_rounds"); n != 0 {
		t.Errorf("%d rounds rest", n)
	}
	if n := w.Value("select count(*) from notices where rank <> 0"); n != 0 {
		t.Errorf("%d alerts are ranked", n)
	}
}
