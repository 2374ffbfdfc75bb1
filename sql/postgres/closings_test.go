package postgres_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

// lapsedNotices counts the notices of a seller's lapsed offers.
func (w *world) lapsedNotices(of core.Actor) int {
	return w.Value("select count(*) from notices where user_id = $1 and kind = 'offer_lapsed'", of.UserID)
}

func TestAClosedRequestReturnsWithItsOffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 3})
	must(t, err)
	before := w.stored(order.ID)
	bobs, visitors := w.OfferOn(w.Bob, order, 5), w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 2)
	for range 2 { // as often as one likes
		closed, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
		must(t, err)
		if closed.Status != trade.Fulfilled || closed.Progress() != 100 || w.Value("select count(*) from offers") != 0 {
			t.Errorf("closed to %+v", closed)
		}
		w.CheckInvariants()
		w.Clock.Forward(core.UndoWindow - time.Microsecond)
		_, err = w.Trade.NotifyClosings(t.Context(), 10)
		must(t, err)
		if n := w.lapsedNotices(w.Bob); n != 0 {
			t.Errorf("the seller has %d notices while it can be undone", n)
		}
		_, err = w.Trade.UndoClose(t.Context(), w.Bob, order.ID)
		wantKind(t, err, core.Forbidden)
		open, err := w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
		must(t, err)
		storetest.Same(t, open, w.stored(order.ID))
		w.CheckInvariants()
	}
	after := w.stored(order.ID)
	if after.Version != before.Version+4 {
		t.Errorf("version %d, was %d", after.Version, before.Version)
	}
	after.Version, after.UpdatedAt = before.Version, before.UpdatedAt
	storetest.Same(t, before, after)
	if after.Progress() != 30 {
		t.Errorf("progress %d", after.Progress())
	}
	_, offers, err := w.Trade.Offers(t.Context(), w.Ann, order.ID)
	must(t, err)
	storetest.Same(t, []trade.Offer{visitors, bobs}, offers)
	sent, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 9)
	must(t, err)
	if sent[0].State != trade.OfferOpen || sent[0].ID != bobs.ID {
		t.Errorf("the seller has %+v", sent[0])
	}
	_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Conflict)

	// What returned trades on, and lapses once more with one notice.
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, bobs.ID, 1)
	must(t, err)
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
	w.UndoWindowPasses()
	if n := w.lapsedNotices(w.Bob); n != 1 {
		t.Errorf("the seller has %d notices that the offer lapsed", n)
	}
	_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Conflict)
	w.CheckInvariants()
}

func TestTheFillingSaleCanBeUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	bobs, cats := w.OfferOn(w.Bob, order, 8), w.OfferOn(w.Cat, order, 6)
	first, err := w.Trade.AcceptOffer(t.Context(), w.Ann, cats.ID, 4)
	must(t, err)
	filling, err := w.Trade.AcceptOffer(t.Context(), w.Ann, bobs.ID, 6) // of 8: the rest lapses
	must(t, err)
	if filling.Order.Status != trade.Fulfilled || filling.Order.CloseReason != trade.Filled {
		t.Fatalf("filled to %+v", filling.Order)
	}
	_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Conflict)
	w.CheckInvariants()
	open, err := w.Trade.UndoSale(t.Context(), w.Ann, filling.Sale.ID)
	must(t, err)
	if open.Status != trade.Active || open.Sold != 4 || open.CloseReason != trade.NotClosed || !open.ClosedAt.IsZero() {
		t.Errorf("undone to %+v", open)
	}
	storetest.Same(t, open, w.stored(order.ID))
	_, offers, err := w.Trade.Offers(t.Context(), w.Ann, order.ID)
	must(t, err)
	if len(offers) != 2 || offers[0].Quantity != 2 || offers[1].Quantity != 8 {
		t.Errorf("open are %+v", offers)
	}
	if kinds := w.noticesOf(w.Bob); !slices.Equal(kinds, []notify.Kind{notify.NoticeOfferAccepted}) ||
		w.Value("select count(*) from notices where kind = 'offer_accepted' and state = 'expired'") != 1 {
		t.Errorf("the seller, who was sent nothing yet, was notified of %v", kinds)
	}
	if n := w.Value("select count(*) from notices where kind = 'order_filled' and state = 'expired'"); n != 1 {
		t.Error("the buyer would still be sent that the request is filled")
	}
	w.CheckInvariants()

	// A logged sale that fills it again, and then the sale before it.
	logged, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 6})
	must(t, err)
	open, err = w.Trade.UndoSale(t.Context(), w.Ann, first.Sale.ID)
	must(t, err)
	if open.Status != trade.Active || open.Sold != 6 {
		t.Errorf("undone to %+v", open)
	}
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, logged.Sale.ID)
	must(t, err)
	w.CheckInvariants()

	// Closed early, its sales stay as they are.
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, bobs.ID, 1)
	must(t, err)
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
	sales := w.Value("select max(id) from order_updates")
	_, err = w.Trade.UndoSale(t.Context(), w.Ann, core.SaleID(sales))
	wantKind(t, err, core.Conflict)
	w.CheckInvariants()
}

func TestLaterEventsPreventUndoingAClosing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meanwhile func(w *world, order trade.Order)
		want      core.ErrorKind
		offers    int // of bob, cat and a visitor that return
		notified  int // of bob
	}{
		"nothing":            {func(*world, trade.Order) {}, 0, 3, 0},
		"ten minutes passed": {func(w *world, _ trade.Order) { w.Clock.Forward(core.UndoWindow) }, core.Conflict, 0, 0},
		"the sellers were notified by a replica with a fast clock": {func(w *world, _ trade.Order) {
			fast := market.New(w.Store, market.Options{Now: func() time.Time { return w.Clock.Now().Add(core.UndoWindow) }})
			_, err := fast.Trade.NotifyClosings(w.T.Context(), 10)
			must(w.T, err)
		}, core.Conflict, 0, 1},
		"the buyer posted it again": {func(w *world, order trade.Order) {
			_, err := w.Trade.PostOrder(w.T.Context(), w.Ann, order.OrderDraft)
			must(w.T, err)
		}, core.Conflict, 0, 0},
		"the buyer opened as many requests as they may": {func(w *world, _ trade.Order) { w.Post(w.Ann); w.Post(w.Ann) }, core.TooMany, 0, 0},
		"its time ended": {func(w *world, order trade.Order) {
			must(w.T, w.SQL("update orders set created_at = $1::timestamptz - interval '1 year', expires_at = $1 where id = $2", w.Clock.Now(), order.ID))
		}, core.Conflict, 0, 0},
		"the buyer deleted it": {func(w *world, order trade.Order) { must(w.T, w.Trade.DeleteOrder(w.T.Context(), w.Ann, order.ID)) }, core.NotFound, 0, 1},
		"a moderator removed it": {func(w *world, order trade.Order) {
			must(w.T, w.Moderation.RemoveOrder(w.T.Context(), w.Moderator(), order.ID, "No such item"))
		}, core.NotFound, 0, 1},
		"a moderator removed it and undid that": {func(w *world, order trade.Order) {
			must(w.T, w.Moderation.RemoveOrder(w.T.Context(), w.Moderator(), order.ID, "No such item"))
			must(w.T, w.UndoRemoval(w.T.Context(), w.Moderator(), core.AuditID(w.Value("select max(id) from audit_entries"))))
		}, core.Conflict, 0, 1},
		"an older program deleted it": {func(w *world, order trade.Order) {
			must(w.T, w.SQL("delete from orders where id = $1", order.ID))
		}, core.NotFound, 0, 0},
		"a moderator blocked the buyer": {func(w *world, _ trade.Order) {
			must(w.T, w.Moderation.BlockUser(w.T.Context(), w.Moderator(), w.Ann.UserID, "Spam"))
		}, core.Forbidden, 0, 0},
		"a moderator blocked a seller": {func(w *world, _ trade.Order) {
			must(w.T, w.Moderation.BlockUser(w.T.Context(), w.Moderator(), w.Bob.UserID, "Spam"))
		}, 0, 2, 1},
		"the buyer blocked a seller": {func(w *world, _ trade.Order) {
			must(w.T, w.Trade.BlockSeller(w.T.Context(), w.Ann, w.OfferOn(w.Bob, w.Post(w.Ann), 1).ID))
		}, 0, 2, 1},
		"a seller deleted their account":  {func(w *world, _ trade.Order) { must(w.T, w.DeleteUser(w.T.Context(), w.Bob.UserID)) }, 0, 2, 0},
		"the buyer deleted their account": {func(w *world, _ trade.Order) { must(w.T, w.DeleteUser(w.T.Context(), w.Ann.UserID)) }, core.NotFound, 0, 1},
		"it was archived": {func(w *world, order trade.Order) {
			must(w.T, w.SQL("update orders set archived_at = closed_at where id = $1", order.ID))
		}, 0, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Quotas: core.Quotas{OpenRequests: 2}})
			order := w.Post(w.Ann)
			w.OfferOn(w.Bob, order, 5)
			w.OfferOn(w.Cat, order, 5)
			w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 5)
			_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
			must(t, err)
			tt.meanwhile(w, order)
			w.CheckInvariants()
			_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
			if core.KindOf(err) != tt.want || (err == nil) != (tt.want == 0) {
				t.Errorf("undoing it: %v", err)
			}
			if n := w.Value("select count(*) from offers where order_id = $1", order.ID); n != tt.offers {
				t.Errorf("%d offers are open, want %d", n, tt.offers)
			}
			if n := w.lapsedNotices(w.Bob); n != tt.notified {
				t.Errorf("the seller has %d notices, want %d", n, tt.notified)
			}
			if n := w.Value("select count(*) from orders where status = 'active' and archived_at is not null"); n != 0 {
				t.Error("an active request is archived")
			}
			w.CheckInvariants()
			w.UndoWindowPasses()
			w.CheckInvariants()
			if n := w.Value("select count(*) from closings") + w.Value("select count(*) from lapsed_offers"); n != 0 {
				t.Errorf("%d rows are left", n)
			}
		})
	}
}

func TestAFillingAcceptCannotBeUndoneOnceItsSellerIsGone(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(w *world){
		"who left":    func(w *world) { must(w.T, w.DeleteUser(w.T.Context(), w.Bob.UserID)) },
		"who blocked": func(w *world) { must(w.T, w.Moderation.BlockUser(w.T.Context(), w.Moderator(), w.Bob.UserID, "Spam")) },
	} {
		for _, offered := range []int{10, 12} { // all of it was accepted, or the rest lapsed
			w := newWorld(t)
			order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 12 })
			_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 2})
			must(t, err)
			offer := w.OfferOn(w.Bob, order, offered)
			w.OfferOn(w.Cat, order, 1)
			done, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 10)
			must(t, err)
			meanwhile(w)
			_, err = w.Trade.UndoSale(t.Context(), w.Ann, done.Sale.ID)
			wantKind(t, err, core.Conflict)
			if w.stored(order.ID).Status != trade.Fulfilled || w.Value("select count(*) from offers") != 0 {
				t.Errorf("%s: half of it was undone", name)
			}
			w.CheckInvariants()
		}
	}
}

func TestNoticesOfAClosingLeaveOnceAcrossReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		order := w.Post(w.Ann)
		w.OfferOn(w.Bob, order, 5)
		_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
		must(t, err)
	}
	w.Clock.Forward(core.UndoWindow)
	for _, err := range atOnce(6, func(int) error { _, err := w.Trade.NotifyClosings(t.Context(), 3); return err }) {
		must(t, err)
	}
	_, err := w.Trade.NotifyClosings(t.Context(), 5)
	must(t, err)
	if n := w.lapsedNotices(w.Bob); n != 5 {
		t.Errorf("%d notices for 5 offers", n)
	}
	w.CheckInvariants()
}

// Everything that may happen to a closed request at the same time happens: what is stored is right whichever comes first.
func TestUndoingAClosingRacesEverythingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	due := market.New(w.Store, market.Options{Now: func() time.Time { return w.Clock.Now().Add(core.UndoWindow) }})
	undone, gone := 0, 0
	for i := range 40 {
		order := w.Post(w.Ann)
		offer := w.OfferOn(w.Bob, order, 5)
		w.OfferOn(w.Cat, order, 10)
		_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
		must(t, err)
		errs := atOnce(6, func(n int) error {
			switch {
			case n < 3:
				_, err := w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
				return err
			case n == 3:
				_, err := due.Trade.NotifyClosings(context.Background(), 10)
				return err
			case n == 4 && i%4 == 0:
				return w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID)
			case n == 4 && i%4 == 1:
				return w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item")
			case n == 4 && i%4 == 2:
				return w.Moderation.BlockUser(t.Context(), mod, w.Bob.UserID, "Spam")
			default:
				_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
				return err
			}
		})
		for _, err := range errs {
			var refused *core.Error
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
		}
		if n := count(errs[:3], func(err error) bool { return err == nil }); n > 1 {
			t.Fatalf("undone %d times", n)
		} else if n == 1 {
			undone++
		} else {
			gone++
		}
		if i%4 == 2 {
			must(t, w.Moderation.UnblockUser(t.Context(), mod, w.Bob.UserID))
		}
	}
	t.Logf("undone %d, too late %d", undone, gone)
	w.CheckInvariants()
	w.UndoWindowPasses()
	w.CheckInvariants()
}

func TestUndoingTheFillingSaleRacesItselfAndTheNotices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	due := market.New(w.Store, market.Options{Now: func() time.Time { return w.Clock.Now().Add(core.UndoWindow) }})
	for range 20 {
		order := w.Post(w.Ann)
		offer := w.OfferOn(w.Bob, order, 8)
		w.OfferOn(w.Cat, order, 10)
		first, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 4)
		must(t, err)
		logged, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 6})
		must(t, err)
		errs := atOnce(5, func(n int) error {
			switch n {
			case 0, 1:
				_, err := w.Trade.UndoSale(t.Context(), w.Ann, first.Sale.ID)
				return err
			case 2, 3:
				_, err := w.Trade.UndoSale(t.Context(), w.Ann, logged.Sale.ID)
				return err
			default:
				_, err := due.Trade.NotifyClosings(context.Background(), 10)
				return err
			}
		})
		firsts := count(errs[:2], func(err error) bool { return err == nil })
		loggeds := count(errs[2:4], func(err error) bool { return err == nil })
		if now := w.stored(order.ID); firsts > 1 || loggeds > 1 || now.Sold != 10-4*firsts-6*loggeds || (now.Status == trade.Active) != (firsts+loggeds > 0) {
			t.Fatalf("undone %d and %d times, %+v: %v", firsts, loggeds, now, errs)
		}
	}
	w.CheckInvariants()
}

func TestAnOlderProgramClosesWithoutUndo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	must(t, w.SQL("update orders set status = 'fulfilled', progress = 100, close_reason = 'closed_early', closed_at = $1, version = version + 1 where id = $2",
		w.Clock.Now(), order.ID))
	_, err := w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Conflict)
	if w.SQL("update orders set status = 'active', progress = 0, close_reason = null, closed_at = null where id = $1", order.ID) == nil {
		t.Error("status went back without a reopening")
	}
	w.CheckInvariants()
}
