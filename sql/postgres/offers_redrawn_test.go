package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

func TestMessagesAboutOffersAreDrawnAgainOnceForManyCounts(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	buyer, seller, other := r.SignUp("buyer"), r.SignUp("seller"), r.SignUp("other")
	order := r.Post(buyer)
	sender := storetest.NewDMSender()
	r.StartQueue(sender)
	offer := r.OfferOn(seller, order, 2)
	sender.Next(t)
	r.Settled()
	r.Clock.Forward(notify.BatchWindow)
	r.OfferOn(other, order, 3)
	sender.Next(t)
	r.Settled()
	for range 3 {
		_, err := r.Trade.LogSale(t.Context(), buyer, order.ID, trade.SaleDraft{Quantity: 1})
		must(t, err)
	}
	if n := r.Value("select count(*) from river_job where args ? 'redraw' and state = 'scheduled' and scheduled_at > now() + interval '2 minutes'"); n != 2 {
		t.Errorf("%d messages wait to be drawn again after three sales, want 2", n)
	}
	_, err := r.Trade.AcceptOffer(t.Context(), buyer, offer.ID, 1)
	must(t, err)
	drawn := sender.Next(t)
	for !drawn.EditOnly { // what the seller is told
		drawn = sender.Next(t)
	}
	if len(drawn.Offers) != 1 || drawn.Offers[0].Offer.Quantity != 1 {
		t.Errorf("after the accept the first message is drawn as %+v", drawn)
	}
}

// A message that can't be drawn again at present, because Discord limits edits of old ones or is away, waits alone.
func TestAMessageThatCannotBeDrawnAgainDelaysNoOther(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]error{"limited": &channels.RetryLater{After: 20 * time.Minute}, "away": errors.New("connection reset")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTrader(t)
			buyer := r.SignUp("buyer")
			order := r.Post(buyer)
			first := r.OfferOn(r.SignUp("seller"), order, 2)
			sender := &editsFail{failure: failure}
			deliver := func() {
				t.Helper()
				page, err := r.Notify.Notices(t.Context(), buyer, 0, 10)
				must(t, err)
				must(t, r.Channels.DeliverNotice(t.Context(), sender, page.Notices[0].ID))
			}
			deliver()
			page, err := r.Notify.Notices(t.Context(), buyer, 0, 10)
			must(t, err)
			must(t, r.Trade.DeleteOffer(t.Context(), buyer, first.ID))
			if err := r.Channels.RedrawNotice(t.Context(), sender, page.Notices[0].ID, ""); !errors.As(err, new(*channels.RetryLater)) {
				t.Fatalf("drawing it again returns %v", err)
			}
			r.OfferOn(r.SignUp("another"), order, 3)
			deliver()
			if sender.sent != 2 {
				t.Errorf("%d messages were sent, want 2", sender.sent)
			}
		})
	}
}

// editsFail is a sender whose edits fail.
type editsFail struct {
	failure error
	sent    int
}

func (s *editsFail) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	if d.MessageID != "" {
		return notify.SentDM{}, s.failure
	}
	s.sent++
	return notify.SentDM{ChannelID: "1", MessageID: fmt.Sprint(s.sent)}, nil
}

// A press on a message whose sending is not noted yet has the last word, too: the message is not drawn again behind its answer.
func TestAMessageThatIsActedOnWhileItIsSentIsNotDrawnAgain(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	buyer := r.SignUp("buyer")
	offer := r.OfferOn(r.SignUp("seller"), r.Post(buyer), 2)
	page, err := r.Notify.Notices(t.Context(), buyer, 0, 10)
	must(t, err)
	id := page.Notices[0].ID
	sender := &pressed{press: func() {
		presses := buyer
		presses.ActsOn = "1"
		must(t, r.Trade.DeleteOffer(t.Context(), presses, offer.ID))
	}}
	must(t, r.Channels.DeliverNotice(t.Context(), sender, id))
	rows, err := connect(t, r.DSN).Query(t.Context(), "select coalesce(args->>'except', '') from river_job where args @> $1", map[string]any{"notice": id, "redraw": true})
	must(t, err)
	excepts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if !slices.Equal(excepts, []string{"1"}) {
		t.Fatalf("it is drawn again except %q", excepts)
	}
	must(t, r.Channels.RedrawNotice(t.Context(), sender, id, "1"))
	if sender.edits != 0 {
		t.Error("the answer was drawn over")
	}
	must(t, r.Channels.RedrawNotice(t.Context(), sender, id, ""))
	if sender.edits != 1 {
		t.Errorf("%d edits for somebody else's change", sender.edits)
	}
}

// pressed is a sender whose message is acted on before its sending is noted.
type pressed struct {
	press func()
	edits int
}

func (s *pressed) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	if d.MessageID != "" {
		s.edits++
	} else {
		s.press()
	}
	return notify.SentDM{ChannelID: "1", MessageID: "1"}, nil
}
