package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// askFirst alerts the seller of public stock to a request that was just posted for it.
func (m *Market) askFirst(ctx context.Context, tx Tx, o Order, ask StockID, items *ItemIndex, now time.Time) error {
	if ask == 0 || !m.features.Stock {
		return nil
	}
	stock, err := tx.StockWatchers(ctx, m.stockFits(o, items, now), 1, ask)
	if err != nil {
		return fmt.Errorf("stock %d: %w", ask, err)
	}
	notices := make([]Notice, len(stock))
	for i, w := range stock {
		notices[i] = Alert{Watcher: w, HoldUntil: w.heldUntil(now), Turn: true}.notice(o, now)
	}
	return addNotices(ctx, tx, notices)
}

// StockFits asks for the stock that an order is for.
type StockFits struct {
	Order
	Names         []string // of its item
	TouchedAfter  time.Time
	TouchedBefore time.Time // later changes are left out
	RepeatedSince time.Time // who was alerted to an equal request of the buyer since, which is over, is left out
}

func (m *Market) stockFits(o Order, items *ItemIndex, before time.Time) StockFits {
	now := m.now()
	return StockFits{
		Order: o, Names: items.Same(o.ItemName), TouchedAfter: now.Add(-StockLifetime), TouchedBefore: before, RepeatedSince: now.Add(-RepeatedWithin),
	}
}

// sellersOf returns the sellers whose stock an order is for, as watchers who can fill it. Of an order that was edited, those whom it
// was for before are left out.
func (m *Market) sellersOf(ctx context.Context, tx Tx, o Order, round AlertRound, items *ItemIndex) ([]Watcher, error) {
	if !m.features.Stock {
		return nil, nil
	}
	sellers, err := tx.StockWatchers(ctx, m.stockFits(o, items, round.Since), watchersRead, 0)
	if err != nil {
		return nil, fmt.Errorf("sellers: %w", err)
	}
	if before := round.Before; before != nil && items.sameItem(before.ItemName, o.ItemName) {
		sellers = slices.DeleteFunc(sellers, func(w Watcher) bool { return w.Least <= before.MaxPrice })
	}
	return sellers, nil
}
