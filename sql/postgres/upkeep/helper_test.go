package upkeep_test

import (
	"testing"
	"time"

	"tradepost/sql/internal/storetest"
)

// world is a market on a database of its own, with what only these tests do with it.
type world struct{ *storetest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{storetest.New(t)}
}

const day = 24 * time.Hour

var (
	must     = storetest.Must
	wantKind = storetest.WantKind
	connect  = storetest.Connect
)
