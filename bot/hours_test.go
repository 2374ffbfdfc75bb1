package bot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/hours"
	"tradepost/core/market"
	"tradepost/core/trade"
)

// withHours starts a bot with every feature.
func withHours(t *testing.T) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature()})
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	return w
}

func TestTwoAgreeOnATimeToMeetByButtons(t *testing.T) {
	t.Parallel()
	w := withHours(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.Advance(w.Now().Truncate(time.Hour).Add(time.Hour).Sub(w.Now()))
	at := w.Now().Add(5 * time.Hour).Truncate(time.Hour)
	for _, name := range []string{"maple", "rowan.ashdown"} {
		if err := w.market.People.SavePlayHours(t.Context(), w.actor(name), []int{hours.At(at)}); err != nil {
			t.Fatal(err)
		}
	}
	w.trade(20)
	told := rowan.WaitDM("the accept", holding("accepted 20 × Iron Ore"))
	wants(t, "the accept", told, fmt.Sprintf("Meet <t:%d:f>", at.Unix()))
	next := at.Add(30 * time.Minute)
	other := told.Button("Another time").Press().View
	wants(t, "the next time", other, fmt.Sprintf("Meet <t:%d:f>", next.Unix()))
	wants(t, "what the seller has said", told.Now().Button("That works").Press().View, "works for you")
	asked := maple.WaitDM("the seller's answer", holding("answered when you can meet"))
	wants(t, "the seller's answer", asked, "The other side can meet", fmt.Sprint(next.Unix()))
	wants(t, "the agreement", asked.Button("That works").Press().View, "You meet <t:")
	rowan.WaitDM("the agreement", holding("You meet <t:"))

	w.Advance(next.Sub(w.Now()) - 10*time.Minute)
	w.process()
	for _, who := range []*discordtest.Player{maple, rowan} {
		wants(t, "the reminder", who.WaitDM("the reminder", holding("in ten minutes")), "Iron Ore")
	}
}

func TestAnAcceptAsksOnceWhenASideCouldCome(t *testing.T) {
	t.Parallel()
	w := withHours(t)
	rowan := w.Player(t, "rowan.ashdown")
	asks := func(v *discordtest.View) bool { return slices.Contains(v.Buttons(), "Say when you could come") }
	w.trade(20)
	first := rowan.WaitDM("the first accept", holding("accepted 20 × Iron Ore"))
	if !asks(first) {
		t.Fatalf("the first accept has the buttons %q", first.Buttons())
	}
	shown := first.Button("Say when you could come").Press()
	wants(t, "the hours", shown.View, "Nobody else sees your hours")
	if !shown.Private() {
		t.Error("the form is not private")
	}
	shown.List("None of these").Choose("Weekday evenings")
	w.trade(21)
	if again := rowan.WaitDM("the second accept", holding("accepted 21 × Iron Ore")); asks(again) {
		t.Errorf("who has answered is asked again: %q", again.Buttons())
	}
}

func TestATimeToMeetIsTyped(t *testing.T) {
	t.Parallel()
	w := withHours(t)
	rowan := w.Player(t, "rowan.ashdown")
	sale := w.trade(20)
	told := rowan.WaitDM("the accept", holding("accepted 20 × Iron Ore"))
	wants(t, "what was typed", told.Button("Choose a time").Press().Modal.Submit(map[string]string{"Time today, or date and time": "tonight"}).View,
		"Write a time such as 20:30")
	typed := w.Now().Add(3 * time.Hour)
	told.Now().Button("Choose a time").Press().Modal.Submit(map[string]string{"Time today, or date and time": typed.Format("15:04")})
	found, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if m := found[0].Meets; !m.At.Equal(typed.Truncate(time.Minute)) || !m.Seller || m.Buyer {
		t.Errorf("chose %+v, want %s", m, typed)
	}
}

func TestPlayHoursArePickedAndErased(t *testing.T) {
	t.Parallel()
	w := withHours(t)
	maple := w.Player(t, "maple")
	own := func() hours.Week {
		p, err := w.market.People.PlayHours(t.Context(), w.actor("maple"))
		if err != nil {
			t.Fatal(err)
		}
		return p.Said
	}
	shown := w.at(maple, "Settings").Button("When you play").Press().View
	wants(t, "the hours", shown, "Nobody else sees your hours", "UTC")
	picked := shown.List("None of these").Choose("Weekday evenings", "Late at night").View
	wants(t, "what is saved", picked, "Saved when you play")
	if want := hours.Evenings.Of("", w.Now()).With(hours.Nights.Of("", w.Now())); own() != want {
		t.Errorf("saved %v, want %v", own().List(), want.List())
	}
	wants(t, "what is erased", picked.Button("Erase").Press().View, "Erased when you play")
	if !own().Empty() {
		t.Errorf("still there: %v", own().List())
	}
}
