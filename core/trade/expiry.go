package trade

import (
	"context"
	"fmt"

	"tradepost/core/notify"
)

// ExpireOrders marks offers on expired orders as lapsed and warns the buyers of orders that expire soon. One
// replica runs it periodically; it returns how many orders it processed, fewer than limit of each sort when
// nothing is left to do.
func (m *orderActs) ExpireOrders(ctx context.Context, limit int) (expired, warned int, err error) {
	err = m.run.Atomically(ctx, func(tx Tx) error {
		expired, warned = 0, 0
		now := m.now()
		orders, err := tx.LockExpired(ctx, now, limit)
		if err != nil {
			return fmt.Errorf("lock expired orders: %w", err)
		}
		var notices []notify.Notice
		for _, order := range orders {
			lapsed, err := m.LapseOffers(ctx, tx, order, lapsedExpired, now)
			if err != nil {
				return err
			}
			notices = append(notices, lapsed...)
		}
		expired = len(orders)
		if orders, err = tx.LockExpiring(ctx, now, now.Add(ExpiryWarning), limit); err != nil {
			return fmt.Errorf("lock expiring orders: %w", err)
		}
		for _, order := range orders {
			n := NoticeAbout(order, order.Owner, notify.NoticeOrderExpiring, now)
			n.Quantity = order.Remaining()
			notices = append(notices, n)
		}
		warned = len(orders)
		return notify.AddNotices(ctx, tx, notices)
	})
	return expired, warned, err
}
