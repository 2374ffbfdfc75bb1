package moderation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
)

// ItemDecision is a moderator's decision on a provisional item.
type ItemDecision string

// The decisions.
const (
	ConfirmItem ItemDecision = "confirm" // it is an item of the game
	MergeItem   ItemDecision = "merge"   // its names are names of another item
	IgnoreItem  ItemDecision = "ignore"  // its name is typed text
)

// ItemDecisions lists every decision.
var ItemDecisions = []ItemDecision{ConfirmItem, MergeItem, IgnoreItem}

// DecideItem confirms a provisional item, merges it into another one, or ignores it, and notes it in the
// log. It returns the item that the name means from now on, or the ignored one. It fails with
// Unauthenticated, Forbidden unless the actor is a moderator, Conflict when a moderator has decided
// already, Invalid without an item to merge it into, and NotFound.
func (m *Service) DecideItem(
	ctx context.Context, actor core.Actor, id core.ItemID, decision ItemDecision, into core.ItemID,
) (items.Item, error) {
	if err := actor.MustModerate(); err != nil {
		return items.Item{}, err
	}
	if !m.features.Items {
		return items.Item{}, items.NotFound()
	}
	return core.Write(ctx, m.run, actor, "decide item", []any{id, decision, into},
		func(tx Tx, now time.Time) (items.Item, error) {
			index, _, err := tx.LockItems(ctx)
			if err != nil {
				return items.Item{}, fmt.Errorf("lock the items: %w", err)
			}
			changed, means, entry, err := decideItem(index, id, decision, into, actor, now)
			if err != nil {
				return items.Item{}, err
			}
			if err := tx.SaveItems(ctx, changed, now); err != nil {
				return items.Item{}, fmt.Errorf("save item %d: %w", id, err)
			}
			if err := tx.AddAuditEntry(ctx, entry); err != nil {
				return items.Item{}, fmt.Errorf("add audit entry: %w", err)
			}
			if err := tx.SaveDecidedItem(ctx, decidedItem(changed, id), now); err != nil {
				return items.Item{}, fmt.Errorf("keep what was decided: %w", err)
			}
			return means, nil
		})
}

// decideItem returns the items that a decision changes, the item that the name means then, and the entry in
// the log. Items that were merged into a merged item point to its item directly: a merge is one step,
// however many were made.
func decideItem(
	index []items.Item, id core.ItemID, decision ItemDecision, into core.ItemID, by core.Actor, now time.Time,
) (changed []items.Item, means items.Item, entry core.AuditEntry, err error) {
	byID := func(id core.ItemID) (items.Item, bool) {
		at := slices.IndexFunc(index, func(i items.Item) bool { return i.ID == id })
		if at < 0 {
			return items.Item{}, false
		}
		return index[at], true
	}
	item, found := byID(id)
	if !found {
		return nil, items.Item{}, entry, items.NotFound()
	}
	if item.State != items.Provisional {
		return nil, items.Item{}, entry,
			core.NewError(core.Conflict, core.NewText("item_decided"))
	}
	entry = core.AuditEntry{At: now, Moderator: by.UserID, ItemName: item.Name}
	switch decision {
	case ConfirmItem:
		item.State, entry.Action = items.Listed, core.AuditItemConfirmed
		return []items.Item{item}, item, entry, nil
	case IgnoreItem:
		item.State, entry.Action = items.Ignored, core.AuditItemIgnored
		return []items.Item{item}, item, entry, nil
	case MergeItem:
	}
	means, found = byID(into)
	if found && means.State == items.Merged {
		means, found = byID(means.MergedInto)
	}
	if !found || means.ID == item.ID || !means.Known() {
		return nil, items.Item{}, entry,
			core.NewFieldError("into", core.NewText("item_merge_target"))
	}
	for _, other := range index {
		if other.State == items.Merged && other.MergedInto == item.ID {
			other.MergedInto = means.ID
			changed = append(changed, other)
		}
	}
	item.State, item.MergedInto = items.Merged, means.ID
	entry.Action, entry.Reason = core.AuditItemMerged, means.Name
	return append(changed, item), means, entry, nil
}
