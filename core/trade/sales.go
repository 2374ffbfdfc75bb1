package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// LogSaleResult is the result of logging a sale.
type LogSaleResult struct {
	Order Order
	Sale  Sale
}

// LogSale records that some of an order of the actor's was bought, and closes the order when nothing is
// left. It refuses with Conflict when the order takes no sales, Invalid (carrying the present order),
// Forbidden and NotFound.
func (m *offerActs) LogSale(
	ctx context.Context, actor core.Actor, id core.OrderID, draft SaleDraft,
) (LogSaleResult, error) {
	if err := actor.MayTrade(); err != nil {
		return LogSaleResult{}, err
	}
	return core.Write(ctx, m.trades, actor, "log sale", []any{id, draft},
		func(tx Scope, now time.Time) (LogSaleResult, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return LogSaleResult{}, fmt.Errorf("log sale on order %d: %w", id, err)
			}
			if err := actor.MustBe(order.Owner); err != nil {
				return LogSaleResult{}, err
			}
			order, sale, err := order.Sell(draft, actor.UserID, m.forms, now)
			if err != nil {
				return LogSaleResult{}, err
			}
			if sale.ID, err = tx.AddSale(ctx, sale); err != nil {
				return LogSaleResult{}, fmt.Errorf("add sale: %w", err)
			}
			if err := m.saveOrder(ctx, tx, order, now); err != nil {
				return LogSaleResult{}, err
			}
			if err := tx.Closed(ctx, order, now); err != nil {
				return LogSaleResult{}, err
			}
			return LogSaleResult{Order: order, Sale: sale}, m.redrawOrder(ctx, tx, actor, order, now)
		})
}

// Sales lists the newest sales of one of the actor's orders, and returns how many there are in all. It
// fails with Forbidden and NotFound.
func (m *offerActs) Sales(
	ctx context.Context, actor core.Actor, id core.OrderID, limit int,
) (Order, []Sale, int, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, 0, err
	}
	sales, total, err := m.store.Sales(ctx, id, limit)
	if err != nil {
		return Order{}, nil, 0, core.WithMessage(core.FailedSales,
			fmt.Errorf("sales of order %d: %w", id, err))
	}
	return order, sales, total, nil
}
