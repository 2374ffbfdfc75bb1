package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
)

// leaver has traded on both sides, under a name that is found nowhere else.
func (w *world) leaver() core.Actor {
	w.t.Helper()
	eve := w.user("evergreen")
	bought := w.post(eve, func(d *core.OrderDraft) { d.InGameName = "evergreen" })
	taken := w.offer(w.bob, bought, 2)
	_, err := w.AcceptOffer(w.t.Context(), eve, taken.ID, 1)
	must(w.t, err)
	_, err = w.LogSale(w.t.Context(), eve, bought.ID, core.SaleDraft{Quantity: 1, Notes: "evergreen"})
	must(w.t, err)
	w.offer(w.cat, w.post(eve), 1)
	sent, err := w.SendOffer(w.t.Context(), eve, w.post(w.ann).ID, core.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(w.t, err)
	_, err = w.AcceptOffer(w.t.Context(), w.ann, sent.Offer.ID, 2)
	must(w.t, err)
	deleted := w.post(eve)
	lost := w.offer(w.bob, deleted, 1)
	_, err = w.AcceptOffer(w.t.Context(), eve, lost.ID, 1)
	must(w.t, err)
	must(w.t, w.DeleteOrder(w.t.Context(), eve, deleted.ID))
	return eve
}

func TestWhoeverLeavesIsNamedNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	if !strings.Contains(strings.ToLower(everything(t, w.dsn)), "evergreen") {
		t.Fatal("they were named nowhere before")
	}
	w.keepsItsPromises()
	must(t, w.Leave(t.Context(), eve))
	for line := range strings.Lines(strings.ToLower(everything(t, w.dsn))) {
		if strings.Contains(line, "evergreen") {
			t.Errorf("still named: %s", line)
		}
	}
	w.keepsItsPromises()
	_, err := w.User(t.Context(), eve.UserID)
	wantKind(t, err, core.NotFound)
	wantKind(t, w.Leave(t.Context(), eve), core.NotFound)
	wantKind(t, w.Leave(t.Context(), core.Actor{}), core.Unauthenticated)
}

func TestOthersKeepTheirHistoryWhenSomebodyLeaves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.Leave(t.Context(), eve))

	anns, err := w.OwnOrders(t.Context(), w.ann, core.OrderQuery{})
	must(t, err)
	if len(anns.Orders) != 1 || anns.Orders[0].Sold != 2 || anns.Orders[0].Offers != 0 {
		t.Fatalf("Ann's orders = %+v", anns.Orders)
	}
	_, sales, _, err := w.Sales(t.Context(), w.ann, anns.Orders[0].ID, 3)
	must(t, err)
	if len(sales) != 1 || sales[0].Quantity != 2 || sales[0].Seller != 0 || sales[0].Notes != "Accepted offer from a seller who has left" {
		t.Errorf("Ann's sales = %+v", sales)
	}
	sent, err := w.SentOffers(t.Context(), w.cat, 0, 9)
	must(t, err)
	if len(sent) != 1 || sent[0].State != core.OfferLapsed || sent[0].OrderID != 0 {
		t.Errorf("Cat's offers = %+v", sent)
	}
	told, err := w.Notices(t.Context(), w.cat, 0, 9)
	must(t, err)
	if len(told.Notices) != 1 || told.Notices[0].Kind != core.OfferHasLapsed || told.Notices[0].Contact != "" {
		t.Errorf("Cat is told %+v", told.Notices)
	}
}

func TestWhoeverComesBackBeginsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.Leave(t.Context(), eve))
	again := w.user("evergreen")
	if again.UserID == eve.UserID {
		t.Error("the number was given again")
	}
	data, err := w.OwnData(t.Context(), again)
	must(t, err)
	if len(data.Orders)+len(data.Offers)+len(data.Notices) != 0 {
		t.Errorf("they find %+v", data)
	}
}

func TestOnesDataAreAllOfOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range core.PageSize + 5 {
		w.offer(w.bob, w.post(w.ann, func(d *core.OrderDraft) { d.ItemName = fmt.Sprint("Ore ", i) }), 1)
	}
	closed := w.post(w.ann)
	_, err := w.LogSale(t.Context(), w.ann, closed.ID, core.SaleDraft{Quantity: 3, Notes: "found some"})
	must(t, err)
	_, err = w.CloseOrder(t.Context(), w.ann, closed.ID)
	must(t, err)
	expired := w.post(w.ann)
	must(t, w.sql("update orders set expires_at = created_at + interval '1 microsecond' where id = $1", expired.ID))
	w.clock.forward(1000)
	w.post(w.cat)

	anns, err := w.OwnData(t.Context(), w.ann)
	must(t, err)
	if len(anns.Orders) != core.PageSize+7 || len(anns.Notices) != core.PageSize+5 || len(anns.Offers) != 0 || anns.User.ID != w.ann.UserID {
		t.Errorf("Ann has %d orders, %d notices, %d offers", len(anns.Orders), len(anns.Notices), len(anns.Offers))
	}
	for _, o := range anns.Orders {
		if o.Owner != w.ann.UserID || o.ID == closed.ID && (len(o.Sales) != 1 || o.Sales[0].Notes != "found some") {
			t.Errorf("among Ann's: %+v", o)
		}
	}
	bobs, err := w.OwnData(t.Context(), w.bob)
	must(t, err)
	if len(bobs.Offers) != core.PageSize+5 || len(bobs.Orders) != 0 {
		t.Errorf("Bob has %d offers, %d orders", len(bobs.Offers), len(bobs.Orders))
	}
	_, err = w.OwnData(t.Context(), core.Actor{})
	wantKind(t, err, core.Unauthenticated)
}

func TestWhoeverIsBlockedDoesNotComeBackAsSomebodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.post(w.bob)
	must(t, w.sql("update users set blocked_at = now(), blocked_for = 'flooding' where id = $1", w.bob.UserID))
	wantKind(t, w.Leave(t.Context(), w.bob), core.Forbidden)
	if n := w.value("select count(*) from orders"); n != 1 {
		t.Errorf("%d requests are left", n)
	}
}

func TestWhoeverHasAnotherNameByNowIsFoundByWhatLinksToThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.user("evergreen")
	taken := w.offer(w.bob, w.post(eve), 2)
	_, err := w.AcceptOffer(t.Context(), eve, taken.ID, 1)
	must(t, err)
	sent, err := w.SendOffer(t.Context(), eve, w.post(w.ann).ID, core.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(t, err)
	_, err = w.AcceptOffer(t.Context(), w.ann, sent.Offer.ID, 2)
	must(t, err)
	_, err = w.SignIn(t.Context(), core.Profile{DiscordID: "1evergreen", Username: "pine", DisplayName: "Pine"})
	must(t, err)
	must(t, w.Leave(t.Context(), eve))
	for line := range strings.Lines(strings.ToLower(everything(t, w.dsn))) {
		if strings.Contains(line, "evergreen") || strings.Contains(line, "pine") {
			t.Errorf("still named: %s", line)
		}
	}
	w.keepsItsPromises()
}
