package trade

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/cross"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/queue"
)

// CrossingTx locks and pairs orders and listings that may cross, inside a transaction.
type CrossingTx struct {
	*kernel.Tx
	on *Tx // locks orders

	listings, orders []int64 // locked, on the other side of a row that may cross
}

// listedFor is how long a listing is shown that its seller does not touch: match.StockLifetime.
const listedFor = 28 * core.Day

// LockForOrder locks an order that is about to change, up to limit listings that may then cross with it, and
// their items and sellers. It leaves an order that is not there for the caller to find out.
func (t *CrossingTx) LockForOrder(
	ctx context.Context, id core.OrderID, change trade.ToCross, same func(string) []string, now time.Time,
	limit int,
) error {
	row, err := t.Q.Order(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return kernel.Translate(err)
	}
	item, price := row.ItemName, row.MaxPricePerUnit
	items := []string{slices.Min(same(item))}
	if change.Item != nil {
		item = *change.Item
		items = append(items, slices.Min(same(item)))
	}
	if change.MaxPrice != nil {
		price = *change.MaxPrice
	}
	if err := t.Q.LockCrossedItems(ctx, items); err != nil {
		return kernel.Translate(err)
	}
	before, err := t.on.LockOrder(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if before.ItemName != row.ItemName || before.MaxPrice != row.MaxPricePerUnit {
		return kernel.ReadAgain()
	}
	p := db.ListingsToCrossParams{
		Names: same(item), Price: int64(price), TouchedAfter: now.Add(-listedFor), Now: now,
		BuyerID: before.Owner, Needs: before.Remaining(), OrderID: int64(id), Stands: change.Stands,
		Most: int32(limit),
	}
	users, err := t.lapsedSellers(ctx, before)
	if err != nil {
		return err
	}
	return t.lockListings(ctx, p, users, 0)
}

// lapsedSellers returns the sellers whose offers come back if a closed order is opened again: they are locked
// before listings.
func (t *CrossingTx) lapsedSellers(ctx context.Context, o trade.Order) ([]int64, error) {
	if o.Status != trade.Fulfilled {
		return nil, nil
	}
	users, err := t.Q.LapsedSellers(ctx, int64(o.ID))
	return users, kernel.Translate(err)
}

// lockListings locks the listings that an order may cross with, and one more (zero for none), after their
// sellers, the buyer and others.
func (t *CrossingTx) lockListings(
	ctx context.Context, p db.ListingsToCrossParams, users []int64, also core.StockID,
) error {
	found, err := t.Q.ListingsToCross(ctx, p)
	if err != nil {
		return kernel.Translate(err)
	}
	users = append(users, int64(p.BuyerID))
	for _, l := range found {
		t.listings = append(t.listings, int64(l.ID))
		users = append(users, int64(l.UserID))
	}
	stock := t.listings
	if also != 0 {
		stock = append(slices.Clone(stock), int64(also))
	}
	if len(stock) == 0 {
		return nil
	}
	if err := t.Q.LockTraders(ctx, users); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.LockStocks(ctx, stock))
}

// LockForPost locks up to limit listings that a new order may cross with, and the item and their sellers.
func (t *CrossingTx) LockForPost(
	ctx context.Context, o trade.Order, names []string, now time.Time, limit int,
) error {
	if err := t.Q.LockCrossedItems(ctx, []string{slices.Min(names)}); err != nil {
		return kernel.Translate(err)
	}
	return t.lockListings(ctx, db.ListingsToCrossParams{
		Names: names, Price: int64(o.MaxPrice), TouchedAfter: now.Add(-listedFor), Now: now, BuyerID: o.Owner,
		Needs: o.Quantity, Stands: true, Most: int32(limit),
	}, nil, 0)
}

// LockForUndo locks what the order and the listing of a sale may cross with once it is undone, and returns
// the listing. It leaves a sale that is not there for the caller to find out.
func (t *CrossingTx) LockForUndo(
	ctx context.Context, id core.SaleID, same func(string) []string, now time.Time, limit int,
) (listing core.StockID, err error) {
	sale, err := t.Q.SaleToCross(ctx, int64(id))
	if errors.Is(err, pgx.ErrNoRows) || err == nil && sale.OrderID == nil {
		return 0, nil
	}
	if err != nil {
		return 0, kernel.Translate(err)
	}
	row, err := t.Q.Order(ctx, *sale.OrderID)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, kernel.Translate(err)
	}
	names := same(row.ItemName)
	if err := t.Q.LockCrossedItems(ctx, []string{slices.Min(names)}); err != nil {
		return 0, kernel.Translate(err)
	}
	orders, users := []int64{int64(row.ID)}, []int64(nil)
	if sale.SellerID != nil {
		users = append(users, int64(*sale.SellerID))
		stock, err := t.Q.StandingListing(ctx, int64(*sale.SellerID), names)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return 0, kernel.Translate(err)
		}
		if listing = stock.ID; listing != 0 {
			buyers, err := t.ordersToCross(ctx, *sale.SellerID,
				[]trade.ListingToCross{{Names: names, Price: stock.Price}}, now, limit)
			if err != nil {
				return 0, err
			}
			orders, users = append(orders, t.orders...), append(users, buyers...)
		}
	}
	if _, err := t.on.lockMany(t.Q.LockCrossedOrders(ctx, orders)); err != nil {
		return 0, err
	}
	before, there := t.on.locked[row.ID]
	if !there {
		return 0, nil
	}
	if before.ItemName != row.ItemName || before.MaxPrice != row.MaxPricePerUnit {
		return 0, kernel.ReadAgain()
	}
	lapsed, err := t.lapsedSellers(ctx, before)
	if err != nil {
		return 0, err
	}
	return listing, t.lockListings(ctx, db.ListingsToCrossParams{
		Names: names, Price: int64(before.MaxPrice), TouchedAfter: now.Add(-listedFor), Now: now,
		BuyerID: before.Owner, Needs: before.Remaining(), OrderID: int64(row.ID), Most: int32(limit),
	}, append(users, lapsed...), listing)
}

// LockForListings locks up to limit orders for each of a seller's listings that are about to be saved, and
// their items and buyers.
func (t *CrossingTx) LockForListings(
	ctx context.Context, seller core.UserID, listings []trade.ListingToCross, now time.Time, limit int,
) error {
	var items []string
	for _, l := range listings {
		items = append(items, slices.Min(l.Names))
	}
	if err := t.Q.LockCrossedItems(ctx, items); err != nil {
		return kernel.Translate(err)
	}
	buyers, err := t.ordersToCross(ctx, seller, listings, now, limit)
	if err != nil || len(t.orders) == 0 {
		return err
	}
	if _, err := t.on.lockMany(t.Q.LockCrossedOrders(ctx, t.orders)); err != nil {
		return err
	}
	return kernel.Translate(t.Q.LockTraders(ctx, append(buyers, int64(seller))))
}

// ordersToCross notes the orders that a seller's listings may cross with, and returns their buyers.
func (t *CrossingTx) ordersToCross(
	ctx context.Context, seller core.UserID, listings []trade.ListingToCross, now time.Time, limit int,
) (buyers []int64, err error) {
	p := db.OrdersToCrossParams{Now: now, SellerID: seller, Most: int32(limit)}
	for i, l := range listings {
		for _, name := range l.Names {
			p.Places, p.Names = append(p.Places, i), append(p.Names, name)
			p.Prices = append(p.Prices, int64(l.Price))
		}
	}
	found, err := t.Q.OrdersToCross(ctx, p)
	for _, o := range found {
		t.orders = append(t.orders, int64(o.ID))
		buyers = append(buyers, int64(o.UserID))
	}
	return buyers, kernel.Translate(err)
}

// MeetingsOf pairs a locked order with the listings that LockForOrder has locked, or a saved listing with the
// orders that LockForListings has locked.
func (t *CrossingTx) MeetingsOf(
	ctx context.Context, order core.OrderID, listing core.StockID, names []string, now time.Time,
) ([]trade.Meeting, error) {
	orders, listings := []int64{int64(order)}, t.listings
	if order == 0 {
		orders, listings = t.orders, []int64{int64(listing)}
	}
	if len(orders) == 0 || len(listings) == 0 {
		return nil, nil
	}
	rows, err := t.Q.Meetings(ctx, db.MeetingsParams{
		Orders: orders, Listings: listings, Names: names, Now: now, Since: now.Add(-core.Day),
		TouchedAfter: now.Add(-listedFor), SettledBefore: now.Add(-core.SettledAfter),
	})
	return kernel.Convert(rows, meeting), kernel.Translate(err)
}

func meeting(r db.MeetingsRow) trade.Meeting {
	return trade.Meeting{
		Pair: cross.Pair{
			Request: r.OrderID, Buyer: r.BuyerID, Needs: int(r.Needs), Most: r.Most, Posted: r.PostedAt,
			Listing: r.StockID, Seller: r.SellerID, Left: r.Available, Today: r.Today, Price: r.Price,
			Listed: r.ListedAt, Name: r.DisplayName, Contact: r.Username,
			Apart: r.Apart, Undone: r.Undone, Offered: r.Offered,
			BuyerUndid: r.BuyerUndid, SellerUndid: r.SellerUndid,
		},
		Terms: trade.Seller{
			Trusted: r.Trusted, Met: r.Met, Standing: standing(r.StandingAcceptance),
			Least: trade.LeastRecord{Sellers: trade.Sellers(r.LeastSellers), NewUpTo: r.NewUpTo},
		},
	}
}

// LockedOrder returns an order that this transaction has locked, as it is now.
func (t *CrossingTx) LockedOrder(id core.OrderID) trade.Order { return t.on.locked[id] }

// ReturnToStanding has the standing acceptance of a locked order take again what a crossed sale gave back.
func (t *CrossingTx) ReturnToStanding(ctx context.Context, s trade.Sale) error {
	return t.Q.ReturnToStanding(ctx, db.ReturnToStandingParams{
		Quantity: s.Quantity, OrderID: int64(s.OrderID), SoldAt: s.CreatedAt,
	})
}

// crossingUnsent is why a notice of a crossed sale was not sent.
const crossingUnsent = "The sale was undone before its notice could be sent"

// RetellCrossing has the notices of a crossed sale say that one of its sides undid it, where they are not
// read.
func (t *CrossingTx) RetellCrossing(
	ctx context.Context, sale core.SaleID, by core.UserID, now time.Time,
) (bool, error) {
	retold, err := t.Q.RetellCrossing(ctx, db.RetellCrossingParams{
		Reason: crossingUnsent, Now: now, SaleID: int64(sale), MaxAttempts: queue.NoticeAttempts,
		Queue: queue.Notices, UndoneBy: int64(by),
	})
	if err != nil {
		return false, kernel.Translate(err)
	}
	return retold > 0, t.Jobs.NoticesAdded(ctx, t.Q)
}
