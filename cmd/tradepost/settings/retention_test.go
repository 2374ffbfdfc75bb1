package settings

import (
	"testing"
	"time"
)

func TestASpanMayBeWrittenInDays(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]time.Duration{
		"0": 0, "0d": 0, "30d": 30 * day, "1d12h": 36 * time.Hour, "36h": 36 * time.Hour, "1d30m": day + 30*time.Minute,
	} {
		var d days
		if err := d.UnmarshalText([]byte(word)); err != nil || time.Duration(d) != want {
			t.Errorf("%q is %s, %v; want %s", word, time.Duration(d), err, want)
		}
	}
	for _, word := range []string{"", "d", "-1d", "1.5d", "30", "-5h", "1d-2h", "1d5", "9999999d", "a week", "30 days"} {
		var d days
		if err := d.UnmarshalText([]byte(word)); err == nil {
			t.Errorf("%q is taken for %s", word, time.Duration(d))
		}
	}
}
