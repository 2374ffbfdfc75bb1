package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// deal has a buyer accept an offer of a seller's on a new request.
func (w *world) deal(buyer, seller string, quantity int, change ...func(*trade.OrderDraft)) core.SaleID {
	w.t.Helper()
	order := w.post(buyer, change...)
	done, err := w.market.Trade.AcceptOffer(w.t.Context(), w.actor(buyer), w.offer(seller, order, quantity).ID, quantity)
	if err != nil {
		w.t.Fatal(err)
	}
	return done.Sale.ID
}

func TestASlipIsReadAndAnsweredInDiscord(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	const between = "What is open between us"
	if nothing := maple.UseOnPerson(rowan, between); !nothing.Private() || !strings.Contains(nothing.View.Text(), "You have no open trades with") {
		t.Errorf("with nothing open: %+v", nothing.View)
	}
	bought, sold := w.deal("maple", "rowan.ashdown", 20), w.deal("rowan.ashdown", "maple", 8)
	told := rowan.WaitDM("the receipt", holding("accepted 20 × Iron Ore"))
	wants(t, "the name", w.at(rowan, "Settings").Button("Your in-game name").Press().Modal.Submit(map[string]string{"In-game name": "Rowan#77"}).View, "find you in the game as Rowan#77")

	page := func(sale core.SaleID) string { return fmt.Sprint("https://market.example/trades/", sale) }
	wants(t, "the receipt leads to the page of the trade", told, page(bought))

	fromDM := told.Button("Open trades").Press()
	if !fromDM.Private() {
		t.Error("everybody reads the slip")
	}
	wants(t, "the slip from the message", fromDM.View, "Open trades with", "You sell", "20 × Iron Ore")
	placed := fromDM.Button("Set a place").Press().Modal.Submit(map[string]string{"A short line that you both see": "By the fountain"})
	wants(t, "the place", placed.View, "Both of you see where you meet", "By the fountain", "set by you")

	slip := maple.UseOnPerson(rowan, between)
	wants(t, "the slip", slip.View, "You buy", "20 × Iron Ore", "You sell", "8 × Iron Ore", "You bring", "They bring", "You pay", "Rowan#77",
		"By the fountain", "```\nHi Rowan#77", "I bring 8 × Iron Ore, 3s. You bring 20 × Iron Ore.")
	wants(t, "the slip leads to the page of the trade that waits longest", slip.View, page(bought))
	wants(t, "a stranger's", w.Player(t, moderator).UseOnPerson(maple, between).View, "You have no open trades with")
	onTheTrade := w.at(maple, "My trades").List("Say what happened…").Choose("20 × Iron Ore")
	wants(t, "the trade leads to its page", onTheTrade.View, page(bought))
	wants(t, "the slip from the list of trades", onTheTrade.Button("Open trades").Press().View, "Open trades with", "20 × Iron Ore")

	w.deal("maple", "rowan.ashdown", 5) // not shown yet
	said := slip.Button("We met for all 2").Press()
	wants(t, "the answer", said.View, "Noted", "you said: we met", "5 × Iron Ore")
	for sale, want := range map[core.SaleID]trade.Word{bought: trade.SaidMet, sold: trade.SaidMet} {
		found, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
		if err != nil || found[0].On(found[0].SideOf(w.actor("maple").UserID)).Word != want {
			t.Errorf("%+v, %v", found, err)
		}
	}
	wants(t, "the last one", said.Button("We met").Press().View, "You have answered for all of it")
	theirs := rowan.UseOnPerson(maple, between).Button("We met for all 3").Press()
	wants(t, "all is settled", theirs.View, "you both met")
	if w.stateOf(bought) != trust.HandoverMet || w.stateOf(sold) != trust.HandoverMet {
		t.Errorf("%s, %s", w.stateOf(bought), w.stateOf(sold))
	}
}

func TestALongSlipFitsIntoAMessage(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	for i := range 15 {
		w.deal("maple", "rowan.ashdown", 900_000, func(d *trade.OrderDraft) {
			d.ItemName = strings.Repeat("*_`", 31) + fmt.Sprint(i)
			d.Quantity, d.MaxPrice, d.InGameName = core.MaxQuantity, core.MaxPrice, strings.Repeat("_*", 31)+fmt.Sprint(i)
		})
	}
	slip := w.Player(t, "maple").UseOnPerson(w.Player(t, "rowan.ashdown"), "What is open between us")
	wants(t, "the slip", slip.View, "…and 5 more", "…and 9 more", "…and 11 more", "13,499,999,999p 986g 500s")
	wants(t, "the answer", slip.Button("We met for all 15").Press().View, "Noted")
}

func TestWithoutHandoversThereIsNoSlip(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.bot = w.start(func(o *bot.Options) { o.Features = core.Features{} })
	w.WaitForBot(t)
	if slices.ContainsFunc(w.Commands(), func(c discordtest.Command) bool { return c.Name == "trade" || c.Name == "What is open between us" }) {
		t.Error("the command is there")
	}
}
