package trade_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

func TestAnAcceptIsUndoneByAReversal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 40 })
	offer := w.OfferOn(w.Bob, order, 20)
	part, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
	must(t, err)
	whole, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 15)
	must(t, err)
	logged, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 7})
	must(t, err)

	// In another order than they were made in: the offer is open again under its number, with what was taken.
	after, err := w.Trade.UndoSale(t.Context(), w.Ann, part.Sale.ID)
	must(t, err)
	if after.Sold != 22 {
		t.Errorf("%d are sold", after.Sold)
	}
	w.CheckInvariants()
	after, err = w.Trade.UndoSale(t.Context(), w.Ann, whole.Sale.ID)
	must(t, err)
	if after.Sold != 7 {
		t.Errorf("%d are sold", after.Sold)
	}
	_, offers, err := w.Trade.Offers(t.Context(), w.Ann, order.ID)
	must(t, err)
	if len(offers) != 1 || offers[0].ID != offer.ID || offers[0].Quantity != 20 || offers[0].Message != offer.Message {
		t.Errorf("open are %+v", offers)
	}
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, logged.Sale.ID)
	must(t, err)
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, logged.Sale.ID)
	wantKind(t, err, core.Conflict)
	w.CheckInvariants()

	// Nothing was deleted: the sales are still there, marked, and no receipt is left.
	_, sales, total, err := w.Trade.Sales(t.Context(), w.Ann, order.ID, 9)
	must(t, err)
	if total != 3 || count(sales, func(s trade.Sale) bool { return s.Reversed }) != 3 {
		t.Errorf("%d sales: %+v", total, sales)
	}
	for name, who := range map[string]core.Actor{"the buyer": w.Ann, "the seller": w.Bob} {
		if receipts, err := w.Trade.Receipts(t.Context(), who, trade.Query{Limit: 9}); err != nil || len(receipts) != 0 {
			t.Errorf("%s has the receipts %+v, %v", name, receipts, err)
		}
	}
	sent, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 9)
	must(t, err)
	if sent[0].State != trade.OfferOpen || sent[0].Accepted != 0 || sent[0].BuyerContact != "" {
		t.Errorf("the seller has %+v", sent[0])
	}
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 20)
	must(t, err)
	w.CheckInvariants()
}

func TestAcceptingAndUndoingInTurnMessagesOnlyWhoHeardOfIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 40 })
	offer := w.OfferOn(w.Bob, order, 20)
	accept := func() trade.Acceptance {
		done, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
		must(t, err)
		return done
	}
	told := func(kind notify.Kind, state notify.State) int {
		return w.Value("select count(*) from notices where user_id = $1 and kind = $2 and state = $3", w.Bob.UserID, kind, state)
	}
	turn := func() {
		_, err := w.Trade.UndoSale(t.Context(), w.Ann, accept().Sale.ID)
		must(t, err)
	}
	turn()
	if expired, again := told(notify.NoticeOfferAccepted, notify.NoticeExpired), told(notify.NoticeOfferReopened, notify.NoticePending); expired != 1 ||
		again != 0 {
		t.Errorf("unsent, %d notices of the acceptance ended, and %d say that the offer is open again", expired, again)
	}
	done := accept()
	must(t, w.SQL("update notices set state = 'refused', settled_at = created_at where kind = 'offer_accepted' and state = 'pending'"))
	_, err := w.Trade.UndoSale(t.Context(), w.Ann, done.Sale.ID)
	must(t, err)
	if again := told(notify.NoticeOfferReopened, notify.NoticePending); again != 1 {
		t.Errorf("after it was tried, %d notices say that the offer is open again", again)
	}
	turn()
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
	wantKind(t, err, core.TooMany)
	if _, after, err := w.Trade.Offer(t.Context(), w.Bob, offer.ID); err != nil || after.Quantity != 20 {
		t.Errorf("the offer is %+v, %v", after, err)
	}
	other := w.OfferOn(w.Cat, order, 10)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, other.ID, 1)
	must(t, err)
	w.Clock.Forward(core.Day)
	accept()
	w.CheckInvariants()
}

func TestADeclinedOrWithdrawnOfferReturns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 40 })
	for name, by := range map[string]core.Actor{"declined": w.Ann, "withdrawn": w.Bob} {
		offer := w.OfferOn(w.Bob, order, 20)
		for range 2 {
			must(t, w.Trade.DeleteOffer(t.Context(), by, offer.ID))
			must(t, w.Trade.UndoOffer(t.Context(), by, offer.ID))
			w.CheckInvariants()
		}
		_, back, err := w.Trade.Offer(t.Context(), w.Bob, offer.ID)
		must(t, err)
		if back != offer {
			t.Errorf("%s: returned is %+v, want %+v", name, back, offer)
		}
		wantKind(t, w.Trade.UndoOffer(t.Context(), by, offer.ID), core.NotFound)
		must(t, w.Trade.DeleteOffer(t.Context(), by, offer.ID))
		wantKind(t, w.Trade.UndoOffer(t.Context(), w.Cat, offer.ID), core.Forbidden)
		again := w.OfferOn(w.Bob, order, 3)
		wantKind(t, w.Trade.UndoOffer(t.Context(), by, offer.ID), core.Conflict)
		must(t, w.Trade.DeleteOffer(t.Context(), w.Bob, again.ID))
	}
	visitors := w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 4)
	must(t, w.Trade.DeleteOffer(t.Context(), w.Ann, visitors.ID))
	must(t, w.Trade.UndoOffer(t.Context(), w.Ann, visitors.ID))
	w.CheckInvariants()
}

func TestAcceptCannotBeUndoneOnceTheSellerActed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 40 })
	offer := w.OfferOn(w.Bob, order, 20)
	part, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
	must(t, err)
	must(t, w.Trade.DeleteOffer(t.Context(), w.Bob, offer.ID)) // the rest
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, part.Sale.ID)
	wantKind(t, err, core.Conflict)
	_, err = w.Trade.UndoSale(t.Context(), w.Bob, part.Sale.ID)
	wantKind(t, err, core.Forbidden)
	w.CheckInvariants()
}

func TestAnUndoRacesAcceptsOfOthersAndItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 20 {
		order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 12 })
		offer, other := w.OfferOn(w.Bob, order, 10), w.OfferOn(w.Cat, order, 10)
		done, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 10)
		must(t, err)
		errs := storetest.AtOnce(5, func(i int) error {
			if i < 3 {
				_, err := w.Trade.UndoSale(t.Context(), w.Ann, done.Sale.ID)
				return err
			}
			_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, other.ID, 1)
			return err
		})
		undone := count(errs[:3], func(err error) bool { return err == nil })
		accepted := count(errs[3:], func(err error) bool { return err == nil })
		now, err := w.Trade.Order(t.Context(), w.Ann, order.ID)
		must(t, err)
		// Both accepts may fill the request first: then nothing is undone.
		if undone > 1 || accepted != 2 || now.Sold != 10*(1-undone)+accepted || undone == 0 && now.Status != trade.Fulfilled {
			t.Fatalf("%d undone, %d accepted, %d sold, %s: %v", undone, accepted, now.Sold, now.Status, errs)
		}
	}
	w.CheckInvariants()
}
