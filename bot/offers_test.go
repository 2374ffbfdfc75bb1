package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

func TestSendingAndWithdrawingOffers(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	send := func(quantity int64, message string) *discordtest.Reply {
		return rowan.ForgeSlash("offer send", discordtest.Str("request", "1"), discordtest.Int("quantity", quantity), discordtest.Str("message", message))
	}
	wants(t, "too much", send(501, "x").View, "Choose a quantity from 1 to 500")
	wants(t, "too little, in silence", send(0, " ").View, "- Choose a quantity from 1 to 500", "- Message is required")
	wants(t, "too long", send(1, strings.Repeat("x", 501)).View, "Message must be 500 characters or fewer")
	wants(t, "one's own request", maple.Slash("offer send", discordtest.Str("request", "1"), discordtest.Int("quantity", 5), discordtest.Str("message", "x")).View,
		"You cannot offer on your own request")
	wants(t, "the first", send(20, "first").View, "20 × Iron Ore")
	asked := send(30, "second")
	wants(t, "the second, before anything is replaced", asked.View, "You offered 20", "Replace it with 30 × Iron Ore?")
	wants(t, "when the first is kept", asked.Button("Keep it as it is").Press().View, "Your offer of 20 stays as it is")
	wants(t, "the second", send(30, "second").Button("Change my offer").Press().View, "30 × Iron Ore", "It replaces your earlier one")
	_, offers, err := w.market.Trade.Offers(t.Context(), w.actor("maple"), order.ID)
	if err != nil || len(offers) != 1 || offers[0].Quantity != 30 || offers[0].SellerName != "Rowan" || offers[0].SellerContact != "rowan.ashdown" {
		t.Fatalf("offers: %+v, %v", offers, err)
	}

	mine := rowan.Slash("offer mine")
	wants(t, "the list", mine.View, "**30 × Iron Ore**", "open", "up to ⚪ **7s** 🟤 500c", "> second")
	past := mine.Button("Past (1)").Press()
	wants(t, "what is over", past.View, "**20 × Iron Ore**", "replaced", "> first")
	if strings.Contains(past.Text(), "30 ×") {
		t.Errorf("an open offer is among those that are over: %q", past.Text())
	}
	wants(t, "what was accepted", past.Button("Accepted (0)").Press().View, "Nothing accepted yet.")
	mine = rowan.Slash("offer mine")
	list := mine.List("Withdraw an offer…")
	if len(list.Labels()) != 1 {
		t.Errorf("it can withdraw %q", list.Labels())
	}
	gone := list.Choose(list.Labels()[0])
	wants(t, "the list after that", gone.View, "Your offer of 30 × Iron Ore is withdrawn", "No open offers.")
	if !slices.Contains(gone.Buttons(), "Past (2)") {
		t.Errorf("the parts are not counted again: %q", gone.Buttons())
	}
	wants(t, "the buyer's message", maple.WaitDM("that it was withdrawn", holding("has withdrawn")), "Rowan has withdrawn the offer of 30 × Iron Ore")
	wants(t, "withdrawing again", rowan.ForgePress(gone.View, fmt.Sprintf("1|withdraw|%d", offers[0].ID)).View, "That offer is no longer here")

	sent := send(40, "third")
	wants(t, "by its name", rowan.Slash("offer withdraw", rowan.Pick("offer withdraw", "offer", "Iron")).View, "Your offer of 40 × Iron Ore is withdrawn")
	wants(t, "by a button that is out of date", sent.Button("Withdraw").Press().View, "That offer is no longer here")
	wants(t, "when there is none", rowan.Slash("offer withdraw", discordtest.Str("offer", "iron")).View, "None of your open offers fits “iron”")
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	wants(t, "on a closed request", send(5, "late").View, "This request is already closed", "/request browse")
}

func TestASellerSeesAndChangesTheirOffer(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 8)
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "the list", rowan.Slash("request browse").View, "Iron Ore", "You offered 8")
	card := rowan.Slash("request show", discordtest.Str("request", "1"))
	wants(t, "the request", card.View, "You offered 8")
	form := card.Button("Change my offer").Press().Modal
	if form.Title != "Change my offer" || form.Field("quantity").Value != "8" || form.Field("message").Value != "I have plenty" {
		t.Errorf("the form %q opens with %v and %v", form.Title, form.Field("quantity").Value, form.Field("message").Value)
	}
	wants(t, "the change", form.Submit(map[string]string{"quantity": "12"}).View, "12 × Iron Ore", "It replaces your earlier one")
	wants(t, "the request after that", rowan.Slash("request show", discordtest.Str("request", "1")).View, "You offered 12")

	// A form that was opened before another offer was sent.
	other := w.post("maple", func(d *trade.OrderDraft) { d.ItemName = "Coal" })
	stale := rowan.Slash("request show", discordtest.Str("request", fmt.Sprint(other.ID))).Button("Offer to Fulfill").Press().Modal
	w.offer("rowan.ashdown", other, 3)
	asked := stale.Submit(map[string]string{"quantity": "5", "message": "by noon"})
	wants(t, "a stale form", asked.View, "You offered 3", "Replace it with 5 × Coal?")
	wants(t, "after all", asked.Button("Change my offer").Press().View, "5 × Coal", "It replaces your earlier one")
}

func TestAnsweringOffersByCommand(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	w.offer("juniper_fox", order, 600-100)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	list := maple.Slash("offer list", maple.Pick("offer list", "request", "Iron"))
	wants(t, "the list", list.View, `Offers for "Iron Ore"`, "2 offers", `500 from juniper\_fox`, "✅ verified", "> I have plenty")
	if text := list.Text(); !strings.Contains(text, "*Brings all of it*") || strings.Index(text, "500 from") > strings.Index(text, "20 from rowan.ashdown") {
		t.Errorf("the best offer is not the first, with its reason: %s", text)
	}
	if !list.Private() {
		t.Error("the list is public")
	}
	wants(t, "another user's list", rowan.Slash("offer list", discordtest.Str("request", "1")).View, "Only the buyer can do that")

	if got := maple.Complete("offer accept", "offer", "rowan"); len(got) != 1 || !strings.HasPrefix(got[0].Name, "20 × Iron Ore · rowan.ashdown") {
		t.Errorf("offers to accept: %+v", got)
	}
	wants(t, "too many", maple.Slash("offer accept", maple.Pick("offer accept", "offer", "rowan"), discordtest.Int("quantity", 21)).View, "Choose a quantity from 1 to 20")
	wants(t, "a part", maple.Slash("offer accept", maple.Pick("offer accept", "offer", "rowan"), discordtest.Int("quantity", 5)).View,
		"Accepted 5 × Iron Ore from rowan.ashdown", "(@rowan.ashdown)")
	w.Advance(3 * time.Minute) // sooner it is taken for a repeat, unless the bot knows already that the answer was seen
	wants(t, "the rest", maple.Slash("offer accept", discordtest.Str("offer", "rowan")).View, "Accepted 15 × Iron Ore")
	w.offer("rowan.ashdown", order, 3)
	which := maple.Slash("offer accept", discordtest.Str("offer", "iron"), discordtest.Int("quantity", 2))
	wants(t, "several", which.View, "Several offers fit “iron”")
	labels := which.List("Pick one…").Labels()
	i := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(l, "rowan") })
	wants(t, "the choice", which.List("Pick one…").Choose(labels[i]).View, "Accepted 2 × Iron Ore from rowan.ashdown")
	wants(t, "declining", maple.Slash("offer delete", maple.Pick("offer delete", "offer", "rowan")).View, "Declined 1 × Iron Ore from rowan.ashdown. We've told the seller")
	wants(t, "the seller's message", rowan.WaitDM("that it was declined", holding("was declined")), "Your offer of 1 × Iron Ore was declined")
	wants(t, "as much as is needed", maple.Slash("offer accept", maple.Pick("offer accept", "offer", "juniper")).View, "Accepted 478 × Iron Ore")
	if o := w.order("maple", order.ID); o.CloseReason != trade.Filled {
		t.Errorf("the order is %+v", o.Order)
	}
}

func TestOffersOnAllRequestsAreAnsweredTogether(t *testing.T) {
	t.Parallel()
	w := open(t)
	ore, coal := w.post("maple"), w.post("maple", func(d *trade.OrderDraft) { d.ItemName = "Coal" })
	maple := w.Player(t, "maple")
	wants(t, "before the first offer", maple.Slash("offer list").View, "No offers are waiting")
	w.offer("rowan.ashdown", ore, 400)
	w.offer("juniper_fox", ore, 20)
	w.offer("juniper_fox", coal, 30)
	list := maple.Slash("offer list")
	wants(t, "the list", list.View, "3 offers wait for your answer", "Iron Ore", "Coal", "400 from rowan.ashdown", `30 from juniper\_fox`)
	labels := list.List("Answer offers…").Labels() // the newest request first, on each the best offer
	one := list.List("Answer offers…").Choose(labels[0])
	wants(t, "one of them", one.Button("Decline").Press().View, "Declined 30 × Coal", "2 offers wait for your answer")

	both := one.Now().List("Answer offers…")
	chosen := both.Choose(both.Labels()...)
	wants(t, "two of them", chosen.View, "2 offers chosen", "20 from", "400 from")
	done := chosen.Button("Accept all").Press()
	wants(t, "their outcomes", done.View, `Accepted 20 × Iron Ore from juniper\_fox`, "Accepted 400 × Iron Ore from rowan.ashdown", "@rowan.ashdown", "No offers are waiting")
	if o := w.order("maple", ore.ID); o.Sold != 420 {
		t.Errorf("sold are %d", o.Sold)
	}
}

func TestAnOutcomeIsShownForEachOfSeveralOffers(t *testing.T) {
	t.Parallel()
	w := open(t)
	ore := w.post("maple")
	first, _ := w.offer("rowan.ashdown", ore, 500), w.offer("juniper_fox", ore, 20)
	maple := w.Player(t, "maple")
	list := maple.Slash("offer list").List("Answer offers…")
	chosen := list.Choose(list.Labels()...)
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), first.ID, 490); err != nil {
		t.Fatal(err)
	}
	done := chosen.Button("Accept all").Press()
	wants(t, "the outcomes", done.View, "Accepted 10 × Iron Ore", `⚠️ juniper\_fox, Iron Ore:`)
	if o := w.order("maple", ore.ID); o.Sold != 500 {
		t.Errorf("sold are %d", o.Sold)
	}
}

func TestAnsweringOffersFromTheList(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	for i := range 9 {
		if _, err := w.market.Trade.SendOffer(t.Context(), core.Actor{}, order.ID, trade.OfferDraft{
			SellerName: fmt.Sprintf("Visitor %d", i), SellerContact: "visitor", Message: "hello", Quantity: 10 + i,
		}); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Second)
	}
	maple := w.Player(t, "maple")
	card := maple.Slash("request show", discordtest.Str("request", "1"))
	list := card.Button("View Offers (9)").Press()
	wants(t, "the list", list.View, "9 offers", "Visitor 0", "⚠️ unverified contact")
	second := list.Button("▶").Press()
	wants(t, "the second page", second.View, "Visitor 8")
	one := second.List("Answer an offer…").Choose(second.List("Answer an offer…").Labels()[0])
	wants(t, "the offer", one.View, "18 × Iron Ore", "> hello", "500 of 500 left")
	back := one.Button("Decline").Press()
	wants(t, "the list after that", back.View, "Declined 18 × Iron Ore from Visitor 8.", "8 offers")
	picked := back.List("Answer an offer…").Choose("10 from Visitor 0 · @visitor")
	wants(t, "the list again", picked.Button("Back").Press().View, "8 offers")
	picked = back.Now().List("Answer an offer…").Choose("10 from Visitor 0 · @visitor")
	wants(t, "the list after that", picked.Button("Accept all 10").Press().View, "Accepted 10 × Iron Ore from Visitor 0", "7 offers", "490 of 500 left")
}

func TestSalesAreLogged(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple")
	maple := w.Player(t, "maple")
	pick := maple.Pick("sales log", "request", "Iron")
	wants(t, "no sales", maple.Slash("sales history", pick).View, "Nothing sold yet")
	wants(t, "too many", maple.Slash("sales log", pick, discordtest.Int("quantity", 501)).View, "Cannot sell more than remaining quantity (500)", "500 of 500 left")
	wants(t, "some", maple.Slash("sales log", pick, discordtest.Int("quantity", 7), discordtest.Str("notes", "to *Fern*\n# twice")).View, "Logged 7 × Iron Ore. 493 left")
	for range 10 {
		maple.Slash("sales log", pick, discordtest.Int("quantity", 1))
	}
	wants(t, "the history", maple.Slash("sales history", pick).View, "Total 500 · sold 17 · left 483", "… and 1 earlier one")
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "another user's", rowan.Slash("sales history", discordtest.Str("request", "1")).View, "Only the buyer can do that")
	wants(t, "another user's", rowan.Slash("sales log", discordtest.Str("request", "1"), discordtest.Int("quantity", 1)).View, "Only the buyer can do that")
}

// Two programs may get the same command, as one hands the gateway over. The slower one must not do what the user has read was not done.
func TestACommandThatWasRefusedIsNotCarriedOutByAnotherProgram(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	earlier := w.offer("rowan.ashdown", order, 3)
	rowan := w.Player(t, "rowan.ashdown")
	sent := rowan.StartSlash("offer send", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Int("quantity", 4), discordtest.Str("message", "I have it"))
	asked := sent.Reply()
	wants(t, "the question", asked.View, "You offered 3", "Replace it with 4")
	if err := w.market.Trade.DeleteOffer(t.Context(), w.actor("rowan.ashdown"), earlier.ID); err != nil {
		t.Fatal(err)
	}

	sent.DeliverAgain()
	w.until("the second answer to the command", func() bool { return len(sent.Refusals()) > 0 })
	if _, offers, err := w.market.Trade.Offers(t.Context(), w.actor("maple"), order.ID); err != nil || len(offers) != 0 {
		t.Errorf("the command that was delivered again sent %+v, %v", offers, err)
	}
	wants(t, "the answer", sent.Reply().View, "Replace it with 4")

	again := rowan.Slash("offer send", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Int("quantity", 4), discordtest.Str("message", "I have it"))
	wants(t, "another command", again.View, "Offer sent")
}
