package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// ItemDecision is what a moderator makes of a provisional item.
type ItemDecision string

// The decisions.
const (
	ConfirmItem ItemDecision = "confirm" // it is an item of the game
	MergeItem   ItemDecision = "merge"   // its names are names of another item
	IgnoreItem  ItemDecision = "ignore"  // its name is typed text
)

// ItemDecisions lists every decision.
var ItemDecisions = []ItemDecision{ConfirmItem, MergeItem, IgnoreItem}

// ProvisionalItem is an item that waits for a moderator.
type ProvisionalItem struct {
	Item     Item
	Requests int   // that named it in the last 30 days
	Near     *Item // the listed item that its name is a near miss of; nil for none
}

// ProvisionalItems lists the items that wait for a moderator after a number (zero: from the top), the oldest first. It fails with
// Unauthenticated and Forbidden.
func (m *Market) ProvisionalItems(ctx context.Context, actor Actor, after ItemID, limit int) ([]ProvisionalItem, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	index, err := m.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return index.Provisional(after, limit), nil
}

// Provisional returns the items that wait for a moderator after a number, the oldest first.
func (x *ItemIndex) Provisional(after ItemID, limit int) []ProvisionalItem {
	var waiting []ProvisionalItem
	for at := range x.items {
		item := &x.items[at]
		if item.State != ItemProvisional || item.ID <= after || len(waiting) == limit {
			continue
		}
		w := ProvisionalItem{Item: item.Item, Requests: item.demand}
		near, known := x.near(x.forms.FoldItem(item.Name), func(other int) bool { return x.items[other].State == ItemListed })
		if known {
			w.Near = &near
		}
		waiting = append(waiting, w)
	}
	return waiting
}

// DecideItem confirms a provisional item, merges it into another one, or ignores it, and notes it in the log. It returns the item
// that the name means from now on, or the ignored one. It fails with Unauthenticated, Forbidden unless the actor is a moderator,
// Conflict when a moderator has decided already, Invalid without an item to merge it into, and NotFound.
func (m *Market) DecideItem(ctx context.Context, actor Actor, id ItemID, decision ItemDecision, into ItemID) (Item, error) {
	if err := actor.MustModerate(); err != nil {
		return Item{}, err
	}
	if !m.features.Items {
		return Item{}, itemNotFound()
	}
	return Write(ctx, m.run, actor, "decide item", []any{id, decision, into}, func(tx Tx, now time.Time) (Item, error) {
		items, _, err := tx.LockItems(ctx)
		if err != nil {
			return Item{}, fmt.Errorf("lock the items: %w", err)
		}
		changed, means, entry, err := decideItem(items, id, decision, into, actor, now)
		if err != nil {
			return Item{}, err
		}
		if err := tx.SaveItems(ctx, changed, now); err != nil {
			return Item{}, fmt.Errorf("save item %d: %w", id, err)
		}
		if err := tx.AddAuditEntry(ctx, entry); err != nil {
			return Item{}, fmt.Errorf("add audit entry: %w", err)
		}
		if err := tx.SaveDecidedItem(ctx, decidedItem(changed, id), now); err != nil {
			return Item{}, fmt.Errorf("keep what was decided: %w", err)
		}
		return means, nil
	})
}

// decideItem returns the items that a decision changes, the item that the name means then, and the entry in the log. What was merged
// into a merged item leads to its item directly: a merge is one step, however many were made.
func decideItem(
	items []Item, id ItemID, decision ItemDecision, into ItemID, by Actor, now time.Time,
) (changed []Item, means Item, entry AuditEntry, err error) {
	byID := func(id ItemID) (Item, bool) {
		at := slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
		if at < 0 {
			return Item{}, false
		}
		return items[at], true
	}
	item, found := byID(id)
	if !found {
		return nil, Item{}, entry, itemNotFound()
	}
	if item.State != ItemProvisional {
		return nil, Item{}, entry, NewError(Conflict, NewText("item_decided", "A moderator has already decided on this name"))
	}
	entry = AuditEntry{At: now, Moderator: by.UserID, ItemName: item.Name}
	switch decision {
	case ConfirmItem:
		item.State, entry.Action = ItemListed, AuditItemConfirmed
		return []Item{item}, item, entry, nil
	case IgnoreItem:
		item.State, entry.Action = ItemIgnored, AuditItemIgnored
		return []Item{item}, item, entry, nil
	case MergeItem:
	}
	means, found = byID(into)
	if found && means.State == ItemMerged {
		means, found = byID(means.MergedInto)
	}
	if !found || means.ID == item.ID || !means.Known() {
		return nil, Item{}, entry, NewFieldError("into", NewText("item_merge_target", "Choose the item that it is another name of"))
	}
	for _, other := range items {
		if other.State == ItemMerged && other.MergedInto == item.ID {
			other.MergedInto = means.ID
			changed = append(changed, other)
		}
	}
	item.State, item.MergedInto = ItemMerged, means.ID
	entry.Action, entry.Reason = AuditItemMerged, means.Name
	return append(changed, item), means, entry, nil
}
