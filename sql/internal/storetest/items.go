package storetest

import (
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
)

// WithItems returns a world with a market that has items on.
func WithItems(t *testing.T, opts market.Options) *World {
	w := New(t)
	opts.Now, opts.Forms, opts.Features = w.Clock.Now, coretest.Forms, core.AllFeatures()
	w.Market = market.New(w.Store, opts)
	return w
}

// Imports imports the items of a file.
func (w *World) Imports(file string) items.Import {
	w.T.Helper()
	rows, err := items.ReadRows([]byte(file), coretest.Forms)
	Must(w.T, err)
	done, err := w.Items.Import(w.T.Context(), rows, false)
	Must(w.T, err)
	return done
}
