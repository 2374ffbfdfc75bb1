package match_test

import (
	"testing"

	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

// world is a market on a database of its own, with what only these tests do with it.
type world struct{ *storetest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{storetest.New(t)}
}

// withItems returns a world with a market that has items on.
func withItems(t *testing.T, opts market.Options) *world { return &world{storetest.WithItems(t, opts)} }

var (
	must     = storetest.Must
	wantKind = storetest.WantKind
	connect  = storetest.Connect
)

func count[T any](items []T, good func(T) bool) int {
	n := 0
	for _, item := range items {
		if good(item) {
			n++
		}
	}
	return n
}

// another makes an order one for an item of iron that no other order is for.
func another(d *trade.OrderDraft) { d.ItemName = "Iron, " + storetest.Lot() }
