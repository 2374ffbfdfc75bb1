package postgres

import (
	"context"
	"math"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Handovers returns the handovers in which a user is a party, newest first.
func (s *Store) Handovers(ctx context.Context, user core.UserID, q core.HandoverQuery) ([]core.Handover, error) {
	before := int64(q.Before)
	if before == 0 {
		before = math.MaxInt64
	}
	params := db.HandoversParams{UserID: int64(user), Before: before, Sales: raw(q.Sales), Most: int32(q.Limit)}
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.Handover, error) {
		rows, err := q.Handovers(ctx, params)
		return convert(rows, func(r db.HandoversRow) core.Handover { return handover(r.Handover, r.OrderUpdate) }), err
	})
}

// SettledHandovers returns what was settled between users and their partners, by user, the oldest sale first.
func (s *Store) SettledHandovers(ctx context.Context, users []core.UserID) ([]core.SettledHandover, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.SettledHandover, error) {
		rows, err := q.SettledHandovers(ctx, raw(users))
		return convert(rows, settledHandover), err
	})
}

func settledHandover(r db.SettledHandoversRow) core.SettledHandover {
	return core.SettledHandover{
		Trader: core.UserID(r.Trader), Partner: core.UserID(r.Partner), FormerPartner: core.UserID(r.FormerPartner),
		PartnerEstablished: r.PartnerEstablished, Sale: r.SaleID, State: r.State, Against: r.Against,
		AcceptedAt: r.AcceptedAt, SettledAt: orZero(r.SettledAt), Quantity: r.QuantitySold,
	}
}

func handover(h db.Handover, u db.OrderUpdate) core.Handover {
	return core.Handover{
		Sale: h.SaleID, AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy,
		Buyer: core.HandoverSide{
			User: orZero(h.BuyerID), Word: orZero(h.BuyerWord), SaidAt: orZero(h.BuyerSaidAt), LaterAt: orZero(h.BuyerLaterAt),
			Messages: h.BuyerMessages, PromptedAt: orZero(h.BuyerPromptedAt),
		},
		Seller: core.HandoverSide{
			User: orZero(h.SellerID), Word: orZero(h.SellerWord), SaidAt: orZero(h.SellerSaidAt), LaterAt: orZero(h.SellerLaterAt),
			Messages: h.SellerMessages, PromptedAt: orZero(h.SellerPromptedAt),
		},
		State: h.State, SettledAt: orZero(h.SettledAt), SettledBy: orZero(h.SettledBy), Against: orZero(h.Against),
		Order: orZero(u.OrderID), Offer: orZero(u.OfferID), ItemName: orZero(u.ItemName), Quantity: u.QuantitySold, UnitPrice: u.UnitPrice,
	}
}

func (t *tx) AddHandover(ctx context.Context, h core.Handover) error {
	return t.q.AddHandover(ctx, db.AddHandoverParams{
		SaleID: h.Sale, BuyerID: orNull(h.Buyer.User), SellerID: orNull(h.Seller.User),
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, DueAt: timeOrNull(h.DueAt()),
	})
}
