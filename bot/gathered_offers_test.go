package bot_test

import (
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// gathering opens a market in which maple has offers gathered and has had three within an hour.
func gathering(t *testing.T) (w *world, maple *discordtest.Player, order trade.Order) {
	t.Helper()
	w = open(t)
	maple = w.Player(t, "maple")
	order = w.post("maple")
	settings := w.at(maple.InDM(), "Settings")
	wants(t, "the settings", settings.View, "Offers: each comes at once.")
	wants(t, "turned on", settings.Button("Gather offers").Press().View, "after the third in an hour they come together")
	for i := range 3 {
		w.offersBy(i, order, 5)
		maple.WaitDM("a message of its own", holding("Visitor "+string(rune('0'+i))))
		w.waitSettled("maple")
		w.Advance(notify.BatchWindow + time.Minute)
	}
	if n := w.dmsHolding("maple", "You have a new offer"); n != 3 {
		t.Fatalf("%d messages about the first three offers", n)
	}
	return w, maple, order
}

// offersBy sends a visitor's offer.
func (w *world) offersBy(i int, order trade.Order, quantity int) {
	w.t.Helper()
	_, err := w.market.Trade.SendOffer(w.t.Context(), core.Actor{}, order.ID, trade.OfferDraft{
		SellerName: "Visitor " + string(rune('0'+i)), SellerContact: "visitor", Message: "hello", Quantity: quantity,
	})
	w.must(err)
}

func TestABusyBuyersOffersComeTogetherOnceAnHour(t *testing.T) {
	t.Parallel()
	w, maple, order := gathering(t)
	for i := range 6 {
		w.offersBy(i+3, order, 10+i)
		w.Advance(time.Minute)
	}
	if n := len(w.pending("maple")); n != 6 {
		t.Errorf("%d offers wait", n)
	}
	before := len(maple.DMs())
	if panel := maple.Slash("market"); !strings.Contains(panel.Text(), "9 offers to answer") {
		t.Errorf("the panel says %s", panel.Text())
	}
	w.Advance(notify.GatherEvery)
	w.deliverPending("maple")
	dm := maple.WaitDM("the gathered message", holding("6 more offers in the last hour"))
	wants(t, "the message", dm, "15 from Visitor 8", "and 1 more")
	if n := len(maple.DMs()); n != before+1 {
		t.Errorf("%d messages more", n-before)
	}
	wants(t, "all of them", dm.Button("Show all offers").Press().View, "9 offers")
	accepted := dm.Button("Accept all 15").Press()
	wants(t, "accepted", accepted.View, "Accepted 15 × Iron Ore from Visitor 8", "10 from Visitor 3")

	w.offersBy(9, order, 3) // within an hour of that message
	w.Advance(10 * time.Minute)
	if n := len(w.pending("maple")); n != 1 {
		t.Errorf("%d offers wait for the next hour", n)
	}
	w.Advance(notify.GatherEvery)
	w.deliverPending("maple")
	maple.WaitDM("a single gathered offer", holding("Visitor 9"))

	w.Advance(3 * notify.GatherEvery) // a quiet time ends it
	w.at(maple.InDM(), "Settings").Button("Offers at once").Press()
	for i := range 5 {
		w.offersBy(i, w.post("maple"), 2)
	}
	w.until("the offers", func() bool { return len(w.pending("maple")) == 0 })
}

// Gathered offers wait for the end of quiet hours like all messages, and those that are gone by then are not told.
func TestGatheredOffersThatAreGoneAreNotTold(t *testing.T) {
	t.Parallel()
	w, maple, order := gathering(t)
	gone := w.offer("rowan.ashdown", order, 20)
	w.offersBy(7, order, 4)
	w.must(w.market.Trade.DeleteOffer(t.Context(), w.actor("rowan.ashdown"), gone.ID))
	w.Advance(notify.GatherEvery)
	w.deliverPending("maple")
	dm := maple.WaitDM("the other offer", holding("Visitor 7"))
	if strings.Contains(dm.Text(), "rowan") {
		t.Errorf("the message says %s", dm.Text())
	}
}
