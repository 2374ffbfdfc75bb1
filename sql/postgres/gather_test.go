package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// AddNotices holds offers as gatherUntil says, for readers who wish it.
func TestOffersAreHeldAsTheRuleSays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		w := newWorld(t)
		random := rand.New(rand.NewPCG(seed, 1))
		gathers := seed > 0
		_, err := w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{GatherOffers: gathers})
		must(t, err)
		order := w.Post(w.Ann)
		var earlier []offerTime
		held := 0
		for n := range 30 {
			w.Clock.Forward(time.Duration(random.IntN(30)) * time.Minute)
			now := w.Clock.Now()
			_, err := w.Trade.SendOffer(t.Context(), core.Actor{}, order.ID, trade.OfferDraft{
				SellerName: fmt.Sprint("Visitor ", n), SellerContact: "visitor", Message: "hello", Quantity: 1,
			})
			must(t, err)
			var got *time.Time
			must(t, w.Store.Pool().QueryRow(t.Context(), "select hold_until from notices where kind = 'offer_received' order by id desc limit 1").Scan(&got))
			want := gatherUntil(earlier, now)
			if !gathers {
				want = time.Time{}
			}
			one := offerTime{At: now, HoldUntil: want}
			if earlier = append(earlier, one); got == nil {
				got = &time.Time{}
			} else {
				held++
			}
			if !got.Equal(want) && want.Sub(*got).Abs() > time.Millisecond {
				t.Fatalf("seed %d: at %v held until %v, want %v", seed, now, got, want)
			}
		}
		if gathers && held < 5 {
			t.Errorf("seed %d: only %d were held", seed, held)
		}
	}
}

// offerTime says when a reader was notified of an offer.
type offerTime struct {
	At        time.Time
	HoldUntil time.Time // zero for one that was not held
}

// gatherUntil returns until when a new offer is held for a reader who has offers gathered; zero when it is
// sent at once. earlier are the reader's offers before it. The statement of AddNotices computes the same for many readers at once.
func gatherUntil(earlier []offerTime, now time.Time) time.Time {
	var held, last time.Time
	recent := 0
	for _, o := range earlier {
		if !o.At.After(now.Add(-2 * notify.GatherEvery)) {
			continue
		}
		if o.HoldUntil.After(held) {
			held = o.HoldUntil
		}
		if o.At.After(now.Add(-notify.GatherEvery)) {
			recent++
			last = slices.MaxFunc([]time.Time{last, o.At}, time.Time.Compare)
		}
	}
	switch {
	case held.After(now): // it joins those that wait
		return held
	case held.Add(notify.GatherEvery).After(now):
		return held.Add(notify.GatherEvery)
	case recent >= notify.GatherAfter:
		return last.Add(notify.GatherEvery)
	}
	return time.Time{}
}

func TestOffersAreGatheredAfterTheThirdInAnHour(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	var earlier []offerTime
	for _, tt := range []struct{ minute, held int }{
		{0, 0}, {5, 0}, {10, 0}, // one by one
		{12, 70}, {30, 70}, {69, 70}, // together, an hour after the third
		{71, 130}, {129, 130}, // within an hour of that message
		{195, 0}, {200, 0}, {201, 0}, // a quiet hour has passed
		{202, 261},
	} {
		got := gatherUntil(earlier, at(tt.minute))
		if want := at(tt.held); got.IsZero() != (tt.held == 0) || !got.IsZero() && !got.Equal(want) {
			t.Errorf("after %d minutes it is held until %v, want minute %d", tt.minute, got, tt.held)
		}
		earlier = append(earlier, offerTime{At: at(tt.minute), HoldUntil: got})
	}
}
