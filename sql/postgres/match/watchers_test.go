package match_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// pickOf is one of the values, and now and then none.
func pickOf[T any](random *rand.Rand, values ...T) []T {
	if random.IntN(3) > 0 {
		return nil
	}
	return []T{values[random.IntN(len(values))]}
}

func randomWatch(random *rand.Rand) (d match.SearchDraft) {
	d.Bell = match.BellOn
	d.Items = pickOf(random, core.ItemID(1), 2, 3, 4)
	d.Kind = fmt.Sprint(append(pickOf(random, "Ore", "Log"), "")[0])
	d.Categories = pickOf(random, game.Category("Miner"), "Woodcutter", "Chef")
	d.Text = append(pickOf(random, "ore", "iron ore", "miner", "mi", "or", "maple", "any GRADE", "deep moon"), "")[0]
	d.Importance = pickOf(random, game.High, game.Urgent)
	d.MinPrice = append(pickOf(random, core.Copper(100), 200, 300), 0)[0]
	d.MaxPrice = append(pickOf(random, core.Copper(300), 350), 0)[0]
	d.MinQuantity = append(pickOf(random, 100, 300, 500), 0)[0]
	d.Level = append(pickOf(random, 50, 150), 0)[0]
	d.ForMe = random.IntN(5) == 0
	if random.IntN(8) == 0 {
		d.Texts.Item = []string{"IRON ore", "Oak Log", "ore"}[random.IntN(3)]
	}
	return d
}

// randomRequest is one as watches are compared with it. Moderators have merged item 4 into item 1.
func randomRequest(random *rand.Rand, owner core.UserID) match.WatchedOrder {
	named := []struct {
		name, kind string
		items      []core.ItemID
	}{
		{"Iron Ore", "Ore", []core.ItemID{1, 4}}, {"irn ore", "Ore", []core.ItemID{1, 4}}, {"Oak Log", "Log", []core.ItemID{2}},
		{"Silver ORE", "Ore", []core.ItemID{3}}, {"Moon Pearl", "", nil},
	}[random.IntN(5)]
	o := trade.Order{Owner: owner, OrderDraft: trade.OrderDraft{
		ItemName: named.name, Quantity: 1 + random.IntN(600), MaxPrice: core.Copper(1 + random.IntN(400)),
		Category: []game.Category{"Miner", "Woodcutter", "Chef"}[random.IntN(3)], Importance: game.Importances[random.IntN(len(game.Importances))],
		Description: []string{"", "Any grade", "From deep below the Moon"}[random.IntN(3)], BuyerContact: []string{"maple", "rowan"}[random.IntN(2)],
	}}
	if random.IntN(2) == 0 {
		o.LevelRequirement = new(1 + random.IntN(200))
	}
	return match.WatchedOrder{Order: o, Items: named.items, Kind: named.kind}
}

// The database finds the watches that comparing each of them by hand finds, and counts the people who have them.
func TestOnlyMatchingWatchesAlert(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.Imports("name,kind\nIron Ore,Ore\nOak Log,Log\nSilver Ore,Ore\nIrn Ore,\n")
	random := rand.New(rand.NewPCG(23, 1))
	skills := map[core.UserID][]people.Skill{}
	var watches []match.SavedSearch
	for i := range 10 {
		who := w.SignUp(fmt.Sprint("watcher", i))
		if i%3 > 0 {
			skills[who.UserID] = []people.Skill{{Category: "Miner", Level: 1 + random.IntN(200)}}
			must(t, w.People.SetSkills(t.Context(), who, skills[who.UserID]))
		}
		for n := 0; n < core.MaxWatches; {
			watch, err := w.Match.AddSearch(t.Context(), who, randomWatch(random))
			if core.KindOf(err) == core.Invalid { // it watches everything
				continue
			}
			must(t, err)
			if n%8 == 0 {
				watch, err = w.Match.PauseBell(t.Context(), who, watch.ID, true)
				must(t, err)
			}
			watches = append(watches, watch)
			n++
		}
	}
	now, found := w.Clock.Now(), 0
	for range 400 {
		request := randomRequest(random, watches[random.IntN(len(watches))].Owner)
		keys := request.Keys(coretest.Forms)
		var want, got []core.SearchID
		people := map[core.UserID]bool{}
		for _, watch := range watches {
			if !watch.Paused() && watch.Owner != request.Owner && watch.Fits(request, skills[watch.Owner]) {
				want, people[watch.Owner] = append(want, watch.ID), true
			}
		}
		must(t, w.Store.Atomically(t.Context(), func(tx market.Tx) error {
			watchers, err := tx.Watchers(t.Context(), request, keys, now, now.Add(-match.RepeatedWithin), 1000)
			got = nil
			for _, watcher := range watchers {
				got = append(got, watcher.ID)
			}
			return err
		}))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v alerts by %v, want %v", request, got, want)
		}
		many, err := w.Store.CountWatchers(t.Context(), match.AudienceQuery{WatchedOrder: request, Keys: keys, Limit: 1000})
		if must(t, err); many != len(people) {
			t.Fatalf("%+v will be heard of by %d, want %d", request, many, len(people))
		}
		found += len(want)
	}
	if found < 1000 {
		t.Errorf("only %d fit", found)
	}
}

func TestBlockedMutedAndStoppedSellersAreNotAlertedForTheirStock(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	seller := w.Bob
	seller.PriceConfirmed = true
	stock := func() core.StockID {
		saved, err := w.Match.SaveStock(t.Context(), seller, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 30, Price: 1, Public: true}})
		must(t, err)
		return saved[0].ID
	}
	has := stock()
	first := w.Post(w.Ann)
	alert := w.alerts(w.Bob)
	if len(alert) != 1 || alert[0].Search != 0 || alert[0].Quantity != 10 {
		t.Fatalf("alerts: %+v", alert)
	}
	quiet := func(name string, before, after func()) {
		t.Helper()
		known := len(w.alerts(w.Bob))
		before()
		people, err := w.Match.Audience(t.Context(), w.Ann, coretest.OrderDraft())
		if must(t, err); people != 0 {
			t.Errorf("%s: %d people will hear", name, people)
		}
		w.Post(w.Ann)
		_, err = w.Trade.PostOrderAsking(t.Context(), w.Ann, coretest.OrderDraft(func(d *trade.OrderDraft) { d.Description = name }), has)
		must(t, err)
		if got := w.alerts(w.Bob); len(got) != known {
			t.Errorf("%s: alerted to %+v", name, got[0])
		}
		after()
		w.Clock.Forward(match.RepeatedWithin + time.Second)
		w.Post(w.Ann)
		if got := w.alerts(w.Bob); len(got) != known+1 {
			t.Errorf("%s, undone: %d alerts, want %d", name, len(got), known+1)
		}
	}
	quiet("the buyer is muted", func() { must(t, w.Match.MuteBuyer(t.Context(), w.Bob, alert[0].ID)) },
		func() { must(t, w.Match.UnmuteBuyer(t.Context(), w.Bob, w.Ann.UserID)) })
	quiet("the buyer has blocked the seller", func() { must(t, w.Trade.BlockSeller(t.Context(), w.Ann, w.OfferOn(w.Bob, first, 5).ID)) },
		func() { must(t, w.Trust.UnblockSeller(t.Context(), w.Ann, w.Bob.UserID)) })
	quiet("a moderator has blocked the seller", func() { must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Bob.UserID, "Floods")) },
		func() { must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), w.Bob.UserID)) })
	quiet("the seller has stopped it", func() {
		_, err := w.Match.StopStock(t.Context(), w.Bob, alert[0].ID)
		must(t, err)
	}, func() {
		_, err := w.Match.AlertStock(t.Context(), w.Bob, has, true)
		must(t, err)
	})
	quiet("the stock is gone", func() { must(t, w.Match.DeleteStock(t.Context(), w.Bob, has)) }, func() { stock() })
}

// The weekly report, from what was stored: what is wanted and not offered, what was filled fastest, and prices that moved.
func TestTheDemandReportCountsPostedFilledAndPaidRequests(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	deal := func(item string, price core.Copper, after time.Duration) {
		order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName, d.MaxPrice = item, price })
		offer := w.OfferOn(w.Bob, order, order.Quantity)
		w.Clock.Forward(after)
		_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, order.Quantity)
		must(t, err)
	}
	for range 3 {
		deal("Iron Ore", 100, time.Minute)
	}
	w.Clock.Forward(match.WantedPeriod)
	for range 3 {
		deal("Iron Ore", 130, 2*time.Hour)
		deal("Coal", 50, time.Hour)
	}
	w.OfferOn(w.Bob, w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = "Gold Ore" }), 1)
	w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName, d.Quantity, d.MaxPrice = "Tin Ore", 7, 10 })
	report, err := w.Match.Wanted(t.Context())
	must(t, err)
	if len(report.Unmet) != 1 || fmt.Sprint(report.Unmet[0].Category, report.Unmet[0].Items) != "Miner[{Tin Ore 0 7 70}]" {
		t.Errorf("unmet is %+v", report.Unmet)
	}
	if len(report.Fastest) > 0 {
		t.Errorf("in a young market fastest are %+v", report.Fastest)
	}
	if len(report.Moved) > 0 {
		t.Errorf("the trades of one pair moved %+v", report.Moved)
	}

	// Prices that moved are those of the items, by the rules of prices.
	var people []core.Actor
	for i := range 10 {
		people = append(people, w.SignUp(fmt.Sprint("trader", i)))
		must(t, w.Trust.Vouch(t.Context(), w.Moderator(), people[i].UserID))
	}
	must(t, w.Trust.FindTraders(t.Context())) // the market is young no more
	round := func(price core.Copper) {
		for i := range 5 {
			order := w.Post(people[i], func(d *trade.OrderDraft) {
				d.ItemName, d.MaxPrice, d.Quantity = []string{"Tin Ore", "tin  ORE"}[i%2], price, 10
			})
			w.Clock.Forward(time.Minute)
			_, err := w.Trade.AcceptOffer(t.Context(), people[i], w.OfferOn(people[5+i], order, 10).ID, 10)
			must(t, err)
		}
		must(t, w.SQL("update handovers set state = 'met', settled_at = $1, due_at = null where state = 'agreed'", w.Clock.Now()))
		w.Clock.Forward(match.WantedPeriod)
	}
	round(100)
	for range 3 {
		deal("Coal", 50, time.Second)
	}
	round(130)
	w.Clock.Forward(-time.Hour)
	report, err = w.Match.Wanted(t.Context())
	must(t, err)
	if len(report.Moved) != 1 || report.Moved[0].Before != 100 || report.Moved[0].Now != 130 {
		t.Errorf("prices that moved are %+v", report.Moved)
	}
	if got := fmt.Sprint(report.Fastest); got != "[{tin ORE 1 5 1m0s}]" { // those of established buyers
		t.Errorf("fastest are %s", got)
	}
}
