package bot_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
)

// moveOn has a while pass, also for the jobs that wait: the queue goes by the clock of the machine.
func (w *world) moveOn(while time.Duration) {
	w.t.Helper()
	w.Advance(while)
	_, err := w.store.Pool().Exec(w.t.Context(), "update river_job set state = 'available', scheduled_at = now() where state = 'scheduled'")
	w.must(err)
}

func TestALimitedEditOfADirectMessageDelaysNoOther(t *testing.T) {
	t.Parallel()
	w, order, first, second, offers := answered(t)
	maple, buyer := w.Player(t, "maple"), w.actor("maple")
	w.Fail(editOf(first), discordtest.Always, discordtest.LimitingEdits(20*time.Minute))
	w.must(w.market.Trade.DeleteOffer(t.Context(), buyer, offers[0].ID))
	w.WaitRequests(t, editOf(first), 1)
	w.Advance(notify.BatchWindow + time.Second) // or the next offer joins the second message
	w.offer("oldtamsin", order, 40)
	maple.WaitDM("an offer after that", holding("40 × Iron Ore"))
	w.must(w.market.Trade.DeleteOffer(t.Context(), buyer, offers[1].ID))
	second.WaitFor("that it was declined", func(v *discordtest.View) bool { return !acceptable(v) })
	if n := len(w.Requests(editOf(first))); n != 1 {
		t.Errorf("the limited message was edited %d times", n)
	}
}

func TestANewMessageIsSentWhenTheEarlierOneCannotBeEdited(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", order, 20)
	first := maple.WaitDM("the first offer", holding("20 × Iron Ore"))
	w.waitSettled("maple")
	w.Fail(editOf(first), discordtest.Always, discordtest.LimitingEdits(20*time.Minute))
	w.offer("juniper_fox", order, 30)
	maple.WaitDM("the second offer", holding("You have 2 new offers"))
}

// Discord publishes neither how many edits of old messages it takes nor how many conversations may be begun. Whatever it is, and whatever the
// bot is set to, nothing is lost and nothing new waits.
func TestTheBotHoldsAtATenthAndAtTenTimesOfEachGuess(t *testing.T) {
	t.Parallel()
	guess := discordtest.RealLimits
	for discord, limits := range map[string]discordtest.Limits{
		"a tenth":   {OldEdits: max(guess.OldEdits/10, 1), OldEditsWindow: 10 * guess.OldEditsWindow},
		"ten times": {OldEdits: 10 * guess.OldEdits, OldEditsWindow: guess.OldEditsWindow / 10},
	} {
		for setting, every := range map[string]time.Duration{"a tenth": 18 * time.Second, "ten times": 30 * time.Minute} {
			t.Run(fmt.Sprintf("Discord takes %s, the bot waits %s", discord, setting), func(t *testing.T) {
				t.Parallel()
				limits.Messages, limits.Window = discordtest.Unlimited.Messages, discordtest.Unlimited.Window
				w := openWithoutBot(t, discordtest.Options{Limits: &limits})
				w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, RedrawEvery: every})
				w.bot = w.start(func(o *bot.Options) { o.EditEvery = every })
				w.WaitForBot(t)
				w.editsOldMessages(2 * max(every, limits.OldEditsWindow))
			})
		}
	}
}

// editsOldMessages has cards, direct messages and a receipt change that are two hours old. Each change shows when the clock has moved on by
// a while, and what is new shows without that.
func (w *world) editsOldMessages(while time.Duration) {
	t := w.t
	board, juniper := w.Player(t, "maple").In("request-board"), w.Player(t, "juniper_fox")
	board.Slash("board here")
	ore, rope := w.post("juniper_fox"), w.post("juniper_fox", item("Rope"))
	ores, ropes := board.WaitMessage("the first card", holding("Iron Ore")), board.WaitMessage("the second card", holding("Rope"))
	first, other := w.offer("rowan.ashdown", ore, 20), w.offer("oldtamsin", rope, 30)
	offered := juniper.WaitDM("the offers", holding("30 from oldtamsin"))
	w.waitSettled("juniper_fox")
	w.Advance(notify.BatchWindow + time.Second) // or the next offer joins them
	third := w.offer("maple", ore, 40)
	later := juniper.WaitDM("another offer", holding("40 × Iron Ore"))
	w.waitSettled("juniper_fox")
	w.Advance(2 * time.Hour)

	w.sells("juniper_fox", ore, 100)
	w.sells("juniper_fox", rope, 100)
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("rowan.ashdown"), first.ID))
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("oldtamsin"), other.ID))
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("maple"), third.ID))
	edits := []*discordtest.View{ores, ropes, offered, later}
	for _, v := range edits {
		w.WaitRequests(t, editOf(v), 1)
	}
	w.post("rowan.ashdown", item("Apple Pie"))
	board.WaitMessage("a new card", holding("Apple Pie"))
	w.offer("rowan.ashdown", rope, 60)
	juniper.WaitDM("a new offer", holding("60 × Rope"))

	messages := []string{editOf(offered), editOf(later)}
	declined := func() bool { return !acceptable(offered.Now()) && !acceptable(later.Now()) }
	for w.moveOn(while); !declined(); w.moveOn(while) {
		tried := len(w.Requests(messages...))
		w.until("an edit of a direct message", func() bool { return declined() || len(w.Requests(messages...)) > tried })
	}
	ores.WaitFor("the sale of ore", holding("400 of 500 left"))
	ropes.WaitFor("the sale of rope", holding("400 of 500 left"))
	w.Advance(while)
	w.closes("juniper_fox", ore)
	ores.WaitFor("the end of the first", holding("closed early"))
	w.Advance(while)
	w.closes("juniper_fox", rope)
	ropes.WaitFor("the end of the second", holding("closed early"))
}
