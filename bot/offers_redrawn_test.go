package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// answered has a buyer with two messages about offers on a request of 500: 20 of rowan.ashdown's and 30 of juniper_fox's.
func answered(t *testing.T) (w *world, order trade.Order, first, second *discordtest.View, offers []trade.Offer) {
	t.Helper()
	w = open(t)
	order = w.post("maple")
	maple := w.Player(t, "maple")
	offers = append(offers, w.offer("rowan.ashdown", order, 20))
	first = maple.WaitDM("the first offer", holding("20 × Iron Ore"))
	w.waitSettled("maple")
	w.Advance(notify.BatchWindow + time.Second) // or the second offer joins the first message
	offers = append(offers, w.offer("juniper_fox", order, 30))
	second = maple.WaitDM("the second offer", holding("30 × Iron Ore"))
	return w, order, first, second, offers
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func acceptable(v *discordtest.View) bool {
	return slices.ContainsFunc(v.Buttons(), func(b string) bool { return strings.HasPrefix(b, "Accept") })
}

func TestAMessageAboutAnOfferShowsHowItWasAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	w, order, first, second, offers := answered(t)
	maple := w.actor("maple")

	_, err := w.market.Trade.AcceptOffer(t.Context(), maple, offers[0].ID, 5)
	w.must(err)
	first.WaitFor("that five were accepted", func(v *discordtest.View) bool { return slices.Contains(v.Buttons(), "Accept all 15") })
	done, err := w.market.Trade.AcceptOffer(t.Context(), maple, offers[0].ID, 15)
	w.must(err)
	first.WaitFor("that all were accepted", func(v *discordtest.View) bool { return !acceptable(v) })
	_, err = w.market.Trade.UndoSale(t.Context(), maple, done.Sale.ID)
	w.must(err)
	first.WaitFor("that the accept was undone", func(v *discordtest.View) bool { return slices.Contains(v.Buttons(), "Accept all 15") })

	w.must(w.market.Trade.DeleteOffer(t.Context(), maple, offers[1].ID))
	second.WaitFor("that it was declined", func(v *discordtest.View) bool { return !acceptable(v) })
	w.must(w.market.Trade.UndoOffer(t.Context(), maple, offers[1].ID))
	second.WaitFor("that it is open again", acceptable)
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("juniper_fox"), offers[1].ID))
	second.WaitFor("that it was withdrawn", func(v *discordtest.View) bool { return !acceptable(v) })
	w.must(w.market.Trade.UndoOffer(t.Context(), w.actor("juniper_fox"), offers[1].ID))
	second.WaitFor("that the withdrawal was undone", acceptable)

	_, err = w.market.Trade.CloseOrder(t.Context(), maple, order.ID)
	w.must(err)
	for _, v := range []*discordtest.View{first, second} {
		v.WaitFor("that the request was closed", func(v *discordtest.View) bool { return !acceptable(v) })
	}
	_, err = w.market.Trade.UndoClose(t.Context(), maple, order.ID)
	w.must(err)
	for _, v := range []*discordtest.View{first, second} {
		v.WaitFor("that the request is open again", acceptable)
	}
}

// The answer to a press says what was done, and has the button that undoes it.
func TestAPressOnAMessageLeavesItToItsAnswerAndRedrawsOthers(t *testing.T) {
	t.Parallel()
	w, _, first, second, offers := answered(t)
	pressed := first.Button("Decline").Press()
	wants(t, "the answer", pressed.View, "Declined 20 × Iron Ore")
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("maple"), offers[1].ID)) // behind it in the queue
	second.WaitFor("that it was declined", func(v *discordtest.View) bool { return !acceptable(v) })
	if now := first.Now(); !slices.Contains(now.Buttons(), "Undo") {
		t.Errorf("the message that was pressed has %q and says\n%s", now.Buttons(), now.Text())
	}
}

func TestAMessageThatItsReaderDeletedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w, _, first, second, offers := answered(t)
	w.must(w.Session(t).ChannelMessageDelete(first.ChannelID, first.ID))
	w.ForgetRequests()
	for _, offer := range offers {
		w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("maple"), offer.ID))
	}
	w.WaitRequests(t, editOf(first), 1)
	second.WaitFor("that it was declined", func(v *discordtest.View) bool { return !acceptable(v) })
	w.waitSettled("maple")
	for _, r := range w.Requests("POST /channels/{channel_id}/messages") {
		if strings.Contains(r.Path, first.ChannelID) {
			t.Errorf("a message was sent to the buyer: %s", r.Body)
		}
	}
}

func TestAMessageIsRedrawnWhenItsOfferIsAnsweredDuringSending(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	slow := w.Fail("POST /channels/{channel_id}/messages", 1, discordtest.Delaying(time.Hour))
	offer := w.offer("rowan.ashdown", order, 20)
	slow.WaitHits(t, 1)
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("maple"), offer.ID))
	slow.Lift()
	maple.WaitDM("the offer", holding("20 × Iron Ore")).WaitFor("that it was declined", func(v *discordtest.View) bool { return !acceptable(v) })
}
