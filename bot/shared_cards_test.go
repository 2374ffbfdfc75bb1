package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core/trade"
)

// shares has a player share a request in the channel and returns the card.
func shares(t *testing.T, p *discordtest.Player, name string) *discordtest.View {
	t.Helper()
	shared := p.Slash("request show", discordtest.Str("request", name), discordtest.Bool("share", true))
	wants(t, "the card", shared.View, name)
	return shared.View
}

func TestASharedCardFollowsItsRequest(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", item("Rope"))
	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	if shown := shares(t, rowan, "Rope"); !strings.Contains(shown.Text(), "maple") {
		t.Errorf("the card of an open request names nobody: %q", shown.Text())
	}
	if _, err := w.market.Trade.LogSale(t.Context(), w.actor("maple"), order.ID, trade.SaleDraft{Quantity: 100}); err != nil {
		t.Fatal(err)
	}
	some := rowan.WaitMessage("that some is sold", holding("400 of 500 left"))
	other := w.post("juniper_fox", item("Coal"))
	shares(t, rowan, "Coal")
	w.sells("juniper_fox", other, 200)
	rowan.WaitMessage("a later edit of another card", holding("300 of 500 left"))
	if n := len(w.Requests(editOf(some))); n != 1 {
		t.Errorf("a card that shows its request was edited %d times", n)
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	card := rowan.WaitMessage("that it is closed", holding("closed early"))
	if buttons := card.Buttons(); slices.Contains(buttons, "Offer to Fulfill") {
		t.Errorf("the closed card has the buttons %q", buttons)
	}
	if strings.Contains(card.Text(), "maple") {
		t.Errorf("the closed card says how to reach the buyer: %q", card.Text())
	}
	if err := w.market.Trade.DeleteOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	card = rowan.WaitMessage("that it is deleted", holding("deleted"))
	if buttons := card.Buttons(); len(buttons) > 0 || strings.Contains(card.Text(), "](") {
		t.Errorf("the card of a deleted request has the buttons %q, and says %q", buttons, card.Text())
	}
}

func TestAPressOnAnOldCardDrawsItAsItIs(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", item("Rope"))
	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	card := shares(t, rowan, "Rope")
	if err := w.store.RemoveSharedCard(t.Context(), card.ID); err != nil { // as a card of an earlier version: nothing follows it
		t.Fatal(err)
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	pressed := card.Button("Offer to Fulfill").Press()
	if !pressed.Updated() {
		t.Error("the card was not drawn again")
	}
	wants(t, "the card", pressed.View, "Rope", "closed early")
	if err := w.market.Trade.DeleteOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	gone := rowan.ForgePress(pressed.View, "1|make-offer|1")
	wants(t, "the card", gone.View, "Rope", "deleted")
}
