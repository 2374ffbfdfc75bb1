package bot_test

import (
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core/notify"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// walk is what two members do in a trade by the buttons of the panel alone, in one language.
type walk struct {
	*world
	in text.Printer
}

func (w walk) label(key text.Key, pairs ...any) string { return w.in.Sprint(key, pairs...) }

// place opens a place from the panel. No other command is used.
func (w walk) place(who *discordtest.Player, key text.Key) *discordtest.Reply {
	w.t.Helper()
	return w.at(who, w.label(key))
}

// fill sends a form, by the names of its fields.
func (w walk) fill(opened *discordtest.Reply, values map[string]string) *discordtest.Reply {
	w.t.Helper()
	if opened.Modal == nil {
		w.t.Fatalf("no form was opened but %q", opened.Text())
	}
	return opened.Modal.Submit(values)
}

// own opens the card of a buyer's only request.
func (w walk) own(who *discordtest.Player) *discordtest.Reply {
	w.t.Helper()
	list := w.place(who, text.PanelRequests).List(w.label(text.PickOrder))
	return list.Choose(list.Labels()[0])
}

// offers finds the only open request and sends an offer on it.
func (w walk) offers(who *discordtest.Player, quantity string) *discordtest.Reply {
	w.t.Helper()
	work := w.place(who, text.PanelWork)
	for _, label := range work.View.Buttons() {
		if strings.HasSuffix(label, " ✕") {
			work = work.Button(label).Press()
		}
	}
	return w.fill(work.Button(w.label(text.Offer)).Press(), map[string]string{"quantity": quantity, "message": "Hello"})
}

// answers opens the only offer that waits for a buyer.
func (w walk) answers(who *discordtest.Player) *discordtest.Reply {
	w.t.Helper()
	list := who.Slash("market").Button(w.label(text.PanelAnswer)).Press().List(w.label(text.PickOffer))
	return list.Choose(list.Labels()[0])
}

func TestEverythingInATradeIsReachedFromThePanelInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, language := range text.Languages {
		t.Run(language.Name, func(t *testing.T) {
			t.Parallel()
			visited := &visits{seen: map[string]bool{}}
			world := openWithoutBot(t)
			world.bot = world.start(func(o *bot.Options) { o.Hooks.Interaction = visited.note })
			world.WaitForBot(t)
			w := walk{world, text.For(language.Name)}
			maple := w.Player(t, "maple").SetLocale(language.Locales[0])
			rowan := w.Player(t, "rowan.ashdown").SetLocale(language.Locales[0])
			request := func() trade.Order {
				t.Helper()
				page := w.openOrders()
				if len(page) != 1 {
					t.Fatalf("%d requests are open", len(page))
				}
				return page[0].Order
			}
			open := func(want int) {
				t.Helper()
				if got := w.order("maple", request().ID).Offers; got != want {
					t.Fatalf("%d offers are open, want %d", got, want)
				}
			}
			sold := func(want int) {
				t.Helper()
				if got := w.order("maple", request().ID).Sold; got != want {
					t.Fatalf("%d are sold, want %d", got, want)
				}
			}

			preview := w.fill(w.place(maple, text.Post), map[string]string{"item": "Iron Ore", "quantity": "100", "price": "2s"})
			preview.Button(w.label(text.Post)).Press()
			w.fill(w.own(maple).Button(w.label(text.MenuEdit)).Press(), map[string]string{"quantity": "80"})
			if o := request(); o.Quantity != 80 {
				t.Fatalf("the request is %+v", o)
			}

			w.offers(rowan, "20").Button(w.label(text.Withdraw)).Press().Button(w.label(text.UndoTrade)).Press()
			open(1)
			list := w.place(rowan, text.SentTitle).List(w.label(text.PickWithdraw))
			list.Choose(list.Labels()[0])
			open(0)
			w.offers(rowan, "30")
			declined := w.answers(maple).Button(w.label(text.Decline)).Press()
			open(0)
			declined.Button(w.label(text.UndoTrade)).Press()
			open(1)
			w.fill(w.answers(maple).Button(w.label(text.AcceptPart)).Press(), map[string]string{"quantity": "10"})
			sold(10)
			accepted := w.answers(maple).Button(w.label(text.AcceptAll, "quantity", 20)).Press()
			sold(30)
			accepted.Button(w.label(text.UndoTrade)).Press()
			sold(10)
			maple.Slash("market").Button(w.label(text.WeMet)).Press()
			rowan.Slash("market").Button(w.label(text.WeMet)).Press()
			if found, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Limit: 1}); err != nil || found[0].State != trust.HandoverMet {
				t.Errorf("the trade is %+v, %v", found, err)
			}
			wants(t, "the seller's trades", w.place(rowan, text.TradesTitle).View, "Iron Ore")

			logged := w.fill(w.own(maple).Button(w.label(text.UpdateSales)).Press(), map[string]string{"quantity": "5"})
			sold(15)
			logged.Button(w.label(text.UndoTrade)).Press()
			sold(10)
			closed := w.own(maple).Button(w.label(text.MenuClose)).Press().Button(w.label(text.MenuClose)).Press()
			if n := len(w.openOrders()); n != 0 {
				t.Errorf("%d requests are open", n)
			}
			closed.Button(w.label(text.UndoTrade)).Press()
			w.own(maple).Button(w.label(text.MenuDelete)).Press().Button(w.label(text.MenuDelete)).Press()
			if n := len(w.openOrders()); n != 0 {
				t.Errorf("%d requests are open", n)
			}

			w.place(maple, text.PanelSettings).Button(w.label(text.GatherButton)).Press()
			w.fill(w.place(maple, text.PanelSettings).Button(w.label(text.QuietButton)).Press(), map[string]string{"from": "22:00", "to": "7:00"})
			settings, _, err := w.market.Notify.Settings(t.Context(), w.actor("maple"))
			if want := (notify.Settings{GatherOffers: true, QuietFrom: 22 * 60, QuietTo: 7 * 60}); err != nil || settings.GatherOffers != want.GatherOffers ||
				settings.QuietFrom != want.QuietFrom || settings.QuietTo != want.QuietTo {
				t.Errorf("the settings are %+v, %v", settings, err)
			}
			visited.mu.Lock()
			defer visited.mu.Unlock()
			for name := range visited.seen {
				if strings.HasPrefix(name, "/") && name != "/market" {
					t.Errorf("%s was typed", name)
				}
			}
			if language.Name == "de" {
				for _, found := range englishIn(t, w.Requests(), append(typedByAll(), "Hello")...) {
					t.Errorf("English words in German: %s", found)
				}
			}
		})
	}
}
