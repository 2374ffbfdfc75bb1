package core

import (
	"slices"
	"testing"
)

func TestASearchHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	others := []SavedSearch{{ID: 1, SearchDraft: SearchDraft{Name: "Ores"}}}
	for _, tt := range []struct {
		name string
		id   SearchID
		ok   bool
	}{{"Bars", 0, true}, {"ores", 0, false}, {"ORES", 1, true}, {"Bars", 1, true}, {"ores", 2, false}} {
		if err := (SearchDraft{Name: tt.name}).mayBeSaved(tt.id, others); (err == nil) != tt.ok || err != nil && KindOf(err) != Conflict {
			t.Errorf("%q for %d: %v", tt.name, tt.id, err)
		}
	}
	full := make([]SavedSearch, MaxSearches)
	if (SearchDraft{Name: "a"}).mayBeSaved(0, full) == nil || (SearchDraft{Name: "a"}).mayBeSaved(3, full) != nil {
		t.Error("a new one has no place among 25, and an old one keeps its own")
	}
}

func TestSkillsNarrowCategories(t *testing.T) {
	t.Parallel()
	f := OrderFilter{Skills: []Skill{{"Miner", 5}, {"Chef", 7}}}
	if got := f.ByCategory(); !slices.Equal(got, f.Skills) {
		t.Errorf("skills fit %v", got)
	}
	f.Categories = []Category{"Chef", "Fisher"}
	if got := f.ByCategory(); !slices.Equal(got, []Skill{{"Chef", 7}}) {
		t.Errorf("skills within categories fit %v", got)
	}
	f.Categories = []Category{"Fisher"}
	if got := f.ByCategory(); got == nil || len(got) != 0 {
		t.Errorf("a category without a skill fits %v", got)
	}
	f.Skills = nil
	if got := f.ByCategory(); !slices.Equal(got, []Skill{{"Fisher", 0}}) || (OrderFilter{}).ByCategory() != nil {
		t.Errorf("categories fit %v", got)
	}
}
