package match

import (
	"encoding/json"
	"testing"

	"tradepost/core/match"
	"tradepost/core/trade"
)

// A filter of the board by a whole text is saved and shown with a search, with a bell and without.
func TestASavedSearchHasEveryTextOfTheBoardsFilter(t *testing.T) {
	t.Parallel()
	sent := map[string]string{"name": "Home"}
	for _, f := range trade.Fields {
		if f.OnBoard {
			sent[f.Option] = "some " + f.Option
		}
	}
	body, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	search, watch := read[searchDraft](t, body).draft(), read[watchDraft](t, body).draft()
	for _, saved := range []match.SearchDraft{search, watch} {
		shown := read[map[string]any](t, encode(t, viewSearch(match.SavedSearch{SearchDraft: saved})))
		watched := read[map[string]any](t, encode(t, viewWatch(match.SavedSearch{SearchDraft: saved})))
		for _, f := range trade.Fields {
			if !f.OnBoard {
				continue
			}
			if got := *f.Filter(&saved.Texts); got != sent[f.Option] {
				t.Errorf("bell %t: %s is saved as %q", saved.Bell, f.Option, got)
			}
			listed := read[map[string]any](t, encode(t, viewSaved(match.SavedSearch{SearchDraft: saved})))
			if listed[f.Option] != sent[f.Option] {
				t.Errorf("%s is listed as %v", f.Option, listed[f.Option])
			}
			if shown[f.Option] != sent[f.Option] || watched[f.Option] != sent[f.Option] {
				t.Errorf("%s is shown as %v, with a bell as %v", f.Option, shown[f.Option], watched[f.Option])
			}
		}
	}
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read[T any](t *testing.T, data []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}
