package trade

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// LockLapsing locks up to limit orders with offers that lapse by now, and returns those offers.
func (t *Tx) LockLapsing(ctx context.Context, now, lapsesAt time.Time, limit int) ([]trade.OpenOffer, error) {
	if _, err := t.Q.GiveOffersTime(ctx, lapsesAt, int32(limit)); err != nil {
		return nil, kernel.Translate(err)
	}
	orders, err := t.Q.LockLapsingOrders(ctx, now, int32(limit))
	if err != nil || len(orders) == 0 {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.LapsingOffers(ctx, kernel.Raw(orders), now)
	open := make([]trade.OpenOffer, len(rows))
	for i, r := range rows {
		open[i] = trade.OpenOffer{Order: Order(r.Order), Offer: Offer(r.Offer)}
		t.lock(open[i].Order)
		t.offers[open[i].Offer.ID] = open[i].Offer
	}
	return open, kernel.Translate(err)
}

// CountOffers returns the number of open offers on an order.
func (s *Store) CountOffers(ctx context.Context, id core.OrderID) (int, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (int, error) {
		count, err := q.CountOffers(ctx, id)
		return int(count), err
	})
}

// Offers returns the offers on an order, newest first.
func (s *Store) Offers(ctx context.Context, id core.OrderID) ([]trade.Offer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Offer, error) {
		rows, err := q.Offers(ctx, id)
		return kernel.Convert(rows, Offer), err
	})
}

// Offer returns an offer. It returns a NotFound error if there is none.
func (s *Store) Offer(ctx context.Context, id core.OfferID) (trade.Offer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.Offer, error) {
		row, err := q.Offer(ctx, id)
		return Offer(row), offerNotFound(err)
	})
}

// SentOffers returns a seller's records, newest first, below the offer id before (zero: from the top).
func (s *Store) SentOffers(
	ctx context.Context, seller core.UserID, before core.OfferID, limit int,
) ([]trade.SentOffer, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.SentOffer, error) {
		rows, err := q.SentOffers(ctx, db.SentOffersParams{
			SellerID: seller, Before: before, Most: int32(limit),
		})
		return kernel.Convert(rows, sentOffer), err
	})
}

// SentOffersIn returns one part of a seller's records, newest first, below the offer id before (zero: from
// the top).
func (s *Store) SentOffersIn(
	ctx context.Context, seller core.UserID, part trade.SentPart, before core.OfferID, limit int,
) ([]trade.SentOffer, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.SentOffer, error) {
		rows, err := q.SentOffersIn(ctx, db.SentOffersInParams{
			SellerID: seller, Before: before, Part: string(part), Most: int32(limit),
		})
		return kernel.Convert(rows, sentOffer), err
	})
}

// SentCounts returns how many offers are in each part of a seller's records.
func (s *Store) SentCounts(ctx context.Context, seller core.UserID) (trade.SentCounts, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.SentCounts, error) {
		row, err := q.CountSentOffers(ctx, seller)
		return trade.SentCounts{Open: int(row.Open), Accepted: int(row.Accepted), Past: int(row.Past)}, err
	})
}

// OpenSentOffers returns a seller's records of open offers, newest first.
func (s *Store) OpenSentOffers(
	ctx context.Context, seller core.UserID, limit int,
) ([]trade.SentOffer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.SentOffer, error) {
		rows, err := q.OpenSentOffers(ctx, seller, int32(limit))
		return kernel.Convert(rows, sentOffer), err
	})
}

// OpenSentOfferOn returns a seller's record of their open offer on an order. It returns a NotFound error if
// there is none.
func (s *Store) OpenSentOfferOn(
	ctx context.Context, seller core.UserID, order core.OrderID,
) (trade.SentOffer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.SentOffer, error) {
		row, err := q.OpenSentOfferOn(ctx, int64(order), seller)
		return sentOffer(row), offerNotFound(err)
	})
}

// ReceivedOffers returns the offers that wait for a buyer, after a place in the list (zero: from the top).
func (s *Store) ReceivedOffers(
	ctx context.Context, buyer core.UserID, after trade.ReceivedPlace, now time.Time, limit int,
) ([]trade.OpenOffer, error) {
	if after == (trade.ReceivedPlace{}) {
		after = trade.ReceivedPlace{Order: math.MaxInt64, Offer: math.MaxInt64}
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.OpenOffer, error) {
		rows, err := q.ReceivedOffers(ctx, db.ReceivedOffersParams{
			BuyerID: int64(buyer), AfterOrder: int64(after.Order), AfterOffer: int64(after.Offer), Now: now,
			Most: int32(limit),
		})
		return kernel.Convert(rows, func(r db.ReceivedOffersRow) trade.OpenOffer {
			return trade.OpenOffer{Order: Order(r.Order), Offer: Offer(r.Offer)}
		}), err
	})
}

func offerNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return kernel.NotFound(core.NewText("offer_gone"))
	}
	return err
}

// LockOffer locks the order of an offer, then the offer.
func (t *Tx) LockOffer(ctx context.Context, id core.OfferID) (trade.Order, trade.Offer, error) {
	row, err := t.Q.LockOffer(ctx, core.LimitUndoneAccepts.Limit, id)
	if err != nil {
		return trade.Order{}, trade.Offer{}, kernel.Translate(offerNotFound(err))
	}
	t.Spare = kernel.Numbers{Sale: row.SaleNumber, Notice: row.NoticeNumber}
	o, of := Order(row.Order), Offer(row.Offer)
	t.lock(o)
	t.offers[of.ID], t.undone[of.ID] = of, row.Undone
	return o, of, nil
}

// AddOffer stores an offer and, for a user's, its record.
func (t *Tx) AddOffer(ctx context.Context, o trade.Offer, itemName string) (core.OfferID, error) {
	t.NoteWrite()
	number := kernel.Take(&t.Spare.Offer)
	if number == 0 {
		var err error
		if number, err = t.Q.OfferNumber(ctx); err != nil {
			return 0, kernel.Translate(err)
		}
	}
	o.ID = core.OfferID(number)
	t.offers[o.ID] = o
	err := t.Q.AddOffer(ctx, db.AddOfferParams{
		ID: o.ID, OrderID: o.OrderID, BuyerID: kernel.OrNull(t.locked[o.OrderID].Owner),
		SellerID:   kernel.OrNull(o.Seller),
		SellerName: o.SellerName, SellerContact: o.SellerContact,
		Message: o.Message, PricePerUnit: o.Price, QuantityOffered: o.Quantity, CreatedAt: o.CreatedAt,
		GoodUntil: kernel.TimeOrNull(o.GoodUntil), LapsesAt: kernel.TimeOrNull(o.LapsesAt),
	})
	if err != nil || !o.Verified() {
		return o.ID, err
	}
	t.NoteUsers(o.Seller)
	return o.ID, t.Q.AddSentOffer(ctx, db.AddSentOfferParams{
		ID: o.ID, SellerID: o.Seller, OrderID: &o.OrderID, ItemName: itemName,
		SellerName: o.SellerName, Message: o.Message, PricePerUnit: o.Price, QuantityOffered: o.Quantity,
		CreatedAt: o.CreatedAt,
		GoodUntil: kernel.TimeOrNull(o.GoodUntil),
	})
}

// SaveOffer stores the quantity of a locked offer.
func (t *Tx) SaveOffer(ctx context.Context, o trade.Offer) error {
	t.NoteWrite()
	return t.Q.SaveOfferQuantity(ctx, o.Quantity, o.ID)
}

// CountVisitorOffers returns how many open offers of visitors a locked order has.
func (t *Tx) CountVisitorOffers(ctx context.Context, id core.OrderID) (int, error) {
	n, err := t.Q.CountVisitorOffers(ctx, id)
	return int(n), kernel.Translate(err)
}

// EndOffer deletes an offer and stores its state in the sent offer and in its private links.
func (t *Tx) EndOffer(ctx context.Context, id core.OfferID, state trade.OfferState, now time.Time) error {
	t.NoteWrite()
	if err := t.Q.DeleteOffer(ctx, id); err != nil {
		return err
	}
	of, known := t.offers[id]
	if !known || !of.Verified() {
		if err := t.Q.EndOfferLinks(ctx, db.EndOfferLinksParams{
			OfferID: id, State: state, UpdatedAt: now,
		}); err != nil || known {
			return err // a visitor's offer has no other record
		}
	}
	if known {
		t.NoteUsers(of.Seller)
	}
	return t.Q.EndSentOffer(ctx, db.EndSentOfferParams{ID: id, State: state, UpdatedAt: now})
}

// LapseOffers deletes every offer on an order, notes it in their records and returns them.
func (t *Tx) LapseOffers(ctx context.Context, id core.OrderID, now time.Time) ([]trade.Offer, error) {
	t.NoteWrite()
	rows, err := t.Q.TakeOffers(ctx, id)
	if err != nil {
		return nil, kernel.Translate(err)
	}
	offers := kernel.Convert(rows, Offer)
	slices.SortFunc(offers, func(a, b trade.Offer) int { return cmp.Compare(a.ID, b.ID) })
	var visitors []core.OfferID
	for _, o := range offers {
		if o.Verified() {
			t.NoteUsers(o.Seller)
		} else {
			visitors = append(visitors, o.ID)
		}
	}
	if len(offers) == 0 {
		return nil, nil
	}
	if len(visitors) > 0 {
		if err := t.Q.LapseOfferLinks(ctx, now, kernel.Raw(visitors)); err != nil {
			return nil, err
		}
	}
	return offers, t.Q.LapseSentOffers(ctx, now, int64(id))
}

// RecordAccepted adds to what was accepted of a user's offer.
func (t *Tx) RecordAccepted(
	ctx context.Context, id core.OfferID, qty int, buyerContact string, now time.Time,
) error {
	return t.Q.RecordAccepted(ctx, db.RecordAcceptedParams{
		ID: id, Quantity: qty, BuyerContact: kernel.OrNull(buyerContact), UpdatedAt: now,
	})
}

// Offer returns the offer of a row.
func Offer(o db.Offer) trade.Offer {
	return trade.Offer{
		ID: o.ID, OrderID: o.OrderID, Seller: kernel.OrZero(o.SellerID), SellerName: o.SellerName,
		SellerContact: o.SellerContact,
		Message:       o.Message, Price: o.PricePerUnit, Quantity: o.QuantityOffered, CreatedAt: o.CreatedAt,
		GoodUntil: kernel.OrZero(o.GoodUntil), LapsesAt: kernel.OrZero(o.LapsesAt),
	}
}

func sentOffer(o db.SentOffer) trade.SentOffer {
	return trade.SentOffer{
		ID: o.ID, Seller: o.SellerID, OrderID: kernel.OrZero(o.OrderID), ItemName: o.ItemName,
		SellerName: kernel.OrZero(o.SellerName), Message: kernel.OrZero(o.Message), Price: o.PricePerUnit,
		Quantity: o.QuantityOffered, Accepted: o.Accepted, State: o.State,
		BuyerContact: kernel.OrZero(o.BuyerContact),
		CreatedAt:    o.CreatedAt, UpdatedAt: o.UpdatedAt, GoodUntil: kernel.OrZero(o.GoodUntil),
	}
}
