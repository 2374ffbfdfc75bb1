package coretest

import (
	"testing"

	"tradepost/core"
	"tradepost/core/items"
)

// Shipped returns the items that come along, numbered from 1, and their index.
func Shipped(t testing.TB) ([]items.Item, *items.Index) {
	t.Helper()
	done, err := items.PlanImport(nil, items.Shipped(core.TextForms{}), core.TextForms{}, Noon)
	if err != nil {
		t.Fatal(err)
	}
	for i := range done.Changed {
		done.Changed[i].ID = core.ItemID(i + 1)
	}
	return done.Changed, items.NewIndex(done.Changed, nil, core.TextForms{})
}
