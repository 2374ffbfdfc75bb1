package core_test

import (
	"testing"

	"tradepost/core"
)

func TestNumbersInSentencesHaveSeparators(t *testing.T) {
	t.Parallel()
	for want, text := range map[string]core.Text{
		"1 to 500":                    core.NewText("x", "1 to %d", 500),
		"1 to 12,500":                 core.NewText("x", "1 to %d", 12_500),
		"1,000,000 or less":           core.NewText("x", "%d or less", core.MaxQuantity),
		"-1,000 and -100":             core.NewText("x", "%d and %d", -1000, -100),
		"1000 characters":             core.NewText("x", "%v characters", core.MaxDescription),
		"Iron Ore, 2 hours, 1,500 of": core.NewText("x", "%s, %s, %d of", "Iron Ore", core.WaitTime{Count: 2, Unit: "hour"}, 1500),
	} {
		if got := text.String(); got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}
