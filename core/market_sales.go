package core

import (
	"context"
	"fmt"
	"time"
)

// LoggedSale is what came of logging a sale.
type LoggedSale struct {
	Order Order
	Sale  Sale
}

// LogSale records that some of an order of the actor's was bought, and closes the order when nothing is left. It refuses
// with Conflict when the order takes no sales, Invalid (carrying the present order), Forbidden and NotFound.
func (m *Market) LogSale(ctx context.Context, actor Actor, id OrderID, draft SaleDraft) (LoggedSale, error) {
	if err := actor.mayTrade(); err != nil {
		return LoggedSale{}, err
	}
	return once(ctx, m, actor, "log sale", []any{id, draft}, func(tx Tx, now time.Time) (LoggedSale, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return LoggedSale{}, fmt.Errorf("log sale on order %d: %w", id, err)
		}
		if err := actor.Owns(order); err != nil {
			return LoggedSale{}, err
		}
		order, sale, err := order.Sell(draft, actor.UserID, m.forms, now)
		if err != nil {
			return LoggedSale{}, err
		}
		if sale.ID, err = tx.AddSale(ctx, sale); err != nil {
			return LoggedSale{}, fmt.Errorf("add sale: %w", err)
		}
		return LoggedSale{Order: order, Sale: sale}, m.saveOrder(ctx, tx, order, now)
	})
}

// Sales lists the newest sales of an order of the actor's and says how many there are in all. It refuses with Forbidden
// and NotFound.
func (m *Market) Sales(ctx context.Context, actor Actor, id OrderID, limit int) (Order, []Sale, int, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, 0, err
	}
	sales, total, err := m.store.Sales(ctx, id, limit)
	if err != nil {
		return Order{}, nil, 0, failing(failedSales, fmt.Errorf("sales of order %d: %w", id, err))
	}
	return order, sales, total, nil
}
