package postgres_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

// withHandovers returns a world whose market has handovers on.
func withHandovers(t *testing.T) *world {
	w := newWorld(t)
	w.Market = core.New(w.Store, core.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	return w
}

// accepts has Ann accept an offer of Bob's, and returns the sale.
func (w *world) accepts(quantity int) core.Sale {
	w.T.Helper()
	done, err := w.AcceptOffer(w.T.Context(), w.Ann, w.OfferOn(w.Bob, w.Post(w.Ann), quantity).ID, quantity)
	must(w.T, err)
	return done.Sale
}

func (w *world) handoversOf(user core.Actor) []core.Handover {
	w.T.Helper()
	found, err := w.Store.Handovers(w.T.Context(), user.UserID, core.HandoverQuery{Limit: 100})
	must(w.T, err)
	return found
}

func TestAnAcceptBetweenTwoAccountsHasAHandover(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	sale := w.accepts(4)
	for _, side := range []core.Actor{w.Ann, w.Bob} {
		found := w.handoversOf(side)
		if len(found) != 1 || found[0].Sale != sale.ID || found[0].State != core.HandoverAgreed || found[0].Quantity != 4 ||
			!found[0].AgreedBy.Equal(w.Clock.Now().Add(core.AgreedWithin)) || found[0].ItemName != "Iron Ore" {
			t.Errorf("user %d has %+v", side.UserID, found)
		}
	}
	by := w.Clock.Now().Add(5 * time.Hour)
	offer := w.OfferOn(w.Cat, w.Post(w.Ann), 2)
	_, err := w.AcceptOfferBy(t.Context(), w.Ann, offer.ID, 1, by)
	must(t, err)
	if found := w.handoversOf(w.Cat); len(found) != 1 || !found[0].AgreedBy.Equal(by) {
		t.Errorf("Cat has %+v", found)
	}
	_, err = w.AcceptOfferBy(t.Context(), w.Ann, offer.ID, 1, w.Clock.Now().Add(-time.Second))
	wantKind(t, err, core.Invalid)
	sent, err := w.SendOffer(t.Context(), core.Actor{}, w.Post(w.Ann).ID, coretest.OfferDraft(func(d *core.OfferDraft) { d.Quantity = 1 }))
	must(t, err)
	_, err = w.AcceptOffer(t.Context(), w.Ann, sent.Offer.ID, 1)
	must(t, err)
	if n := w.Value("select count(*) from handovers"); n != 2 {
		t.Errorf("%d handovers, want 2: a visitor's offer has none", n)
	}
}

func TestWithHandoversOffNothingIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.accepts(4)
	if n := w.Value("select count(*) from handovers"); n != 0 {
		t.Errorf("%d handovers", n)
	}
}

func TestAnAcceptThatIsUndoneHasNoHandover(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	_, err := w.UndoSale(t.Context(), w.Ann, w.accepts(4).ID)
	must(t, err)
	if n := w.Value("select count(*) from handovers"); n != 0 {
		t.Errorf("%d handovers", n)
	}
}

func TestAPartnerWhoLeavesIsANumberInTheHandoversOfOthers(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	w.accepts(1)
	w.accepts(2)
	done, err := w.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Cat, w.Post(w.Ann), 3).ID, 3)
	must(t, err)
	must(t, w.SQL("update handovers set state = 'met', settled_at = $1, due_at = null", w.Clock.Now()))
	must(t, w.SQL("insert into traders values ($1, $2)", w.Bob.UserID, w.Clock.Now()))
	must(t, w.DeleteUser(t.Context(), w.Bob.UserID))
	settled, err := w.Store.SettledHandovers(t.Context(), []core.UserID{w.Ann.UserID, w.Cat.UserID})
	must(t, err)
	if len(settled) != 4 {
		t.Fatalf("settled: %+v", settled)
	}
	one, two, three := settled[0], settled[1], settled[2]
	if one.Partner != 0 || one.FormerPartner == 0 || one.FormerPartner != two.FormerPartner || !one.PartnerEstablished {
		t.Errorf("with the one who left: %+v, %+v", one, two)
	}
	if three.Sale != done.Sale.ID || three.Partner != w.Cat.UserID || three.FormerPartner != 0 || three.PartnerEstablished || three.Quantity != 3 {
		t.Errorf("with Cat: %+v", three)
	}
	if last := settled[3]; last.Trader != w.Cat.UserID || last.Partner != w.Ann.UserID || last.State != core.HandoverMet {
		t.Errorf("Cat's: %+v", last)
	}
	w.CheckInvariants()
}
