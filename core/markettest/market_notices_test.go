package markettest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// expire does what the periodic job does, until nothing is left to do.
func (o *fixture) expire() (expired, warned int) {
	o.t.Helper()
	for ended := 2; ended == 2; {
		var err error
		ended, err = o.Trade.NotifyClosings(o.t.Context(), 2)
		must(o.t, err)
	}
	for {
		e, w, err := o.Trade.ExpireOrders(o.t.Context(), 2)
		must(o.t, err)
		expired, warned = expired+e, warned+w
		if e < 2 && w < 2 {
			return expired, warned
		}
	}
}

// kinds are those of a user's notices, oldest first.
func (o *fixture) kinds(of core.Actor) (kinds []notify.Kind) {
	o.t.Helper()
	for _, n := range o.inbox(of) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func (o *fixture) wantKinds(of core.Actor, want ...notify.Kind) {
	o.t.Helper()
	if got := o.kinds(of); !slices.Equal(got, want) {
		o.t.Errorf("%s has the notices %v, want %v", of.Username, got, want)
	}
}

func TestBuyersAreWarnedOnceSevenDaysAhead(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.pass(trade.OrderLifetime - trade.ExpiryWarning - time.Second)
	if _, warned := o.expire(); warned != 0 {
		t.Errorf("%d were warned more than seven days ahead", warned)
	}
	o.pass(time.Second)
	if _, warned := o.expire(); warned != 1 {
		t.Errorf("%d were warned seven days ahead", warned)
	}
	o.pass(24 * time.Hour)
	if _, warned := o.expire(); warned != 0 {
		t.Error("warned twice")
	}
	o.wantKinds(o.ann, notify.NoticeOrderExpiring)
	if n := o.last(o.ann, notify.NoticeOrderExpiring); n.OrderID != order.ID || n.ItemName != order.ItemName || n.Quantity != order.Remaining() {
		t.Errorf("got %+v", n)
	}

	renewed, err := o.Trade.RenewOrder(t.Context(), o.ann, order.ID)
	must(t, err)
	o.expire()
	o.wantKinds(o.ann, notify.NoticeOrderExpiring)
	o.pass(renewed.ExpiresAt.Sub(o.clock()) - trade.ExpiryWarning)
	o.expire()
	o.wantKinds(o.ann, notify.NoticeOrderExpiring, notify.NoticeOrderExpiring)
	o.checkInvariants()
}

func TestEndedRequestsSendNoExpiryWarning(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	closed, gone := o.post(o.ann), o.post(o.ann)
	_, err := o.Trade.CloseOrder(t.Context(), o.ann, closed.ID)
	must(t, err)
	must(t, o.Trade.DeleteOrder(t.Context(), o.ann, gone.ID))
	late := o.post(o.ann)
	o.pass(late.ExpiresAt.Sub(o.clock())) // expired before anybody could warn
	if expired, warned := o.expire(); expired != 1 || warned != 0 {
		t.Errorf("expired %d, want the late one; warned %d", expired, warned)
	}
	o.wantKinds(o.ann)
}

func TestOffersLapseWhenTheirRequestEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end   func(*fixture, trade.Order)
		why   string
		leads bool // the notice leads to the request
		owner []notify.Kind
	}{
		"it expires": {
			func(o *fixture, order trade.Order) { o.pass(trade.OrderLifetime); o.expire() },
			"The request has expired", true, nil,
		},
		"it is closed": {
			func(o *fixture, order trade.Order) {
				_, err := o.Trade.CloseOrder(o.t.Context(), o.ann, order.ID)
				must(o.t, err)
			},
			"The request was closed", true, nil,
		},
		"it is filled": {
			func(o *fixture, order trade.Order) {
				_, err := o.Trade.LogSale(o.t.Context(), o.ann, order.ID, trade.SaleDraft{Quantity: order.Quantity})
				must(o.t, err)
			},
			"The request was filled", true, []notify.Kind{notify.NoticeOrderFilled},
		},
		"it is deleted": {
			func(o *fixture, order trade.Order) { must(o.t, o.Trade.DeleteOrder(o.t.Context(), o.ann, order.ID)) },
			"The request was deleted", false, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newFixture(t)
			order := o.post(o.ann)
			offer := o.offer(o.bob, order)
			o.offer(o.cat, order)
			o.visit(order, 1) // visitors get no notices
			other := o.post(o.ann)
			o.round(o.ann)
			tt.end(o, order)
			o.pass(core.UndoWindow)
			o.expire()
			for _, seller := range []core.Actor{o.bob, o.cat} {
				o.wantKinds(seller, notify.NoticeOfferLapsed)
			}
			n := o.last(o.bob, notify.NoticeOfferLapsed)
			if n.Message != tt.why || n.OfferID != offer.ID || n.Quantity != offer.Quantity || (n.OrderID != 0) != tt.leads {
				t.Errorf("got %+v", n)
			}
			o.wantKinds(o.ann, append([]notify.Kind{notify.NoticeOfferReceived, notify.NoticeOfferReceived, notify.NoticeOfferReceived}, tt.owner...)...)
			if name != "it is deleted" {
				if _, offers, err := o.Trade.Offers(t.Context(), o.ann, order.ID); err != nil || len(offers) != 0 {
					t.Errorf("%d offers are open (%v)", len(offers), err)
				}
			}
			if _, err := o.Trade.Order(t.Context(), o.ann, other.ID); err != nil {
				t.Errorf("another request: %v", err)
			}
			o.round(o.bob)
			if d := o.mail.took(); len(d) == 0 || d[len(d)-1].To.DiscordID != "1bob" {
				t.Errorf("the seller was not written to: %+v", d)
			}
			o.checkInvariants()
		})
	}
}

func TestConcurrentExpiryJobsSendEachNoticeOnce(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	const orders = 12
	for range orders {
		o.offer(o.bob, o.post(o.ann))
	}
	warnedAll := func(by time.Duration) {
		o.pass(by)
		var runners sync.WaitGroup
		for range 4 {
			runners.Go(func() {
				for range orders {
					if _, _, err := o.Trade.ExpireOrders(t.Context(), 3); err != nil {
						t.Error(err)
					}
				}
			})
		}
		runners.Wait()
	}
	warnedAll(trade.OrderLifetime - time.Hour)
	warnedAll(time.Hour)
	counts := map[notify.Kind]int{}
	for _, kind := range append(o.kinds(o.ann), o.kinds(o.bob)...) {
		counts[kind]++
	}
	if counts[notify.NoticeOrderExpiring] != orders || counts[notify.NoticeOfferLapsed] != orders {
		t.Errorf("notices are %v, want each of %d once", counts, orders)
	}
	o.checkInvariants()
}

func TestEachSideIsNotifiedOfTheOthersAction(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	accepted, declined := o.offer(o.bob, order), o.offer(o.cat, order)
	_, err := o.Trade.AcceptOffer(t.Context(), o.ann, accepted.ID, 2)
	must(t, err)
	must(t, o.Trade.DeleteOffer(t.Context(), o.ann, declined.ID))
	must(t, o.Trade.DeleteOffer(t.Context(), o.bob, accepted.ID)) // what is left of it
	o.wantKinds(o.ann, notify.NoticeOfferReceived, notify.NoticeOfferReceived, notify.NoticeOfferWithdrawn)
	o.wantKinds(o.bob, notify.NoticeOfferAccepted)
	o.wantKinds(o.cat, notify.NoticeOfferDeclined)
	if n := o.last(o.bob, notify.NoticeOfferAccepted); n.Quantity != 2 || n.Contact != "ann" || n.Price != 500 {
		t.Errorf("got %+v, want how much, and the buyer's contact", n)
	}
	if n := o.last(o.ann, notify.NoticeOfferWithdrawn); n.Contact != "bob" || n.Quantity != 3 {
		t.Errorf("got %+v", n)
	}
	o.checkInvariants()
}

func TestFailedOfferSendsNoNotice(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	for name, draft := range map[string]trade.OfferDraft{
		"of nothing":     {SellerName: "S", SellerContact: "s", Message: "m"},
		"of too much":    {SellerName: "S", SellerContact: "s", Message: "m", Quantity: order.Quantity + 1},
		"without a word": {SellerName: "S", SellerContact: "s", Quantity: 1},
	} {
		if _, err := o.Trade.SendOffer(t.Context(), o.bob, order.ID, draft); core.KindOf(err) != core.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := o.Trade.SendOffer(t.Context(), o.ann, order.ID, trade.OfferDraft{SellerName: "S", Message: "m", Quantity: 1}); core.KindOf(err) != core.Forbidden {
		t.Errorf("on one's own: %v", err)
	}
	o.wantKinds(o.ann)
}

func TestRepeatedOfferSendsOneNotice(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	visitor := core.Actor{Address: "192.0.2.1", Key: "the-same-click"}
	for range 3 {
		o.offer(visitor, order)
	}
	o.wantKinds(o.ann, notify.NoticeOfferReceived)
	o.checkInvariants()
}

func TestTheInboxIsItsReaders(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.visit(order, 3)
	for name, ask := range map[string]func(context.Context, core.Actor) error{
		"notices": func(ctx context.Context, a core.Actor) error { _, err := o.Notify.Notices(ctx, a, 0, 10); return err },
		"reading": func(ctx context.Context, a core.Actor) error { return o.Notify.ReadNotices(ctx, a, 1) },
		"settings": func(ctx context.Context, a core.Actor) error {
			_, _, err := o.Notify.Settings(ctx, a)
			return err
		},
		"new settings": func(ctx context.Context, a core.Actor) error {
			_, err := o.Notify.SetSettings(ctx, a, notify.Settings{})
			return err
		},
		"a test notice": func(ctx context.Context, a core.Actor) error { return o.Notify.SendTest(ctx, a) },
	} {
		if err := ask(t.Context(), core.Actor{Address: "192.0.2.1"}); core.KindOf(err) != core.Unauthenticated {
			t.Errorf("%s of a visitor: %v", name, err)
		}
	}
	mine := o.inbox(o.ann)
	must(t, o.Notify.ReadNotices(t.Context(), o.bob, mine[2].ID)) // another's reading marks nothing
	page, err := o.Notify.Notices(t.Context(), o.ann, 0, 2)
	must(t, err)
	if page.Unread != 3 || len(page.Notices) != 2 || page.Notices[0].ID != mine[2].ID || page.Next != mine[1].ID {
		t.Errorf("page = %+v", page)
	}
	must(t, o.Notify.ReadNotices(t.Context(), o.ann, mine[1].ID))
	page, err = o.Notify.Notices(t.Context(), o.ann, page.Next, 2)
	must(t, err)
	if page.Unread != 1 || len(page.Notices) != 1 || page.Notices[0].ReadAt.IsZero() || page.Next != 0 {
		t.Errorf("page = %+v", page)
	}
	if counts, err := o.Counts(t.Context(), o.ann); err != nil || counts.Unread != 1 {
		t.Errorf("counts = %+v, %v", counts, err)
	}
}

func TestManyExpiriesAreOneMessageForEachPerson(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	const many = 25
	for range many {
		o.offer(o.bob, o.post(o.ann))
	}
	o.round(o.ann) // the offers
	o.mail.took()

	o.pass(trade.OrderLifetime - trade.ExpiryWarning)
	warned := o.expireAndDeliver(o.ann)
	if len(warned.Notices) != many || warned.Kind != notify.NoticeOrderExpiring {
		t.Errorf("the buyer's message contains %d %s, want %d warnings", len(warned.Notices), warned.Kind, many)
	}
	o.pass(trade.ExpiryWarning)
	lapsed := o.expireAndDeliver(o.bob)
	if len(lapsed.Notices) != many || lapsed.Kind != notify.NoticeOfferLapsed {
		t.Errorf("the seller's message contains %d %s, want %d lapsed offers", len(lapsed.Notices), lapsed.Kind, many)
	}
	for who, kind := range map[*core.Actor]notify.Kind{&o.ann: notify.NoticeOrderExpiring, &o.bob: notify.NoticeOfferLapsed} {
		inbox := slices.DeleteFunc(o.inbox(*who), func(n notify.Notice) bool { return n.Kind != kind || n.State != notify.NoticeDelivered })
		if len(inbox) != many {
			t.Errorf("%s has %d delivered notices of the kind %s, want %d", who.Username, len(inbox), kind, many)
		}
	}
	o.checkInvariants()
}

// expireAndDeliver expires orders in steps of two, with a delivery after each, as it happens when the queue runs beside. It
// returns the one message that the reader has in the end.
func (o *fixture) expireAndDeliver(reader core.Actor) channels.Delivery {
	o.t.Helper()
	var last channels.Delivery
	for more := true; more; {
		expired, warned, err := o.Trade.ExpireOrders(o.t.Context(), 2)
		must(o.t, err)
		more = expired == 2 || warned == 2
		o.round(reader)
		for _, d := range o.mail.took() {
			if last.ID != 0 && d.ID != last.ID {
				o.t.Fatalf("%s got a second message", reader.Username)
			}
			last = d
		}
	}
	return last
}

func TestExpiryNoticesAfterAWhileAreANewMessage(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	o.post(o.ann)
	o.pass(notify.ExpiryBatchWindow)
	o.post(o.ann)
	o.pass(trade.OrderLifetime - trade.ExpiryWarning - notify.ExpiryBatchWindow)
	first := o.expireAndDeliver(o.ann)
	o.pass(notify.ExpiryBatchWindow)
	if second := o.expireAndDeliver(o.ann); second.ID == first.ID || len(second.Notices) != 1 {
		t.Errorf("the later warning was added to a message of %s ago", notify.ExpiryBatchWindow)
	}
}

func TestAnExpiredOrderIsReadOnce(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.post(o.ann) // without an offer
	o.offer(o.bob, order)
	o.pass(trade.OrderLifetime)
	if expired, _ := o.expire(); expired != 2 {
		t.Errorf("%d orders expired, want 2", expired)
	}
	if expired, _ := o.expire(); expired != 0 {
		t.Errorf("%d orders expired a second time", expired)
	}
	_, err := o.Trade.RenewOrder(t.Context(), o.ann, order.ID)
	must(t, err)
	o.offer(o.bob, order)
	o.pass(trade.OrderLifetime)
	if expired, _ := o.expire(); expired != 1 {
		t.Errorf("%d orders expired after one was renewed, want 1", expired)
	}
	if _, offers, err := o.Trade.Offers(t.Context(), o.ann, order.ID); err != nil || len(offers) != 0 {
		t.Errorf("%d offers are left on an expired order (%v)", len(offers), err)
	}
	o.checkInvariants()
}

func TestOfferOfAReplicaWithASlowClockLapses(t *testing.T) {
	t.Parallel()
	o := newFixture(t)
	order := o.post(o.ann)
	o.pass(trade.OrderLifetime)
	o.expire()
	behind := market.New(o.store, market.Options{Now: func() time.Time { return o.clock().Add(-time.Minute) }})
	_, err := behind.Trade.SendOffer(t.Context(), o.bob, order.ID, trade.OfferDraft{SellerName: "Bob", SellerContact: "bob", Message: "late", Quantity: 5})
	must(t, err)
	if expired, _ := o.expire(); expired != 1 {
		t.Errorf("%d orders expired, want the one with the late offer", expired)
	}
	o.wantKinds(o.bob, notify.NoticeOfferLapsed)
}
