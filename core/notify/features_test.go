package notify_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/core"
)

func TestFeaturesAreReadByName(t *testing.T) {
	for given, want := range map[string]string{
		"all": "items prices watches stock handover records lists threads", "none": "", "items": "items", "prices,items": "items prices",
		"watches": "watches", "handover": "handover", "stock,items": "items stock", "listings,all": "items prices watches stock handover records lists threads listings",
	} {
		f, err := core.ParseFeatures(strings.Split(given, ","))
		if err != nil || !slices.Equal(f.Names(), strings.Fields(want)) {
			t.Errorf("%s turns on %q, %v", given, f.Names(), err)
		}
	}
	for _, given := range []string{"prices", "stock", "records", "threads", "stars", "items,stars", "items,listings"} {
		if f, err := core.ParseFeatures(strings.Split(given, ",")); err == nil {
			t.Errorf("%s turns on %q", given, f.Names())
		}
	}
}
