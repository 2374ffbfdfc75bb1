package bot

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"tradepost/core"
)

func TestAPressSaysTheSameAfterARestart(t *testing.T) {
	p := on("accept", core.OfferID(70), 20, deliveryView(9))
	if got, want := p.String(), "1|accept|70|20|d9"; got != want {
		t.Errorf("custom_id = %q, want %q: buttons that were sent would stop working", got, want)
	}
	got, ok := parsePress(p.String())
	if !ok || !reflect.DeepEqual(got, p) {
		t.Errorf("parsePress = %+v, %v", got, ok)
	}
}

func TestPressesThatWeNeverMade(t *testing.T) {
	for _, id := range []string{"", "1", "1|", "2|accept|1", "accept", "1||1", "|accept", strings.Repeat("1|a", 50), "1" + strings.Repeat("|a", 30), "\xff"} {
		if p, ok := parsePress(id); ok {
			t.Errorf("parsePress(%q) = %+v", id, p)
		}
	}
	p, ok := parsePress("1|accept|-5|99999999999999999999|x")
	if !ok || p.number(0) != 0 || p.number(1) != 0 || p.number(2) != 0 || p.number(9) != 0 || p.word(9) != "" {
		t.Errorf("senseless numbers are taken: %+v", p)
	}
}

func TestTheWidestListFitsIntoACustomID(t *testing.T) {
	s := browsing{
		page: maxPages - 1, category: core.Categories[14], sort: core.Sorts[3], importance: core.Importances[3], level: core.MaxLevel,
		minPrice: core.MaxPrice, maxPrice: core.MaxPrice, text: strings.Repeat("ä", maxSearchText),
	}
	id := s.press("category").String() + pressSplit + "back"
	if n := utf8.RuneCountInString(id); n > maxCustomID {
		t.Errorf("%d characters: %s", n, id)
	}
	p, ok := parsePress(s.press("browse").String())
	if got := browsingOf(p); !ok || got != s {
		t.Errorf("browsingOf = %+v, want %+v", got, s)
	}
}

func FuzzPress(f *testing.F) {
	for _, id := range []string{"1|accept|70|20|d9", "1|browse|0|1|2|3|4|5|6|iron ore", "2|x", "1|o|", "1|back|l7.2", "1|edit|7|1|0|"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		p, ok := parsePress(id)
		if !ok {
			return
		}
		if p.String() != id {
			t.Fatalf("parsePress(%q).String() = %q", id, p)
		}
		for n := range 10 {
			if p.number(n) < 0 {
				t.Fatalf("number %d of %q is negative", n, id)
			}
			parseView(p.word(n))
		}
		s := browsingOf(p)
		again, ok := parsePress(s.press("browse").String())
		if !ok || browsingOf(again) != s {
			t.Fatalf("the list of %q does not come back: %+v", id, s)
		}
	})
}

func TestQuantitiesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{
		"5": 5, " 12 ": 12, "1,000": 1000, "1.000.000": 1000000, "1 000": 1000, "1’000": 1000, "1_000": 1000, "007": 7,
		"": -1, "-5": -1, "+5": -1, "1.5": -1, "1,00": -1, "1,000.5": -1, "five": -1, "٥": -1, "1e3": -1, "99999999999999": -1, ",100": -1,
	} {
		got, ok := parseQuantity(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("parseQuantity(%q) = %d, want %d", text, got, want)
		}
	}
}

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

func TestOnlyManagersMaySetUpABoard(t *testing.T) {
	for permissions, want := range map[string]bool{"32": true, "8": true, "2147483648": false, "": false, "x": false, "0": false} {
		in := Input{i: &interaction{GuildID: "1", Member: &member{Permissions: permissions}}}
		if got := mayManage(in) == nil; got != want {
			t.Errorf("permissions %q may: %v", permissions, got)
		}
	}
	if mayManage(Input{i: &interaction{User: &account{}}}) == nil {
		t.Error("a board in a direct message")
	}
}
