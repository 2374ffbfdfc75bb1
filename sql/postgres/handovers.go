package postgres

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/queue"
)

// Handovers returns the handovers in which a user is a party, newest first.
func (s *tradeStore) Handovers(ctx context.Context, user core.UserID, q core.HandoverQuery) ([]core.Handover, error) {
	params := db.HandoversParams{
		UserID: int64(user), Before: beforeSale(q.Before), Sales: raw(q.Sales), Orders: raw(q.Orders), Most: int32(q.Limit),
		States: texts(q.States),
	}
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Handover, error) {
		rows, err := q.Handovers(ctx, params)
		return convert(rows, handover), err
	})
}

func beforeSale(id core.SaleID) int64 {
	if id == 0 {
		return math.MaxInt64
	}
	return int64(id)
}

// SettledHandovers returns what was settled between users and their partners, by user, the oldest sale first.
func (s *trustStore) SettledHandovers(ctx context.Context, users []core.UserID) ([]core.SettledHandover, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.SettledHandover, error) {
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

// Disputes returns handovers that are disputed, newest first, below the number before (zero: from the top).
func (s *tradeStore) Disputes(ctx context.Context, before core.SaleID, limit int) ([]core.Handover, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Handover, error) {
		rows, err := q.Disputes(ctx, beforeSale(before), int32(limit))
		return convert(rows, func(r db.DisputesRow) core.Handover { return handover(db.HandoversRow(r)) }), err
	})
}

// Dispute returns a handover that is disputed. It returns a NotFound error if there is none.
func (s *tradeStore) Dispute(ctx context.Context, id core.SaleID) (core.Handover, error) {
	found, err := s.Disputes(ctx, id+1, 1)
	if err == nil && (len(found) == 0 || found[0].Sale != id) {
		err = notFound(core.NewText("dispute_gone", "This dispute is settled, or was never there"))
	}
	if err != nil {
		return core.Handover{}, err
	}
	return found[0], nil
}

// HandoversBetween returns the other handovers between the sides of some, newest first.
func (s *tradeStore) HandoversBetween(ctx context.Context, sales []core.SaleID, limit int) ([]core.Handover, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Handover, error) {
		rows, err := q.HandoversBetween(ctx, raw(sales), int32(limit))
		return convert(rows, func(r db.HandoversBetweenRow) core.Handover { return handover(db.HandoversRow(r)) }), err
	})
}

func handover(r db.HandoversRow) core.Handover {
	h, u := r.Handover, r.OrderUpdate
	return core.Handover{
		Sale: h.SaleID, AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy,
		Buyer: core.HandoverSide{
			User: orZero(h.BuyerID), Name: orZero(r.BuyerDisplayName), Contact: orZero(r.BuyerUsername),
			Word: orZero(h.BuyerWord), SaidAt: orZero(h.BuyerSaidAt), LaterAt: orZero(h.BuyerLaterAt),
			TookBackAt: orZero(h.BuyerTookBackAt),
			Messages:   h.BuyerMessages, PromptedAt: orZero(h.BuyerPromptedAt),
		},
		Seller: core.HandoverSide{
			User: orZero(h.SellerID), Name: orZero(r.SellerDisplayName), Contact: orZero(r.SellerUsername),
			Word: orZero(h.SellerWord), SaidAt: orZero(h.SellerSaidAt), LaterAt: orZero(h.SellerLaterAt),
			TookBackAt: orZero(h.SellerTookBackAt),
			Messages:   h.SellerMessages, PromptedAt: orZero(h.SellerPromptedAt),
		},
		State: h.State, SettledAt: orZero(h.SettledAt), SettledBy: orZero(h.SettledBy), Against: orZero(h.Against),
		LookedAt:       orZero(h.LookedAt),
		OrderFulfilled: r.OrderFulfilled, PostedAgain: core.OrderID(orZero(h.PostedAgain)),
		Order: orZero(u.OrderID), Offer: orZero(u.OfferID), ItemName: orZero(u.ItemName), Quantity: u.QuantitySold, UnitPrice: u.UnitPrice,
	}
}

func (t *handoverTx) AddHandover(ctx context.Context, h core.Handover) error {
	return t.Q.AddHandover(ctx, db.AddHandoverParams{
		SaleID: h.Sale, BuyerID: orNull(h.Buyer.User), SellerID: orNull(h.Seller.User),
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, DueAt: timeOrNull(h.DueAt()),
	})
}

func (t *handoverTx) AddMissingHandovers(ctx context.Context, since time.Time, limit int) (int, error) {
	added, err := t.Q.AddMissingHandovers(ctx, db.AddMissingHandoversParams{
		Within: pgtype.Interval{Microseconds: core.AgreedWithin.Microseconds(), Valid: true}, Since: since, Most: int32(limit),
	})
	return int(added), translate(err)
}

func (t *handoverTx) LockHandovers(ctx context.Context, sales []core.SaleID, cancels bool) ([]core.Handover, error) {
	if cancels {
		if _, err := t.Q.LockOrdersOfSales(ctx, raw(sales)); err != nil {
			return nil, translate(err)
		}
	}
	if _, err := t.Q.LockHandovers(ctx, raw(sales)); err != nil {
		return nil, translate(err)
	}
	return t.handovers(ctx, raw(sales))
}

// handovers reads locked handovers as they are now.
func (t *handoverTx) handovers(ctx context.Context, sales []int64) ([]core.Handover, error) {
	rows, err := t.Q.HandoversByID(ctx, sales)
	return convert(rows, func(r db.HandoversByIDRow) core.Handover { return handover(db.HandoversRow(r)) }), translate(err)
}

func (t *handoverTx) LockDueHandovers(ctx context.Context, now time.Time, limit int) ([]core.Handover, error) {
	rows, err := t.Q.DueHandovers(ctx, now, int32(limit))
	if err != nil || len(rows) == 0 {
		return nil, translate(err)
	}
	var due, cancelled []core.SaleID
	for _, r := range rows {
		h := handover(db.HandoversRow(r))
		due = append(due, h.Sale)
		if state, _ := h.Outcome(now); state == core.HandoverCancelled {
			cancelled = append(cancelled, h.Sale)
		}
	}
	if len(cancelled) > 0 {
		if _, err := t.Q.LockOrdersOfSales(ctx, raw(cancelled)); err != nil {
			return nil, translate(err)
		}
	}
	locked, err := t.Q.LockHandoversNotLocked(ctx, raw(due))
	if err != nil {
		return nil, translate(err)
	}
	return t.handovers(ctx, raw(locked))
}

func (t *handoverTx) SaveHandover(ctx context.Context, h core.Handover) error {
	t.NoteWrite()
	b, s := h.Buyer, h.Seller
	for _, side := range []core.HandoverSide{b, s} {
		if side.User != 0 {
			t.NoteUsers(side.User)
		}
	}
	err := t.Q.SaveHandover(ctx, db.SaveHandoverParams{
		SaleID: h.Sale, AgreedBy: h.AgreedBy,
		BuyerWord: orNull(b.Word), BuyerSaidAt: timeOrNull(b.SaidAt), BuyerLaterAt: timeOrNull(b.LaterAt),
		BuyerMessages: b.Messages, BuyerPromptedAt: timeOrNull(b.PromptedAt),
		SellerWord: orNull(s.Word), SellerSaidAt: timeOrNull(s.SaidAt), SellerLaterAt: timeOrNull(s.LaterAt),
		SellerMessages: s.Messages, SellerPromptedAt: timeOrNull(s.PromptedAt),
		State: h.State, SettledAt: timeOrNull(h.SettledAt), SettledBy: orNull(h.SettledBy), Against: orNull(h.Against),
		BuyerTookBackAt: timeOrNull(b.TookBackAt), SellerTookBackAt: timeOrNull(s.TookBackAt), LookedAt: timeOrNull(h.LookedAt),
		DueAt: timeOrNull(h.DueAt()),
	})
	if err != nil {
		return translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, h.Sale)
}

func (t *handoverTx) LockMissing(ctx context.Context, o core.Order) (core.SaleID, error) {
	sale, err := t.Q.LockMissing(ctx, db.LockMissingParams{BuyerID: int64(o.Owner), ItemName: orNull(o.ItemName), Quantity: o.Quantity})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return sale, translate(err)
}

func (t *handoverTx) PostAgain(ctx context.Context, sale core.SaleID, order core.OrderID) error {
	if err := t.Q.PostAgain(ctx, orNull(int64(order)), sale); err != nil {
		return translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, sale)
}

func (t *notifyTx) RedrawOffers(ctx context.Context, r core.RedrawnOffers) error {
	err := t.Q.RedrawOffers(ctx, db.RedrawOffersParams{
		OrderID: int64(r.Order), Changed: raw(r.Changed), Everything: len(r.Changed) == 0, ActedOn: r.ActedOn, Since: r.Since, Later: t.Now().Add(r.After),
		Most: int32(r.Most), MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
	})
	if err != nil {
		return translate(err)
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}

func (t *notifyTx) RedrawHandovers(ctx context.Context, sales []core.SaleID, actedOn string) error {
	err := t.Q.RedrawHandovers(ctx, db.RedrawHandoversParams{
		Sales: raw(sales), ActedOn: actedOn, MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
	})
	if err != nil {
		return err
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}

func (t *tradeTx) LockLapsing(ctx context.Context, now, lapsesAt time.Time, limit int) ([]core.OpenOffer, error) {
	if _, err := t.Q.GiveOffersTime(ctx, lapsesAt, int32(limit)); err != nil {
		return nil, translate(err)
	}
	orders, err := t.Q.LockLapsingOrders(ctx, now, int32(limit))
	if err != nil || len(orders) == 0 {
		return nil, translate(err)
	}
	rows, err := t.Q.LapsingOffers(ctx, raw(orders), now)
	open := make([]core.OpenOffer, len(rows))
	for i, r := range rows {
		open[i] = core.OpenOffer{Order: order(r.Order), Offer: offer(r.Offer)}
		t.lock(open[i].Order)
		t.offers[open[i].Offer.ID] = open[i].Offer
	}
	return open, translate(err)
}
