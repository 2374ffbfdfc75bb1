package main

import (
	"context"
	"fmt"

	"tradepost/core"
	"tradepost/core/match"
)

// Both sides of the market: sellers show what they have, some listings sell without asking, and the program
// has them trade with buyers who take offers as they come.

// stands has a seller's draft be for sale, and sell without asking where the plan has that.
func (w *world) stands(p *person, g *good, d match.StockDraft) match.StockDraft {
	d.Public = true
	if draw(w.seed, "stands", p.n, g.item).Float64() < w.listed {
		d.SellsDaily = core.MaxQuantity
	}
	return d
}

// crossed notes the trades that the program has agreed since it was called last, by what somebody just did.
func (w *world) crossed(ctx context.Context, by *person) error {
	if w.listed == 0 {
		return nil
	}
	rows, err := w.store.Pool().Query(ctx, `select id, order_id, seller_id, quantity_sold from order_updates
		where crossed_with is not null and id > $1 order by id`, w.lastCrossed)
	if err != nil {
		return err
	}
	type sale struct {
		id     core.SaleID
		order  core.OrderID
		seller core.UserID
		many   int
	}
	var sales []sale
	for rows.Next() {
		var s sale
		if err := rows.Scan(&s.id, &s.order, &s.seller, &s.many); err != nil {
			return err
		}
		sales = append(sales, s)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, s := range sales {
		w.lastCrossed = s.id
		wanted, seller := w.wants[s.order], w.byID[s.seller]
		if wanted == nil || seller == nil {
			return fmt.Errorf("sale %d crossed a request that is over", s.id)
		}
		if wanted.offeredAt.IsZero() {
			wanted.offeredAt = w.clock()
		}
		if wanted.offered += s.many; wanted.offered >= wanted.Quantity && wanted.enoughAt.IsZero() {
			wanted.enoughAt = w.clock()
		}
		of(seller.goods, wanted.item).many -= s.many // what is offered elsewhere, too, is short then
		wanted.reserved[seller] += s.many
		w.changed(wanted)
		w.result.crossed++
		err := w.agreed(ctx, wanted, seller, by, s.id, s.many, wanted.Quantity-wanted.taken-s.many)
		if err != nil {
			return err
		}
	}
	return nil
}
