package match

import (
	"slices"
	"testing"

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
