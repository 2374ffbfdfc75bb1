package kernel_test

import (
	"testing"

	"tradepost/sql/internal/storetest"
)

// world is a market on a database of its own, with what only these tests do with it.
type world struct{ *storetest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{storetest.New(t)}
}

var must = storetest.Must
