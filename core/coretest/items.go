package coretest

import (
	"testing"

	"tradepost/core"
)

// Shipped returns the items that come along, numbered from 1, and their index.
func Shipped(t testing.TB) ([]core.Item, *core.ItemIndex) {
	t.Helper()
	done, err := core.PlanImport(nil, core.ShippedItems(core.TextForms{}), core.TextForms{}, Noon)
	if err != nil {
		t.Fatal(err)
	}
	for i := range done.Changed {
		done.Changed[i].ID = core.ItemID(i + 1)
	}
	return done.Changed, core.NewItemIndex(done.Changed, nil, core.TextForms{})
}
