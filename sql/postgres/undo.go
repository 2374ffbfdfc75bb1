package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/queue"
)

func (t *tx) LockSale(ctx context.Context, id core.SaleID) (core.Order, core.Sale, error) {
	on, err := t.q.SaleOrder(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && on == nil {
		err = notFound(core.NewText("sale_gone", "That sale is no longer here"))
	}
	if err != nil {
		return core.Order{}, core.Sale{}, translate(err)
	}
	o, err := t.LockOrder(ctx, *on)
	if err != nil {
		return core.Order{}, core.Sale{}, err
	}
	// Whether it was undone is read while the order is locked.
	row, err := t.q.SaleToUndo(ctx, id)
	if err != nil {
		return core.Order{}, core.Sale{}, translate(err)
	}
	return o, reversible(row.OrderUpdate, row.Reversed), nil
}

func (t *tx) AddReversal(ctx context.Context, s core.Sale, by core.UserID, now time.Time) error {
	t.wrote = true
	t.trade(s.ItemName)
	if err := t.q.AddReversal(ctx, db.AddReversalParams{SaleID: s.ID, ReversedBy: orNull(by), ReversedAt: now}); err != nil {
		return translate(err)
	}
	return t.q.EndHandover(ctx, s.ID)
}

func (t *tx) KeepEndedOffer(ctx context.Context, id core.OfferID, state core.OfferState, by core.UserID, now time.Time) error {
	return t.q.KeepEndedOffer(ctx, db.KeepEndedOfferParams{ID: id, State: state, EndedBy: by, EndedAt: now})
}

func (t *tx) EndedOffer(ctx context.Context, id core.OfferID) (core.EndedOffer, error) {
	row, err := t.q.EndedOffer(ctx, id)
	if err != nil {
		return core.EndedOffer{}, translate(offerNotFound(err))
	}
	return endedOffer(row)
}

func endedOffer(row db.EndedOfferRow) (core.EndedOffer, error) {
	var content db.Offer
	if err := json.Unmarshal(row.Content, &content); err != nil {
		return core.EndedOffer{}, fmt.Errorf("content of an ended offer: %w", err)
	}
	return core.EndedOffer{Offer: offer(content), State: row.State, By: row.EndedBy, At: row.EndedAt}, nil
}

// AnsweredOffers returns the offers on an order that its owner declined after a time, latest first, and whether it had any.
func (s *Store) AnsweredOffers(ctx context.Context, o core.Order, since time.Time) (core.AnsweredOffers, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.AnsweredOffers, error) {
		rows, err := q.DeclinedOffers(ctx, db.DeclinedOffersParams{OrderID: o.ID, EndedBy: o.Owner, Since: since})
		if err != nil {
			return core.AnsweredOffers{}, err
		}
		var answered core.AnsweredOffers
		for _, row := range rows {
			ended, err := endedOffer(db.EndedOfferRow{State: core.OfferDeclined, EndedBy: o.Owner, EndedAt: row.EndedAt, Content: row.Content})
			if err != nil {
				return core.AnsweredOffers{}, err
			}
			answered.Declined = append(answered.Declined, ended)
		}
		answered.Any, err = q.HadOffers(ctx, int64(o.ID), o.Owner)
		return answered, err
	})
}

func (t *tx) ReopenOffer(ctx context.Context, e core.EndedOffer, quantity int, now time.Time) error {
	t.wrote = true
	row, err := t.q.EndedOffer(ctx, e.Offer.ID)
	if err != nil {
		return translate(offerNotFound(err))
	}
	if err := t.q.ReopenEndedOffer(ctx, quantity, row.Content); err != nil {
		return translate(err)
	}
	if err := t.q.ForgetEndedOffer(ctx, e.Offer.ID); err != nil {
		return translate(err)
	}
	if err := t.q.DetachEndNotices(ctx, int64(e.Offer.OrderID), int64(e.Offer.ID)); err != nil || !e.Offer.Verified() {
		return translate(err)
	}
	t.users = append(t.users, e.Offer.Seller)
	return translate(t.q.ReopenSentOfferEnded(ctx, now, e.Offer.ID))
}

func (t *tx) TakeBackAccepted(ctx context.Context, id core.OfferID, qty int, now time.Time) error {
	return t.q.TakeBackAccepted(ctx, db.TakeBackAcceptedParams{ID: id, Quantity: qty, UpdatedAt: now})
}

func (t *tx) RetellDeclined(ctx context.Context, offer core.Offer) (bool, error) {
	retold, err := t.q.RetellDeclined(ctx, db.RetellDeclinedParams{
		OrderID: int64(offer.OrderID), OfferID: int64(offer.ID), UserID: offer.Seller, MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.now(),
	})
	if err != nil || retold == 0 {
		return false, translate(err)
	}
	return true, t.jobs.NoticesAdded(ctx, t.q)
}
