package postgres_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

func TestRepeatHasNoEffectAndReturnsTheSameAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	draft := trade.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	first, err := w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), draft)
	must(t, err)
	again, err := w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), draft)
	must(t, err)
	storetest.Same(t, first, again)

	visitor := storetest.Keyed(core.Actor{Address: "192.0.2.1"}, "offer")
	offer := trade.OfferDraft{SellerName: "V", SellerContact: "v", Message: "m", Quantity: 4}
	sent, err := w.Trade.SendOffer(ctx, visitor, first.ID, offer)
	must(t, err)
	sentAgain, err := w.Trade.SendOffer(ctx, visitor, first.ID, offer)
	must(t, err)
	sent.Link, sentAgain.Link = "", "" // a link is told once
	storetest.Same(t, sent, sentAgain)

	taken, err := w.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "accept"), sent.Offer.ID, 4)
	must(t, err)
	takenAgain, err := w.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "accept"), sent.Offer.ID, 4)
	must(t, err)
	storetest.Same(t, taken, takenAgain)

	must(t, w.Trade.DeleteOrder(ctx, storetest.Keyed(w.Ann, "delete"), first.ID))
	must(t, w.Trade.DeleteOrder(ctx, storetest.Keyed(w.Ann, "delete"), first.ID))
	w.CheckInvariants()
}

func TestAKeyIsForOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	draft := trade.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	order, err := w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "k"), draft)
	must(t, err)

	other := draft
	other.Quantity = 11
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "k"), other)
	wantKind(t, err, core.Invalid)
	_, err = w.Trade.CloseOrder(ctx, storetest.Keyed(w.Ann, "k"), order.ID)
	wantKind(t, err, core.Invalid)

	// It is Ann's key: Bob's is another.
	bobs, err := w.Trade.PostOrder(ctx, storetest.Keyed(w.Bob, "k"), draft)
	must(t, err)
	if bobs.Owner != w.Bob.UserID {
		t.Errorf("Bob got Ann's answer: %+v", bobs)
	}
	// A failed write stores nothing: it may be retried under its key.
	_, err = w.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "accept"), 99, 1)
	wantKind(t, err, core.NotFound)
	offer := w.OfferOn(w.Bob, order, 1)
	_, err = w.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "accept"), offer.ID, 1)
	must(t, err)
}

func TestConcurrentRepeatsHaveOneEffect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 30 {
		order := w.Post(w.Ann)
		offer := w.OfferOn(w.Bob, order, 3)
		answers := make([]trade.Acceptance, 8)
		key := fmt.Sprintf("accept-%d", order.ID)
		for _, err := range atOnce(len(answers), func(i int) (err error) {
			answers[i], err = w.Trade.AcceptOffer(t.Context(), storetest.Keyed(w.Ann, key), offer.ID, 3)
			return err
		}) {
			must(t, err)
		}
		for _, a := range answers {
			storetest.Same(t, answers[0], a)
		}
		if stored := w.stored(order.ID); stored.Sold != 3 {
			t.Fatalf("sold %d, want 3", stored.Sold)
		}
	}
	posts := make([]trade.Order, 8)
	for _, err := range atOnce(len(posts), func(i int) (err error) {
		posts[i], err = w.Trade.PostOrder(t.Context(), storetest.Keyed(w.Ann, "post"), trade.OrderDraft{ItemName: "I", Quantity: 1, MaxPrice: 1, BuyerContact: "a"})
		return err
	}) {
		must(t, err)
	}
	for _, o := range posts {
		storetest.Same(t, posts[0], o)
	}
	w.CheckInvariants()
}

func TestAKeyIsStoredWithoutTheVisitorsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	_, err := w.Trade.SendOffer(t.Context(), storetest.Keyed(core.Actor{Address: "192.0.2.77"}, "k"), order.ID,
		trade.OfferDraft{SellerName: "V", SellerContact: "v", Message: "m", Quantity: 4})
	must(t, err)
	if n := w.Value("select count(*) from claims where convert_from(name, 'LATIN1') like '%192.0.2%' or convert_from(answer, 'UTF8') like '%192.0.2%'"); n != 0 {
		t.Error("the address of a visitor is stored with their key")
	}
}

func TestAnswerThatCannotBeStoredIsNotReturned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	boom := errors.New("boom")
	err := w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		claim := core.Claim{Names: []core.ClaimName{{Scope: "user 1", Key: "k"}}, Digest: []byte("d"), CreatedAt: w.Clock.Now()}
		kept, err := tx.Claim(context.Background(), claim)
		if kept != nil || err != nil {
			t.Errorf("%v, %v", kept, err)
		}
		claim.Answer = []byte("{}")
		must(t, tx.SaveAnswer(context.Background(), claim))
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	if n := w.Value("select count(*) from claims"); n != 0 {
		t.Error("a key was kept for a write that did not happen")
	}
}

func TestARepeatOfAWriteThatReadsNothingIsKnownToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	quiet := notify.Settings{QuietFrom: 60, QuietTo: 120}
	_, err := w.Notify.SetSettings(t.Context(), storetest.Keyed(w.Ann, "k"), quiet)
	must(t, err)
	_, err = w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{})
	must(t, err)
	again, err := w.Notify.SetSettings(t.Context(), storetest.Keyed(w.Ann, "k"), quiet)
	must(t, err)
	storetest.Same(t, quiet, again)
	stored, _, err := w.Notify.Settings(t.Context(), w.Ann)
	must(t, err)
	if stored.QuietFrom != 0 {
		t.Error("the repeat had an effect")
	}
	_, err = w.Notify.SetSettings(t.Context(), storetest.Keyed(w.Ann, "k"), notify.Settings{})
	wantKind(t, err, core.Invalid)
}

func visitorOffer() trade.OfferDraft {
	return trade.OfferDraft{SellerName: "V", SellerContact: "v", Message: "m", Quantity: 4}
}

const roamingKey = "0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11"

func TestAVisitorsRetryFromAnotherAddressIsTheSameOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	from := func(address, key string, draft trade.OfferDraft) (trade.SendOfferResult, bool, error) {
		repeated := false
		sent, err := w.Trade.SendOffer(t.Context(), core.Actor{Address: address, Key: key, Repeated: &repeated}, order.ID, draft)
		return sent, repeated, err
	}
	first, repeated, err := from("192.0.2.1", roamingKey, visitorOffer())
	must(t, err)
	if repeated {
		t.Error("the first one counts as a repeat")
	}
	second, repeated, err := from("2001:db8::/64", roamingKey, visitorOffer())
	must(t, err)
	if first.Link == "" || second.Link == "" || first.Link == second.Link {
		t.Errorf("the links are %q and %q", first.Link, second.Link)
	}
	first.Link, second.Link = "", ""
	storetest.Same(t, first, second)
	if !repeated {
		t.Error("the repeat does not count as one")
	}
	// Who has the key and not the content learns nothing but that the key is taken.
	other := visitorOffer()
	other.Quantity++
	_, _, err = from("198.51.100.9", roamingKey, other)
	wantKind(t, err, core.Invalid)
	if !core.KeyReused(err) {
		t.Errorf("got %v", err)
	}
	// A key that another visitor may have chosen too counts for one address.
	short := roamingKey[:core.MinRoamingKey-1]
	for _, address := range []string{"192.0.2.1", "192.0.2.2"} {
		_, repeated, err = from(address, short, visitorOffer())
		must(t, err)
		if repeated {
			t.Errorf("a short key is taken for another visitor's from %s", address)
		}
	}
	if n := w.Value("select count(*) from offers"); n != 3 {
		t.Errorf("%d offers, want 3", n)
	}
}

func TestAVisitorsRetriesFromManyAddressesAtOnceAreOneOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*market.Market{w.Market, market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now})}
	order := w.Post(w.Ann)
	for _, err := range atOnce(20, func(i int) error {
		actor := core.Actor{Address: fmt.Sprintf("192.0.2.%d", i), Key: roamingKey}
		_, err := replicas[i%2].Trade.SendOffer(t.Context(), actor, order.ID, visitorOffer())
		return err
	}) {
		must(t, err)
	}
	if n := w.Value("select count(*) from offers"); n != 1 {
		t.Errorf("%d offers, want 1", n)
	}
}

// What an earlier version stores is found by this one, and the other way round: both may run at the same time.
func TestAWriteIsFoundUnderTheNamesOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	press := w.Ann
	press.Key, press.OtherKey = "press-1", "discord-1"
	earlier := storetest.Keyed(w.Ann, "discord-1")
	sale := trade.SaleDraft{Quantity: 1}
	first, err := w.Trade.LogSale(t.Context(), earlier, order.ID, sale)
	must(t, err)
	again, err := w.Trade.LogSale(t.Context(), press, order.ID, sale)
	must(t, err)
	storetest.Same(t, first, again)

	press.Key, press.OtherKey = "press-2", "discord-2"
	first, err = w.Trade.LogSale(t.Context(), press, order.ID, sale)
	must(t, err)
	for _, key := range []string{"press-2", "discord-2"} {
		again, err = w.Trade.LogSale(t.Context(), storetest.Keyed(w.Ann, key), order.ID, sale)
		must(t, err)
		storetest.Same(t, first, again)
	}
	visitor := core.Actor{Address: "192.0.2.1", Key: roamingKey}
	_, err = w.Trade.SendOffer(t.Context(), visitor, order.ID, visitorOffer())
	must(t, err)
	sum := sha256.Sum256([]byte("visitor 192.0.2.1\x00" + roamingKey)) // as version 1 names it
	if n := w.Value("select count(*) from claims where name = $1", sum[:]); n != 1 {
		t.Error("an earlier version would not find the visitor's offer")
	}
	if sold := w.stored(order.ID).Sold; sold != 2 {
		t.Errorf("sold %d, want 2", sold)
	}
}

func TestWhetherAWriteHasHappened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	actor := storetest.Keyed(w.Ann, "k")
	want := func(what string, want bool) {
		t.Helper()
		if got, err := w.WasCommitted(t.Context(), actor); err != nil || got != want {
			t.Errorf("%s: happened %v (%v), want %v", what, got, err, want)
		}
	}
	want("before", false)
	_, err := w.Trade.LogSale(t.Context(), actor, order.ID, trade.SaleDraft{Quantity: 11})
	wantKind(t, err, core.Invalid)
	want("after it was refused", false)

	// One that is in progress is waited for.
	answer := make(chan bool)
	err = w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		claim := core.Claim{Names: []core.ClaimName{{Scope: fmt.Sprintf("user %d", w.Ann.UserID), Key: "k"}}, CreatedAt: w.Clock.Now()}
		if _, err := tx.Claim(t.Context(), claim); err != nil {
			return err
		}
		if _, err := tx.LockOrder(t.Context(), order.ID); err != nil { // takes the lock of the claim
			return err
		}
		go func() {
			happened, err := w.WasCommitted(t.Context(), actor)
			answer <- happened && err == nil
		}()
		w.Eventually("select count(*) = 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'")
		claim.Digest, claim.Answer = []byte("d"), []byte("{}")
		return tx.SaveAnswer(t.Context(), claim)
	})
	must(t, err)
	if !<-answer {
		t.Error("a write in progress was taken for one that has not happened")
	}
	want("after", true)
}

// A write that was refused for good is carried out under no name that it shares with that, and one that was carried out is not refused.
func TestARefusedWriteIsNotCarriedOutLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	sell := func(actor core.Actor) error {
		_, err := w.Trade.LogSale(t.Context(), actor, order.ID, trade.SaleDraft{Quantity: 1})
		return err
	}
	actor, done := storetest.Keyed(w.Ann, "refused"), storetest.Keyed(w.Ann, "done")
	press := storetest.Keyed(w.Ann, "press")
	press.OtherKey = "refused"
	must(t, sell(done))
	for range 2 {
		if happened, err := w.Refuse(t.Context(), actor); err != nil || happened {
			t.Errorf("refused a write that has happened: %t, %v", happened, err)
		}
		if happened, err := w.Refuse(t.Context(), done); err != nil || !happened {
			t.Errorf("refused a write that has not happened: %t, %v", !happened, err)
		}
	}
	for _, by := range []core.Actor{actor, press} {
		if err := sell(by); !core.RefusedBefore(err) {
			t.Errorf("after it was refused: %v", err)
		}
		if happened, err := w.WasCommitted(t.Context(), by); err != nil || happened {
			t.Errorf("after it was refused it has happened: %t, %v", happened, err)
		}
	}
	must(t, sell(done)) // the stored answer
	if sold := w.stored(order.ID).Sold; sold != 1 {
		t.Errorf("sold %d, want 1", sold)
	}

	// Of a refusal and the write at the same time one is first.
	for i := range 20 {
		actor := storetest.Keyed(w.Ann, fmt.Sprint("at-once-", i))
		var happened bool
		var sold error
		for _, err := range atOnce(2, func(n int) (err error) {
			if n == 0 {
				happened, err = w.Refuse(t.Context(), actor)
				return err
			}
			sold = sell(actor)
			return nil
		}) {
			must(t, err)
		}
		if happened != (sold == nil) || sold != nil && !core.RefusedBefore(sold) {
			t.Errorf("refused: %t, sold: %v", !happened, sold)
		}
		order = w.Post(w.Ann)
	}
}
