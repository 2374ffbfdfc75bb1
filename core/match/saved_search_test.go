package match

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/people"
)

func named(id core.SearchID, bell Bell, name string) SavedSearch {
	return SavedSearch{ID: id, SearchDraft: SearchDraft{Bell: bell, Name: name}}
}

func TestASearchHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	others := []SavedSearch{named(1, BellOff, "Ores")}
	for _, tt := range []struct {
		name string
		id   core.SearchID
		ok   bool
	}{{"Bars", 0, true}, {"ores", 0, false}, {"ORES", 1, true}, {"Bars", 1, true}, {"ores", 2, false}} {
		if err := named(tt.id, BellOff, tt.name).mayBeSaved(others); (err == nil) != tt.ok || err != nil && core.KindOf(err) != core.Conflict {
			t.Errorf("%q for %d: %v", tt.name, tt.id, err)
		}
	}
	for _, bell := range []Bell{BellOff, BellOn} {
		full := make([]SavedSearch, core.MaxSearches)
		if named(0, bell, "a").mayBeSaved(full) == nil || named(3, bell, "a").mayBeSaved(full) != nil {
			t.Errorf("bell %t: a new one has no place among 25, and an old one keeps its own", bell)
		}
	}
	if err := named(0, BellOn, "ores").mayBeSaved([]SavedSearch{named(1, BellOn, "Ores")}); err != nil {
		t.Errorf("names of searches with a bell may be equal: %v", err)
	}
}

// Programs before and after searches and watches were one read the answers of each other's writes.
func TestAnswersOfWritesHaveTheFieldsOfTheirKind(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"ID":1,"Name":"Ores","Categories":["Miner"],"Text":"ore","Importance":null,"Level":0,"MinPrice":5,"MaxPrice":0,"ForMe":true,"Sort":"newest","View":"list",` +
			`"CreatedAt":"2026-05-04T13:10:56Z","UpdatedAt":"2026-05-04T13:10:56Z"}`,
		`{"ID":2,"Owner":3,"Name":"Iron Ore","Items":[1],"Kind":"","Categories":null,"Text":"","Importance":null,"Level":0,"MinPrice":100,"MaxPrice":0,"ForMe":false,` +
			`"MinQuantity":0,"Way":"direct","Pause":60000000000,"PausedAt":"0001-01-01T00:00:00Z","SnoozedUntil":"0001-01-01T00:00:00Z",` +
			`"AlertedAt":"2026-05-04T13:12:05Z","CreatedAt":"2026-05-04T13:10:59Z","UpdatedAt":"2026-05-04T13:10:59Z"}`,
	} {
		var s SavedSearch
		if err := json.Unmarshal([]byte(answer), &s); err != nil {
			t.Fatal(err)
		}
		if s.Bell != (s.ID == 2) || s.Name == "" || s.CreatedAt.IsZero() || s.ID == 2 && s.Pause != time.Minute || s.ID == 1 && s.View != ListView {
			t.Errorf("%s is read as %+v", answer, s)
		}
		if written, err := json.Marshal(s); err != nil || string(written) != answer {
			t.Errorf("%s is written as %s, %v", answer, written, err)
		}
	}
}

func TestSkillsNarrowCategories(t *testing.T) {
	t.Parallel()
	f := OrderFilter{Skills: []people.Skill{{Category: "Miner", Level: 5}, {Category: "Chef", Level: 7}}}
	if got := f.ByCategory(); !slices.Equal(got, f.Skills) {
		t.Errorf("skills fit %v", got)
	}
	f.Categories = []game.Category{"Chef", "Fisher"}
	if got := f.ByCategory(); !slices.Equal(got, []people.Skill{{Category: "Chef", Level: 7}}) {
		t.Errorf("skills within categories fit %v", got)
	}
	f.Categories = []game.Category{"Fisher"}
	if got := f.ByCategory(); got == nil || len(got) != 0 {
		t.Errorf("a category without a skill fits %v", got)
	}
	f.Skills = nil
	if got := f.ByCategory(); !slices.Equal(got, []people.Skill{{Category: "Fisher", Level: 0}}) || (OrderFilter{}).ByCategory() != nil {
		t.Errorf("categories fit %v", got)
	}
}
