package moderation

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/items"
)

func TestAMergeIsOneStepLong(t *testing.T) {
	items := []items.Item{
		{ID: 1, Name: "Iron Ore", State: items.Listed},
		{ID: 2, Name: "Irn Ore", State: items.Provisional},
		{ID: 3, Name: "Irn Oer", State: items.Merged, MergedInto: 2},
		{ID: 4, Name: "Iron Ores", State: items.Merged, MergedInto: 1},
	}
	moderator := core.Actor{UserID: 9, Moderator: true}
	for _, into := range []core.ItemID{1, 4} {
		changed, means, _, err := decideItem(items, 2, MergeItem, into, moderator, items[0].GoneAt)
		if err != nil || means.ID != 1 || len(changed) != 2 || changed[0].ID != 3 || changed[0].MergedInto != 1 || changed[1].MergedInto != 1 {
			t.Errorf("merged into %d, item %d is meant and %+v are changed, %v", into, means.ID, changed, err)
		}
	}
	for _, into := range []core.ItemID{0, 2, 3, 9} {
		if _, _, _, err := decideItem(items, 2, MergeItem, into, moderator, items[0].GoneAt); core.KindOf(err) != core.Invalid {
			t.Errorf("merged into %d: %v", into, err)
		}
	}
}

func TestDecisionsOnNamesAreUndoneInAnyOrder(t *testing.T) {
	moderator := core.Actor{UserID: 9, Moderator: true}
	catalogue := func() []items.Item {
		index := []items.Item{
			{ID: 1, Name: "Iron Ore", State: items.Listed, FromFile: true},
			{ID: 2, Name: "Irn Ore", State: items.Provisional},
			{ID: 3, Name: "Irn Oer", State: items.Provisional},
			{ID: 4, Name: "Iron Ores", State: items.Provisional},
			{ID: 5, Name: "Qwertz", State: items.Provisional},
		}
		for i := range index {
			index[i].Names = []items.Name{{Key: index[i].Name, Name: index[i].Name}}
		}
		return index
	}
	shown := func(items []items.Item) (all string) {
		for _, i := range items {
			all += fmt.Sprint(i.ID, i.State, i.MergedInto, " ")
		}
		return all
	}
	save := func(items, changed []items.Item) {
		for _, c := range changed {
			items[c.ID-1] = c
		}
	}
	type decision struct {
		id   core.ItemID
		make ItemDecision
		into core.ItemID
	}
	all := []decision{{3, MergeItem, 2}, {4, MergeItem, 2}, {2, MergeItem, 1}, {5, ConfirmItem, 0}}
	for _, order := range [][]int{{3, 2, 1, 0}, {0, 1, 2, 3}, {2, 0, 3, 1}, {1, 2, 0, 3}} {
		items := catalogue()
		var kept []DecidedItem
		states := []string{shown(items)}
		for _, d := range all {
			changed, _, _, err := decideItem(items, d.id, d.make, d.into, moderator, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, decidedItem(changed, d.id))
			save(items, changed)
			states = append(states, shown(items))
		}
		for _, at := range order {
			_, changed, err := kept[at].Undo(items)
			if err != nil {
				t.Fatalf("undo %d of %v: %v", at, order, err)
			}
			save(items, changed)
			if order[0] == 3 && shown(items) != states[at] {
				t.Errorf("after the undo of decision %d the items are %s, want %s", at, shown(items), states[at])
			}
		}
		if got := shown(items); got != states[0] {
			t.Errorf("undone in the order %v they are %s, want %s", order, got, states[0])
		}
		if _, _, err := kept[0].Undo(items); core.KindOf(err) != core.Conflict {
			t.Errorf("a second undo: %v", err)
		}
	}
	items := catalogue()
	changed, _, _, _ := decideItem(items, 5, IgnoreItem, 0, moderator, time.Time{})
	kept := decidedItem(changed, 5)
	save(items, changed)
	items[4].Names = nil // a file has another item of that name
	if _, _, err := kept.Undo(items); core.KindOf(err) != core.Conflict {
		t.Errorf("the undo of a name that is another item's: %v", err)
	}
}
