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

// Stock returns the actor's stock, by name. It fails with Unauthenticated.
func (m *stockActs) Stock(ctx context.Context, actor core.Actor) ([]Stock, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	stock, err := m.store.Stock(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
	}
	now := m.now()
	stock = slices.DeleteFunc(stock, func(s Stock) bool { return s.Gone(now) })
	return m.withItems(ctx, stock), nil
}

func (m *stockActs) withItems(ctx context.Context, stock []Stock) []Stock {
	index := m.items.IndexOrEmpty(ctx)
	for i, s := range stock {
		item, _ := index.Named(s.ItemName)
		stock[i].Item = item.ID
	}
	return stock
}

// ReadStock parses lines that a seller typed and reports problems by line. Nothing is saved.
func (m *stockActs) ReadStock(ctx context.Context, text string) ([]StockLine, error) {
	var c core.Checks
	c.That(len(text) <= maxStockText, "lines", core.NewText("stock_lines_many", "limit", core.MaxStockLines))
	if err := c.Err(); err != nil {
		return nil, err
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return nil, err
	}
	lines := ReadStockLines(text, index, m.game, m.forms)
	for i := range lines {
		if lines[i].Fix == nil {
			continue
		}
		priced, err := m.items.FillUsual(ctx, index, lines[i].Fix)
		if err != nil {
			return nil, err
		}
		if !priced {
			lines[i].Fix = nil
		}
	}
	return lines, nil
}

// maxStockText is longer than MaxStockLines lines of the longest names.
const maxStockText = core.MaxStockLines * 4 * (core.MaxItemName + 50)

// SaveStock stores the actor's stock: each draft replaces the entry of its item, all or none. It returns the
// whole stock. It fails with Unauthenticated, Forbidden when the actor is blocked, Invalid, and Conflict
// when they have too many items.
func (m *stockActs) SaveStock(ctx context.Context, actor core.Actor, drafts []StockDraft) ([]Stock, error) {
	if err := actor.MayTrade(); err != nil {
		return nil, err
	}
	if !m.features.Crossing {
		drafts = slices.Clone(drafts)
		for i := range drafts {
			drafts[i].SellsDaily = 0
		}
	}
	index := m.items.IndexOrEmpty(ctx)
	asks := m.askAboutStock(ctx, actor, index, drafts)
	saved, err := core.Write(ctx, m.asks, actor, "save stock", drafts,
		func(tx AskTx, now time.Time) (savedStock, error) {
			if m.features.Crossing {
				if err := m.lockForListings(ctx, tx, actor.UserID, drafts, index, now); err != nil {
					return savedStock{}, err
				}
			}
			present, err := tx.LockStock(ctx, actor.UserID)
			if err != nil {
				return savedStock{}, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
			}
			present = slices.DeleteFunc(present, func(s Stock) bool { return s.Gone(now) })
			entries, err := PlanStock(drafts, present, index, m.game, m.forms, now)
			if err == nil {
				err = asks
			}
			if err != nil {
				return savedStock{}, err
			}
			all, err := tx.SaveStock(ctx, actor.UserID, entries, now.Add(-StockLifetime))
			if err == nil && m.features.Crossing {
				all, err = m.crossListings(ctx, tx, actor, all, entries, index, now)
			}
			if err != nil {
				return savedStock{}, err
			}
			all = slices.DeleteFunc(all, func(s Stock) bool { return s.Gone(now) })
			return savedStock{Stock: all}, m.alertToListings(ctx, tx, entries, present, all, now)
		})
	switch {
	case err != nil:
		return nil, err
	case saved.Stock == nil: // an earlier version saved it under this key, without an answer
		return m.Stock(ctx, actor)
	}
	return m.withItems(ctx, saved.Stock), nil
}

// savedStock is the answer of SaveStock: a seller's stock in the transaction that saved some of it.
type savedStock struct{ Stock []Stock }

// askAboutStock calls AskAboutPrices for entries of a seller's stock that are new or have another price.
func (m *stockActs) askAboutStock(
	ctx context.Context, actor core.Actor, index *items.Index, drafts []StockDraft,
) error {
	if !m.features.Prices || actor.PriceConfirmed || len(drafts) > core.MaxStockLines {
		return nil
	}
	present, err := m.store.Stock(ctx, actor.UserID)
	if err != nil { // saving says so
		return nil
	}
	var typed []items.PricedField
	for _, draft := range drafts {
		kept := slices.ContainsFunc(present, func(s Stock) bool {
			return s.Price == draft.Price && index.SameItem(s.ItemName, draft.ItemName)
		})
		if !kept {
			typed = append(typed, items.PricedField{Field: "price", ItemName: draft.ItemName,
				Price: draft.Price})
		}
	}
	return m.items.AskAboutPrices(ctx, actor, index, typed...)
}

// DeleteStock removes an entry of the actor's stock. RestoreStock undoes it. It fails with Unauthenticated
// and NotFound.
func (m *stockActs) DeleteStock(ctx context.Context, actor core.Actor, id core.StockID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete stock", id, func(tx Tx, now time.Time) (struct{}, error) {
		found, err := tx.DeleteStock(ctx, actor.UserID, id, now.Add(-StockLifetime))
		if err == nil && !found {
			err = stockNotFound()
		}
		return struct{}{}, err
	})
	return err
}

// RestoreStock undoes the removal of an entry of the actor's stock, as RemovalUndo says. Repeating it changes
// nothing. It fails with Unauthenticated, Forbidden when the actor is blocked, NotFound once they have listed
// the item again, and Conflict when it is too late or they have too many items.
func (m *stockActs) RestoreStock(ctx context.Context, actor core.Actor, id core.StockID) error {
	if err := actor.MayTrade(); err != nil {
		return err
	}
	index := m.items.IndexOrEmpty(ctx)
	standing, err := m.standingStock(ctx, actor, id)
	if err != nil {
		return err
	}
	_, err = core.Idempotent(ctx, m.asks, "restore stock", func(tx AskTx) (struct{}, error) {
		if err := m.lockForListings(ctx, tx, actor.UserID, standing, index, m.now()); err != nil {
			return struct{}{}, err
		}
		stock, err := tx.LockStock(ctx, actor.UserID)
		if err != nil {
			return struct{}{}, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
		}
		now, i := m.now(), slices.IndexFunc(stock, func(s Stock) bool { return s.ID == id })
		switch {
		case i < 0:
			return struct{}{}, stockNotFound()
		case !stock[i].Gone(now):
			return struct{}{}, nil
		}
		removed := stock[i]
		if err := removed.RemovalUndo(now).May(actor, now); err != nil {
			return struct{}{}, err
		}
		listed := slices.DeleteFunc(stock, func(s Stock) bool { return s.Gone(now) })
		if slices.ContainsFunc(listed, func(s Stock) bool {
			return index.SameItem(s.ItemName, removed.ItemName)
		}) {
			return struct{}{}, stockNotFound()
		}
		if err := mayList(len(listed) + 1); err != nil {
			return struct{}{}, err
		}
		if err := tx.RestoreStock(ctx, actor.UserID, id, now); err != nil || len(standing) == 0 {
			return struct{}{}, err
		}
		_, err = m.CrossListing(ctx, tx, actor, id, removed.ItemName, index, now)
		return struct{}{}, err
	})
	return err
}

// standingStock returns an entry of the actor's stock if it sells without asking, as soon as it is there.
func (m *stockActs) standingStock(
	ctx context.Context, actor core.Actor, id core.StockID,
) ([]StockDraft, error) {
	if !m.features.Crossing {
		return nil, nil
	}
	stock, err := m.store.Stock(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
	}
	i := slices.IndexFunc(stock, func(s Stock) bool { return s.ID == id && s.Public && s.SellsDaily > 0 })
	if i < 0 {
		return nil, nil
	}
	return []StockDraft{stock[i].StockDraft}, nil
}

func stockNotFound() *core.Error {
	return core.NewError(core.NotFound, core.NewText("stock_gone"))
}

// ConfirmStock says that all of the actor's stock is still there. It returns how many items that are. It
// fails with Unauthenticated.
func (m *stockActs) ConfirmStock(ctx context.Context, actor core.Actor) (int, error) {
	if err := actor.MustBeUser(); err != nil {
		return 0, err
	}
	return core.Write(ctx, m.run, actor, "confirm stock", nil, func(tx Tx, now time.Time) (int, error) {
		return tx.ConfirmStock(ctx, actor.UserID, now, now.Add(-StockLifetime))
	})
}

// StockOf returns the stock of an item from sellers other than the actor. It fails with NotFound.
func (m *stockActs) StockOf(ctx context.Context, actor core.Actor, id core.ItemID) (ItemStock, error) {
	item, err := m.items.Item(ctx, id)
	if err != nil {
		return ItemStock{}, err
	}
	q := m.stockQuery(ctx, actor, item.Name)
	sum, err := m.store.StockSum(ctx, q)
	if err != nil {
		return ItemStock{}, fmt.Errorf("stock of item %d: %w", id, err)
	}
	sellers, err := m.store.PublicStock(ctx, q, MaxStockSellers)
	if err != nil {
		return ItemStock{}, fmt.Errorf("sellers of item %d: %w", id, err)
	}
	for i := range sellers {
		sellers[i].Item = item.ID
	}
	return ItemStock{StockSum: sum, Sellers: sellers}, nil
}

// StockFor sums up the stock of a named item from sellers other than the actor, at a price or below (zero:
// at any).
func (m *stockActs) StockFor(
	ctx context.Context, actor core.Actor, itemName string, price core.Copper,
) (StockSum, error) {
	q := m.stockQuery(ctx, actor, m.forms.Line(itemName))
	q.UpTo = price
	var c core.Checks
	c.That(core.Within(itemName, core.MaxItemName), "itemName",
		core.TooLong("item_name_too_long", core.MaxItemName))
	c.That(0 <= price && price <= core.MaxPrice, "price", m.game.TooMuchMessage())
	if err := c.Err(); err != nil {
		return StockSum{}, err
	}
	sum, err := m.store.StockSum(ctx, q)
	if err != nil {
		return StockSum{}, fmt.Errorf("stock of %q: %w", itemName, err)
	}
	return sum, nil
}

func (m *stockActs) stockQuery(ctx context.Context, actor core.Actor, itemName string) StockQuery {
	index := m.items.IndexOrEmpty(ctx)
	return StockQuery{Names: index.Same(index.Meant(itemName)), For: actor.UserID,
		Since: m.now().Add(-StockLifetime)}
}

// TakeStock subtracts an accepted quantity from the stock of its seller, if they have any.
func (m *stockActs) TakeStock(ctx context.Context, tx Tx, sale trade.Sale, names []string) error {
	if sale.Seller == 0 {
		return nil
	}
	if err := tx.TakeStock(ctx, sale, names); err != nil {
		return fmt.Errorf("take sale %d from stock: %w", sale.ID, err)
	}
	return nil
}

// ReturnStock gives back the stock that a reversed sale took.
func (m *stockActs) ReturnStock(ctx context.Context, tx Tx, sale core.SaleID) error {
	if err := tx.ReturnStock(ctx, sale); err != nil {
		return fmt.Errorf("return sale %d to stock: %w", sale, err)
	}
	return nil
}

// AskForStock asks sellers whether stock that they did not touch for StockAskedAfter is still there, and
// removes stock that they did not touch for StockLifetime. One replica runs it periodically; it returns how
// many of each it processed, limit at most.
func (m *stockActs) AskForStock(ctx context.Context, limit int) (asked, removed int, err error) {
	if !m.features.Stock {
		return 0, 0, nil
	}
	err = m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		removed, err = tx.RemoveStock(ctx, now.Add(-StockLifetime-core.UndoWindow), limit)
		if err != nil {
			return fmt.Errorf("remove stock: %w", err)
		}
		stale, err := tx.AskedStock(ctx, now, now.Add(-StockAskedAfter), limit)
		if err != nil {
			return fmt.Errorf("ask for stock: %w", err)
		}
		asked = len(stale)
		notices := make([]notify.Notice, len(stale))
		for i, s := range stale {
			notices[i] = notify.Notice{
				User: s.User, Kind: notify.NoticeStockStale, ItemName: s.ItemName, Quantity: s.Quantity,
				Price: s.Price, State: notify.NoticePending, CreatedAt: now,
			}
		}
		return notify.AddNotices(ctx, tx, notices)
	})
	return asked, removed, err
}
