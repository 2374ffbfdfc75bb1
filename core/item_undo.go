package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// DecidedItem is what a decision on a provisional item has changed. It is kept beside its entry in the log, for RemovalRetention.
type DecidedItem struct {
	ID    ItemID    `json:"id"`
	State ItemState `json:"state"`           // that it has since
	Into  ItemID    `json:"into,omitempty"`  // the item that it was merged into
	Moved []ItemID  `json:"moved,omitempty"` // what had been merged into it, and was merged into that item as well
}

// decidedItem says what a decision on an item has changed.
func decidedItem(changed []Item, id ItemID) DecidedItem {
	done := DecidedItem{ID: id}
	for _, item := range changed {
		if item.ID == id {
			done.State, done.Into = item.State, item.MergedInto
		} else {
			done.Moved = append(done.Moved, item.ID)
		}
	}
	return done
}

// Undo returns the items that change when the decision is undone: the item waits for a moderator again, and what had been merged into it
// is merged into it once more. What was decided on since stays. It returns Conflict when the item is another one by now.
func (d DecidedItem) Undo(items []Item) (item Item, changed []Item, err error) {
	at := slices.IndexFunc(items, func(i Item) bool { return i.ID == d.ID })
	if at < 0 || items[at].State != d.State || items[at].FromFile || len(items[at].Names) == 0 {
		return Item{}, nil, NewError(Conflict, NewText("undo_item_changed", "The catalogue has changed since, so this can't be undone any more"))
	}
	item = items[at]
	means := item.MergedInto // where the item that it was merged into may have been merged since
	item.State, item.MergedInto = ItemProvisional, 0
	changed = append(changed, item)
	for _, other := range items {
		if other.State == ItemMerged && other.MergedInto == means && slices.Contains(d.Moved, other.ID) {
			other.MergedInto = item.ID
			changed = append(changed, other)
		}
	}
	return item, changed, nil
}

// undoItemDecision undoes a decision on a provisional item.
func (m *Market) undoItemDecision(ctx context.Context, tx Tx, entry AuditEntry, now time.Time) ([]Notice, error) {
	if !m.features.Items {
		return nil, itemNotFound()
	}
	items, _, err := tx.LockItems(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock the items: %w", err)
	}
	decided, err := tx.TakeDecidedItem(ctx, entry.ID)
	if err != nil {
		return nil, notKept(err)
	}
	item, changed, err := decided.Undo(items)
	if err != nil {
		return nil, err
	}
	if err := tx.SaveItems(ctx, changed, now); err != nil {
		return nil, fmt.Errorf("save item %d: %w", item.ID, err)
	}
	return nil, nil
}
