package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestSkillsAreTheUsersOwn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	skills := func(pairs ...any) object {
		list := []any{}
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, object{"category": pairs[i], "level": pairs[i+1]})
		}
		return object{"skills": list}
	}
	maple.put("/api/me/skills", skills("Miner", 120, "Chef", 3)).wants(http.StatusOK)
	if got := fmt.Sprint(maple.get("/api/me/skills").json()); got != "map[skills:[map[category:Chef level:3] map[category:Miner level:120]]]" {
		t.Errorf("the skills are %s", got)
	}
	if got := fmt.Sprint(rowan.get("/api/me/skills").json()); got != "map[skills:[]]" {
		t.Errorf("another's are %s", got)
	}
	for _, bad := range []object{
		skills("Pirate", 1), skills("Miner", 0), skills("Miner", 501), skills("Miner", 1, "Miner", 2),
	} {
		maple.put("/api/me/skills", bad).wantsProblem(http.StatusUnprocessableEntity, "skills")
	}
	maple.put("/api/me/skills", skills("Fisher", 500)).wants(http.StatusOK)
	if got := fmt.Sprint(maple.get("/api/me/data").json()["skills"]); got != "[map[category:Fisher level:500]]" {
		t.Errorf("the export has %s", got)
	}
	s.visitor().get("/api/me/skills").wantsProblem(http.StatusUnauthorized)
	s.visitor().put("/api/me/skills", skills()).wantsProblem(http.StatusUnauthorized)
	maple.delete("/api/me").wants(http.StatusNoContent)
}

func TestSearchesAreSavedByName(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	const all = "/api/me/searches"
	whole := object{
		"name": "Ores", "q": "iron-ore", "category": []string{"Miner", "Chef"}, "importance": []string{"urgent"}, "level": 120,
		"minPrice": 5, "maxPrice": 900, "forMe": true, "sort": "price", "view": "list",
	}
	added := maple.post(all, whole).wants(http.StatusCreated)
	address, got := added.at(all+"/", "id"), added.json()
	for name, want := range map[string]any{
		"name": "Ores", "q": "iron-ore", "category": "[Chef Miner]", "importance": "[urgent]", "level": 120, "minPrice": 5, "maxPrice": 900,
		"forMe": true, "sort": "price", "view": "list",
	} {
		if fmt.Sprint(got[name]) != fmt.Sprint(want) {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
	maple.post(all, object{"name": " ORES "}).wantsProblem(http.StatusConflict, "name")
	rowan.post(all, object{"name": "Ores"}).wants(http.StatusCreated)
	maple.post(all, object{"name": "bars"}).wants(http.StatusCreated)

	// Renamed as a whole; its own name is free to itself.
	maple.put(address, object{"name": "ores", "q": "coal"}).wants(http.StatusOK)
	maple.put(address, object{"name": "Bars"}).wantsProblem(http.StatusConflict, "name")
	rowan.put(address, object{"name": "stolen"}).wantsProblem(http.StatusNotFound)
	rowan.delete(address).wantsProblem(http.StatusNotFound)
	names := func() (names []string) {
		for _, s := range maple.get(all).json()["searches"].([]any) {
			names = append(names, s.(object)["name"].(string))
		}
		return names
	}
	if got := names(); fmt.Sprint(got) != "[bars ores]" {
		t.Errorf("the searches are %q", got)
	}
	if got := maple.get("/api/me/data").json()["searches"].([]any); len(got) != 2 || got[1].(object)["q"] != "coal" {
		t.Errorf("the export has %v", got)
	}

	for field, bad := range map[string]object{
		"name": {"name": " "}, "q": {"name": "a", "q": strings.Repeat("a", 101)}, "category": {"name": "a", "category": []string{"Pirate"}},
		"level": {"name": "a", "level": 501}, "maxPrice": {"name": "a", "minPrice": 2, "maxPrice": 1}, "sort": {"name": "a", "sort": "best"},
		"view": {"name": "a", "view": "map"}, "importance": {"name": "a", "importance": []string{"none"}},
	} {
		maple.post(all, bad).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	for i := range 23 {
		maple.post(all, object{"name": fmt.Sprint("search ", i)}).wants(http.StatusCreated)
	}
	maple.post(all, object{"name": "one too many"}).wantsProblem(http.StatusConflict)
	maple.delete(address).wants(http.StatusNoContent)
	maple.delete(address).wantsProblem(http.StatusNotFound)
	maple.post(all, object{"name": "one too many"}).wants(http.StatusCreated)
	s.visitor().get(all).wantsProblem(http.StatusUnauthorized)
	s.visitor().post(all, whole).wantsProblem(http.StatusUnauthorized)
}
