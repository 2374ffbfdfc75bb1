package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// BlockedUsers returns users who are blocked, the latest first.
func (s *Store) BlockedUsers(ctx context.Context, limit int) ([]core.User, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.User, error) {
		rows, err := q.BlockedUsers(ctx, int32(limit))
		return convert(rows, user), err
	})
}

// BlockedSellers returns the sellers that a buyer has blocked, the latest first.
func (s *Store) BlockedSellers(ctx context.Context, buyer core.UserID, limit int) ([]core.BlockedSeller, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.BlockedSeller, error) {
		rows, err := q.BlockedSellers(ctx, buyer, int32(limit))
		return convert(rows, func(r db.BlockedSellersRow) core.BlockedSeller {
			return core.BlockedSeller{Seller: r.SellerID, Username: r.Username, CreatedAt: r.CreatedAt}
		}), err
	})
}

func (t *tx) LockBuyer(ctx context.Context, o core.Order, q core.Quotas, now time.Time) (core.Buyer, error) {
	if err := t.q.LockTrader(ctx, o.Owner); err != nil {
		return core.Buyer{}, translate(err)
	}
	row, err := t.q.Buyer(ctx, db.BuyerParams{
		ID: o.Owner, OrderID: int64(o.ID), Now: now, MostOpen: int64(q.OpenRequests), MostPosted: int64(core.PostsToRead(q)),
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice,
	})
	if err != nil {
		return core.Buyer{}, translate(err)
	}
	t.spare.order = row.OrderNumber
	same, err := equalOrder(row.Alike, o.OrderDraft)
	return core.Buyer{Blocked: row.Blocked, Leaving: orZero(row.LeavingAt), Since: row.CreatedAt, Open: row.Open, Posted: row.Posted, Same: same}, err
}

// equalOrder returns the id of the order that equals the draft, zero for none. The rows come as JSON.
func equalOrder(rows []byte, draft core.OrderDraft) (core.OrderID, error) {
	var alike []db.Order
	if err := json.Unmarshal(rows, &alike); err != nil {
		return 0, fmt.Errorf("read orders that resemble a new one: %w", err)
	}
	for _, row := range alike {
		if order(row).Equal(draft) {
			return row.ID, nil
		}
	}
	return 0, nil
}

func (t *tx) LockSeller(ctx context.Context, o core.Order, seller core.UserID, q core.Quotas) (core.Seller, error) {
	if err := t.q.LockTrader(ctx, seller); err != nil {
		return core.Seller{}, translate(err)
	}
	row, err := t.q.Seller(ctx, db.SellerParams{
		SellerID: seller, OrderID: o.ID, BuyerID: o.Owner,
		MostSent: int64(q.Offers.Limit), MostSentHere: int64(q.OffersPerRequest.Limit),
	})
	if err != nil {
		return core.Seller{}, translate(err)
	}
	id := core.OfferID(row.OfferID)
	if id != 0 {
		t.offers[id] = core.Offer{ID: id, OrderID: o.ID, Seller: seller}
	}
	return core.Seller{
		Least: core.LeastRecord{Partners: row.LeastPartners, NewUpTo: row.NewUpTo},
		Standing: core.StandingAcceptance{
			StandingDraft: core.StandingDraft{Partners: row.Partners, FromPartners: row.FromPartners, FromOthers: row.FromOthers, Until: row.Until},
			ID:            row.StandingID, Order: o.ID, TakenFromPartners: row.TakenFromPartners, TakenFromOthers: row.TakenFromOthers,
		},
		Offer: id, Offered: row.Offered, Blocked: row.Blocked, BlockedByBuyer: row.BlockedByBuyer, Leaving: orZero(row.LeavingAt), Sent: row.Sent, SentHere: row.SentHere,
	}, nil
}

func (t *tx) LockUser(ctx context.Context, id core.UserID) (core.User, error) {
	row, err := t.q.LockUser(ctx, id)
	return user(row), translate(err)
}

func (t *tx) SaveBlock(ctx context.Context, u core.User, now time.Time) error {
	err := t.q.SaveBlock(ctx, db.SaveBlockParams{ID: u.ID, BlockedAt: timeOrNull(u.BlockedAt), BlockedFor: u.BlockedFor})
	if err != nil {
		return translate(err)
	}
	return t.hideOrders(ctx, u, now)
}

func (t *tx) EndOffersBy(ctx context.Context, seller, buyer core.UserID, state core.OfferState, now time.Time) ([]core.OpenOffer, error) {
	orders, err := t.lockMany(t.q.LockOrdersOfferedOn(ctx, int64(seller), int64(buyer)))
	if err != nil || len(orders) == 0 {
		return nil, err
	}
	t.wrote = true
	t.users = append(t.users, seller)
	rows, err := t.q.TakeOffersBy(ctx, int64(seller), convert(orders, func(o core.Order) int64 { return int64(o.ID) }))
	if err != nil {
		return nil, translate(err)
	}
	ended := convert(rows, func(r db.Offer) core.OpenOffer {
		of := offer(r)
		return core.OpenOffer{Offer: of, Order: t.locked[of.OrderID]}
	})
	ids := convert(rows, func(r db.Offer) int64 { return int64(r.ID) })
	return ended, t.q.EndSentOffers(ctx, db.EndSentOffersParams{State: state, UpdatedAt: now, Ids: ids})
}

func (t *tx) AddBlockedSeller(ctx context.Context, buyer, seller core.UserID, now time.Time) error {
	t.users = append(t.users, buyer)
	return t.q.AddBlockedSeller(ctx, db.AddBlockedSellerParams{BuyerID: buyer, SellerID: seller, CreatedAt: now})
}

func (t *tx) RemoveBlockedSeller(ctx context.Context, buyer, seller core.UserID) error {
	t.users = append(t.users, buyer)
	return t.q.RemoveBlockedSeller(ctx, buyer, seller)
}
