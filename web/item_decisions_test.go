package web_test

import (
	"fmt"
	"net/http"
	"testing"
)

// asksFor makes a name provisional: two buyers post three requests for it.
func (b *board) asksFor(name string) {
	b.t.Helper()
	for quantity, by := range []*browser{b.maple, b.maple, b.rowan} {
		by.post("/api/orders", order(object{"itemName": name, "quantity": quantity + 1})).wants(http.StatusCreated)
	}
}

// waiting says which names wait for a moderator, how many requests there are for each, and what each is a near miss of.
func (b *board) waiting() string {
	b.t.Helper()
	var page struct {
		Items []struct {
			Item     struct{ Name string }
			Requests int
			Near     *struct{ Name string }
		}
	}
	b.mod.get("/api/moderation/items").wants(http.StatusOK).into(&page)
	all := ""
	for _, w := range page.Items {
		all += fmt.Sprint(w.Item.Name, " ", w.Requests)
		if w.Near != nil {
			all += " near " + w.Near.Name
		}
		all += "; "
	}
	return all
}

func TestAModeratorConfirmsMergesAndIgnoresNames(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.has("name\nIron Ore\nSturdy Hickory Log\n")
	for _, name := range []string{"Sturdy Hikory Log", "Moon Pearl", "Moon Perl", "qwertz"} {
		b.asksFor(name) // items 3 to 6
	}
	if got, want := b.waiting(), "Sturdy Hikory Log 3 near Sturdy Hickory Log; Moon Pearl 3; Moon Perl 3; qwertz 3; "; got != want {
		t.Errorf("%s wait, want %s", got, want)
	}
	const items = "/api/moderation/items/"
	b.mod.post(items+"5/merge", object{"into": 5}).wantsProblem(http.StatusUnprocessableEntity, "into")
	b.mod.post(items+"5/merge", object{"into": 99}).wantsProblem(http.StatusUnprocessableEntity, "into")
	b.mod.post(items+"99/confirm", nil).wantsProblem(http.StatusNotFound)

	b.mod.post(items+"3/merge", object{"into": 2}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(items+"3/merge", object{"into": 2}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(items+"3/ignore", nil).wantsProblem(http.StatusConflict)
	b.mod.post(items+"5/merge", object{"into": 4}).wants(http.StatusNoContent)
	b.mod.post(items+"4/merge", object{"into": 2}).wants(http.StatusNoContent) // what led to it leads on
	b.mod.post(items+"6/ignore", nil).wants(http.StatusNoContent)
	b.mod.post(items+"1/confirm", nil).wantsProblem(http.StatusConflict) // it never waited
	for _, merged := range []string{"3", "4", "5"} {
		if item := b.visitor.get("/api/catalogue/" + merged).wants(http.StatusOK).json(); item["id"] != 2.0 {
			t.Errorf("item %s leads to %v", merged, item)
		}
	}
	b.visitor.get("/api/catalogue/6").wantsProblem(http.StatusNotFound)
	if listed := b.visitor.get("/api/orders?itemId=2").json(); listed["total"] != 9.0 {
		t.Errorf("the item has %v requests, want those of the names that were merged into it", listed["total"])
	}
	b.asksFor("QWERTZ 2")
	if got := b.waiting(); got != "QWERTZ 2 3; " {
		t.Errorf("%s wait", got)
	}
	b.mod.post(items+"7/confirm", nil).wants(http.StatusNoContent)
	if item := b.visitor.get("/api/catalogue/7").wants(http.StatusOK).json(); item["provisional"] != false {
		t.Errorf("the confirmed item is %v", item)
	}
	ignored := b.maple.post("/api/orders", order(object{"itemName": "qwertz", "quantity": 9})).wants(http.StatusCreated).json()
	if got := b.waiting(); got != "" || ignored["itemId"] != nil {
		t.Errorf("%s wait, and an ignored name names item %v", got, ignored["itemId"])
	}

	entries := b.mod.get("/api/moderation/audit").json()["entries"].([]any)
	noted := ""
	for _, e := range entries {
		noted += fmt.Sprint(e.(object)["action"], " ", e.(object)["itemName"], ", ", e.(object)["reason"], "; ")
	}
	if want := "item_confirmed QWERTZ 2, ; item_ignored qwertz, ; item_merged Moon Pearl, Sturdy Hickory Log; item_merged Moon Perl, Moon Pearl; item_merged Sturdy Hikory Log, Sturdy Hickory Log; "; noted != want {
		t.Errorf("the log has %s\nwant %s", noted, want)
	}

	// Each is undone once, from the log. What was merged leads to where it led before.
	for i, e := range entries {
		undo := fmt.Sprintf("/api/moderation/audit/%v/undo", e.(object)["id"])
		if i == 2 { // Moon Pearl, into which Moon Perl had been merged
			b.maple.post(undo, nil).wantsProblem(http.StatusForbidden)
		}
		if e.(object)["undoable"] != true {
			t.Errorf("the decision %v can't be undone", e)
		}
		b.mod.post(undo, nil).wants(http.StatusNoContent)
		b.mod.post(undo, nil).wantsProblem(http.StatusConflict)
		if i == 2 {
			if item := b.visitor.get("/api/catalogue/5").wants(http.StatusOK).json(); item["id"] != 4.0 {
				t.Errorf("what was merged before leads to %v", item)
			}
		}
	}
	if got, want := b.waiting(), "Sturdy Hikory Log 3 near Sturdy Hickory Log; Moon Pearl 3; Moon Perl 3; qwertz 4; QWERTZ 2 3; "; got != want {
		t.Errorf("after the undo %s wait, want %s", got, want)
	}
	if listed := b.visitor.get("/api/orders?itemId=2").json(); listed["total"] != 0.0 {
		t.Errorf("after the undo the item has %v requests", listed["total"])
	}
	if latest := b.mod.get("/api/moderation/audit").json()["entries"].([]any)[0].(object); latest["action"] != "item_reopened" || latest["undoable"] != false {
		t.Errorf("the log has %v", latest)
	}
}
