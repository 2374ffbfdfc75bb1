package trade_test

import (
	"testing"
	"time"

	"tradepost/core/trade"
)

func TestANamedTimeIsTheEndOfADayInTheUsersZone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 23, 30, 0, 0, time.UTC) // Friday; in Tokyo it is Saturday
	for _, c := range []struct{ name, zone, want string }{
		{"today", "", "2026-05-01T23:59:00Z"},
		{"today", "Asia/Tokyo", "2026-05-02T14:59:00Z"},
		{"tomorrow", "No/Where", "2026-05-02T23:59:00Z"},
		{"weekend", "", "2026-05-03T23:59:00Z"},
		{"weekend", "Asia/Tokyo", "2026-05-03T14:59:00Z"},
		{"72h", "", "2026-05-04T23:30:00Z"},
		{"week", "Europe/Berlin", "2026-05-08T23:30:00Z"},
		{"2026-05-09", "Europe/Berlin", "2026-05-09T21:59:00Z"},
	} {
		if at, ok := trade.TimeNamed(c.name, c.zone, now); !ok || at.Format(time.RFC3339) != c.want {
			t.Errorf("%s in %q = %s, want %s", c.name, c.zone, at.Format(time.RFC3339), c.want)
		}
	}
	if at, ok := trade.TimeNamed("someday", "", now); ok {
		t.Errorf("someday is %s", at)
	}
}
