package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/web"
)

func TestBothSidesSayOnThePageWhatBecameOfATrade(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	by := b.clock.now().Add(5 * time.Hour)
	deal := func() float64 {
		accepted := b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 2, "agreedBy": by}).wants(http.StatusOK)
		return accepted.json()["sale"].(object)["id"].(float64)
	}
	say := func(who *browser, word string, sale float64) object {
		list := who.post("/api/handovers/say", object{"sales": []float64{sale}, "word": word}).wants(http.StatusOK).json()
		return list["handovers"].([]any)[0].(object)
	}
	met, off, disputed := deal(), deal(), deal()
	if h := say(b.rowan, "not_met", off); h["state"] != "cancelled" || h["side"] != "seller" || h["yourWord"] != "not_met" {
		t.Errorf("called off: %v", h)
	}
	b.maple.post(fmt.Sprintf("/api/handovers/%v/agree", met), object{"agreedBy": by.Add(40 * 24 * time.Hour)}).wantsProblem(http.StatusUnprocessableEntity, "agreedBy")
	b.clock.forward(6 * time.Hour)
	b.mod.post("/api/handovers/say", object{"sales": []float64{met}, "word": "met"}).wantsProblem(http.StatusForbidden)
	if h := say(b.maple, "met", met); h["state"] != "agreed" || h["canSay"] != false {
		t.Errorf("said by one: %v", h)
	}
	if h := say(b.rowan, "met", met); h["state"] != "met" || h["theirWord"] != "met" {
		t.Errorf("said by both: %v", h)
	}
	b.maple.post("/api/handovers/later", object{"sales": []float64{met}}).wantsProblem(http.StatusConflict)
	say(b.maple, "met", disputed)
	if h := say(b.rowan, "not_met", disputed); h["canTakeBack"] != true || h["lookedAt"] != nil {
		t.Errorf("disputed: %v", h)
	}
	takeBack := func() *reply { return b.rowan.post("/api/handovers/take-back", object{"sales": []float64{disputed}}) }
	took := takeBack().wants(http.StatusOK).json()["handovers"].([]any)[0].(object)
	if took["state"] != "agreed" || took["yourWord"] != nil || took["theirWord"] != "met" || took["canSay"] != true {
		t.Errorf("taken back: %v", took)
	}
	say(b.rowan, "not_met", disputed)
	look := fmt.Sprintf("/api/moderation/disputes/%v/look", disputed)
	b.maple.post(look, nil).wantsProblem(http.StatusForbidden)
	b.mod.post(look, nil).wants(http.StatusNoContent)
	b.mod.post(look, nil).wantsProblem(http.StatusConflict)
	takeBack().wantsProblem(http.StatusConflict)
	b.rowan.post("/api/handovers/say", object{"sales": []float64{disputed}, "word": "met"}).wantsProblem(http.StatusConflict)
	log := b.mod.get("/api/moderation/audit").wants(http.StatusOK).json()["entries"].([]any)
	if len(log) != 1 || log[0].(object)["action"] != "dispute_looked_at" {
		t.Errorf("the log: %v", log)
	}
	list := b.mod.get("/api/moderation/disputes").wants(http.StatusOK).json()["disputes"].([]any)
	if len(list) != 1 || list[0].(object)["buyer"].(object)["word"] != "met" || list[0].(object)["lookedAt"] == nil || len(list[0].(object)["before"].([]any)) != 2 {
		t.Fatalf("disputes: %v", list)
	}
	for _, side := range []string{"buyer", "seller"} {
		if record, there := list[0].(object)[side].(object)["record"].(object); !there || record["new"] != true || record["met"] != 1.0 {
			t.Errorf("the record of the %s: %v", side, record)
		}
	}
	settle := fmt.Sprintf("/api/moderation/disputes/%v/settle", disputed)
	b.maple.post(settle, object{"met": true, "reason": "I say so"}).wantsProblem(http.StatusForbidden)
	b.mod.post(settle, object{"met": false}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.mod.post(settle, object{"met": false, "against": "buyer", "reason": "Both logs say so"}).wants(http.StatusNoContent)
	kept := b.maple.signsIn("maple").get("/api/me/data").wants(http.StatusOK).json()
	if record, there := kept["record"].(object); !there || record["met"] != 1.0 || len(kept["handovers"].([]any)) != 3 {
		t.Errorf("what is kept about maple has the record %v", kept["record"])
	}
	for query, want := range map[string]int{"?state=met": 1, "?state=cancelled": 2, "?state=met&state=cancelled": 3, "?state=disputed": 0} {
		if list := b.maple.get("/api/me/handovers" + query).wants(http.StatusOK).json()["handovers"].([]any); len(list) != want {
			t.Errorf("%s lists %d, want %d", query, len(list), want)
		}
	}
	b.maple.get("/api/me/handovers?state=lost").wantsProblem(http.StatusUnprocessableEntity, "state")
	if list := b.mod.get("/api/me/handovers").wants(http.StatusOK).json()["handovers"].([]any); len(list) != 0 {
		t.Errorf("a moderator who is no party sees %v", list)
	}
	mine := b.maple.get("/api/me/handovers").wants(http.StatusOK).json()["handovers"].([]any)
	if last := mine[0].(object); len(mine) != 3 || last["state"] != "cancelled" || last["against"] != "you" || last["with"].(object)["contact"] != "rowan.ashdown" {
		t.Errorf("what maple sees: %v", mine)
	}
	if ruling, there := mine[0].(object)["ruling"].(object); !there || ruling["reason"] != "Both logs say so" {
		t.Errorf("the decision as maple reads it: %v", mine[0].(object)["ruling"])
	}
	if called := mine[1].(object); called["ruling"] != nil {
		t.Errorf("a trade that no moderator decided about has %v", called["ruling"])
	}
	page := b.rowan.get(fmt.Sprintf("/api/me/trades/%v", disputed)).wants(http.StatusOK).json()
	events := page["history"].([]any)
	if last := events[len(events)-1].(object); last["kind"] != "decided" || last["by"] != nil || last["at"] == nil {
		t.Errorf("the history ends with %v", last)
	}
	if h := page["handover"].(object); h["against"] != "them" || h["ruling"].(object)["reason"] != "Both logs say so" {
		t.Errorf("the trade as rowan reads it: %v", h)
	}
	if strings.Contains(fmt.Sprint(page), b.mod.User.Username) {
		t.Errorf("a side reads who decided: %v", page)
	}
}

func TestWithHandoversOffThePageKnowsNothingOfThem(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.Features{} })
	for _, address := range []string{"/api/me/handovers", "/api/moderation/disputes", "/api/me/slips/1", "/api/me/trades/1", "/api/me/in-game-name"} {
		if resp, err := http.Get(s.url + address); err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %v, %v", address, resp, err)
		}
	}
	for _, word := range []string{"andover", "agreedBy", "goodUntil", "saleId", "slip", "meetingPlace", "in-game-name"} {
		if strings.Contains(string(s.visitor().get("/api/openapi.json").body), word) {
			t.Errorf("the description has the word %s", word)
		}
	}
}
