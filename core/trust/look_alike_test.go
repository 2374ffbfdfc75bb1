package trust

import (
	"testing"
	"time"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
)

var lookAlikeForms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}

// known returns what a process knows of a trader 1, "mapleworm", and another one.
func known(t *testing.T) *Traders {
	t.Helper()
	all := &Traders{forms: lookAlikeForms}
	changed := all.learn(namesOf(lookAlikeForms, []Trader{
		{User: 1, Username: "mapleworm", DisplayName: "Zoë Öst", InGame: []string{"Tom0"}},
		{User: 2, Username: "fern", DisplayName: "Fern"},
	}), nil)
	if !changed {
		t.Fatal("learning the first names reports no change")
	}
	return all
}

func TestNamesThatLookLikeATraders(t *testing.T) {
	all := known(t)
	for _, tt := range []struct{ what, name string }{
		{"the same", "mapleworm"},
		{"capitals", "MapleWorm"},
		{"an @ in front", "@mapleworm"},
		{"a Cyrillic а", "m\u0430pleworm"},
		{"a Greek ο", "maplew\u03bfrm"},
		{"full width", "ｍａｐｌｅｗｏｒｍ"},
		{"rn for m", "rnapleworrn"},
		{"1 for l", "map1eworm"},
		{"a capital I for l", "mapIeworm"},
		{"accents", "mäpléwörm"},
		{"accents as marks", "ma\u0301plewo\u0308rm"},
		{"mathematical letters", "𝗆𝖺𝗉𝗅𝖾𝗐𝗈𝗋𝗆"},
		{"0 for o", "maplew0rm"},
		{"letters that cannot be seen", "maple\u200bworm"},
		{"of the display name", "ZOE OST"},
		{"of the in-game name", "TomO"},
	} {
		for _, usedBy := range []core.UserID{0, 3} {
			if got := all.Like(tt.name, NameUser{User: usedBy}); len(got) != 1 || got[0] != 1 {
				t.Errorf("%s: %q of user %d looks like the names of %v, want 1", tt.what, tt.name, usedBy, got)
			}
		}
		if got := all.Like(tt.name, NameUser{User: 1}); got != nil {
			t.Errorf("%s: %q of the trader looks like the names of %v", tt.what, tt.name, got)
		}
	}
	if !all.LookAlike("\u0192ern", "", NameUser{User: 1}).Any() {
		t.Error("a name of one trader that looks like another's is not marked")
	}
	for _, name := range []string{"mapleworms", "maple worm", "napleworm", "Zoe", "", "fe", "mapleworm2"} {
		if got := all.Like(name, NameUser{}); got != nil {
			t.Errorf("%q looks like the names of %v", name, got)
		}
	}
}

func TestNamesOfTraders(t *testing.T) {
	names := namesOf(lookAlikeForms, []Trader{
		{User: 1, Username: "maple", DisplayName: "Alex", InGame: []string{"Al", "Alex", "Scout"}},
		{User: 2, Username: "willow", DisplayName: "Maple", InGame: []string{"Alex", "@Maple"}},
	})
	owners := map[string][]core.UserID{}
	for _, n := range names {
		owners[n.Skeleton] = append(owners[n.Skeleton], n.User)
	}
	skeleton := lookAlikeForms.NameSkeleton
	if got := owners[skeleton("maple")]; len(got) != 1 || got[0] != 1 {
		t.Errorf("the username of trader 1 belongs to %v", got)
	}
	if got := owners[skeleton("Alex")]; len(got) != 2 {
		t.Errorf("the name of both belongs to %v", got)
	}
	if len(names) != 5 || len(owners) != 4 {
		t.Errorf("%d names of %d spellings, want 5 of 4: %v", len(names), len(owners), names)
	}
}

// Scripts with vowels that are marks keep them: words that differ in them do not look the same.
func TestIndianVowelsAreNoAccents(t *testing.T) {
	if a, b := lookAlikeForms.NameSkeleton("किरण"), lookAlikeForms.NameSkeleton("कुरण"); a == b {
		t.Errorf("both have the skeleton %q", a)
	}
}

// Of two users of a name the younger one's use is marked: what they say of the time counts against an elder
// only where it is sure.
func TestTheElderUseOfANameIsNotMarked(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	skeleton := lookAlikeForms.NameSkeleton("Tom0")
	names, elders := eldersOf(lookAlikeForms, []TraderName{{Skeleton: skeleton, User: 1}}, []NameUse{
		{User: 1, Name: "Tom0", First: day(5), Surely: day(9)},
		{User: 2, Name: "TomO", First: day(2), Surely: day(3)},  // the elder
		{User: 3, Name: "TomO", First: day(2), Surely: day(7)},  // may have had another name until the 7th
		{User: 4, Name: "TomO", First: day(6), Surely: day(6)},  // the younger
		{User: 5, Name: "Tomas", First: day(1), Surely: day(1)}, // another name
	}, day(20))
	if len(names) != 1 || !names[0].Since.Equal(day(5)) {
		t.Fatalf("the names are %v, want one since the 5th", names)
	}
	if len(elders) != 1 || elders[0].User != 2 {
		t.Errorf("the elders are %v, want user 2", elders)
	}
	all := &Traders{forms: lookAlikeForms}
	all.learn(names, elders)
	for user, marked := range map[core.UserID]bool{1: false, 2: false, 3: true, 4: true} {
		if got := all.LookAlike("", "TomO", NameUser{User: user}).Name; got != marked {
			t.Errorf("user %d is marked: %v, want %v", user, got, marked)
		}
	}
	for what, by := range map[string]NameUser{"before": {Offer: 1, Offered: day(4)}, "after": {Offer: 2, Offered: day(6)}} {
		if got := all.LookAlike("", "TomO", by).Name; got != (what == "after") {
			t.Errorf("a visitor's offer %s the trader used the name is marked: %v", what, got)
		}
	}
	if names, _ := eldersOf(lookAlikeForms, []TraderName{{Skeleton: skeleton, User: 1}}, nil, day(20)); !names[0].Since.Equal(day(20)) {
		t.Errorf("a name without a use is its trader's since %v, want now", names[0].Since)
	}
}
