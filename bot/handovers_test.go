package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// withHandovers opens a market whose sides say what happened in their trades.
func withHandovers(t *testing.T) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{
		Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures(),
		Moderators: people.Moderators{Accounts: []string{w.Player(t, moderator).ID()}},
	})
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	return w
}

// process has the periodic job of handovers run once, as at a later time.
func (w *world) process() {
	w.t.Helper()
	if _, err := w.market.Trade.ProcessHandovers(w.t.Context(), 100); err != nil {
		w.t.Fatal(err)
	}
}

// trade has maple accept an offer of rowan's, and returns what the two were told.
func (w *world) trade(quantity int) (sale core.SaleID) {
	w.t.Helper()
	order := w.post("maple")
	done, err := w.market.Trade.AcceptOffer(w.t.Context(), w.actor("maple"), w.offer("rowan.ashdown", order, quantity).ID, quantity)
	if err != nil {
		w.t.Fatal(err)
	}
	return done.Sale.ID
}

func (w *world) stateOf(sale core.SaleID) trust.HandoverState {
	w.t.Helper()
	found, err := w.market.Trade.Handovers(w.t.Context(), w.actor("maple"), trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
	if err != nil || len(found) != 1 {
		w.t.Fatalf("handover of sale %d: %+v, %v", sale, found, err)
	}
	return found[0].State
}

func (w *world) says(who string, word trade.Word, sale core.SaleID) {
	w.t.Helper()
	if _, err := w.market.Trade.SayHandovers(w.t.Context(), w.actor(who), []core.SaleID{sale}, word); err != nil {
		w.t.Fatal(err)
	}
}

// TestAPartnerWhoSaysTheyMetIsContradictedOnlyAfterAQuestion checks that one press makes no dispute, and that both sides find out of one.
func TestAPartnerWhoSaysTheyMetIsContradictedOnlyAfterAQuestion(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	sale := w.trade(20)
	receipt := rowan.WaitDM("the receipt", holding("accepted 20 × Iron Ore"))
	w.says("maple", trade.SaidMet, sale)
	asked := receipt.Button("It did not happen").Press()
	wants(t, "the question", asked.View, "@maple", "says you met. Is that wrong?")
	if state := w.stateOf(sale); state != trust.HandoverAgreed {
		t.Fatalf("%s after one press", state)
	}
	wants(t, "the answer", asked.Button("Yes, it did not happen").Press().View, "change or withdraw your answers")
	if state := w.stateOf(sale); state != trust.HandoverDisputed {
		t.Fatalf("%s after the answer", state)
	}
	messages := len(maple.DMs())
	drawn := receipt.WaitFor("the receipt with both words", holding("you said: it did not happen"))
	wants(t, "the receipt", drawn, "you said: it did not happen", "disputed: it waits for a moderator")
	wants(t, "the answer to agreeing", drawn.Button("We met").Press().View, "you both met")
	if state := w.stateOf(sale); state != trust.HandoverMet {
		t.Errorf("%s after they agree", state)
	}
	if after := len(maple.DMs()); after > messages+1 {
		t.Errorf("the buyer got %d more messages", after-messages)
	}
}

func TestBothSidesSayInDiscordThatTheyMet(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	accepted := maple.NextDM().Button("Accept all 20").Press()
	wants(t, "the answer to the buyer", accepted.View, "Accepted 20 × Iron Ore", "\nMeet by <t:")
	soon := accepted.List("Meet by…").Choose("Tomorrow")
	wants(t, "the answer with another time", soon.View, "Meet by <t:")
	told := rowan.WaitDM("the receipt", holding("accepted 20 × Iron Ore"))
	wants(t, "the message to the seller", told, "meet by <t:")

	w.Advance(48 * time.Hour)
	w.process()
	asked := maple.WaitDM("the prompt", holding("Did you meet"))
	wants(t, "the prompt", asked, "@rowan.ashdown", "20 × Iron Ore", "Fewer pieces, or another price?")
	later := asked.Button("Later (24 hours)").Press()
	wants(t, "the answer to later", later.View, "we ask you again")
	w.Advance(trade.LaterFor)
	w.process()
	again := maple.WaitDM("the second prompt", func(v *discordtest.View) bool { return v.ID != asked.ID && holding("Did you meet")(v) })
	wants(t, "the answer of the first", again.Button("We met").Press().View, "your answer counts")
	prompt := rowan.WaitDM("the prompt", holding("Did you meet"))
	wants(t, "the answer of the second", prompt.Button("We met").Press().View, "you both met")
}

func TestASellerCallsATradeOffBeforeTheAgreedTime(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	rowan, maple := w.Player(t, "rowan.ashdown"), w.Player(t, "maple")
	sale := w.trade(20)
	receipt := rowan.WaitDM("the receipt", holding("accepted 20 × Iron Ore"))
	wants(t, "the answer", receipt.Button("It did not happen").Press().Button("Yes, it did not happen").Press().View, "it did not happen")
	wants(t, "the message to the buyer", maple.WaitDM("that it is off", holding("did not happen")), "@rowan.ashdown", "This part is open again")
	if state := w.stateOf(sale); state != trust.HandoverCancelled || w.order("maple", 1).Sold != 0 {
		t.Errorf("%s, %d sold", state, w.order("maple", 1).Sold)
	}
}

func TestAModeratorSettlesADisputeInDiscord(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan, tamsin := w.Player(t, "maple"), w.Player(t, "rowan.ashdown"), w.Player(t, moderator)
	w.actor(moderator)
	first, second := w.trade(20), w.trade(10)
	w.Advance(trade.AgreedWithin)
	w.process()
	asked := maple.WaitDM("the prompt", holding("2 trades wait"))
	asked.Button("We met for all 2").Press()
	prompt := rowan.WaitDM("the prompt", holding("2 trades wait"))
	list := prompt.List("It did not happen for…")
	rest := list.Choose("10 × Iron Ore")
	wants(t, "the question", rest.View, "@maple", "says you met. Is that wrong?", "10 × Iron Ore")
	wants(t, "the answer", rest.Button("Yes, it did not happen").Press().View, "a moderator will look at it")
	left := prompt.WaitFor("the rest of it", holding("disputed"))
	wants(t, "the answer to the rest", left.Button("We met").Press().View, "you both met")
	if a, b := w.stateOf(first), w.stateOf(second); a != trust.HandoverMet || b != trust.HandoverDisputed {
		t.Fatalf("%s and %s", a, b)
	}
	told := tamsin.WaitDM("the dispute", holding("contradict each other"))
	both := maple.WaitDM("the dispute", holding("don't agree on what happened"))
	wants(t, "the message to the buyer", both, "you said: we met", "they say: it did not happen", "Until then you can both change or withdraw your answers")
	if _, err := w.market.Trade.TakeBackWords(t.Context(), w.actor("rowan.ashdown"), []core.SaleID{second}); err != nil {
		t.Fatal(err)
	}
	both.WaitFor("that the seller took it back", holding("Your dispute with <@"+rowan.ID()+"> (@rowan.ashdown) about 10 × Iron Ore is over."))
	w.says("rowan.ashdown", trade.SaidNotMet, second)
	both = both.WaitFor("the dispute again", holding("don't agree on what happened"))
	taken := both.Button("Withdraw my answer").Press()
	wants(t, "the answer to taking it back", taken.View, "Your answer is withdrawn")
	if state := w.stateOf(second); state != trust.HandoverAgreed {
		t.Errorf("%s after a word was taken back", state)
	}
	w.says("maple", trade.SaidMet, second)
	wants(t, "the disputes", told.Button("Open the disputes").Press().View, "10 × Iron Ore")
	w.vouch("maple")
	disputes := tamsin.Slash("moderate disputes")
	choice := disputes.List("Open a dispute…")
	shown := choice.Choose(choice.Labels()[0])
	wants(t, "the dispute", shown.View, "10 × Iron Ore", "“We met”", "“It did not happen”", "20 × Iron Ore", "New here", "The seller is new here, the buyer is established")
	looked := shown.Button("I'll look at it").Press()
	wants(t, "the answer to looking", looked.View, "can't change their answers any more", "A moderator has been looking at it")
	if _, err := w.market.Trade.TakeBackWords(t.Context(), w.actor("maple"), []core.SaleID{second}); core.KindOf(err) != core.Conflict {
		t.Errorf("a word is taken back while a moderator looks: %v", err)
	}
	both.WaitFor("that a moderator looks", holding("a moderator is looking at it"))
	wants(t, "the log", tamsin.Slash("moderate log").View, "looks at a dispute about Iron Ore")
	settled := looked.List("Settle it…").Choose("It did not happen; it counts against the buyer").Modal.Submit(map[string]string{"Reason": "The log says so"})
	wants(t, "the answer to the moderator", settled.View, "Dispute settled", "No disputes are waiting")
	wants(t, "the message to the seller", rowan.WaitDM("that it is settled", holding("A moderator has decided")), "The log says so",
		"did not happen (a moderator decided)", "It counts against maple")
	wants(t, "the message of the dispute, drawn again", both.WaitFor("that it is settled", holding("A moderator has decided")),
		"The log says so", "It counts against you")
	if state := w.stateOf(second); state != trust.HandoverCancelled {
		t.Errorf("%s", state)
	}
	back := tamsin.Slash("moderate log").Button("Undo: Iron Ore").Press()
	wants(t, "the log after the undo", back.View, "Undone.", "took back the decision on a dispute about Iron Ore")
	if state := w.stateOf(second); state != trust.HandoverDisputed {
		t.Errorf("%s after the decision was taken back", state)
	}
	both.WaitFor("the dispute again", holding("disputed: a moderator is looking at it"))
	wants(t, "the disputes", tamsin.Slash("moderate disputes").View, "10 × Iron Ore")
	if refused := maple.Slash("moderate disputes"); !refused.Private() {
		t.Error("everybody reads the disputes")
	}
}

func TestAModeratorIsNotAskedToSettleTheirOwnDispute(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	tamsin := w.Player(t, moderator)
	w.actor(moderator)
	order := w.post("maple")
	done, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), w.offer(moderator, order, 20).ID, 20)
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(trade.AgreedWithin)
	w.says("maple", trade.SaidNotMet, done.Sale.ID)
	w.says(moderator, trade.SaidMet, done.Sale.ID)
	choice := tamsin.Slash("moderate disputes").List("Open a dispute…")
	shown := choice.Choose(choice.Labels()[0])
	wants(t, "the dispute", shown.View, "20 × Iron Ore", "This is about you. Another moderator has to decide on it.")
	if buttons, lists := shown.View.Buttons(), shown.View.Lists(); len(lists) > 0 || len(buttons) != 1 {
		t.Errorf("a side of the dispute can press %q and choose from %q", buttons, lists)
	}
}

func TestABuyerCallsATradeOffBeforeTheAgreedTime(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.offer("rowan.ashdown", w.post("maple"), 20)
	accepted := maple.NextDM().Button("Accept all 20").Press()
	asked := accepted.Button("Call it off").Press()
	wants(t, "the question", asked.View, "You agreed on this less than an hour ago. Has it really not happened?", "20 × Iron Ore")
	if sold := w.order("maple", 1).Sold; sold != 20 {
		t.Errorf("one press ends the trade: %d sold", sold)
	}
	wants(t, "the answer", asked.Button("Yes, it did not happen").Press().View, "it did not happen", "This part is open again")
	wants(t, "the message to the seller", rowan.WaitDM("that it is off", holding("did not happen")), "@maple", "20 × Iron Ore")
	if sold := w.order("maple", 1).Sold; sold != 0 {
		t.Errorf("%d sold", sold)
	}
}

// TestATradeIsEndedBeforeTheAgreedTimeOnlyAfterAQuestion checks the question with the time, and that there is none once the time is over.
func TestATradeIsEndedBeforeTheAgreedTimeOnlyAfterAQuestion(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	rowan := w.Player(t, "rowan.ashdown")
	order := w.post("maple")
	by := w.Now().Add(5 * time.Hour)
	done, err := w.market.Trade.AcceptOfferBy(t.Context(), w.actor("maple"), w.offer("rowan.ashdown", order, 20).ID, 20, by)
	if err != nil {
		t.Fatal(err)
	}
	receipt := rowan.WaitDM("the receipt", holding("accepted 20 × Iron Ore"))
	w.Advance(4 * time.Hour)
	wants(t, "the question", receipt.Button("It did not happen").Press().View, fmt.Sprintf("You meet by <t:%d:f>. Has it really not happened?", by.Unix()))
	if state := w.stateOf(done.Sale.ID); state != trust.HandoverAgreed {
		t.Fatalf("%s after one press", state)
	}
	w.Advance(2 * time.Hour)
	wants(t, "the answer", receipt.Button("It did not happen").Press().View, "it did not happen")
}

func TestABuyerIsNotifiedOfAnAutomaticAccept(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple := w.Player(t, "maple")
	takes := func() trade.Order {
		order := w.post("maple")
		draft := trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: 20, FromOthers: 20, Until: w.Now().Add(time.Hour)}
		if _, err := w.market.Trade.SetStanding(t.Context(), w.actor("maple"), order.ID, draft); err != nil {
			t.Fatal(err)
		}
		return order
	}
	w.offer("rowan.ashdown", takes(), 15)
	told := maple.WaitDM("the accept", holding("Accepted for you"))
	wants(t, "the message to the buyer", told, "15 × Iron Ore", "@rowan.ashdown", "meet by <t:")
	wants(t, "the message with another time", told.List("Meet by…").Choose("Tomorrow").View, "Meet by <t:")
	wants(t, "the answer", told.Button("It did not happen").Press().Button("Yes, it did not happen").Press().View, "it did not happen")
	if sold := w.order("maple", 1).Sold; sold != 0 {
		t.Errorf("%d sold", sold)
	}
}

func TestUntilWhenAnOfferIsGoodIsShown(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	order := w.post("maple")
	rowan.Slash("offer send", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Int("quantity", 20),
		discordtest.Str("message", "I have some"), discordtest.Str("good-until", "tomorrow"))
	wants(t, "the buyer's message", maple.NextDM(), "Good until", "<t:")
	wants(t, "the buyer's list", maple.Slash("offer list", discordtest.Str("request", fmt.Sprint(order.ID))).View, "good until <t:")
	wants(t, "the seller's list", rowan.Slash("offer mine").View, "good until <t:")
	w.Advance(48 * time.Hour)
	w.process()
	wants(t, "the seller's list once it is over", rowan.Slash("offer mine").Button("Past (1)").Press().View, "lapsed", "good until <t:")
}

func TestMyTradesAreListedOpenOnesFirst(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan, tamsin := w.Player(t, "maple"), w.Player(t, "rowan.ashdown"), w.Player(t, moderator)
	w.actor(moderator)
	open, off := w.trade(20), w.trade(10)
	list := w.at(maple, "My trades").List("Say what happened…")
	list.Choose("10 × Iron Ore").Button("Call it off").Press().Button("Yes, it did not happen").Press()
	called := w.at(maple, "My trades")
	wants(t, "the list", called.View, "did not happen", "20 × Iron Ore", "@rowan.ashdown")
	if text := called.View.Text(); strings.Index(text, "**20 × Iron Ore") > strings.Index(text, "**10 × Iron Ore") {
		t.Errorf("past ones first: %s", text)
	}
	if w.stateOf(off) != trust.HandoverCancelled {
		t.Error("it was not called off")
	}
	w.at(rowan, "My trades").List("Say what happened…").Choose("20 × Iron Ore").Button("We met").Press()
	w.at(maple, "My trades").List("Say what happened…").Choose("20 × Iron Ore").Button("We met").Press()
	if w.stateOf(open) != trust.HandoverMet {
		t.Error("they have not met")
	}
	wants(t, "the moderator's own list", w.at(tamsin, "My trades").View, "No trades here")
}
