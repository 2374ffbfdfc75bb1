package market

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// MarkLookAlikes returns the order with its names marked. Orders that a Market reads are.
func (m *Market) MarkLookAlikes(o trade.Order) trade.Order { return m.names.order(o) }

// MarkTrade returns the trade with its names marked. Trades that a Market reads are.
func (m *Market) MarkTrade(t trade.Trade) trade.Trade { return m.names.trade(t) }

// orderLookAlikes notifies traders about names on an order that look like theirs. Names that it had before
// are left out.
func (m *Market) orderLookAlikes(ctx context.Context, tx Tx, before, o trade.Order, now time.Time) error {
	n := trade.NoticeAbout(o, 0, notify.NoticeLookAlike, now)
	n.CausedBy, n.Quantity = o.Owner, o.Quantity
	return m.Trust.NotifyTraders(ctx, tx, n,
		trust.TypedName{Before: before.BuyerContact, Now: o.BuyerContact},
		trust.TypedName{Before: before.InGameName, Now: o.InGameName})
}

// offerLookAlikes notifies traders about names on an offer that look like theirs. The notice identifies the
// offer but does not quote its message.
func (m *Market) offerLookAlikes(
	ctx context.Context, tx Tx, o trade.Order, offer trade.Offer, now time.Time,
) error {
	n := trade.NoticeAbout(o, 0, notify.NoticeLookAlike, now)
	n.OfferID, n.CausedBy, n.Quantity, n.Price = offer.ID, offer.Seller, offer.Quantity, offer.Price
	return m.Trust.NotifyTraders(ctx, tx, n, trust.TypedName{Before: "", Now: offer.SellerContact},
		trust.TypedName{Before: "", Now: offer.SellerName})
}

// markingStore marks names that look like an established trader's in the values that it reads for adapters.
type markingStore struct {
	Store
	marks
}

// marks marks names that look like an established trader's.
type marks struct{ traders *trust.Traders }

func (m marks) order(o trade.Order) trade.Order {
	o.LookAlike = m.traders.LookAlike(o.BuyerContact, o.InGameName, trust.NameUser{User: o.Owner})
	return o
}

func (m marks) offer(o trade.Offer) trade.Offer {
	o.LookAlike = m.traders.LookAlike(o.SellerContact, o.SellerName,
		trust.NameUser{User: o.Seller, Offer: o.ID, Offered: o.CreatedAt})
	return o
}

func (m marks) open(o trade.OpenOffer) trade.OpenOffer {
	o.Order, o.Offer = m.order(o.Order), m.offer(o.Offer)
	return o
}

func (m marks) trade(t trade.Trade) trade.Trade {
	t.Buyer.LookAlike = m.traders.LookAlike(t.Buyer.Typed.Contact, t.Buyer.Typed.InGameName,
		trust.NameUser{User: t.Buyer.User})
	t.Seller.LookAlike = m.traders.LookAlike(t.Seller.Typed.Contact, t.Seller.Typed.Name,
		trust.NameUser{User: t.Seller.User, Offer: t.Offer, Offered: t.AcceptedAt}) // offered earlier
	return t
}

func (m marks) delivery(d channels.Delivery) channels.Delivery {
	d.Offers, d.Trades, d.Watched = mark(d.Offers, m.open), mark(d.Trades, m.trade),
		mark(d.Watched, m.order)
	return d
}

func (m marks) report(r moderation.Report) moderation.Report {
	if r.Order != nil {
		o := m.order(*r.Order)
		r.Order = &o
	}
	if r.Offer != nil {
		o := m.offer(*r.Offer)
		r.Offer = &o
	}
	return r
}

func mark[T any](values []T, one func(T) T) []T {
	for i, v := range values {
		values[i] = one(v)
	}
	return values
}

func (s markingStore) Orders(ctx context.Context, q match.OrderQuery) (match.OrderPage, error) {
	page, err := s.Store.Orders(ctx, q)
	for i, o := range page.Orders {
		page.Orders[i].Order = s.marks.order(o.Order)
	}
	return page, err
}

func (s markingStore) Order(ctx context.Context, id core.OrderID) (trade.Order, error) {
	o, err := s.Store.Order(ctx, id)
	return s.marks.order(o), err
}

func (s markingStore) OrdersByID(ctx context.Context, ids []core.OrderID) ([]trade.Order, error) {
	orders, err := s.Store.OrdersByID(ctx, ids)
	return mark(orders, s.marks.order), err
}

func (s markingStore) FillOrders(ctx context.Context, q match.FillQuery) (match.FillablePage, error) {
	page, err := s.Store.FillOrders(ctx, q)
	for i, o := range page.Orders {
		page.Orders[i].Order = s.marks.order(o.Order)
	}
	return page, err
}

func (s markingStore) Offers(ctx context.Context, id core.OrderID) ([]trade.Offer, error) {
	offers, err := s.Store.Offers(ctx, id)
	return mark(offers, s.marks.offer), err
}

func (s markingStore) Offer(ctx context.Context, id core.OfferID) (trade.Offer, error) {
	o, err := s.Store.Offer(ctx, id)
	return s.marks.offer(o), err
}

func (s markingStore) ReceivedOffers(
	ctx context.Context, buyer core.UserID, after trade.ReceivedPlace, now time.Time, limit int,
) ([]trade.OpenOffer, error) {
	offers, err := s.Store.ReceivedOffers(ctx, buyer, after, now, limit)
	return mark(offers, s.marks.open), err
}

func (s markingStore) Receipts(ctx context.Context, user core.UserID, q trade.Query) ([]trade.Trade, error) {
	receipts, err := s.Store.Receipts(ctx, user, q)
	return mark(receipts, s.marks.trade), err
}

func (s markingStore) TradeDetails(
	ctx context.Context, user core.UserID, sale core.SaleID, limit int,
) (trade.DetailsRows, error) {
	rows, err := s.Store.TradeDetails(ctx, user, sale, limit)
	rows.Trade = s.marks.trade(rows.Trade)
	return rows, err
}

func (s markingStore) OfferLink(ctx context.Context, key trade.OfferLinkKey) (trade.OfferLink, error) {
	link, err := s.Store.OfferLink(ctx, key)
	link.Order, link.Receipts = s.marks.order(link.Order), mark(link.Receipts, s.marks.trade)
	return link, err
}

func (s markingStore) OpenReports(
	ctx context.Context, before core.ReportID, limit int,
) ([]moderation.Report, error) {
	reports, err := s.Store.OpenReports(ctx, before, limit)
	return mark(reports, s.marks.report), err
}

func (s markingStore) OpenReport(ctx context.Context, id core.ReportID) (moderation.Report, error) {
	r, err := s.Store.OpenReport(ctx, id)
	return s.marks.report(r), err
}

func (s markingStore) Notices(
	ctx context.Context, user core.UserID, before core.NoticeID, limit int,
) (notify.Page, error) {
	page, err := s.Store.Notices(ctx, user, before, limit)
	for i, n := range page.Notices {
		if n.Contact != "" {
			page.Notices[i].LookAlike = s.traders.LookAlike(n.Contact, n.Name,
				trust.NameUser{User: n.CausedBy, Offer: n.OfferID, Offered: n.CreatedAt})
		}
	}
	return page, err
}

func (s markingStore) Delivery(
	ctx context.Context, user core.UserID, id core.DeliveryID,
) (channels.Delivery, error) {
	d, err := s.Store.Delivery(ctx, user, id)
	return s.marks.delivery(d), err
}
