package discord

import (
	"strings"
	"testing"
)

func TestPressesThatWeNeverMade(t *testing.T) {
	for _, id := range []string{"", "1", "1|", "2|accept|1", "accept", "1||1", "|accept", strings.Repeat("1|a", 50), "1" + strings.Repeat("|a", 30), "\xff"} {
		if p, ok := ParseCustomID(id); ok {
			t.Errorf("parsePress(%q) = %+v", id, p)
		}
	}
	p, ok := ParseCustomID("1|accept|-5|99999999999999999999|x")
	if !ok || p.Number(0) != 0 || p.Number(1) != 0 || p.Number(2) != 0 || p.Number(9) != 0 || p.Word(9) != "" {
		t.Errorf("senseless numbers are taken: %+v", p)
	}
}

func TestAPressCarriesWhatItsMessageShowed(t *testing.T) {
	for id, want := range map[string]struct {
		view, shown string
	}{
		"1|accept|70|20|d5|#12": {"d5", "12"},
		"1|accept|70|20|d5":     {"d5", ""}, // of a message sent before versions were drawn
		"1|accept|70|20||#12":   {"", "12"},
		"1|accept|70|20|#":      {"#", ""},
	} {
		p, ok := ParseCustomID(id)
		if !ok || p.Word(2) != want.view || p.Shown != want.shown || p.String() != id {
			t.Errorf("parsePress(%q) = %+v, %v; it is written %q", id, p, ok, p)
		}
	}
	if got := NewCustomID("parted", 70, "d5").AsShown(NewCustomID("part", 70, "d5").At(12)).String(); got != "1|parted|70|d5|#12" {
		t.Errorf("the form of a button is %q", got)
	}
}
