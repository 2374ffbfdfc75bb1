package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

func TestTradesAreUndoneByAButton(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.offer("rowan.ashdown", order, 20)
	done := maple.NextDM().Button("Accept all 20").Press()
	rowan.WaitDM("that it was accepted", holding("The buyer accepted"))
	undone := done.Button("Undo").Press()
	wants(t, "the message after the undo", undone.View, "Undone. Iron Ore has 500 left to buy.", "20 × Iron Ore")
	if o := w.order("maple", order.ID); o.Sold != 0 || o.Offers != 1 {
		t.Errorf("the order is %+v", o)
	}
	received := rowan.WaitDM("that it is open again", holding("is open again"))
	wants(t, "the seller's message", received, "The offer of 20 × Iron Ore is open again")

	for again := range 3 { // the message then has the same buttons again
		declined := undone.Button("Decline").Press()
		wants(t, "the decline", declined.View, "Declined 20 × Iron Ore")
		if o := w.order("maple", order.ID); o.Offers != 0 {
			t.Fatalf("decline %d leaves %d offers", again+1, o.Offers)
		}
		undone = declined.Button("Undo").Press()
		wants(t, "the undone decline", undone.View, "the offer is open again", "20 × Iron Ore")
		if o := w.order("maple", order.ID); o.Offers != 1 {
			t.Fatalf("undo %d leaves %d offers", again+1, o.Offers)
		}
	}
	withdrawn := rowan.Slash("offer withdraw", rowan.Pick("offer withdraw", "offer", "Iron"))
	wants(t, "the undone withdrawal", withdrawn.Button("Undo").Press().View, "the offer is open again")
	sold := maple.Slash("sales log", maple.Pick("sales log", "request", "Iron"), discordtest.Int("quantity", 7))
	wants(t, "the sale", sold.View, "493 left")
	w.Advance(core.UndoWindow)
	wants(t, "the sale, too late", sold.Button("Undo").Press().View, "This can only be undone within 10 minutes", "493 of 500 left")
}

// undoWindowPasses advances the clock until nothing can be undone, and sends the notices that waited for it.
func (w *world) undoWindowPasses() {
	w.t.Helper()
	w.Advance(core.UndoWindow)
	if _, err := w.market.Trade.NotifyClosings(w.t.Context(), 100); err != nil {
		w.t.Fatal(err)
	}
}

func TestAClosedRequestIsOpenAgainByAButton(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	rowan := w.Player(t, "rowan.ashdown")
	card := maple.WaitMessage("the card on the board", holding("Iron Ore"))
	tamsin := w.Player(t, "oldtamsin").In("trading-post")
	tamsin.Slash("request show", tamsin.Pick("request show", "request", "Iron"), discordtest.Bool("share", true))
	shared := tamsin.WaitMessage("the shared card", func(v *discordtest.View) bool { return !v.Private() && holding("Iron Ore")(v) })

	ask := maple.Slash("request close", maple.Pick("request close", "request", "Iron"))
	wants(t, "the question", ask.View, "You can undo it for ten minutes")
	closed := ask.Button("Close Request").Press()
	card = card.WaitFor("the end on the board", holding("closed early"))
	shared = shared.WaitFor("the end on the shared card", holding("closed early"))
	open := closed.Button("Undo").Press()
	wants(t, "the card after the undo", open.View, "Undone: the request is open again.", "500 of 500 left")
	if slices.Contains(open.View.Buttons(), "Undo") {
		t.Errorf("it has the buttons %q", open.View.Buttons())
	}
	for name, v := range map[string]*discordtest.View{"on the board": card, "that was shared": shared} {
		now := v.WaitFor("that the card "+name+" is open again", func(v *discordtest.View) bool { return !holding("closed early")(v) })
		if !slices.Contains(now.Buttons(), "Offer to Fulfill") {
			t.Errorf("the card %s has %q", name, now.Buttons())
		}
	}
	if o := w.order("maple", order.ID); o.Status != trade.Active || o.Offers != 1 {
		t.Errorf("the order is %+v", o)
	}
	if _, err := w.market.Trade.UndoClose(t.Context(), w.actor("maple"), order.ID); core.KindOf(err) != core.Conflict {
		t.Errorf("a second undo, on the page: %v", err)
	}
	wants(t, "another's press", rowan.In("request-board").ForgePress(card, fmt.Sprintf("1|undo-close|%d", order.ID)).View, "Only the buyer can do that")

	w.undoWindowPasses()
	if slices.ContainsFunc(rowan.DMs(), holding("has lapsed")) {
		t.Error("the seller was told that the offer lapsed")
	}
	again := maple.Slash("request close", maple.Pick("request close", "request", "Iron")).Button("Close Request").Press()
	w.undoWindowPasses()
	rowan.WaitDM("that it lapsed", holding("has lapsed"))
	wants(t, "too late", again.Button("Undo").Press().View, "This can only be undone within 10 minutes", "closed early")
}

func TestAButtonUndoesTheFillingSale(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", func(d *trade.OrderDraft) { d.Quantity = 20 })
	maple, rowan, juniper := w.Player(t, "maple"), w.Player(t, "rowan.ashdown"), w.Player(t, "juniper_fox")
	w.offer("juniper_fox", order, 5)
	w.offer("rowan.ashdown", order, 20)
	done := maple.Slash("offer accept", maple.Pick("offer accept", "offer", "rowan"))
	rowan.WaitDM("that it was accepted", holding("The buyer accepted"))
	if o := w.order("maple", order.ID); o.Status != trade.Fulfilled {
		t.Fatalf("the order is %+v", o)
	}
	undone := done.Button("Undo").Press()
	wants(t, "the answer", undone.View, "Undone. Iron Ore has 20 left to buy.")
	rowan.WaitDM("that it is open again", holding("The offer of 20 × Iron Ore is open again"))
	sold := maple.Slash("sales log", maple.Pick("sales log", "request", "Iron"), discordtest.Int("quantity", 20))
	wants(t, "the sale", sold.Button("Undo").Press().View, "Undone. Iron Ore has 20 left to buy.", "20 of 20 left")
	if o := w.order("maple", order.ID); o.Status != trade.Active || o.Sold != 0 || o.Offers != 2 {
		t.Errorf("the order is %+v", o)
	}
	if slices.ContainsFunc(juniper.DMs(), holding("has lapsed")) {
		t.Error("the other seller was told that the offer lapsed")
	}
}
