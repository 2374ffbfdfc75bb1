package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/web"
)

// Who watches, and who has what they do not show to buyers, is in no answer to anybody else: a buyer learns how many people will hear of a
// request, and what sellers have together.
func TestWatchesAreHiddenFromOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,made_by,made_at_level\nIron Ore,Ore,Miner,20\n")
	watcher := s.signedIn("rowan.ashdown")
	watcher.post("/api/me/watches", object{"q": "iron", "name": "My secret ores"}).wants(http.StatusCreated)
	watcher.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 77, "price": 1, "note": "Secret docks"}}}).wants(http.StatusOK)
	s.clock.forward(time.Second)
	maple := s.signedIn("maple")
	posted := maple.posts()
	if _, err := s.market.Match.AlertWatchers(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if got := watcher.get("/api/me/notices").json()["notices"].([]any); len(got) != 1 {
		t.Fatalf("the watcher has the notices %v", got)
	}
	if got := fmt.Sprint(maple.post("/api/orders/audience", order()).wants(http.StatusOK).json()); got != "map[people:1]" {
		t.Errorf("a buyer reads %s", got)
	}

	described, err := web.OpenAPI()
	must(t, err)
	var api struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	must(t, json.Unmarshal(described, &api))
	me := maple.get("/api/me").json()["user"].(object)["id"]
	ids := strings.NewReplacer("/api/orders/{id}", posted, "/api/traders/{id}", fmt.Sprint("/api/traders/", me), "{id}", "1", "{token}", "x")
	for who, reader := range map[string]*browser{"a visitor": s.visitor(), "the buyer": maple, "another user": s.signedIn("juniper_fox"), "a moderator": s.signedIn("oldtamsin")} {
		read := 0
		for path, verbs := range api.Paths {
			if verbs["get"] == nil || !strings.HasPrefix(path, "/api/") || path == "/api/events" { // a stream, which does not end
				continue
			}
			answer := reader.get(ids.Replace(path))
			if answer.status == http.StatusOK {
				read++
			}
			text := strings.ToLower(string(answer.body))
			for _, secret := range []string{"rowan", "secret"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s reads %q at %s: %s", who, secret, path, answer.body)
				}
			}
		}
		if read < 15 {
			t.Errorf("%s could read only %d answers", who, read)
		}
	}
}
