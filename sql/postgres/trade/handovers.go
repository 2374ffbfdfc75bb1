package trade

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Handovers returns the handovers in which a user is a party, newest first.
func (s *Store) Handovers(
	ctx context.Context, user core.UserID, q trade.HandoverQuery,
) ([]trade.Handover, error) {
	params := db.HandoversParams{
		UserID: int64(user), Before: beforeSale(q.Before), Sales: kernel.Raw(q.Sales),
		Orders: kernel.Raw(q.Orders), Most: int32(q.Limit),
		States: kernel.Texts(q.States),
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Handover, error) {
		rows, err := q.Handovers(ctx, params)
		return kernel.Convert(rows, Handover), err
	})
}

func beforeSale(id core.SaleID) int64 {
	if id == 0 {
		return math.MaxInt64
	}
	return int64(id)
}

// Disputes returns handovers that are disputed, newest first, below the number before (zero: from the top).
func (s *Store) Disputes(ctx context.Context, before core.SaleID, limit int) ([]trade.Handover, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Handover, error) {
		rows, err := q.Disputes(ctx, beforeSale(before), int32(limit))
		return kernel.Convert(rows, func(r db.DisputesRow) trade.Handover {
			return Handover(db.HandoversRow(r))
		}), err
	})
}

// Dispute returns a handover that is disputed. It returns a NotFound error if there is none.
func (s *Store) Dispute(ctx context.Context, id core.SaleID) (trade.Handover, error) {
	found, err := s.Disputes(ctx, id+1, 1)
	if err == nil && (len(found) == 0 || found[0].Sale != id) {
		err = kernel.NotFound(core.NewText("dispute_gone", "This dispute is settled, or was never there"))
	}
	if err != nil {
		return trade.Handover{}, err
	}
	return found[0], nil
}

// HandoversBetween returns the other handovers between the sides of some, newest first.
func (s *Store) HandoversBetween(
	ctx context.Context, sales []core.SaleID, limit int,
) ([]trade.Handover, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Handover, error) {
		rows, err := q.HandoversBetween(ctx, kernel.Raw(sales), int32(limit))
		return kernel.Convert(rows, func(r db.HandoversBetweenRow) trade.Handover {
			return Handover(db.HandoversRow(r))
		}), err
	})
}

// Handover returns the handover of a row.
func Handover(r db.HandoversRow) trade.Handover {
	h, u := r.Handover, r.OrderUpdate
	return trade.Handover{
		Sale: h.SaleID, AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy,
		Buyer: trade.HandoverSide{
			User: kernel.OrZero(h.BuyerID), Name: kernel.OrZero(r.BuyerDisplayName),
			Contact: kernel.OrZero(r.BuyerUsername),
			Word:    kernel.OrZero(h.BuyerWord), SaidAt: kernel.OrZero(h.BuyerSaidAt),
			LaterAt:    kernel.OrZero(h.BuyerLaterAt),
			TookBackAt: kernel.OrZero(h.BuyerTookBackAt),
			Messages:   h.BuyerMessages, PromptedAt: kernel.OrZero(h.BuyerPromptedAt),
		},
		Seller: trade.HandoverSide{
			User: kernel.OrZero(h.SellerID), Name: kernel.OrZero(r.SellerDisplayName),
			Contact: kernel.OrZero(r.SellerUsername),
			Word:    kernel.OrZero(h.SellerWord), SaidAt: kernel.OrZero(h.SellerSaidAt),
			LaterAt:    kernel.OrZero(h.SellerLaterAt),
			TookBackAt: kernel.OrZero(h.SellerTookBackAt),
			Messages:   h.SellerMessages, PromptedAt: kernel.OrZero(h.SellerPromptedAt),
		},
		State: h.State, SettledAt: kernel.OrZero(h.SettledAt), SettledBy: kernel.OrZero(h.SettledBy),
		Against:        kernel.OrZero(h.Against),
		LookedAt:       kernel.OrZero(h.LookedAt),
		OrderFulfilled: r.OrderFulfilled, PostedAgain: core.OrderID(kernel.OrZero(h.PostedAgain)),
		Order: kernel.OrZero(u.OrderID), Offer: kernel.OrZero(u.OfferID), ItemName: kernel.OrZero(u.ItemName),
		Quantity: u.QuantitySold, UnitPrice: u.UnitPrice,
	}
}

// AddHandover stores the handover of a sale that this transaction has added.
func (t *HandoverTx) AddHandover(ctx context.Context, h trade.Handover) error {
	return t.Q.AddHandover(ctx, db.AddHandoverParams{
		SaleID: h.Sale, BuyerID: kernel.OrNull(h.Buyer.User), SellerID: kernel.OrNull(h.Seller.User),
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, DueAt: kernel.TimeOrNull(h.DueAt()),
	})
}

// AddMissingHandovers adds handovers to accepts after a time that have none because an older program made
// them.
func (t *HandoverTx) AddMissingHandovers(ctx context.Context, since time.Time, limit int) (int, error) {
	added, err := t.Q.AddMissingHandovers(ctx, db.AddMissingHandoversParams{
		Within: pgtype.Interval{Microseconds: trade.AgreedWithin.Microseconds(), Valid: true}, Since: since,
		Most: int32(limit),
	})
	return int(added), kernel.Translate(err)
}

// LockHandovers locks the handovers that exist, by number. Where handovers may be cancelled, it locks their
// orders first.
func (t *HandoverTx) LockHandovers(
	ctx context.Context, sales []core.SaleID, cancels bool,
) ([]trade.Handover, error) {
	if cancels {
		if _, err := t.Q.LockOrdersOfSales(ctx, kernel.Raw(sales)); err != nil {
			return nil, kernel.Translate(err)
		}
	}
	if _, err := t.Q.LockHandovers(ctx, kernel.Raw(sales)); err != nil {
		return nil, kernel.Translate(err)
	}
	return t.handovers(ctx, kernel.Raw(sales))
}

// handovers reads locked handovers as they are now.
func (t *HandoverTx) handovers(ctx context.Context, sales []int64) ([]trade.Handover, error) {
	rows, err := t.Q.HandoversByID(ctx, sales)
	return kernel.Convert(rows, func(r db.HandoversByIDRow) trade.Handover {
		return Handover(db.HandoversRow(r))
	}), kernel.Translate(err)
}

// LockDueHandovers locks up to limit handovers that have something due, and the orders of handovers that are
// cancelled by now.
func (t *HandoverTx) LockDueHandovers(
	ctx context.Context, now time.Time, limit int,
) ([]trade.Handover, error) {
	rows, err := t.Q.DueHandovers(ctx, now, int32(limit))
	if err != nil || len(rows) == 0 {
		return nil, kernel.Translate(err)
	}
	var due, cancelled []core.SaleID
	for _, r := range rows {
		h := Handover(db.HandoversRow(r))
		due = append(due, h.Sale)
		if state, _ := h.Outcome(now); state == trust.HandoverCancelled {
			cancelled = append(cancelled, h.Sale)
		}
	}
	if len(cancelled) > 0 {
		if _, err := t.Q.LockOrdersOfSales(ctx, kernel.Raw(cancelled)); err != nil {
			return nil, kernel.Translate(err)
		}
	}
	locked, err := t.Q.LockHandoversNotLocked(ctx, kernel.Raw(due))
	if err != nil {
		return nil, kernel.Translate(err)
	}
	return t.handovers(ctx, kernel.Raw(locked))
}

// SaveHandover stores a locked handover.
func (t *HandoverTx) SaveHandover(ctx context.Context, h trade.Handover) error {
	t.NoteWrite()
	b, s := h.Buyer, h.Seller
	for _, side := range []trade.HandoverSide{b, s} {
		if side.User != 0 {
			t.NoteUsers(side.User)
		}
	}
	err := t.Q.SaveHandover(ctx, db.SaveHandoverParams{
		SaleID: h.Sale, AgreedBy: h.AgreedBy,
		BuyerWord: kernel.OrNull(b.Word), BuyerSaidAt: kernel.TimeOrNull(b.SaidAt),
		BuyerLaterAt:  kernel.TimeOrNull(b.LaterAt),
		BuyerMessages: b.Messages, BuyerPromptedAt: kernel.TimeOrNull(b.PromptedAt),
		SellerWord: kernel.OrNull(s.Word), SellerSaidAt: kernel.TimeOrNull(s.SaidAt),
		SellerLaterAt:  kernel.TimeOrNull(s.LaterAt),
		SellerMessages: s.Messages, SellerPromptedAt: kernel.TimeOrNull(s.PromptedAt),
		State: h.State, SettledAt: kernel.TimeOrNull(h.SettledAt), SettledBy: kernel.OrNull(h.SettledBy),
		Against:         kernel.OrNull(h.Against),
		BuyerTookBackAt: kernel.TimeOrNull(b.TookBackAt), SellerTookBackAt: kernel.TimeOrNull(s.TookBackAt),
		LookedAt: kernel.TimeOrNull(h.LookedAt),
		DueAt:    kernel.TimeOrNull(h.DueAt()),
	})
	if err != nil {
		return kernel.Translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, h.Sale)
}

// LockMissing locks and returns the sale of a cancelled handover that gave back to a fulfilled order of the
// same buyer at least what an order asks for, and that no order has asked for again; zero for none.
func (t *HandoverTx) LockMissing(ctx context.Context, o trade.Order) (core.SaleID, error) {
	sale, err := t.Q.LockMissing(ctx, db.LockMissingParams{
		BuyerID: int64(o.Owner), ItemName: kernel.OrNull(o.ItemName), Quantity: o.Quantity,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return sale, kernel.Translate(err)
}

// PostAgain stores that an order asks again for what a cancelled handover gave back.
func (t *HandoverTx) PostAgain(ctx context.Context, sale core.SaleID, order core.OrderID) error {
	if err := t.Q.PostAgain(ctx, kernel.OrNull(int64(order)), sale); err != nil {
		return kernel.Translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, sale)
}
