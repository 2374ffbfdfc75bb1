package core_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
)

// expire does what the chore does, until nothing is left to do.
func (o *office) expire() (expired, warned int) {
	o.t.Helper()
	for {
		e, w, err := o.ExpireOrders(o.t.Context(), 2)
		must(o.t, err)
		expired, warned = expired+e, warned+w
		if e < 2 && w < 2 {
			return expired, warned
		}
	}
}

// kinds are those of a user's notices, oldest first.
func (o *office) kinds(of core.Actor) (kinds []core.NoticeKind) {
	o.t.Helper()
	for _, n := range o.inbox(of) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func (o *office) wantKinds(of core.Actor, want ...core.NoticeKind) {
	o.t.Helper()
	if got := o.kinds(of); !slices.Equal(got, want) {
		o.t.Errorf("%s was told %v, want %v", of.Username, got, want)
	}
}

func TestBuyersAreWarnedOnceSevenDaysAhead(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.pass(core.OrderLife - core.ExpiryWarning - time.Second)
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
	o.wantKinds(o.ann, core.OrderExpiring)
	if n := o.last(o.ann, core.OrderExpiring); n.OrderID != order.ID || n.ItemName != order.ItemName || n.Quantity != order.Remaining() {
		t.Errorf("told %+v", n)
	}

	renewed, err := o.RenewOrder(t.Context(), o.ann, order.ID)
	must(t, err)
	o.expire()
	o.wantKinds(o.ann, core.OrderExpiring)
	o.pass(renewed.ExpiresAt.Sub(o.clock()) - core.ExpiryWarning)
	o.expire()
	o.wantKinds(o.ann, core.OrderExpiring, core.OrderExpiring)
	o.keepsItsPromises()
}

func TestNobodyIsWarnedOfWhatIsOver(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	closed, gone := o.post(o.ann), o.post(o.ann)
	_, err := o.CloseOrder(t.Context(), o.ann, closed.ID)
	must(t, err)
	must(t, o.DeleteOrder(t.Context(), o.ann, gone.ID))
	late := o.post(o.ann)
	o.pass(late.ExpiresAt.Sub(o.clock())) // expired before anybody could warn
	if expired, warned := o.expire(); expired != 0 || warned != 0 {
		t.Errorf("expired %d, warned %d", expired, warned)
	}
	o.wantKinds(o.ann)
}

func TestOffersLapseWhenTheirRequestEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end   func(*office, core.Order)
		why   string
		leads bool // the notice leads to the request
		owner []core.NoticeKind
	}{
		"it expires": {
			func(o *office, order core.Order) { o.pass(core.OrderLife); o.expire() },
			"The request has expired", true, nil,
		},
		"it is closed": {
			func(o *office, order core.Order) {
				_, err := o.CloseOrder(o.t.Context(), o.ann, order.ID)
				must(o.t, err)
			},
			"The request was closed", true, nil,
		},
		"it is filled": {
			func(o *office, order core.Order) {
				_, err := o.LogSale(o.t.Context(), o.ann, order.ID, core.SaleDraft{Quantity: order.Quantity})
				must(o.t, err)
			},
			"The request was filled", true, []core.NoticeKind{core.OrderFilled},
		},
		"it is deleted": {
			func(o *office, order core.Order) { must(o.t, o.DeleteOrder(o.t.Context(), o.ann, order.ID)) },
			"The request was deleted", false, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			order := o.post(o.ann)
			offer := o.offer(o.bob, order)
			o.offer(o.cat, order)
			o.visit(order, 1) // nobody can be told
			other := o.post(o.ann)
			o.round(o.ann)
			tt.end(o, order)
			o.expire()
			for _, seller := range []core.Actor{o.bob, o.cat} {
				o.wantKinds(seller, core.OfferHasLapsed)
			}
			n := o.last(o.bob, core.OfferHasLapsed)
			if n.Message != tt.why || n.OfferID != offer.ID || n.Quantity != offer.Quantity || (n.OrderID != 0) != tt.leads {
				t.Errorf("told %+v", n)
			}
			o.wantKinds(o.ann, append([]core.NoticeKind{core.OfferReceived, core.OfferReceived, core.OfferReceived}, tt.owner...)...)
			if name != "it is deleted" {
				if _, offers, err := o.Offers(t.Context(), o.ann, order.ID); err != nil || len(offers) != 0 {
					t.Errorf("%d offers stand (%v)", len(offers), err)
				}
			}
			if _, err := o.Order(t.Context(), o.ann, other.ID); err != nil {
				t.Errorf("another request: %v", err)
			}
			o.round(o.bob)
			if d := o.mail.took(); len(d) == 0 || d[len(d)-1].To.DiscordID != "1bob" {
				t.Errorf("the seller was not written to: %+v", d)
			}
			o.keepsItsPromises()
		})
	}
}

func TestTwoWhoExpireAtOnceTellEachOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
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
					if _, _, err := o.ExpireOrders(t.Context(), 3); err != nil {
						t.Error(err)
					}
				}
			})
		}
		runners.Wait()
	}
	warnedAll(core.OrderLife - time.Hour)
	warnedAll(time.Hour)
	told := map[core.NoticeKind]int{}
	for _, kind := range append(o.kinds(o.ann), o.kinds(o.bob)...) {
		told[kind]++
	}
	if told[core.OrderExpiring] != orders || told[core.OfferHasLapsed] != orders {
		t.Errorf("told %v, want each of %d once", told, orders)
	}
	o.keepsItsPromises()
}

func TestEachSideIsToldWhatTheOtherDid(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	accepted, declined := o.offer(o.bob, order), o.offer(o.cat, order)
	_, err := o.AcceptOffer(t.Context(), o.ann, accepted.ID, 2)
	must(t, err)
	must(t, o.DeleteOffer(t.Context(), o.ann, declined.ID))
	must(t, o.DeleteOffer(t.Context(), o.bob, accepted.ID)) // what is left of it
	o.wantKinds(o.ann, core.OfferReceived, core.OfferReceived, core.OfferTakenBack)
	o.wantKinds(o.bob, core.OfferTaken)
	o.wantKinds(o.cat, core.OfferRefused)
	if n := o.last(o.bob, core.OfferTaken); n.Quantity != 2 || n.Contact != "ann" || n.Price != 500 {
		t.Errorf("told %+v, want how much, and the buyer's contact", n)
	}
	if n := o.last(o.ann, core.OfferTakenBack); n.Contact != "bob" || n.Quantity != 3 {
		t.Errorf("told %+v", n)
	}
	o.keepsItsPromises()
}

func TestAnOfferThatIsNotMadeIsNotTold(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	for name, draft := range map[string]core.OfferDraft{
		"of nothing":     {SellerName: "S", SellerContact: "s", Message: "m"},
		"of too much":    {SellerName: "S", SellerContact: "s", Message: "m", Quantity: order.Quantity + 1},
		"without a word": {SellerName: "S", SellerContact: "s", Quantity: 1},
	} {
		if _, err := o.SendOffer(t.Context(), o.bob, order.ID, draft); core.KindOf(err) != core.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := o.SendOffer(t.Context(), o.ann, order.ID, core.OfferDraft{SellerName: "S", Message: "m", Quantity: 1}); core.KindOf(err) != core.Forbidden {
		t.Errorf("on one's own: %v", err)
	}
	o.wantKinds(o.ann)
}

func TestARepeatedOfferIsToldOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	visitor := core.Actor{Address: "192.0.2.1", Key: "the-same-click"}
	for range 3 {
		o.offer(visitor, order)
	}
	o.wantKinds(o.ann, core.OfferReceived)
	o.keepsItsPromises()
}

func TestTheInboxIsItsReaders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	order := o.post(o.ann)
	o.visit(order, 3)
	for name, ask := range map[string]func(context.Context, core.Actor) error{
		"notices":  func(ctx context.Context, a core.Actor) error { _, err := o.Notices(ctx, a, 0, 10); return err },
		"reading":  func(ctx context.Context, a core.Actor) error { return o.ReadNotices(ctx, a, 1) },
		"settings": func(ctx context.Context, a core.Actor) error { _, _, err := o.NoticeSettings(ctx, a); return err },
		"new settings": func(ctx context.Context, a core.Actor) error {
			_, err := o.SetNoticeSettings(ctx, a, core.NoticeSettings{})
			return err
		},
		"a test notice": func(ctx context.Context, a core.Actor) error { return o.SendTestNotice(ctx, a) },
	} {
		if err := ask(t.Context(), core.Actor{Address: "192.0.2.1"}); core.KindOf(err) != core.Unauthenticated {
			t.Errorf("%s of a visitor: %v", name, err)
		}
	}
	mine := o.inbox(o.ann)
	must(t, o.ReadNotices(t.Context(), o.bob, mine[2].ID)) // another's reading marks nothing
	page, err := o.Notices(t.Context(), o.ann, 0, 2)
	must(t, err)
	if page.Unread != 3 || len(page.Notices) != 2 || page.Notices[0].ID != mine[2].ID || page.Next != mine[1].ID {
		t.Errorf("page = %+v", page)
	}
	must(t, o.ReadNotices(t.Context(), o.ann, mine[1].ID))
	page, err = o.Notices(t.Context(), o.ann, page.Next, 2)
	must(t, err)
	if page.Unread != 1 || len(page.Notices) != 1 || page.Notices[0].ReadAt.IsZero() || page.Next != 0 {
		t.Errorf("page = %+v", page)
	}
	if counts, err := o.Counts(t.Context(), o.ann); err != nil || counts.Unread != 1 {
		t.Errorf("counts = %+v, %v", counts, err)
	}
}
