package trade

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// LockBuyer locks and returns the owner of an order that they post, edit or renew. The order itself is left
// out.
func (t *Tx) LockBuyer(
	ctx context.Context, o trade.Order, q core.Quotas, now time.Time,
) (trade.Buyer, error) {
	if err := t.Q.LockTrader(ctx, o.Owner); err != nil {
		return trade.Buyer{}, kernel.Translate(err)
	}
	row, err := t.Q.Buyer(ctx, db.BuyerParams{
		ID: o.Owner, OrderID: int64(o.ID), Now: now, MostOpen: int64(q.OpenRequests),
		MostPosted: int64(trade.PostsToRead(q)),
		ItemName:   o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice,
	})
	if err != nil {
		return trade.Buyer{}, kernel.Translate(err)
	}
	t.Spare.Order = row.OrderNumber
	same, err := equalOrder(row.Alike, o.OrderDraft)
	return trade.Buyer{
		Blocked: row.Blocked, Leaving: kernel.OrZero(row.LeavingAt), Since: row.CreatedAt, Open: row.Open,
		Posted: row.Posted, Same: same,
	}, err
}

// CountPost counts a post of a locked buyer towards their quota.
func (t *Tx) CountPost(ctx context.Context, buyer core.UserID, now time.Time) error {
	return kernel.Translate(t.Q.CountPost(ctx, int64(buyer), now))
}

// equalOrder returns the id of the order that equals the draft, zero for none. The rows come as JSON.
func equalOrder(rows []byte, draft trade.OrderDraft) (core.OrderID, error) {
	var alike []db.Order
	if err := json.Unmarshal(rows, &alike); err != nil {
		return 0, fmt.Errorf("read orders that resemble a new one: %w", err)
	}
	for _, row := range alike {
		if Order(row).Equal(draft) {
			return row.ID, nil
		}
	}
	return 0, nil
}

// LockSeller returns the facts that decide whether a user may offer on a locked order.
func (t *Tx) LockSeller(
	ctx context.Context, o trade.Order, seller core.UserID, q core.Quotas, now time.Time,
) (trade.Seller, error) {
	if err := t.Q.LockTrader(ctx, seller); err != nil {
		return trade.Seller{}, kernel.Translate(err)
	}
	row, err := t.Q.Seller(ctx, db.SellerParams{
		SellerID: seller, OrderID: o.ID, BuyerID: o.Owner,
		SettledBefore: now.Add(-core.SettledAfter),
		MostSent:      int64(q.Offers.Limit), MostSentHere: int64(q.OffersPerRequest.Limit),
		ReachedSince: now.Add(-core.LimitReach.Per),
	})
	if err != nil {
		return trade.Seller{}, kernel.Translate(err)
	}
	id := core.OfferID(row.OfferID)
	if id != 0 {
		t.offers[id] = trade.Offer{ID: id, OrderID: o.ID, Seller: seller}
	}
	return trade.Seller{
		Least: trade.LeastRecord{Sellers: trade.Sellers(row.LeastSellers), NewUpTo: row.NewUpTo},
		Standing: trade.StandingAcceptance{
			StandingDraft: trade.StandingDraft{
				Sellers: trade.Sellers(row.Sellers), FromPartners: row.FromPartners,
				FromOthers: row.FromOthers, Until: row.Until,
			},
			ID: row.StandingID, Order: o.ID, TakenFromPartners: row.TakenFromPartners,
			TakenFromOthers: row.TakenFromOthers,
		},
		Trusted: row.Trusted, Met: row.Met,
		Reach: trust.Reach{
			Since: row.Since, Trust: row.Trust, Stopped: row.Stopped,
			Reached: kernel.IDs[core.UserID](row.Reached),
		},
		Offer: id, Offered: row.Offered, Blocked: row.Blocked, BlockedByBuyer: row.BlockedByBuyer,
		Leaving: kernel.OrZero(row.LeavingAt), Sent: row.Sent, SentHere: row.SentHere,
	}, nil
}

// EndOffersBy ends every offer of a seller, on one buyer's orders or (zero) everybody's, and returns them.
func (t *Tx) EndOffersBy(
	ctx context.Context, seller, buyer core.UserID, state trade.OfferState, now time.Time,
) ([]trade.OpenOffer, error) {
	orders, err := t.lockMany(t.Q.LockOrdersOfferedOn(ctx, int64(seller), int64(buyer)))
	if err != nil || len(orders) == 0 {
		return nil, err
	}
	t.NoteWrite()
	t.NoteUsers(seller)
	rows, err := t.Q.TakeOffersBy(ctx, int64(seller), kernel.Convert(orders, func(o trade.Order) int64 {
		return int64(o.ID)
	}))
	if err != nil {
		return nil, kernel.Translate(err)
	}
	ended := kernel.Convert(rows, func(r db.Offer) trade.OpenOffer {
		of := Offer(r)
		return trade.OpenOffer{Offer: of, Order: t.locked[of.OrderID]}
	})
	ids := kernel.Convert(rows, func(r db.Offer) int64 { return int64(r.ID) })
	return ended, t.Q.EndSentOffers(ctx, db.EndSentOffersParams{State: state, UpdatedAt: now, Ids: ids})
}
