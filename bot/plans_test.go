package bot_test

import (
	"slices"
	"testing"

	"tradepost/bot"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/plan"
	"tradepost/core/trade"
)

func TestAPlanIsOneMessageForEachSide(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\nOak Log,Woodcutter,1\nTin Ore,Miner,1\nAsh Log,Woodcutter,1\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
		Moderators: people.Moderators{Accounts: []string{w.Player(t, moderator).ID()}}})
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	seller, buyer := w.actor("rowan.ashdown"), w.actor("maple")
	seller.PriceConfirmed = true
	var stock []match.StockDraft
	for i, item := range []string{"Iron Ore", "Oak Log", "Tin Ore", "Ash Log"} {
		d := match.StockDraft{ItemName: item, Quantity: 10 + i, Price: core.Copper(30 + i), Public: true}
		if i < 2 {
			d.SellsDaily = 20
		}
		stock = append(stock, d)
	}
	_, err := w.market.Match.SaveStock(t.Context(), seller, stock)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.market.Match.Plan(t.Context(), buyer, match.PlanQuery{Text: "10x Iron Ore 1s\n11x Oak Log 1s\n12x Tin Ore 1s\n13x Ash Log 1s", Weight: plan.Balanced})
	if err != nil {
		t.Fatal(err)
	}
	draft := match.PlanDraft{ListDraft: trade.ListDraft{Name: "Guild hall", BuyerContact: "maple"}}
	for _, line := range p.Lines {
		for _, l := range line.Listings {
			draft.Lines = append(draft.Lines, match.PlanDraftLine{ItemName: line.ItemName, Listing: l.ID, Quantity: l.Take, Price: l.Price})
		}
	}
	posted, err := w.market.Match.PostPlan(t.Context(), buyer, draft)
	if err != nil {
		t.Fatal(err)
	}
	if posted.Agreed != 2 || posted.Asked != 2 {
		t.Fatalf("posted %+v", posted)
	}
	sold := rowan.WaitDM("what was sold", holding("Sold for you"))
	wants(t, "what was sold", sold, "Sold for you, as you set it: 2 things", "10 × Iron Ore", "11 × Oak Log", "<@"+maple.ID()+">")
	asked := rowan.WaitDM("what is asked for", holding("asks for"))
	wants(t, "what is asked for", asked, "asks for 2 things that you sell", "12 × Tin Ore", "13 × Ash Log")
	bought := maple.WaitDM("what was bought", holding("Agreed at once"))
	wants(t, "what was bought", bought, "Agreed at once for your plan: 2 things", "10 × Iron Ore", "11 × Oak Log", "<@"+rowan.ID()+">")
	for who, holds := range map[string]string{"rowan.ashdown": "", "maple": ""} {
		want := map[string]int{"rowan.ashdown": 2, "maple": 1}[who]
		if n := w.dmsHolding(who, holds); n != want {
			t.Errorf("%s has %d messages, want %d", who, n, want)
		}
	}

	if buttons := bought.Buttons(); !slices.Contains(buttons, "Undo: Iron Ore") || !slices.Contains(buttons, "Undo: Oak Log") {
		t.Errorf("the buttons %q", buttons)
	}
	bought.Button("Undo: Oak Log").Press()
	w.until("the seller's message says what was undone", func() bool { return w.dmsHolding("rowan.ashdown", "~~ undone") == 1 })
	asked.Button("Answer: 12 × Tin Ore").Press().View.Button("Yes, 12").Press()
	wants(t, "the yes", maple.WaitDM("the yes", holding("Yes to your request")), "12 × Tin Ore")
}
