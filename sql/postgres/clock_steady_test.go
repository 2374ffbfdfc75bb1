package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/waits"
)

// lostLetters never arrive, and nothing comes back.
type lostLetters struct{ sent []channels.Delivery }

// SendDM implements core.DMSender.
func (l *lostLetters) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	if d.FindOnly {
		return notify.SentDM{}, nil // it is not there
	}
	l.sent = append(l.sent, d)
	return notify.SentDM{}, errors.New("nothing came back")
}

// While the clock may be wrong no notice expires, neither one that was never sent nor one whose message may be there.
func TestNoNoticeExpiresUntilTheClockIsSteady(t *testing.T) {
	t.Parallel()
	const wait = 40 * time.Second
	const apart = 30 * time.Second // of the two offers: the first has expired before the second
	for _, tt := range []struct {
		name    string
		tried   bool // a message was sent, and nothing came back
		deliver int  // the notice whose turn it is
	}{
		{"never sent", false, 0},
		{"its message may be there", true, 0},
		{"another in its message seems too old", true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			steady := wait
			market := market.New(w.Store, market.Options{Now: w.Clock.Now, Steady: func() time.Duration { return steady }})
			letters := &lostLetters{}
			order := w.Post(w.Ann)
			var notices []core.NoticeID
			for _, seller := range []core.Actor{w.Bob, w.Cat} {
				offer := w.OfferOn(seller, order, 1)
				notices = append(notices, core.NoticeID(w.Value("select id from notices where offer_id = $1", int64(offer.ID))))
				w.Clock.Forward(apart)
			}
			if tt.tried {
				if err := market.Channels.DeliverNotice(t.Context(), letters, notices[0]); err == nil || len(letters.sent) != 1 || len(letters.sent[0].Notices) != 2 {
					t.Fatalf("the first attempt: %v, %+v", err, letters.sent)
				}
			}
			w.Clock.Forward(notify.NoticeLifetime - apart - apart/2)
			state := func() int {
				return w.Value("select count(*) from notices where state = 'expired' and id = $1", int64(notices[0]))
			}
			var later *channels.RetryLater
			if err := market.Channels.DeliverNotice(t.Context(), letters, notices[tt.deliver]); !errors.As(err, &later) || later.After != wait || state() != 0 {
				t.Errorf("while the clock is not steady: %v, %d expired", err, state())
			}
			steady = 0
			w.Clock.Forward(notify.MaxRetryWait) // since the attempt of unknown outcome
			if err := market.Channels.DeliverNotice(t.Context(), letters, notices[0]); state() != 1 {
				t.Errorf("once it is steady: %v, %d expired", err, state())
			}
		})
	}
}

// A use that a clock stored a year ahead counts as one of now: a quota is never waited for longer than it lasts.
func TestAQuotaIsNotWaitedForLongerThanItLasts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	quota := core.Quota{Limit: 1, Per: time.Hour}
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now, Quotas: core.Quotas{Offers: quota}})
	w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	must(t, w.SQL("update sent_offers set created_at = $1", w.Clock.Now().AddDate(1, 0, 0)))
	offer := func() error {
		draft := trade.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have it", Quantity: 1}
		_, err := w.Trade.SendOffer(t.Context(), w.Bob, w.Post(w.Ann).ID, draft)
		return err
	}
	var failed *core.Error
	if err := offer(); !errors.As(err, &failed) || core.KindOf(err) != core.TooMany || failed.RetryAfter > quota.Per || failed.RetryAfter <= 0 {
		t.Errorf("an offer beyond the quota: %v, retry after %s", err, failed.RetryAfter)
	}
	if _, err := waits.BringBack(t.Context(), w.Store.Pool(), w.Clock.Now, waits.All); err != nil {
		t.Fatal(err)
	}
	w.Clock.Forward(quota.Per + time.Second)
	must(t, offer())
}
