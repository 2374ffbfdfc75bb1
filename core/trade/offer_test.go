package trade_test

import (
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

func TestAccepting(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.Quantity, o.Sold = 10, 4 })
	offer := coretest.Offer(func(o *trade.Offer) { o.Quantity, o.Price, o.Seller = 8, 200, 2 })
	for name, tt := range map[string]struct {
		take       int
		wantStatus trade.Status
		wantLeft   int
		refused    core.ErrorKind
	}{
		"part of it leaves the request open": {take: 5, wantStatus: trade.Active, wantLeft: 3},
		"the last items fulfil the request":  {take: 6, wantStatus: trade.Fulfilled, wantLeft: 2},
		"more than the buyer still needs":    {take: 7, refused: core.Invalid},
		"nothing at all":                     {take: 0, refused: core.Invalid},
		"less than nothing":                  {take: -1, refused: core.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := order.Accept(offer, tt.take, 1, coretest.Noon)
			if core.KindOf(err) != tt.refused || got.Order.Status != tt.wantStatus || got.Offer.Quantity != tt.wantLeft {
				t.Fatalf("took %d: got %+v, %v", tt.take, got, err)
			}
			if err != nil {
				if want := "Choose a quantity from 1 to 6"; err.Error() != want {
					t.Errorf("returned %q, want %q", err, want)
				}
				return
			}
			if s := got.Sale; s.Quantity != tt.take || s.UnitPrice != 200 || s.UpdatedBy != 1 || s.Seller != 2 || s.Notes != "Accepted offer from Fern (fern)" {
				t.Errorf("sale %+v", s)
			}
			if got.Order.Sold != 4+tt.take {
				t.Errorf("sold %d", got.Order.Sold)
			}
		})
	}
}

func TestAcceptingFailsOnAnEndedRequest(t *testing.T) {
	closed := coretest.Order(func(o *trade.Order) { o.Status = trade.Fulfilled })
	if _, err := closed.Accept(coretest.Offer(), 1, 1, coretest.Noon); core.KindOf(err) != core.Conflict || err.Error() != "This request is already closed" {
		t.Errorf("closed: %v", err)
	}
	open := coretest.Order()
	if _, err := open.Accept(coretest.Offer(), 1, 1, open.ExpiresAt); core.KindOf(err) != core.Conflict || err.Error() != "This request has expired" {
		t.Errorf("expired: %v", err)
	}
}

func TestOffering(t *testing.T) {
	order := coretest.Order()
	fern := core.Actor{UserID: 2, Username: "fern_42", DisplayName: "Fern"}

	got, err := order.NewOffer(coretest.OfferDraft(), core.Actor{}, trade.Seller{}, coretest.Forms, coretest.Noon)
	if err != nil || got.Verified() || got.SellerContact != "fern" || got.Price != order.MaxPrice || got.Quantity != 20 {
		t.Errorf("a visitor's offer: %+v, %v", got, err)
	}

	got, err = order.NewOffer(coretest.OfferDraft(func(d *trade.OfferDraft) { d.SellerContact = "somebody_else" }), fern, trade.Seller{}, coretest.Forms, coretest.Noon)
	if err != nil || !got.Verified() || got.SellerContact != "fern_42" {
		t.Errorf("a user's offer has the account's contact: %+v, %v", got, err)
	}

	if _, err = order.NewOffer(coretest.OfferDraft(), core.Actor{UserID: order.Owner}, trade.Seller{}, coretest.Forms, coretest.Noon); core.KindOf(err) != core.Forbidden {
		t.Errorf("on one's own request: %v", err)
	}
}

func TestDeletingOffers(t *testing.T) {
	order := coretest.Order()
	verified := coretest.Offer(func(o *trade.Offer) { o.Seller = 2 })
	for name, tt := range map[string]struct {
		offer    trade.Offer
		by       core.UserID
		want     trade.OfferState
		notified core.UserID
		wantKind notify.Kind
	}{
		"the buyer declines it, and the seller is notified":   {verified, 1, trade.OfferDeclined, 2, notify.NoticeOfferDeclined},
		"the buyer declines a visitor's, who is not notified": {coretest.Offer(), 1, trade.OfferDeclined, 0, ""},
		"the seller withdraws it, and the buyer is notified":  {verified, 2, trade.OfferWithdrawn, 1, notify.NoticeOfferWithdrawn},
		"another user may not":                                {verified, 3, "", 0, ""},
		"another user may not delete a visitor's":             {coretest.Offer(), 3, "", 0, ""},
		"a visitor may not":                                   {coretest.Offer(), 0, "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			state, notices, err := order.RemoveOffer(tt.offer, core.Actor{UserID: tt.by}, coretest.Noon)
			if state != tt.want || (err == nil) != (tt.want != "") || core.KindOf(err) != map[bool]core.ErrorKind{true: 0, false: core.Forbidden}[err == nil] {
				t.Fatalf("got %q, %v", state, err)
			}
			if tt.notified == 0 {
				if len(notices) != 0 {
					t.Errorf("notices are %+v", notices)
				}
				return
			}
			if len(notices) != 1 || notices[0].User != tt.notified || notices[0].Kind != tt.wantKind {
				t.Errorf("notices are %+v", notices)
			}
		})
	}
}

func TestOnlyTheBuyerOwnsARequest(t *testing.T) {
	order := coretest.Order()
	for actor, want := range map[core.UserID]core.ErrorKind{order.Owner: 0, 2: core.Forbidden, 0: core.Unauthenticated} {
		if got := core.KindOf(core.Actor{UserID: actor}.MustBe(order.Owner)); got != want {
			t.Errorf("user %d: %v, want %v", actor, got, want)
		}
	}
}

func TestSelling(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.Quantity, o.Sold = 10, 4 })
	got, sale, err := order.Sell(trade.SaleDraft{Quantity: 2, Notes: "  at the docks "}, 1, coretest.Forms, coretest.Noon)
	if err != nil || got.Sold != 6 || got.Status != trade.Active || sale.Notes != "at the docks" || sale.UnitPrice != order.MaxPrice {
		t.Errorf("part: %+v, %+v, %v", got, sale, err)
	}
	got, _, err = order.Sell(trade.SaleDraft{Quantity: 6}, 1, coretest.Forms, coretest.Noon)
	if err != nil || got.Status != trade.Fulfilled || got.CloseReason != trade.Filled || got.Progress() != 100 {
		t.Errorf("the rest closes it: %+v, %v", got, err)
	}
	if _, _, err = got.Sell(trade.SaleDraft{Quantity: 1}, 1, coretest.Forms, coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("on a closed one: %v", err)
	}
}

func TestOffersOfProgramsCanBeRefused(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.NoPrograms = true })
	person := core.Actor{UserID: 2, Username: "fern"}
	program := person
	program.Program = true
	offer := func(by core.Actor) error {
		_, err := order.NewOffer(coretest.OfferDraft(), by, trade.Seller{}, coretest.Forms, coretest.Noon)
		return err
	}
	if err := offer(program); core.KindOf(err) != core.Forbidden || !strings.HasPrefix(err.Error(), "This request takes no offers by programs") {
		t.Errorf("a program: %v", err)
	}
	if err := offer(person); err != nil {
		t.Errorf("a person: %v", err)
	}
	if order.NoPrograms = false; offer(program) != nil {
		t.Errorf("a program on another request: %v", offer(program))
	}
}

func TestOffersOfSignedInSellersOnly(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.SignedInOnly = true })
	_, err := order.NewOffer(coretest.OfferDraft(), core.Actor{Address: "::1"}, trade.Seller{}, coretest.Forms, coretest.Noon)
	if core.KindOf(err) != core.Unauthenticated || err.Error() != "Only signed-in sellers can offer on this request" {
		t.Errorf("a visitor: %v", err)
	}
	if _, err = order.NewOffer(coretest.OfferDraft(), core.Actor{UserID: 2, Username: "fern"}, trade.Seller{}, coretest.Forms, coretest.Noon); err != nil {
		t.Errorf("a user: %v", err)
	}
	order.ExpiresAt = coretest.Noon
	if _, err = order.NewOffer(coretest.OfferDraft(), core.Actor{}, trade.Seller{}, coretest.Forms, coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("a visitor is sent to sign in for a request that has expired: %v", err)
	}
	everybody := false
	if got, err := coretest.Order(func(o *trade.Order) { o.SignedInOnly = true }).Edit(trade.OrderEdit{Version: 1, SignedInOnly: &everybody}, game.Standard(), coretest.Forms, coretest.Noon); err != nil || got.SignedInOnly {
		t.Errorf("switched off: %+v, %v", got, err)
	}
	if got, err := coretest.Order(func(o *trade.Order) { o.SignedInOnly = true }).Edit(trade.OrderEdit{Version: 1}, game.Standard(), coretest.Forms, coretest.Noon); err != nil || !got.SignedInOnly {
		t.Errorf("left alone: %+v, %v", got, err)
	}
}
