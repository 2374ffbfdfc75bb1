package postgres_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// noticesOf lists the kinds of a user's notices, oldest first.
func (w *world) noticesOf(who core.Actor) []notify.Kind {
	w.T.Helper()
	page, err := w.Notify.Notices(w.T.Context(), who, 0, 100)
	must(w.T, err)
	var kinds []notify.Kind
	for _, n := range slices.Backward(page.Notices) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func TestOtherOffersLapseWhenOneFillsTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	w.OfferOn(core.Actor{Address: "::1"}, order, 4) // a visitor, who gets no notices
	filling := w.OfferOn(w.Cat, order, 10)
	_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, filling.ID, 10)
	must(t, err)
	if n := w.Value("select count(*) from offers"); n != 0 {
		t.Errorf("%d offers are still open", n)
	}
	w.UndoWindowPasses()
	for seller, want := range map[*core.Actor]struct {
		kind  notify.Kind
		state trade.OfferState
	}{&w.Bob: {notify.NoticeOfferLapsed, trade.OfferLapsed}, &w.Cat: {notify.NoticeOfferAccepted, trade.OfferAccepted}} {
		if kinds := w.noticesOf(*seller); !slices.Equal(kinds, []notify.Kind{want.kind}) {
			t.Errorf("%s has the notices %v, want %s", seller.Username, kinds, want.kind)
		}
		sent, err := w.Trade.SentOffers(t.Context(), *seller, 0, 10)
		must(t, err)
		if sent[0].State != want.state {
			t.Errorf("the record of %s says %s, want %s", seller.Username, sent[0].State, want.state)
		}
	}
	if kinds := w.noticesOf(w.Ann); !slices.Contains(kinds, notify.NoticeOrderFilled) {
		t.Errorf("the buyer's notices are %v", kinds)
	}
	if n := w.Value("select count(*) from notices where user_id not in ($1, $2, $3)", w.Ann.UserID, w.Bob.UserID, w.Cat.UserID); n != 0 {
		t.Errorf("%d notices have no reader", n)
	}
	w.CheckInvariants()
}

func TestNoticeContentsAndReaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.BuyerContact = "ann_at_the_docks" })
	newest := func(who core.Actor) notify.Notice {
		t.Helper()
		page, err := w.Notify.Notices(ctx, who, 0, 1)
		must(t, err)
		if len(page.Notices) == 0 {
			t.Fatalf("%s has no notices", who.Username)
		}
		return page.Notices[0]
	}
	wants := func(n notify.Notice, kind notify.Kind, quantity int, contact string) {
		t.Helper()
		if n.Kind != kind || n.Quantity != quantity || n.Contact != contact || n.ItemName != "Iron Ore" || n.State != notify.NoticePending {
			t.Errorf("the notice is %+v, want %s of %d, %s", n, kind, quantity, contact)
		}
	}
	bobs := w.OfferOn(w.Bob, order, 6)
	wants(newest(w.Ann), notify.NoticeOfferReceived, 6, "bob")
	_, err := w.Trade.AcceptOffer(ctx, w.Ann, bobs.ID, 4)
	must(t, err)
	wants(newest(w.Bob), notify.NoticeOfferAccepted, 4, "ann_at_the_docks")
	must(t, w.Trade.DeleteOffer(ctx, w.Ann, bobs.ID))
	wants(newest(w.Bob), notify.NoticeOfferDeclined, 2, "ann_at_the_docks")

	visitors := w.OfferOn(core.Actor{Address: "::1"}, order, 6)
	wants(newest(w.Ann), notify.NoticeOfferReceived, 6, "seller")
	before := w.Value("select count(*) from notices")
	_, err = w.Trade.AcceptOffer(ctx, w.Ann, visitors.ID, 6)
	must(t, err)
	wants(newest(w.Ann), notify.NoticeOrderFilled, 10, "")
	if n := w.Value("select count(*) from notices"); n != before+1 {
		t.Errorf("%d were notified when a visitor's offer filled the request, want its buyer", n-before)
	}
	w.CheckInvariants()
}

func TestTheBuyerIsWarnedSevenDaysBeforeTheEndAndNoSooner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Ann)
	for _, tt := range []struct {
		wait time.Duration
		want int
	}{{358*24*time.Hour - time.Second, 0}, {time.Second, 1}, {time.Second, 0}} { // of 365 days
		w.Clock.Forward(tt.wait)
		if _, warned, err := w.Trade.ExpireOrders(t.Context(), 10); err != nil || warned != tt.want {
			t.Errorf("%s later %d were warned (%v), want %d", tt.wait, warned, err, tt.want)
		}
	}
}
