package trade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// fillUndone is why a notice that an order is filled was not sent.
const fillUndone = "The sale that filled the request was undone before its notice could be sent"

// AddClosing stores that a locked order was closed, so that this can be undone, and lapses every offer on
// it.
func (t *Tx) AddClosing(ctx context.Context, o trade.Order, now time.Time) error {
	t.NoteWrite()
	id, err := t.Q.AddClosing(ctx, db.AddClosingParams{
		OrderID: int64(o.ID), ItemName: o.ItemName, Reason: o.CloseReason, ClosedAt: o.ClosedAt,
	})
	if err != nil {
		return kernel.Translate(err)
	}
	if err := t.Q.KeepLapsedOffers(ctx, id, o.ID); err != nil {
		return kernel.Translate(err)
	}
	_, err = t.LapseOffers(ctx, o.ID, now)
	return err
}

// LockClosing locks the closing of a locked order and returns it.
func (t *Tx) LockClosing(ctx context.Context, o trade.Order) (trade.Closing, error) {
	row, err := t.Q.LockClosing(ctx, int64(o.ID))
	if err != nil {
		return trade.Closing{}, kernel.Translate(closingNotFound(err))
	}
	contents, err := t.Q.LapsedOffers(ctx, row.ID)
	if err != nil {
		return trade.Closing{}, kernel.Translate(err)
	}
	c := closing(row, o)
	for _, content := range contents {
		if c.Offers, err = appendOffer(c.Offers, content); err != nil {
			return trade.Closing{}, err
		}
	}
	return c, nil
}

// TakeClosing deletes the closing of a locked order and returns it.
func (t *Tx) TakeClosing(ctx context.Context, o trade.Order) (trade.Closing, error) {
	row, err := t.Q.LockClosing(ctx, int64(o.ID))
	if err != nil {
		return trade.Closing{}, kernel.Translate(closingNotFound(err))
	}
	taken, err := t.takeClosings(ctx, []trade.Closing{closing(row, o)})
	if err != nil {
		return trade.Closing{}, err
	}
	return taken[0], nil
}

// TakeClosings deletes up to limit closings from before a time, the oldest first, and returns them.
func (t *Tx) TakeClosings(ctx context.Context, before time.Time, limit int) ([]trade.Closing, error) {
	due, err := t.Q.DueClosings(ctx, before, int32(limit))
	if err != nil || len(due) == 0 {
		return nil, kernel.Translate(err)
	}
	var ids, on []int64
	for _, row := range due {
		ids = append(ids, int64(row.ID))
		if row.OrderID != nil {
			on = append(on, int64(*row.OrderID))
		}
	}
	// Their orders first, as an undo does.
	if _, err := t.lockMany(t.Q.LockOrders(ctx, on)); err != nil {
		return nil, err
	}
	rows, err := t.Q.LockClosings(ctx, ids)
	if err != nil {
		return nil, kernel.Translate(err)
	}
	return t.takeClosings(ctx, kernel.Convert(rows, func(row db.Closing) trade.Closing {
		o := trade.Order{OrderDraft: trade.OrderDraft{ItemName: row.ItemName}}
		if row.OrderID != nil {
			o = t.locked[*row.OrderID]
		}
		return closing(row, o)
	}))
}

// takeClosings deletes locked closings and returns them with their offers.
func (t *Tx) takeClosings(ctx context.Context, closings []trade.Closing) ([]trade.Closing, error) {
	ids := kernel.Convert(closings, func(c trade.Closing) int64 { return int64(c.ID) })
	rows, err := t.Q.TakeLapsedOffers(ctx, ids)
	if err != nil {
		return nil, kernel.Translate(err)
	}
	for _, row := range rows {
		c := &closings[slices.Index(ids, int64(row.ClosingID))]
		if c.Offers, err = appendOffer(c.Offers, row.Content); err != nil {
			return nil, err
		}
	}
	for i := range closings {
		slices.SortFunc(closings[i].Offers, func(a, b trade.Offer) int { return int(a.ID - b.ID) })
	}
	return closings, t.Q.RemoveClosings(ctx, ids)
}

// LockSellers returns the facts that decide whether the sellers of offers that lapsed with an order may
// return to it, as LockSeller does; their latest offers are left out.
func (t *Tx) LockSellers(
	ctx context.Context, o trade.Order, sellers []core.UserID,
) (map[core.UserID]trade.Seller, error) {
	if len(sellers) == 0 {
		return nil, nil
	}
	if err := t.Q.LockTraders(ctx, kernel.Raw(sellers)); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.Sellers(ctx, o.Owner, kernel.Raw(sellers))
	if err != nil {
		return nil, kernel.Translate(err)
	}
	known := map[core.UserID]trade.Seller{}
	for _, row := range rows {
		known[row.ID] = trade.Seller{Blocked: row.Blocked, BlockedByBuyer: row.BlockedByBuyer}
	}
	return known, nil
}

// Reopen stores that the closing of a locked order was undone, adds its returning offers again, and deletes
// it. The caller saves the order, which the database compares with the reopening.
func (t *Tx) Reopen(
	ctx context.Context, closed trade.Order, c trade.Closing, back []trade.Offer, now time.Time,
) error {
	ids := kernel.Convert(back, func(o trade.Offer) int64 { return int64(o.ID) })
	for _, o := range back {
		if o.Verified() {
			t.NoteUsers(o.Seller)
		}
	}
	for _, restore := range []func() error{
		func() error {
			return t.Q.AddReopening(ctx, db.AddReopeningParams{
				ClosingID: c.ID, OrderID: c.Order.ID, Reason: c.Reason, ClosedAt: closed.ClosedAt,
				ReopenedAt: now,
			})
		},
		func() error { return t.Q.TakeFromArchive(ctx, c.Order.ID) },
		func() error { return t.Q.ReopenLapsedOffers(ctx, ids) },
		func() error { return t.Q.ReopenLapsedSentOffers(ctx, now, ids) },
		func() error {
			return t.Q.ExpireFilledNotice(ctx, db.ExpireFilledNoticeParams{
				Reason: fillUndone, Now: &now, OrderID: int64(c.Order.ID),
			})
		},
		func() error { return t.Q.ReviveBoardPosts(ctx, c.Order.ID) },
		func() error { return t.Q.RemoveClosings(ctx, []int64{int64(c.ID)}) },
	} {
		if err := restore(); err != nil {
			return kernel.Translate(err)
		}
	}
	return nil
}

func closing(row db.Closing, o trade.Order) trade.Closing {
	return trade.Closing{ID: row.ID, Order: o, Reason: row.Reason}
}

// appendOffer adds an offer as to_jsonb writes it.
func appendOffer(offers []trade.Offer, content []byte) ([]trade.Offer, error) {
	var row db.Offer
	if err := json.Unmarshal(content, &row); err != nil {
		return nil, fmt.Errorf("content of a lapsed offer: %w", err)
	}
	return append(offers, Offer(row)), nil
}

func closingNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return kernel.NotFound(core.NewText("undo_closing_gone"))
	}
	return err
}
