package moderation

import (
	"slices"

	"tradepost/core"
	"tradepost/core/items"
)

// DecidedItem records the changes of a decision on a provisional item. It is stored beside its entry in the
// log, for RemovalRetention.
type DecidedItem struct {
	ID    core.ItemID   `json:"id"`
	State items.State   `json:"state"`           // that it has since
	Into  core.ItemID   `json:"into,omitempty"`  // the item that it was merged into
	Moved []core.ItemID `json:"moved,omitempty"` // items merged into it before, and into that item as well
}

// decidedItem returns the changes of a decision on an item.
func decidedItem(changed []items.Item, id core.ItemID) DecidedItem {
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

// Undo returns the items that change when the decision is undone: the item waits for a moderator again, and
// items that had been merged into it are merged into it once more. Later decisions stay. It returns Conflict
// when the item has changed otherwise since.
func (d DecidedItem) Undo(index []items.Item) (item items.Item, changed []items.Item, err error) {
	at := slices.IndexFunc(index, func(i items.Item) bool { return i.ID == d.ID })
	if at < 0 || index[at].State != d.State || index[at].FromFile || len(index[at].Names) == 0 {
		return items.Item{}, nil, core.NewError(core.Conflict, core.NewText("undo_item_changed"))
	}
	item = index[at]
	means := item.MergedInto // where the item that it was merged into may have been merged since
	item.State, item.MergedInto = items.Provisional, 0
	changed = append(changed, item)
	for _, other := range index {
		if other.State == items.Merged && other.MergedInto == means &&
			slices.Contains(d.Moved, other.ID) {
			other.MergedInto = item.ID
			changed = append(changed, other)
		}
	}
	return item, changed, nil
}
