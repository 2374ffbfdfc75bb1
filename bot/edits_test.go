package bot_test

import (
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

// sells has a buyer log a sale of a request.
func (w *world) sells(who string, order trade.Order, quantity int) {
	w.t.Helper()
	if _, err := w.market.Trade.LogSale(w.t.Context(), w.actor(who), order.ID, trade.SaleDraft{Quantity: quantity}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) closes(who string, order trade.Order) {
	w.t.Helper()
	if _, err := w.market.Trade.CloseOrder(w.t.Context(), w.actor(who), order.ID); err != nil {
		w.t.Fatal(err)
	}
}

// editOf is the pattern of edits of a message.
func editOf(v *discordtest.View) string {
	return "PATCH /channels/" + v.ChannelID + "/messages/" + v.ID
}

func TestALimitedEditDelaysNoOtherMessage(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	first, second := w.post("juniper_fox", item("Iron Ore")), w.post("rowan.ashdown", item("Rope"))
	limited := maple.WaitMessage("the first card", holding("Iron Ore"))
	other := maple.WaitMessage("the second card", holding("Rope"))
	w.Fail(editOf(limited), discordtest.Always, discordtest.LimitingEdits(20*time.Minute))
	w.sells("juniper_fox", first, 100)
	w.WaitRequests(t, editOf(limited), 1)
	w.post("oldtamsin", item("Apple Pie"))
	maple.WaitMessage("a new card", holding("Apple Pie"))
	w.sells("rowan.ashdown", second, 100)
	other.WaitFor("the edit of another card", holding("400 of 500 left"))
	if n := len(w.Requests(editOf(limited))); n != 1 {
		t.Errorf("the limited message was edited %d times", n)
	}
}

func TestALimitedEditDelaysNoOtherThread(t *testing.T) {
	t.Parallel()
	w, order, offer := withThreads(t)
	sale := w.accepts(offer, order.Quantity)
	thread, receipt := w.thread()
	again := w.post("juniper_fox", item("Rope"))
	w.Player(t, "maple").In("request-board").WaitMessage("the second card", holding("Rope"))
	second := w.accepts(w.offer("rowan.ashdown", again, again.Quantity), again.Quantity)
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 2)
	threads := w.Channel("request-board").Threads()
	rowan := w.Player(t, "rowan.ashdown")
	other := rowan.In(threads[1].ID()).WaitMessage("the second receipt", holding("here is your trade"))
	w.Fail("PATCH /channels/"+thread.ID()+"/messages/"+receipt.ID, discordtest.Always, discordtest.LimitingEdits(20*time.Minute))
	for _, s := range []core.SaleID{sale, second} {
		if _, err := w.market.Trade.SayHandovers(t.Context(), w.actor("rowan.ashdown"), []core.SaleID{s}, trade.SaidMet); err != nil {
			t.Fatal(err)
		}
		if s == sale {
			w.WaitRequests(t, "PATCH /channels/"+thread.ID()+"/messages/"+receipt.ID, 1)
		}
	}
	other.WaitFor("the word in another thread", holding("says: we met"))
	if n := len(w.Requests("PATCH /channels/" + thread.ID() + "/messages/" + receipt.ID)); n != 1 {
		t.Errorf("the limited receipt was edited %d times", n)
	}
}

func TestACardThatWouldBeWrongForLongIsPostedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		wait   time.Duration
		thread bool
		again  bool
	}{
		"eleven minutes":             {11 * time.Minute, false, true},
		"nine minutes":               {9 * time.Minute, false, false},
		"eleven minutes in a thread": {11 * time.Minute, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			where := "request-board"
			if tt.thread {
				where = w.Channel("request-board").StartThread("Requests").ID()
			}
			maple := w.Player(t, "maple").In(where)
			maple.Slash("board here")
			order := w.post("juniper_fox")
			card := maple.WaitMessage("the card", holding("Iron Ore"))
			w.Fail(editOf(card), discordtest.Always, discordtest.LimitingEdits(tt.wait))
			w.sells("juniper_fox", order, 100)
			w.WaitRequests(t, editOf(card), 1)
			w.closes("juniper_fox", order)
			if tt.again {
				maple.WaitMessage("the closed card", holding("closed early"))
				w.until("the old card to be deleted", func() bool { return card.Now().Deleted })
			}
			w.post("rowan.ashdown", item("Rope"))
			maple.WaitMessage("a new card", holding("Rope"))
			w.post("oldtamsin", item("Apple Pie")) // a pass later
			maple.WaitMessage("another card", holding("Apple Pie"))
			if shown := publicMessages(maple); len(shown) != 3 || !tt.again && shown[0].ID != card.ID {
				t.Errorf("the board has %d messages, the first is %q", len(shown), shown[0].Text())
			}
			if n := len(w.Requests(editOf(card))); n != 1 {
				t.Errorf("the limited message was edited %d times", n)
			}
		})
	}
}

// Discord publishes no number for what is limited here: the bot works with a tenth and with ten times of what is guessed.
func TestCountsOfAnOldCardAreGatheredAndItsEndIsNot(t *testing.T) {
	t.Parallel()
	guess := discordtest.RealLimits
	for name, limits := range map[string]struct {
		every, window time.Duration
		edits         int
	}{
		"a tenth":   {18 * time.Second, guess.OldEditsWindow / 10, 1},
		"the guess": {3 * time.Minute, guess.OldEditsWindow, guess.OldEdits},
		"ten times": {30 * time.Minute, guess.OldEditsWindow * 10, guess.OldEdits * 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			standIn := discordtest.Unlimited
			standIn.OldEdits, standIn.OldEditsWindow = limits.edits, limits.window
			w := openWithoutBot(t, discordtest.Options{Limits: &standIn})
			w.bot = w.start(func(o *bot.Options) { o.EditEvery = limits.every })
			w.WaitForBot(t)
			maple := w.Player(t, "maple").In("request-board")
			maple.Slash("board here")
			order := w.post("juniper_fox")
			card := maple.WaitMessage("the card", holding("Iron Ore"))
			w.Advance(2 * time.Hour)
			w.sells("juniper_fox", order, 100)
			card = card.WaitFor("the first sale", holding("400 of 500 left"))
			for _, name := range []string{"Rope", "Apple Pie"} { // two passes
				w.sells("juniper_fox", order, 50)
				w.post("rowan.ashdown", item(name))
				maple.WaitMessage("a new card", holding(name))
			}
			if n := len(w.Requests(editOf(card))); n != 1 {
				t.Errorf("the old card was edited %d times", n)
			}
			w.Advance(max(limits.every, limits.window))
			card = card.WaitFor("both sales", holding("300 of 500 left"))
			w.Advance(limits.window)
			w.closes("juniper_fox", order)
			card.WaitFor("the end", holding("closed early"))
			if n := len(w.Requests(editOf(card))); n != 3 {
				t.Errorf("the old card was edited %d times in the end", n)
			}
		})
	}
}
