package notices

import "testing"

func TestHoursAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{"22:00": 1320, "7:05": 425, "22.30": 1350, "0": 0, "23": 1380, "24:00": -1, "7:5": -1, "7:60": -1, "x": -1, "-1": -1, "": -1} {
		got, ok := parseClock(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("parseClock(%q) = %d, want %d", text, got, want)
		}
	}
}
