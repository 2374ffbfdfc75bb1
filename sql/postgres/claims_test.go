package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tradepost/core"
)

func keyed(by core.Actor, key string) core.Actor {
	by.Key = key
	return by
}

func TestARepeatHasTheEffectOfOneAndGetsTheSameAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	draft := core.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	first, err := w.PostOrder(ctx, keyed(w.ann, "post"), draft)
	must(t, err)
	again, err := w.PostOrder(ctx, keyed(w.ann, "post"), draft)
	must(t, err)
	same(t, first, again)

	visitor := keyed(core.Actor{Address: "192.0.2.1"}, "offer")
	offer := core.OfferDraft{SellerName: "V", SellerContact: "v", Message: "m", Quantity: 4}
	sent, err := w.SendOffer(ctx, visitor, first.ID, offer)
	must(t, err)
	sentAgain, err := w.SendOffer(ctx, visitor, first.ID, offer)
	must(t, err)
	same(t, sent, sentAgain)

	taken, err := w.AcceptOffer(ctx, keyed(w.ann, "accept"), sent.Offer.ID, 4)
	must(t, err)
	takenAgain, err := w.AcceptOffer(ctx, keyed(w.ann, "accept"), sent.Offer.ID, 4)
	must(t, err)
	same(t, taken, takenAgain)

	must(t, w.DeleteOrder(ctx, keyed(w.ann, "delete"), first.ID))
	must(t, w.DeleteOrder(ctx, keyed(w.ann, "delete"), first.ID))
	w.keepsItsPromises()
}

func TestAKeyIsForOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	draft := core.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	order, err := w.PostOrder(ctx, keyed(w.ann, "k"), draft)
	must(t, err)

	other := draft
	other.Quantity = 11
	_, err = w.PostOrder(ctx, keyed(w.ann, "k"), other)
	wantKind(t, err, core.Invalid)
	_, err = w.CloseOrder(ctx, keyed(w.ann, "k"), order.ID)
	wantKind(t, err, core.Invalid)

	// It is Ann's key: Bob's is another.
	bobs, err := w.PostOrder(ctx, keyed(w.bob, "k"), draft)
	must(t, err)
	if bobs.Owner != w.bob.UserID {
		t.Errorf("Bob got Ann's answer: %+v", bobs)
	}
	// A refused write keeps nothing: it may be tried again under its key.
	_, err = w.AcceptOffer(ctx, keyed(w.ann, "accept"), 99, 1)
	wantKind(t, err, core.NotFound)
	offer := w.offer(w.bob, order, 1)
	_, err = w.AcceptOffer(ctx, keyed(w.ann, "accept"), offer.ID, 1)
	must(t, err)
}

func TestTheSameWriteAtOnceHasTheEffectOfOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 30 {
		order := w.post(w.ann)
		offer := w.offer(w.bob, order, 3)
		answers := make([]core.Acceptance, 8)
		key := fmt.Sprintf("accept-%d", order.ID)
		for _, err := range atOnce(len(answers), func(i int) (err error) {
			answers[i], err = w.AcceptOffer(t.Context(), keyed(w.ann, key), offer.ID, 3)
			return err
		}) {
			must(t, err)
		}
		for _, a := range answers {
			same(t, answers[0], a)
		}
		if stored := w.stored(order.ID); stored.Sold != 3 {
			t.Fatalf("sold %d, want 3", stored.Sold)
		}
	}
	posts := make([]core.Order, 8)
	for _, err := range atOnce(len(posts), func(i int) (err error) {
		posts[i], err = w.PostOrder(t.Context(), keyed(w.ann, "post"), core.OrderDraft{ItemName: "I", Quantity: 1, MaxPrice: 1, BuyerContact: "a"})
		return err
	}) {
		must(t, err)
	}
	for _, o := range posts {
		same(t, posts[0], o)
	}
	w.keepsItsPromises()
}

func TestAKeyDoesNotShowWhoseItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann)
	_, err := w.SendOffer(t.Context(), keyed(core.Actor{Address: "192.0.2.77"}, "k"), order.ID,
		core.OfferDraft{SellerName: "V", SellerContact: "v", Message: "m", Quantity: 4})
	must(t, err)
	if n := w.value("select count(*) from claims where convert_from(name, 'LATIN1') like '%192.0.2%' or convert_from(answer, 'UTF8') like '%192.0.2%'"); n != 0 {
		t.Error("the address of a visitor is stored with their key")
	}
}

func TestAnAnswerThatCannotBeKeptIsNotGiven(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	boom := errors.New("boom")
	err := w.store.Atomically(t.Context(), func(tx core.Tx) error {
		claim := core.Claim{Scope: "user 1", Key: "k", Digest: []byte("d"), CreatedAt: w.clock.now()}
		kept, err := tx.Claim(context.Background(), claim)
		if kept != nil || err != nil {
			t.Errorf("%v, %v", kept, err)
		}
		claim.Answer = []byte("{}")
		must(t, tx.Keep(context.Background(), claim))
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	if n := w.value("select count(*) from claims"); n != 0 {
		t.Error("a key was kept for a write that did not happen")
	}
}

func TestARepeatOfAWriteThatReadsNothingIsKnownToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	quiet := core.NoticeSettings{QuietFrom: 60, QuietTo: 120}
	_, err := w.SetNoticeSettings(t.Context(), keyed(w.ann, "k"), quiet)
	must(t, err)
	_, err = w.SetNoticeSettings(t.Context(), w.ann, core.NoticeSettings{})
	must(t, err)
	again, err := w.SetNoticeSettings(t.Context(), keyed(w.ann, "k"), quiet)
	must(t, err)
	same(t, quiet, again)
	stored, _, err := w.NoticeSettings(t.Context(), w.ann)
	must(t, err)
	if stored.QuietFrom != 0 {
		t.Error("the repeat had an effect")
	}
	_, err = w.SetNoticeSettings(t.Context(), keyed(w.ann, "k"), core.NoticeSettings{})
	wantKind(t, err, core.Invalid)
}
