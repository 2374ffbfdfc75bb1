package storetest

import (
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
)

// WithItems returns a world with a market that has items on.
func WithItems(t *testing.T, opts core.Options) *World {
	w := New(t)
	opts.Now, opts.Forms, opts.Features = w.Clock.Now, coretest.Forms, core.AllFeatures()
	w.Market = core.New(w.Store, opts)
	return w
}

// Imports imports the items of a file.
func (w *World) Imports(file string) core.ItemImport {
	w.T.Helper()
	rows, err := core.ReadItems([]byte(file), coretest.Forms)
	Must(w.T, err)
	done, err := w.ImportItems(w.T.Context(), rows, false)
	Must(w.T, err)
	return done
}
