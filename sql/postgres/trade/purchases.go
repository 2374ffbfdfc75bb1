package trade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/postgres/kernel"
)

// PurchasesOf sums up the sales of the row of orders that it stands beside. It is null when there are none.
var PurchasesOf = `(select case when count(*) > 0 then jsonb_build_object(
    'first', min(s.created_at), 'last', max(s.created_at), 'lastSale', max(s.id),
    'paid', sum(s.quantity_sold * s.unit_price::bigint), 'count', count(distinct s.seller_name),
    'sellers', (select coalesce(jsonb_agg(n.seller_name order by n.first), '[]') from (
        select u.seller_name, min(u.id) as first from order_updates u
        where u.order_id = orders.id and u.seller_name is not null
            and not exists (select from sale_reversals r where r.sale_id = u.id) group by u.seller_name
        order by min(u.id) limit ` + strconv.Itoa(trade.MaxPurchaseSellers) + `) n)) end
from order_updates s where s.order_id = orders.id
    and not exists (select from sale_reversals r where r.sale_id = s.id))`

// Purchases sums up the sales of an order. It returns nil when there are none.
func (s *Store) Purchases(ctx context.Context, id core.OrderID) (*trade.Purchases, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (*trade.Purchases, error) {
		var sums []byte
		err := from.Pool.QueryRow(ctx, "select "+PurchasesOf+" from orders where id = $1", id).Scan(&sums)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("sales of order %d: %w", id, err)
		}
		return Purchases(sums)
	})
}

// Purchases reads the sums that PurchasesOf selects. It returns nil when there are none.
func Purchases(sums []byte) (*trade.Purchases, error) {
	if sums == nil {
		return nil, nil
	}
	var b struct {
		First, Last time.Time
		LastSale    core.SaleID
		Paid        core.Copper
		Count       int
		Sellers     []string
	}
	if err := json.Unmarshal(sums, &b); err != nil {
		return nil, fmt.Errorf("sums of sales: %w", err)
	}
	return &trade.Purchases{
		First: b.First.UTC(), Last: b.Last.UTC(), LastSale: b.LastSale, Paid: b.Paid, Sellers: b.Sellers,
		SellerCount: b.Count,
	}, nil
}
