package queue

import (
	"testing"

	"tradepost/sql/waits"
)

// What was being written while the clock stepped is stored after the first look, with a time of before.
func TestAllTimesAreLookedAtAgainAMinuteAfterAStep(t *testing.T) {
	t.Parallel()
	for _, stepped := range []int{1, 59, 60, 61, 3600} {
		if extent, due := extentAt(stepped, stepped); !due || extent != waits.AfterStep {
			t.Errorf("at the step at %d: %v, due %t", stepped, extent, due)
		}
		late := false
		for tick := stepped + 1; tick < stepped+120; tick++ {
			extent, due := extentAt(tick, stepped)
			late = late || due && extent == waits.All && tick >= stepped+59
		}
		if !late {
			t.Errorf("after the step at %d, nothing finds what was stored late within two minutes", stepped)
		}
		for tick := stepped + 120; tick < stepped+600; tick++ {
			if extent, due := extentAt(tick, stepped); due && extent != waits.EachMinute && tick%3600 != 0 {
				t.Errorf("%d ticks after the step: %v", tick-stepped, extent)
			}
		}
	}
}
