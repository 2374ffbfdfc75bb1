package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// AskFirst alerts the seller of public stock to a request that was just posted for it.
func (m *stockActs) AskFirst(
	ctx context.Context, tx Tx, o trade.Order, ask core.StockID, items *items.Index, now time.Time,
) error {
	if ask == 0 {
		return nil
	}
	stock, err := tx.StockWatchers(ctx, m.stockFits(o, items, now), 1, ask)
	if err != nil {
		return fmt.Errorf("stock %d: %w", ask, err)
	}
	alerts := make([]Alert, len(stock))
	for i, w := range stock {
		alerts[i] = Alert{Watcher: w, HoldUntil: w.heldUntil(now), MessageAt: now, Turn: true}
	}
	if len(alerts) > 0 {
		sender, err := tx.LockSender(ctx, o, now.Add(-core.LimitReach.Per))
		if err != nil {
			return fmt.Errorf("sender of alerts: %w", err)
		}
		// It can't wait: each question is a draw of its own.
		if alerts, _, err = m.withinReach(ctx, tx, o.ID, sender, alerts, true); err != nil {
			return err
		}
	}
	notices := make([]notify.Notice, len(alerts))
	for i, a := range alerts {
		notices[i] = a.notice(o, now)
	}
	if err := notify.AddNotices(ctx, tx, notices); err != nil || len(alerts) == 0 {
		return err
	}
	return tx.RecheckAlerts(ctx, o.ID, items.Same(o.ItemName), now)
}

func (m *stockActs) stockFits(o trade.Order, items *items.Index, before time.Time) StockFits {
	now := m.now()
	return StockFits{
		Order: o, Names: items.Same(o.ItemName), TouchedAfter: now.Add(-StockLifetime), TouchedBefore: before,
		RepeatedSince: now.Add(-RepeatedWithin),
	}
}

// sellersOf returns the sellers with stock that fits an order, as watchers who can fill it. It leaves out
// sellers whom an edited order fitted before the edit.
func (m *stockActs) sellersOf(
	ctx context.Context, tx Tx, o trade.Order, round AlertRound, items *items.Index,
) ([]Watcher, error) {
	if !m.features.Stock {
		return nil, nil
	}
	sellers, err := tx.StockWatchers(ctx, m.stockFits(o, items, round.Since), watchersRead, 0)
	if err != nil {
		return nil, fmt.Errorf("sellers: %w", err)
	}
	if before := round.Before; before != nil && items.SameItem(before.ItemName, o.ItemName) {
		sellers = slices.DeleteFunc(sellers, func(w Watcher) bool { return w.Least <= before.MaxPrice })
	}
	return sellers, nil
}
