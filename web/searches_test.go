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

// The one list has searches with a bell and without; turning the bell of one on keeps its whole board.
func TestSavedSearchesAreOneListWithBells(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	plain := maple.post("/api/me/searches", object{"name": "Ores", "q": "iron", "maxPrice": 900, "sort": "price", "view": "list"}).
		wants(http.StatusCreated).at("/api/me/searches/", "id")
	all := maple.post("/api/me/searches", object{"name": "Urgent", "importance": []string{"urgent"}}).wants(http.StatusCreated).
		at("/api/me/searches/", "id")
	watch := maple.post("/api/me/watches", object{"q": "oak", "sort": "total", "view": "cards"}).wants(http.StatusCreated)
	list := func() (rows []string) {
		for _, one := range maple.get("/api/me/saved").wants(http.StatusOK).json()["saved"].([]any) {
			row := one.(object)
			rows = append(rows, fmt.Sprint(row["name"], " ", row["q"], " ", row["maxPrice"], " ", row["sort"], " ", row["view"], " watch ", row["watch"], " bell ", row["bell"]))
		}
		return rows
	}
	want := func(rows ...string) {
		t.Helper()
		if got := list(); strings.Join(got, "\n") != strings.Join(rows, "\n") {
			t.Errorf("the list is %q, want %q", got, rows)
		}
	}
	want("oak oak 0 total cards watch true bell true", "Ores iron 900 price list watch false bell false", "Urgent  0 newest  watch false bell false")

	rowan.post(plain+"/bell", nil).wantsProblem(http.StatusNotFound)
	s.visitor().post(plain+"/bell", nil).wantsProblem(http.StatusUnauthorized)
	maple.post(all+"/bell", nil).wantsProblem(http.StatusUnprocessableEntity, "q")
	given := maple.post(plain+"/bell", nil).wants(http.StatusOK)
	maple.post(plain+"/bell", nil).wantsProblem(http.StatusNotFound) // it has another address
	want("oak oak 0 total cards watch true bell true", "Ores iron 900 price list watch true bell true", "Urgent  0 newest  watch false bell false")
	address := given.at("/api/me/watches/", "id")
	maple.put(address, object{"name": "Ores", "q": "iron", "maxPrice": 900, "minQuantity": 5}).wants(http.StatusOK) // as older programs send it
	maple.post(address+"/pause", object{"paused": true}).wants(http.StatusOK)
	maple.delete(watch.at("/api/me/watches/", "id")).wants(http.StatusNoContent)
	want("Ores iron 900 price list watch true bell false", "Urgent  0 newest  watch false bell false")

	for i := range 24 {
		maple.post("/api/me/watches", object{"q": fmt.Sprint("word", i)}).wants(http.StatusCreated)
	}
	one := maple.post("/api/me/searches", object{"name": "One more", "q": "coal"}).at("/api/me/searches/", "id")
	maple.post(one+"/bell", nil).wantsProblem(http.StatusConflict)
}
