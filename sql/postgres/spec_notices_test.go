package postgres_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
)

// told lists what a user was told of, oldest first.
func (w *world) told(who core.Actor) []core.NoticeKind {
	w.t.Helper()
	page, err := w.Notices(w.t.Context(), who, 0, 100)
	must(w.t, err)
	var kinds []core.NoticeKind
	for _, n := range slices.Backward(page.Notices) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func TestAnOfferThatFillsTheRequestLetsTheOthersLapse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann)
	w.offer(w.bob, order, 2)
	w.offer(core.Actor{Address: "::1"}, order, 4) // a visitor, whom nobody can tell
	filling := w.offer(w.cat, order, 10)
	_, err := w.AcceptOffer(t.Context(), w.ann, filling.ID, 10)
	must(t, err)
	if n := w.value("select count(*) from offers"); n != 0 {
		t.Errorf("%d offers still stand", n)
	}
	for seller, want := range map[*core.Actor]struct {
		told  core.NoticeKind
		state core.OfferState
	}{&w.bob: {core.OfferHasLapsed, core.OfferLapsed}, &w.cat: {core.OfferTaken, core.OfferAccepted}} {
		if told := w.told(*seller); !slices.Equal(told, []core.NoticeKind{want.told}) {
			t.Errorf("%s is told %v, want %s", seller.Username, told, want.told)
		}
		sent, err := w.SentOffers(t.Context(), *seller, 0, 10)
		must(t, err)
		if sent[0].State != want.state {
			t.Errorf("the record of %s says %s, want %s", seller.Username, sent[0].State, want.state)
		}
	}
	if told := w.told(w.ann); !slices.Contains(told, core.OrderFilled) {
		t.Errorf("the buyer is told %v", told)
	}
	if n := w.value("select count(*) from notices where user_id not in ($1, $2, $3)", w.ann.UserID, w.bob.UserID, w.cat.UserID); n != 0 {
		t.Errorf("%d notices are for nobody", n)
	}
	w.keepsItsPromises()
}

func TestWhatANoticeTellsAndToWhom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.post(w.ann, func(d *core.OrderDraft) { d.BuyerContact = "ann_at_the_docks" })
	newest := func(who core.Actor) core.Notice {
		t.Helper()
		page, err := w.Notices(ctx, who, 0, 1)
		must(t, err)
		if len(page.Notices) == 0 {
			t.Fatalf("%s is told nothing", who.Username)
		}
		return page.Notices[0]
	}
	wants := func(n core.Notice, kind core.NoticeKind, quantity int, contact string) {
		t.Helper()
		if n.Kind != kind || n.Quantity != quantity || n.Contact != contact || n.ItemName != "Iron Ore" || n.State != core.NoticePending {
			t.Errorf("told %+v, want %s of %d, %s", n, kind, quantity, contact)
		}
	}
	bobs := w.offer(w.bob, order, 6)
	wants(newest(w.ann), core.OfferReceived, 6, "bob")
	_, err := w.AcceptOffer(ctx, w.ann, bobs.ID, 4)
	must(t, err)
	wants(newest(w.bob), core.OfferTaken, 4, "ann_at_the_docks")
	must(t, w.DeleteOffer(ctx, w.ann, bobs.ID))
	wants(newest(w.bob), core.OfferRefused, 2, "ann_at_the_docks")

	visitors := w.offer(core.Actor{Address: "::1"}, order, 6)
	wants(newest(w.ann), core.OfferReceived, 6, "seller")
	before := w.value("select count(*) from notices")
	_, err = w.AcceptOffer(ctx, w.ann, visitors.ID, 6)
	must(t, err)
	wants(newest(w.ann), core.OrderFilled, 10, "")
	if n := w.value("select count(*) from notices"); n != before+1 {
		t.Errorf("%d were told when a visitor's offer filled the request, want its buyer", n-before)
	}
	w.keepsItsPromises()
}

func TestTheBuyerIsWarnedSevenDaysBeforeTheEndAndNoSooner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.post(w.ann)
	for _, tt := range []struct {
		wait time.Duration
		want int
	}{{358*24*time.Hour - time.Second, 0}, {time.Second, 1}, {time.Second, 0}} { // of 365 days
		w.clock.forward(tt.wait)
		if _, warned, err := w.ExpireOrders(t.Context(), 10); err != nil || warned != tt.want {
			t.Errorf("%s later %d were warned (%v), want %d", tt.wait, warned, err, tt.want)
		}
	}
}
