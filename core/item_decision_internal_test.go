package core

import "testing"

func TestAMergeIsOneStepLong(t *testing.T) {
	items := []Item{
		{ID: 1, Name: "Iron Ore", State: ItemListed},
		{ID: 2, Name: "Irn Ore", State: ItemProvisional},
		{ID: 3, Name: "Irn Oer", State: ItemMerged, MergedInto: 2},
		{ID: 4, Name: "Iron Ores", State: ItemMerged, MergedInto: 1},
	}
	moderator := Actor{UserID: 9, Moderator: true}
	for _, into := range []ItemID{1, 4} {
		changed, means, _, err := decideItem(items, 2, MergeItem, into, moderator, items[0].GoneAt)
		if err != nil || means.ID != 1 || len(changed) != 2 || changed[0].ID != 3 || changed[0].MergedInto != 1 || changed[1].MergedInto != 1 {
			t.Errorf("merged into %d, item %d is meant and %+v are changed, %v", into, means.ID, changed, err)
		}
	}
	for _, into := range []ItemID{0, 2, 3, 9} {
		if _, _, _, err := decideItem(items, 2, MergeItem, into, moderator, items[0].GoneAt); KindOf(err) != Invalid {
			t.Errorf("merged into %d: %v", into, err)
		}
	}
}
