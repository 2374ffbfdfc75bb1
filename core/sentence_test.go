package core_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/text"
)

func TestTextsAreInEachLanguage(t *testing.T) {
	t.Parallel()
	twoHours := core.WaitTime{Count: 2, Unit: "hour"}
	for _, tt := range []struct {
		text            core.Text
		english, german string
	}{
		{core.NewText("quantity_range", "most", 12_500), "Choose a quantity from 1 to 12,500", "Wähl eine Menge von 1 bis 12.500"},
		{core.TooLong("description_too_long", core.MaxDescription), "Description must be 1000 characters or fewer", "Die Beschreibung darf höchstens 1.000 Zeichen haben"},
		{core.NewText("quota_post", "wait", twoHours), "You can post again in 2 hours.", "In 2 Stunden kannst du wieder ein Gesuch einstellen."},
		{core.NewText("field_element", "field", "Lines", "problem", core.NewText("field_unknown")), "Lines: Unknown field", "Lines: Unbekanntes Feld"},
		{core.Text{Plain: "Stored long ago"}, "Stored long ago", "Stored long ago"},
		{core.Text{}, "", ""},
	} {
		if got := tt.text.String(); got != tt.english {
			t.Errorf("it says %q, not %q", got, tt.english)
		}
		if got := tt.text.In(text.For("de")); got != tt.german {
			t.Errorf("in German it says %q, not %q", got, tt.german)
		}
	}
}
