package match

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// mostUnknown limits the orders that are searched for items outside the catalogue: their names have no index
// to enter.
const mostUnknown = 1000

// FillOrders returns a page of the open orders that a seller can fill.
func (s *Store) FillOrders(ctx context.Context, q match.FillQuery) (match.FillablePage, error) {
	sql, args := fillQuery(q)
	return kernel.Read(ctx, s.DB, func(
		ctx context.Context, _ *db.Queries,
	) (page match.FillablePage, err error) {
		err = kernel.ForValues(ctx, s.Primary(), sql, args, func(rows pgx.Rows) error {
			row := orderRow()
			var found match.FillableOrder
			row.targets = append(row.targets, &found.FromStock, &found.Can, &found.Beyond, &page.Total)
			page.Orders, err = pgx.AppendRows(make([]match.FillableOrder, 0, q.Limit+1), rows, func(
				at pgx.CollectableRow,
			) (match.FillableOrder, error) {
				err := at.Scan(row.targets...)
				found.Order = tradestore.Order(row.Order)
				return found, err
			})
			return err
		})
		if err != nil {
			return match.FillablePage{}, fmt.Errorf("page of orders that can be filled: %w", err)
		}
		if len(page.Orders) > q.Limit {
			page.Orders = page.Orders[:q.Limit]
			next := match.FillCursor(q.Sort, page.Orders[q.Limit-1])
			page.Next = &next
		}
		return page, nil
	})
}

// fillQuery is one statement: the index orders_item_key leads from each name of an item to its open orders,
// of which it keeps the orders that the seller has the item for at their price, or can make at their level.
// An order that both are true of counts as in stock. A name is in either list once, so no order is found
// twice. Names that the catalogue does not know are looked for among the newest open orders of the seller's
// professions.
func fillQuery(q match.FillQuery) (string, []any) {
	var keys, made []string
	var quantities, levels []int
	var prices, under []int64
	least := map[string]int64{}
	for _, of := range q.Stock {
		// two items that were merged: never more than they have at that price
		if at := slices.Index(keys, of.Key); at >= 0 {
			if int64(of.Price) < prices[at] {
				quantities[at], prices[at], least[of.Key] = of.Quantity, int64(of.Price), int64(of.Price)
			}
			continue
		}
		keys = append(keys, of.Key)
		quantities = append(quantities, of.Quantity)
		prices = append(prices, int64(of.Price))
		least[of.Key] = int64(of.Price)
	}
	for _, of := range q.Made {
		made, levels = append(made, of.Key), append(levels, of.Level)
		below, has := least[of.Key] // stock comes before crafting
		if !has {
			below = math.MaxInt64
		}
		under = append(under, below)
	}
	c := conditions{led: byFilter}
	mine := c.numbered(
		"select unnest(?::text[]) as key, unnest(?::integer[]) as has, unnest(?::bigint[]) as least_price",
		keys, quantities, prices,
	)
	makes := c.numbered(
		"select unnest(?::text[]) as key, unnest(?::integer[]) as maker, unnest(?::bigint[]) as under", made,
		levels, under,
	)
	c.that("status = 'active'")
	c.that("not hidden")
	c.that("expires_at > ?", q.Now)
	c.that("user_id <> ?", q.Seller)
	// asked once, not for each order
	c.that("user_id <> all(array(select buyer_id from blocked_sellers where seller_id = ?))", q.Seller)
	c.filter(q.OrderFilter, match.Newest)
	matching := c.where()
	skilled := c.skilled(q.Skilled)
	sort := sortingBy(q.Sort)
	beyond := c.numbered("id = any(?::bigint[])", kernel.Raw(q.Beyond))
	by := "from_stock desc, earns desc, order_id desc"
	if q.Sort != match.Earnings {
		by = "sorted desc, order_id desc"
		if sort.ascending {
			by = "sorted, order_id desc"
		}
	}
	after := ""
	if q.After != nil {
		after = " where " + fillAfter(&c, q, sort)
	}
	// offset 0 keeps each name a walk of its own along the index: the planner takes reading all orders and
	// folding their names for cheaper.
	open := "select id, quantity - sold as left_over, max_price_per_unit as price, " + sort.column +
		" as sorted from orders" + matching
	return `with mine as (` + mine + `), made as (` + makes + `), fits as (
    select id, true as from_stock, least(left_over, has) as can, price, sorted
    from mine, lateral (` + open + ` and item_key(item_name) = mine.key
        and max_price_per_unit >= least_price offset 0) stocked
    union all select id, false, left_over, price, sorted
    from made, lateral (` + open + ` and item_key(item_name) = made.key and max_price_per_unit < under
        and (level_requirement is null or level_requirement <= maker) offset 0) makeable
    union all select id, false, quantity - sold, max_price_per_unit, sorted
    from (select orders.*, item_key(item_name) as key, ` + sort.column + ` as sorted
        from orders` + matching + ` and (` + skilled + `)
        order by created_at desc limit ` + strconv.Itoa(mostUnknown) + `) newest
    where not exists (select from catalogue_names n join catalogue_items i on i.id = n.item_id
            where n.key = newest.key and i.state <> 'ignored')
        and not exists (select from mine
            where mine.key = newest.key and newest.max_price_per_unit >= least_price)
), ranked as (
    select id as order_id, from_stock, can, case when beyond then 0 else can * price end as earns,
        sorted, beyond, count(*) over () as matches from (select *, ` + beyond + ` as beyond from fits) fits
), shown as (
    select * from ranked` + after + ` order by ` + by + ` limit ` + strconv.Itoa(q.Limit+1) + `
)
select ` + pageColumns + `, from_stock, can::integer, beyond, matches::integer
from shown join orders on id = order_id order by ` + by, c.args
}

// skilled is the condition that an order asks for what one of the skills is enough for.
func (c *conditions) skilled(skills []people.Skill) string {
	either := []string{"false"}
	for _, s := range skills {
		either = append(
			either,
			c.numbered(
				"category = ? and (level_requirement is null or level_requirement <= ?)", s.Category, s.Level,
			),
		)
	}
	return strings.Join(either, " or ")
}

// fillAfter is the condition that an order comes after the cursor.
func fillAfter(c *conditions, q match.FillQuery, sort sorting) string {
	at := *q.After
	switch {
	case q.Sort == match.Earnings:
		return c.numbered(
			"(from_stock, earns, order_id) < (?::boolean, ?::bigint, ?::bigint)", at.FromStock(), at.Key,
			at.ID,
		)
	case sort.ascending:
		key := sort.key(at)
		return c.numbered("(sorted > ? or sorted = ? and order_id < ?)", key, key, at.ID)
	}
	return c.numbered("(sorted, order_id) < (?, ?)", sort.key(at), at.ID)
}
