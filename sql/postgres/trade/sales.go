package trade

import (
	"context"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/webhook"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

func sale(s db.OrderUpdate) trade.Sale {
	return trade.Sale{
		ID: s.ID, OrderID: kernel.OrZero(s.OrderID), ItemName: kernel.OrZero(s.ItemName),
		Quantity: s.QuantitySold, Notes: kernel.OrZero(s.Notes),
		UnitPrice: s.UnitPrice, UpdatedBy: kernel.OrZero(s.UpdatedBy), Buyer: kernel.OrZero(s.BuyerID),
		Seller: kernel.OrZero(s.SellerID),
		Offer:  kernel.OrZero(s.OfferID), SellerName: kernel.OrZero(s.SellerName),
		SellerContact: kernel.OrZero(s.SellerContact),
		CreatedAt:     s.CreatedAt, Crossed: kernel.OrZero(s.CrossedWith),
	}
}

// Sales returns the newest sales of an order and how many there are in all.
func (s *Store) Sales(ctx context.Context, id core.OrderID, limit int) ([]trade.Sale, int, error) {
	var total int64
	sales, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Sale, error) {
		rows, err := q.Sales(ctx, int64(id), int32(limit))
		if err != nil {
			return nil, err
		}
		// Fewer than asked for are all there are.
		if total = int64(len(rows)); len(rows) == limit {
			total, err = q.CountSales(ctx, int64(id))
		}
		return kernel.Convert(rows, func(r db.SalesRow) trade.Sale {
			return reversible(r.OrderUpdate, r.Reversed)
		}), err
	})
	return sales, int(total), err
}

// SalesOf returns a user's purchases and sales, newest first, below the id before (zero: from the top).
func (s *Store) SalesOf(
	ctx context.Context, user core.UserID, before core.SaleID, limit int,
) ([]trade.Sale, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Sale, error) {
		rows, err := q.SalesOf(ctx, db.SalesOfParams{
			UserID: int64(user), Before: beforeSale(before), Most: int32(limit),
		})
		return kernel.Convert(rows, func(r db.SalesOfRow) trade.Sale {
			return reversible(r.OrderUpdate, r.Reversed)
		}), err
	})
}

func reversible(u db.OrderUpdate, reversed bool) trade.Sale {
	s := sale(u)
	s.Reversed = reversed
	return s
}

// AddSale stores a sale and returns its id.
func (t *Tx) AddSale(ctx context.Context, s trade.Sale) (core.SaleID, error) {
	t.NoteWrite()
	t.NoteTrade(s.ItemName)
	number := kernel.Take(&t.Spare.Sale)
	if number == 0 {
		var err error
		if number, err = t.Q.SaleNumber(ctx); err != nil {
			return 0, kernel.Translate(err)
		}
	}
	id := core.SaleID(number)
	event := webhook.OfSale(webhook.SaleLogged, id, s.OrderID, s.Offer)
	return id, t.Q.AddSale(ctx, db.AddSaleParams{
		ID: id, OrderID: &s.OrderID, ItemName: kernel.OrNull(s.ItemName), QuantitySold: s.Quantity,
		Notes:     kernel.OrNull(s.Notes),
		UnitPrice: s.UnitPrice, UpdatedBy: kernel.OrNull(s.UpdatedBy), BuyerID: kernel.OrNull(s.Buyer),
		SellerID: kernel.OrNull(s.Seller),
		OfferID:  kernel.OrNull(s.Offer), SellerName: kernel.OrNull(s.SellerName),
		SellerContact: kernel.OrNull(s.SellerContact),
		CreatedAt:     s.CreatedAt, CrossedWith: kernel.OrNull(s.Crossed),
		Event: event.ID, EventType: string(event.Type), EventData: event.Data, Sides: sides(s),
	})
}

// sides returns the users who have bought and sold.
func sides(s trade.Sale) []int64 { return []int64{int64(s.Buyer), int64(s.Seller)} }
