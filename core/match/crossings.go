package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
	"tradepost/core/items"
	"tradepost/core/trade"
)

// CrossOrder has a locked order, which came later, trade with listings that sell without asking.
func (m *stockActs) CrossOrder(
	ctx context.Context, tx AskTx, actor core.Actor, o trade.Order, index *items.Index, now time.Time,
) (trade.Crossed, error) {
	crossed := trade.Crossed{Order: o}
	meetings, err := tx.MeetingsOf(ctx, o.ID, 0, index.Same(o.ItemName), now)
	if err != nil {
		return crossed, fmt.Errorf("listings that meet order %d: %w", o.ID, err)
	}
	for _, c := range trade.Crossings(cross.Request, meetings, now) {
		scope := trade.Scope{Tx: tx, Happened: tx.Happened}
		crossed.Standing = c.Standing
		if crossed.Order, err = m.trade.Cross(ctx, scope, actor, crossed.Order, c, index, now); err != nil {
			return crossed, err
		}
	}
	return crossed, nil
}

// lockForListings locks the orders that may trade with listings that are about to be saved.
func (m *stockActs) lockForListings(
	ctx context.Context, tx AskTx, seller core.UserID, drafts []StockDraft, index *items.Index, now time.Time,
) error {
	var listings []trade.ListingToCross
	for _, d := range drafts {
		if d.Public && d.SellsDaily > 0 {
			names := index.Same(index.Meant(m.forms.Line(d.ItemName)))
			listings = append(listings, trade.ListingToCross{Names: names, Price: d.Price})
		}
	}
	if len(listings) == 0 || len(drafts) > core.MaxStockLines {
		return nil
	}
	return tx.LockForListings(ctx, seller, listings, now, trade.MostToCross)
}

// CrossListing has a listing, which came later, trade with the locked orders that take offers as they come.
// It reports whether it did.
func (m *stockActs) CrossListing(
	ctx context.Context, tx AskTx, actor core.Actor, id core.StockID, itemName string, index *items.Index,
	now time.Time,
) (traded bool, err error) {
	meetings, err := tx.MeetingsOf(ctx, 0, id, index.Same(itemName), now)
	if err != nil {
		return false, fmt.Errorf("orders that meet listing %d: %w", id, err)
	}
	for _, c := range trade.Crossings(cross.Listing, meetings, now) {
		scope := trade.Scope{Tx: tx, Happened: tx.Happened}
		order := tx.LockedOrder(c.Request)
		if _, err := m.trade.Cross(ctx, scope, actor, order, c, index, now); err != nil {
			return false, err
		}
		traded = true
	}
	return traded, nil
}

// crossListings has a seller's listings that were just saved trade with orders that take offers as they come.
// It returns the stock as it is then.
func (m *stockActs) crossListings(
	ctx context.Context, tx AskTx, actor core.Actor, stock, saved []Stock, index *items.Index, now time.Time,
) ([]Stock, error) {
	traded := false
	for _, s := range stock {
		sells := s.Listed(now) && s.SellsDaily > 0
		if !sells || !slices.ContainsFunc(saved, func(d Stock) bool { return d.ItemName == s.ItemName }) {
			continue
		}
		sold, err := m.CrossListing(ctx, tx, actor, s.ID, s.ItemName, index, now)
		if err != nil {
			return nil, err
		}
		traded = traded || sold
	}
	if !traded {
		return stock, nil
	}
	return tx.LockStock(ctx, actor.UserID)
}
