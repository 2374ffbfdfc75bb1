package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// AddNotices holds offers as notify.GatherUntil says, for readers who wish it.
func TestOffersAreHeldAsTheRuleSays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		w := newWorld(t)
		random := rand.New(rand.NewPCG(seed, 1))
		gathers := seed > 0
		_, err := w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{GatherOffers: gathers})
		must(t, err)
		order := w.Post(w.Ann)
		var earlier []notify.OfferTime
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
			want := notify.GatherUntil(earlier, now)
			if !gathers {
				want = time.Time{}
			}
			one := notify.OfferTime{At: now, HoldUntil: want}
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
