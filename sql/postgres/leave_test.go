package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/sql/internal/storetest"
)

// leaver has traded on both sides, under a name that is found nowhere else.
func (w *world) leaver() core.Actor {
	w.T.Helper()
	eve := w.SignUp("evergreen")
	bought := w.Post(eve, func(d *core.OrderDraft) { d.InGameName = "evergreen" })
	taken := w.OfferOn(w.Bob, bought, 2)
	_, err := w.AcceptOffer(w.T.Context(), eve, taken.ID, 1)
	must(w.T, err)
	_, err = w.LogSale(w.T.Context(), eve, bought.ID, core.SaleDraft{Quantity: 1, Notes: "evergreen"})
	must(w.T, err)
	w.OfferOn(w.Cat, w.Post(eve), 1)
	sent, err := w.SendOffer(w.T.Context(), eve, w.Post(w.Ann).ID, core.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(w.T, err)
	_, err = w.AcceptOffer(w.T.Context(), w.Ann, sent.Offer.ID, 2)
	must(w.T, err)
	must(w.T, w.SetSkills(w.T.Context(), eve, []core.Skill{{Category: "Miner", Level: 5}}))
	_, err = w.AddSearch(w.T.Context(), eve, core.SearchDraft{Name: "evergreen"})
	must(w.T, err)
	deleted := w.Post(eve)
	lost := w.OfferOn(w.Bob, deleted, 1)
	_, err = w.AcceptOffer(w.T.Context(), eve, lost.ID, 1)
	must(w.T, err)
	must(w.T, w.DeleteOrder(w.T.Context(), eve, deleted.ID))
	return eve
}

func TestDeletedAccountIsNamedNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	if !strings.Contains(strings.ToLower(storetest.Rows(t, w.DSN)), "evergreen") {
		t.Fatal("they were named nowhere before")
	}
	w.CheckInvariants()
	must(t, w.DeleteAccount(t.Context(), eve))
	for line := range strings.Lines(strings.ToLower(storetest.Rows(t, w.DSN))) {
		if strings.Contains(line, "evergreen") {
			t.Errorf("still named: %s", line)
		}
	}
	w.CheckInvariants()
	_, err := w.User(t.Context(), eve.UserID)
	wantKind(t, err, core.NotFound)
	wantKind(t, w.DeleteAccount(t.Context(), eve), core.NotFound)
	wantKind(t, w.DeleteAccount(t.Context(), core.Actor{}), core.Unauthenticated)
}

func TestOthersKeepTheirHistoryWhenAnAccountIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.DeleteAccount(t.Context(), eve))

	anns, err := w.OwnOrders(t.Context(), w.Ann, core.OrderQuery{})
	must(t, err)
	if len(anns.Orders) != 1 || anns.Orders[0].Sold != 2 || anns.Orders[0].Offers != 0 {
		t.Fatalf("Ann's orders = %+v", anns.Orders)
	}
	_, sales, _, err := w.Sales(t.Context(), w.Ann, anns.Orders[0].ID, 3)
	must(t, err)
	if len(sales) != 1 || sales[0].Quantity != 2 || sales[0].Seller != 0 || sales[0].Notes != "Accepted offer from a seller who has left" {
		t.Errorf("Ann's sales = %+v", sales)
	}
	sent, err := w.SentOffers(t.Context(), w.Cat, 0, 9)
	must(t, err)
	if len(sent) != 1 || sent[0].State != core.OfferLapsed || sent[0].OrderID != 0 {
		t.Errorf("Cat's offers = %+v", sent)
	}
	page, err := w.Notices(t.Context(), w.Cat, 0, 9)
	must(t, err)
	if len(page.Notices) != 1 || page.Notices[0].Kind != core.NoticeOfferLapsed || page.Notices[0].Contact != "" {
		t.Errorf("Cat's notices are %+v", page.Notices)
	}
}

func TestReturningUserGetsANewAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.leaver()
	must(t, w.DeleteAccount(t.Context(), eve))
	again := w.SignUp("evergreen")
	if again.UserID == eve.UserID {
		t.Error("the number was given again")
	}
	data, err := w.ExportAccount(t.Context(), again)
	must(t, err)
	if len(data.Orders)+len(data.Offers)+len(data.Notices)+len(data.Skills)+len(data.Searches) != 0 {
		t.Errorf("they find %+v", data)
	}
}

func TestOnesDataAreAllOfOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range core.PageSize + 5 {
		w.OfferOn(w.Bob, w.Post(w.Ann, func(d *core.OrderDraft) { d.ItemName = fmt.Sprint("Ore ", i) }), 1)
	}
	closed := w.Post(w.Ann)
	_, err := w.LogSale(t.Context(), w.Ann, closed.ID, core.SaleDraft{Quantity: 3, Notes: "found some"})
	must(t, err)
	_, err = w.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)
	expired := w.Post(w.Ann)
	must(t, w.SQL("update orders set expires_at = created_at + interval '1 microsecond' where id = $1", expired.ID))
	w.Clock.Forward(1000)
	w.Post(w.Cat)

	anns, err := w.ExportAccount(t.Context(), w.Ann)
	must(t, err)
	if len(anns.Orders) != core.PageSize+7 || len(anns.Notices) != core.PageSize+5 || len(anns.Offers) != 0 || anns.User.ID != w.Ann.UserID {
		t.Errorf("Ann has %d orders, %d notices, %d offers", len(anns.Orders), len(anns.Notices), len(anns.Offers))
	}
	for _, o := range anns.Orders {
		if o.Owner != w.Ann.UserID || o.ID == closed.ID && (len(o.Sales) != 1 || o.Sales[0].Notes != "found some") {
			t.Errorf("among Ann's: %+v", o)
		}
	}
	bobs, err := w.ExportAccount(t.Context(), w.Bob)
	must(t, err)
	if len(bobs.Offers) != core.PageSize+5 || len(bobs.Orders) != 0 {
		t.Errorf("Bob has %d offers, %d orders", len(bobs.Offers), len(bobs.Orders))
	}
	_, err = w.ExportAccount(t.Context(), core.Actor{})
	wantKind(t, err, core.Unauthenticated)
}

func TestBlockedUserCannotDeleteTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Bob)
	must(t, w.SQL("update users set blocked_at = now(), blocked_for = 'flooding' where id = $1", w.Bob.UserID))
	wantKind(t, w.DeleteAccount(t.Context(), w.Bob), core.Forbidden)
	if n := w.Value("select count(*) from orders"); n != 1 {
		t.Errorf("%d requests are left", n)
	}
}

func TestRenamedUserIsFoundByOldLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.SignUp("evergreen")
	taken := w.OfferOn(w.Bob, w.Post(eve), 2)
	_, err := w.AcceptOffer(t.Context(), eve, taken.ID, 1)
	must(t, err)
	sent, err := w.SendOffer(t.Context(), eve, w.Post(w.Ann).ID, core.OfferDraft{
		SellerName: "evergreen", SellerContact: "evergreen", Message: "evergreen has it", Quantity: 5,
	})
	must(t, err)
	_, err = w.AcceptOffer(t.Context(), w.Ann, sent.Offer.ID, 2)
	must(t, err)
	_, err = w.SignIn(t.Context(), core.Profile{DiscordID: "1evergreen", Username: "pine", DisplayName: "Pine"})
	must(t, err)
	must(t, w.DeleteAccount(t.Context(), eve))
	for line := range strings.Lines(strings.ToLower(storetest.Rows(t, w.DSN))) {
		if strings.Contains(line, "evergreen") || strings.Contains(line, "pine") {
			t.Errorf("still named: %s", line)
		}
	}
	w.CheckInvariants()
}
