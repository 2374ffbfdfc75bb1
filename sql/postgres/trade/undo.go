package trade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/webhook"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/queue"
)

// LockSale locks the order of a sale and returns both.
func (t *Tx) LockSale(ctx context.Context, id core.SaleID) (trade.Order, trade.Sale, error) {
	on, err := t.Q.SaleOrder(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && on == nil {
		err = kernel.NotFound(core.NewText("sale_gone"))
	}
	if err != nil {
		return trade.Order{}, trade.Sale{}, kernel.Translate(err)
	}
	o, err := t.LockOrder(ctx, *on)
	if err != nil {
		return trade.Order{}, trade.Sale{}, err
	}
	// Whether it was undone is read while the order is locked.
	row, err := t.Q.SaleToUndo(ctx, id)
	if err != nil {
		return trade.Order{}, trade.Sale{}, kernel.Translate(err)
	}
	return o, reversible(row.OrderUpdate, row.Reversed), nil
}

// AddReversal stores that a sale was undone.
func (t *Tx) AddReversal(ctx context.Context, s trade.Sale, by core.UserID, now time.Time) error {
	t.NoteWrite()
	t.NoteTrade(s.ItemName)
	event := webhook.OfSale(webhook.SaleUndone, s.ID, s.OrderID, s.Offer)
	if err := t.Q.AddReversal(ctx, db.AddReversalParams{
		SaleID: s.ID, ReversedBy: kernel.OrNull(by), ReversedAt: now,
		Event: event.ID, EventType: string(event.Type), EventData: event.Data, Sides: sides(s),
	}); err != nil {
		return kernel.Translate(err)
	}
	return t.Q.EndHandover(ctx, s.ID)
}

// KeepEndedOffer stores an open offer that is about to end, so that this can be undone.
func (t *Tx) KeepEndedOffer(
	ctx context.Context, id core.OfferID, state trade.OfferState, by core.UserID, now time.Time,
) error {
	return t.Q.KeepEndedOffer(ctx, db.KeepEndedOfferParams{ID: id, State: state, EndedBy: by, EndedAt: now})
}

// EndedOffer returns an offer that KeepEndedOffer has stored.
func (t *Tx) EndedOffer(ctx context.Context, id core.OfferID) (trade.EndedOffer, error) {
	row, err := t.Q.EndedOffer(ctx, id)
	if err != nil {
		return trade.EndedOffer{}, kernel.Translate(offerNotFound(err))
	}
	return endedOffer(row)
}

func endedOffer(row db.EndedOfferRow) (trade.EndedOffer, error) {
	var content db.Offer
	if err := json.Unmarshal(row.Content, &content); err != nil {
		return trade.EndedOffer{}, fmt.Errorf("content of an ended offer: %w", err)
	}
	return trade.EndedOffer{Offer: Offer(content), State: row.State, By: row.EndedBy, At: row.EndedAt}, nil
}

// AnsweredOffers returns the offers on an order that its owner declined after a time, latest first, and
// whether it had any.
func (s *Store) AnsweredOffers(
	ctx context.Context, o trade.Order, since time.Time,
) (trade.AnsweredOffers, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.AnsweredOffers, error) {
		rows, err := q.DeclinedOffers(ctx, db.DeclinedOffersParams{
			OrderID: o.ID, EndedBy: o.Owner, Since: since,
		})
		if err != nil {
			return trade.AnsweredOffers{}, err
		}
		var answered trade.AnsweredOffers
		for _, row := range rows {
			ended, err := endedOffer(db.EndedOfferRow{
				State: trade.OfferDeclined, EndedBy: o.Owner, EndedAt: row.EndedAt, Content: row.Content,
			})
			if err != nil {
				return trade.AnsweredOffers{}, err
			}
			answered.Declined = append(answered.Declined, ended)
		}
		answered.Any, err = q.HadOffers(ctx, int64(o.ID), o.Owner)
		return answered, err
	})
}

// ReopenOffer adds an ended offer again, with a quantity, and keeps it no longer.
func (t *Tx) ReopenOffer(ctx context.Context, e trade.EndedOffer, quantity int, now time.Time) error {
	t.NoteWrite()
	row, err := t.Q.EndedOffer(ctx, e.Offer.ID)
	if err != nil {
		return kernel.Translate(offerNotFound(err))
	}
	if err := t.Q.ReopenEndedOffer(ctx, quantity, row.Content); err != nil {
		return kernel.Translate(err)
	}
	if err := t.Q.ForgetEndedOffer(ctx, e.Offer.ID); err != nil {
		return kernel.Translate(err)
	}
	if err := t.Q.DetachEndNotices(
		ctx, int64(e.Offer.OrderID), int64(e.Offer.ID),
	); err != nil || !e.Offer.Verified() {
		return kernel.Translate(err)
	}
	t.NoteUsers(e.Offer.Seller)
	return kernel.Translate(t.Q.ReopenSentOfferEnded(ctx, now, e.Offer.ID))
}

// undoneUnsent is why a notice of an acceptance was not sent.
const undoneUnsent = "The acceptance was undone before its notice could be sent"

// ExpireAccepted ends the seller's notice of a sale that no message was given to yet.
func (t *Tx) ExpireAccepted(
	ctx context.Context, offer trade.Offer, s trade.Sale, now time.Time,
) (bool, error) {
	expired, err := t.Q.ExpireAccepted(ctx, db.ExpireAcceptedParams{
		Reason: undoneUnsent, Now: &now, OrderID: int64(offer.OrderID), OfferID: int64(offer.ID),
		UserID: offer.Seller, Quantity: s.Quantity, SaleID: int64(s.ID),
	})
	return expired > 0, kernel.Translate(err)
}

// UndoneAccepts returns when the buyer undid acceptances of a locked offer, latest first.
func (t *Tx) UndoneAccepts(id core.OfferID) []time.Time { return t.undone[id] }

// TakeBackAccepted subtracts from the accepted quantity of a user's offer.
func (t *Tx) TakeBackAccepted(ctx context.Context, id core.OfferID, qty int, now time.Time) error {
	return t.Q.TakeBackAccepted(ctx, db.TakeBackAcceptedParams{ID: id, Quantity: qty, UpdatedAt: now})
}

// RetellDeclined has the notice that an offer was declined, and its message, say that the offer is open
// again.
func (t *Tx) RetellDeclined(ctx context.Context, offer trade.Offer) (bool, error) {
	retold, err := t.Q.RetellDeclined(ctx, db.RetellDeclinedParams{
		OrderID: int64(offer.OrderID), OfferID: int64(offer.ID), UserID: offer.Seller,
		MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
	})
	if err != nil || retold == 0 {
		return false, kernel.Translate(err)
	}
	return true, t.Jobs.NoticesAdded(ctx, t.Q)
}
