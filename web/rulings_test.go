package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A moderator takes a decision back, and decides again. What follows from a decision follows from the new one.
func TestAModeratorTakesADecisionBackAndDecidesAgain(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	request := b.maple.posts()
	accepted := b.maple.post(b.rowan.offers(request)+"/accept", object{"quantity": 2, "agreedBy": b.clock.now().Add(5 * time.Hour)}).wants(http.StatusOK).json()
	sale := accepted["sale"].(object)["id"].(float64)
	b.clock.forward(6 * time.Hour)
	for who, word := range map[*browser]string{b.maple: "met", b.rowan: "not_met"} {
		who.post("/api/handovers/say", object{"sales": []float64{sale}, "word": word}).wants(http.StatusOK)
	}
	settle := func(body object) *reply {
		return b.mod.post(fmt.Sprintf("/api/moderation/disputes/%v/settle", sale), body)
	}
	read := func(who *browser) (state any, sold any, record object) {
		h := who.get(fmt.Sprintf("/api/me/handovers?sale=%v", sale)).wants(http.StatusOK).json()["handovers"].([]any)[0].(object)
		order := who.get(request).wants(http.StatusOK).json()
		record, _ = who.signsIn(who.User.Username).get("/api/me/data").wants(http.StatusOK).json()["record"].(object)
		return h["state"], order["sold"], record
	}
	latest := func() object {
		return b.mod.get("/api/moderation/audit").wants(http.StatusOK).json()["entries"].([]any)[0].(object)
	}
	undo := func(who *browser, entry object) *reply {
		return who.post(fmt.Sprint("/api/moderation/audit/", entry["id"], "/undo"), nil)
	}

	settle(object{"met": false, "against": "buyer", "reason": "The log says so"}).wants(http.StatusNoContent)
	first := latest()
	if first["undoable"] != true {
		t.Fatalf("the decision cannot be undone from the log: %v", first)
	}
	if state, sold, _ := read(b.maple); state != "cancelled" || sold != 0.0 {
		t.Fatalf("%v, %v sold", state, sold)
	}
	undo(b.maple, first).wantsProblem(http.StatusForbidden)
	var both sync.WaitGroup // two moderators at once: one takes it back
	var answers [2]*reply
	for i := range answers {
		both.Go(func() { answers[i] = undo(b.mod, first) })
	}
	both.Wait()
	if one, other := answers[0].status, answers[1].status; min(one, other) != http.StatusNoContent || max(one, other) != http.StatusConflict {
		t.Fatalf("two undos at once are answered %d and %d", one, other)
	}
	state, sold, record := read(b.maple)
	if state != "disputed" || sold != 2.0 || record["notMet"] != nil && record["notMet"] != 0.0 {
		t.Errorf("taken back: %v, %v sold, record %v", state, sold, record)
	}
	undo(b.mod, first).wantsProblem(http.StatusConflict)
	if e := latest(); e["action"] != "dispute_reopened" || e["undoable"] == true {
		t.Errorf("the log says %v", e)
	}
	for _, side := range []*browser{b.maple, b.rowan} {
		n := side.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any)[0].(object)
		if n["kind"] != "handover_settled" || n["message"] != nil && n["message"] != "" {
			t.Errorf("%s is told %v", side.User.Username, n)
		}
		page := side.get(fmt.Sprintf("/api/me/trades/%v", sale)).wants(http.StatusOK).json()
		if h := fmt.Sprint(page["history"]); !strings.Contains(h, "reopened") || strings.Contains(h, "decided") || page["handover"].(object)["ruling"] != nil {
			t.Errorf("the trade as %s reads it: %v", side.User.Username, page)
		}
		side.post("/api/handovers/take-back", object{"sales": []float64{sale}}).wantsProblem(http.StatusConflict)
	}

	settle(object{"met": true, "reason": "The screenshot says so"}).wants(http.StatusNoContent)
	if state, sold, record := read(b.rowan); state != "met" || sold != 2.0 || record["met"] != 1.0 {
		t.Errorf("decided again: %v, %v sold, record %v", state, sold, record)
	}
	undo(b.mod, latest()).wants(http.StatusNoContent)
	if state, sold, record := read(b.rowan); state != "disputed" || sold != 2.0 || record["met"] != 0.0 {
		t.Errorf("taken back again: %v, %v sold, record %v", state, sold, record)
	}
	settle(object{"met": false, "reason": "No one came"}).wants(http.StatusNoContent)
	b.maple.post(request+"/sales", object{"quantitySold": b.maple.get(request).json()["quantity"]}).wants(http.StatusOK)
	undo(b.mod, latest()).wantsProblem(http.StatusConflict)
	if state, _, _ := read(b.maple); state != "cancelled" {
		t.Errorf("%v after an undo that was refused", state)
	}
}
