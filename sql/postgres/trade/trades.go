package trade

import (
	"context"
	"math"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Trade returns the trade of a row.
func Trade(r db.Trade) trade.Trade {
	return trade.Trade{
		Sale: r.SaleID, AcceptedAt: r.AcceptedAt, AgreedBy: kernel.OrZero(r.AgreedBy),
		Buyer: trade.Party{
			User: kernel.OrZero(r.BuyerID), Name: r.BuyerDisplayName, Contact: r.BuyerUsername,
			Word: kernel.OrZero(r.BuyerWord), SaidAt: kernel.OrZero(r.BuyerSaidAt),
			LaterAt: kernel.OrZero(r.BuyerLaterAt), TookBackAt: kernel.OrZero(r.BuyerTookBackAt),
			Messages: r.BuyerMessages, PromptedAt: kernel.OrZero(r.BuyerPromptedAt),
			DiscordID: r.BuyerDiscordID,
			Typed: trade.Typed{
				Name: r.TypedBuyerName, Contact: r.TypedBuyerContact, InGameName: r.InGameName,
			},
		},
		Seller: trade.Party{
			User: kernel.OrZero(r.SellerID), Name: r.SellerDisplayName, Contact: r.SellerUsername,
			Word: kernel.OrZero(r.SellerWord), SaidAt: kernel.OrZero(r.SellerSaidAt),
			LaterAt: kernel.OrZero(r.SellerLaterAt), TookBackAt: kernel.OrZero(r.SellerTookBackAt),
			Messages: r.SellerMessages, PromptedAt: kernel.OrZero(r.SellerPromptedAt),
			DiscordID: r.SellerDiscordID,
			Typed:     trade.Typed{Name: r.TypedSellerName, Contact: r.TypedSellerContact},
		},
		State: kernel.OrZero(r.State), SettledAt: kernel.OrZero(r.SettledAt),
		SettledBy: kernel.OrZero(r.SettledBy), Against: kernel.OrZero(r.Against),
		RulingReason: r.RulingReason, RulingUndoneAt: kernel.OrZero(r.RulingUndoneAt),
		LookedAt: kernel.OrZero(r.LookedAt), PostedAgain: core.OrderID(kernel.OrZero(r.PostedAgain)),
		Order: kernel.OrZero(r.OrderID), Offer: kernel.OrZero(r.OfferID), ItemName: kernel.OrZero(r.ItemName),
		Quantity: r.QuantitySold, UnitPrice: r.UnitPrice, OrderFulfilled: r.OrderFulfilled,
		Crossed: kernel.OrZero(r.CrossedWith),
		Meets: hours.Meeting{
			At: kernel.OrZero(r.MeetAt), Buyer: r.BuyerMeets, Seller: r.SellerMeets, Reminded: r.MeetReminded,
			ByBuyer: r.BuyerProposals, BySeller: r.SellerProposals,
		},
	}
}

// Receipts returns accepts that stand, in which a user was the buyer or the seller, newest first.
func (s *Store) Receipts(ctx context.Context, user core.UserID, q trade.Query) ([]trade.Trade, error) {
	params := ReceiptsParams(user, q)
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Trade, error) {
		rows, err := q.Receipts(ctx, params)
		return kernel.Convert(rows, Trade), err
	})
}

// ReceiptsParams returns the parameters of the statement that reads a user's receipts.
func ReceiptsParams(user core.UserID, q trade.Query) db.ReceiptsParams {
	return db.ReceiptsParams{
		UserID: int64(user), Before: beforeSale(q.Before), Most: int32(q.Limit), Orders: kernel.Raw(q.Orders),
		Offers: kernel.Raw(q.Offers),
	}
}

// Handovers returns the trades with a handover in which a user is a party, newest first.
func (s *Store) Handovers(ctx context.Context, user core.UserID, q trade.Query) ([]trade.Trade, error) {
	params := db.HandoversParams{
		UserID: int64(user), Before: beforeSale(q.Before), Sales: kernel.Raw(q.Sales),
		Orders: kernel.Raw(q.Orders), Most: int32(q.Limit),
		States: kernel.Texts(q.States),
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Trade, error) {
		rows, err := q.Handovers(ctx, params)
		return kernel.Convert(rows, Trade), err
	})
}

func beforeSale(id core.SaleID) int64 {
	if id == 0 {
		return math.MaxInt64
	}
	return int64(id)
}

// Disputes returns handovers that are disputed, newest first, below the number before (zero: from the top).
func (s *Store) Disputes(ctx context.Context, before core.SaleID, limit int) ([]trade.Trade, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Trade, error) {
		rows, err := q.Disputes(ctx, beforeSale(before), int32(limit))
		return kernel.Convert(rows, Trade), err
	})
}

// Dispute returns a handover that is disputed. It returns a NotFound error if there is none.
func (s *Store) Dispute(ctx context.Context, id core.SaleID) (trade.Trade, error) {
	found, err := s.Disputes(ctx, id+1, 1)
	if err == nil && (len(found) == 0 || found[0].Sale != id) {
		err = kernel.NotFound(core.NewText("dispute_gone"))
	}
	if err != nil {
		return trade.Trade{}, err
	}
	return found[0], nil
}

// HandoversBetween returns the other handovers between the sides of some, newest first.
func (s *Store) HandoversBetween(
	ctx context.Context, sales []core.SaleID, limit int,
) ([]trade.Trade, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Trade, error) {
		rows, err := q.HandoversBetween(ctx, kernel.Raw(sales), int32(limit))
		return kernel.Convert(rows, Trade), err
	})
}
