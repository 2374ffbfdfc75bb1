package trade_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

func TestASaleCanBeUndoneByItsBuyerForTenMinutes(t *testing.T) {
	t.Parallel()
	const buyer, seller = core.UserID(1), core.UserID(2)
	now := coretest.Noon
	open := coretest.Order(func(o *trade.Order) { o.Owner, o.Sold = buyer, 30 })
	closed := open
	closed.Status, closed.CloseReason = trade.Fulfilled, trade.ClosedEarly
	sale := trade.Sale{ID: 5, OrderID: open.ID, Quantity: 20, CreatedAt: now.Add(-time.Minute), Buyer: buyer}
	late, undone := sale, sale
	late.CreatedAt = now.Add(-core.UndoWindow)
	undone.Reversed = true
	for name, tt := range map[string]struct {
		order trade.Order
		sale  trade.Sale
		by    core.UserID
		want  core.ErrorKind
	}{
		"by the buyer in time":           {open, sale, buyer, 0},
		"by the seller":                  {open, sale, seller, core.Forbidden},
		"ten minutes later":              {open, late, buyer, core.Conflict},
		"a second time":                  {open, undone, buyer, core.Conflict},
		"once the request has closed":    {closed, sale, buyer, core.Conflict},
		"by a visitor":                   {open, sale, 0, core.Unauthenticated},
		"a moment before it is too late": {open, func() trade.Sale { s := late; s.CreatedAt = s.CreatedAt.Add(time.Microsecond); return s }(), buyer, 0},
	} {
		after, err := tt.order.UndoSale(tt.sale, core.Actor{UserID: tt.by}, now)
		if core.KindOf(err) != tt.want {
			t.Errorf("undoing a sale %s: %v", name, err)
		}
		if err == nil && (after.Sold != 10 || after.Version != open.Version+1 || after.Status != trade.Active) {
			t.Errorf("undoing a sale %s leaves %+v", name, after)
		}
	}

	offer := coretest.Offer(func(o *trade.Offer) { o.Seller = seller })
	declined := trade.EndedOffer{Offer: offer, State: trade.OfferDeclined, By: buyer, At: now.Add(-time.Minute)}
	withdrawn := trade.EndedOffer{Offer: offer, State: trade.OfferWithdrawn, By: seller, At: now.Add(-time.Minute)}
	old := declined
	old.At = now.Add(-core.UndoWindow)
	for name, tt := range map[string]struct {
		order  trade.Order
		ended  trade.EndedOffer
		seller trade.Seller
		by     core.UserID
		want   core.ErrorKind
		notify core.UserID
	}{
		"declined, by the buyer":            {open, declined, trade.Seller{}, buyer, 0, seller},
		"declined, by the seller":           {open, declined, trade.Seller{}, seller, core.Forbidden, 0},
		"withdrawn, by the seller":          {open, withdrawn, trade.Seller{}, seller, 0, buyer},
		"withdrawn, by the buyer":           {open, withdrawn, trade.Seller{}, buyer, core.Forbidden, 0},
		"declined, too late":                {open, old, trade.Seller{}, buyer, core.Conflict, 0},
		"on a closed request":               {closed, declined, trade.Seller{}, buyer, core.Conflict, 0},
		"when the seller has offered again": {open, declined, trade.Seller{Offer: 99}, buyer, core.Conflict, 0},
		"when the seller was blocked since": {open, declined, trade.Seller{Blocked: true}, buyer, core.Conflict, 0},
		"when the buyer blocked the seller": {open, declined, trade.Seller{BlockedByBuyer: true}, buyer, core.Conflict, 0},
	} {
		notices, err := tt.order.Reopen(tt.ended, tt.seller, core.Actor{UserID: tt.by}, now)
		if core.KindOf(err) != tt.want {
			t.Errorf("reopening an offer %s: %v", name, err)
		}
		if err == nil && (len(notices) != 1 || notices[0].User != tt.notify || notices[0].Kind != notify.NoticeOfferReopened) {
			t.Errorf("reopening an offer %s returns the notices %+v", name, notices)
		}
	}
}
