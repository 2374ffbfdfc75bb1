package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestOnlyTheUserDownloadsTheirAccountExport(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, fern := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	fern.offers(address)
	maple.post(address+"/sales", object{"quantitySold": 1, "notes": "found one"}).wants(http.StatusOK)

	answer := maple.get("/api/me/data").wants(http.StatusOK)
	if got := answer.header.Get("Content-Disposition"); got != `attachment; filename="my-data.json"` {
		t.Errorf("Content-Disposition: %s", got)
	}
	if got := answer.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: %s", got)
	}
	data := answer.json()
	if user := data["user"].(object); user["username"] != "maple" || user["email"] != "maple@example.com" || user["discordId"] == "" {
		t.Errorf("user = %v", user)
	}
	orders := data["orders"].([]any)
	if len(orders) != 1 || orders[0].(object)["sales"].([]any)[0].(object)["notes"] != "found one" {
		t.Errorf("orders = %v", orders)
	}
	if len(data["notices"].([]any)) != 1 || len(data["offers"].([]any)) != 0 {
		t.Errorf("notices = %v, offers = %v", data["notices"], data["offers"])
	}
	if ferns := fern.get("/api/me/data").wants(http.StatusOK).json(); len(ferns["offers"].([]any)) != 1 || len(ferns["orders"].([]any)) != 0 {
		t.Errorf("fern gets %v", ferns)
	}
	s.visitor().get("/api/me/data").wantsProblem(http.StatusUnauthorized)
}

func TestTheAccountExportIncludesWhatModeratorsRemoved(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	request := b.maple.posts()
	b.mod.post(request+"/remove", object{"reason": "No such item"}).wants(http.StatusNoContent)
	other := b.maple.posts()
	b.mod.post(b.rowan.offers(other)+"/remove", object{"reason": "A cheat"}).wants(http.StatusNoContent)
	removed := func(who *browser) object {
		t.Helper()
		list := who.get("/api/me/data").wants(http.StatusOK).json()["removed"].([]any)
		if len(list) != 1 {
			t.Fatalf("the data hold %v", list)
		}
		return list[0].(object)
	}
	if r := removed(b.maple); r["reason"] != "No such item" || r["order"].(object)["itemName"] != "Iron Ore" || r["offer"] != nil {
		t.Errorf("the buyer's data hold %v", r)
	}
	if r := removed(b.rowan); r["reason"] != "A cheat" || r["offer"].(object)["quantityOffered"] == nil || r["order"] != nil {
		t.Errorf("the seller's data hold %v", r)
	}
}

func TestADeletedRequestLeavesItsSalesToBothSides(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	maple.post(rowan.offers(address)+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	maple.delete(address).wants(http.StatusNoContent)
	maple.get(address).wantsProblem(http.StatusNotFound)

	sent := rowan.get("/api/me/offers").wants(http.StatusOK).json()["offers"].([]any)[0].(object)
	if sent["orderId"] != nil || sent["itemName"] != "Iron Ore" || sent["quantityAccepted"] != 5.0 || sent["pricePerUnit"] == 0.0 || sent["buyerContact"] != nil {
		t.Errorf("the seller's offer is %v", sent)
	}
	for side, who := range map[string]*browser{"bought": maple, "sold": rowan} {
		trades := who.get("/api/me/data").wants(http.StatusOK).json()["trades"].([]any)
		if len(trades) != 1 {
			t.Fatalf("who %s has the trades %v", side, trades)
		}
		trade := trades[0].(object)
		if trade["side"] != side || trade["itemName"] != "Iron Ore" || trade["quantity"] != 5.0 || trade["unitPrice"] != sent["pricePerUnit"] || trade["orderId"] != nil {
			t.Errorf("who %s has the trade %v", side, trade)
		}
	}
}

func TestAnArchivedRequestIsReadByItsOwnerUnderCompleted(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	maple.post(address+"/close", object{}).wants(http.StatusOK)
	if _, err := s.store.Pool().Exec(t.Context(), "update orders set archived_at = closed_at"); err != nil {
		t.Fatal(err)
	}
	total := func(who *browser, status string) any {
		return who.get("/api/me/orders?status=" + status).wants(http.StatusOK).json()["total"]
	}
	if total(maple, "fulfilled") != 0.0 || total(maple, "archived") != 1.0 || total(rowan, "archived") != 0.0 {
		t.Errorf("completed %v, archived %v, another's %v", total(maple, "fulfilled"), total(maple, "archived"), total(rowan, "archived"))
	}
	counts := maple.get("/api/me").wants(http.StatusOK).json()["counts"].(object)
	if counts["fulfilled"] != 0.0 || counts["archived"] != 1.0 {
		t.Errorf("counts = %v", counts)
	}
	maple.get(address).wants(http.StatusOK)
	maple.delete(address).wants(http.StatusNoContent)
}

func TestAUserWhoLeavesIsHiddenSignedOutAndCanOnlyCancel(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, elsewhere := s.signedIn("maple"), s.signedIn("maple")
	if maple.User.ID != elsewhere.User.ID {
		t.Fatal("two browsers of one user are two users")
	}
	address := maple.posts()

	maple.delete("/api/me", "Sec-Fetch-Site", "cross-site").wantsProblem(http.StatusForbidden)
	gone := maple.delete("/api/me").wants(http.StatusNoContent)
	if cookies := strings.Join(gone.header.Values("Set-Cookie"), "\n"); !strings.Contains(cookies, "session=;") {
		t.Errorf("the cookie stays: %s", cookies)
	}
	maple.get(address).wantsProblem(http.StatusNotFound)
	maple.delete("/api/me").wantsProblem(http.StatusUnauthorized)
	if me := elsewhere.get("/api/me").wants(http.StatusOK); me.json()["user"] != nil {
		t.Errorf("in another browser: %v", me.json())
	}
	elsewhere.get("/api/me/data").wantsProblem(http.StatusUnauthorized)

	again := s.signedIn("maple")
	if at := again.get("/api/me").json()["user"].(object)["deletionAt"]; at != "2026-05-15T12:00:00Z" {
		t.Errorf("the account is deleted at %v", at)
	}
	for path, refused := range map[string]func(string) *reply{
		"/api/me/orders":          func(p string) *reply { return again.get(p) },
		"/api/me/sessions":        func(p string) *reply { return again.get(p) },
		"/api/orders":             func(p string) *reply { return again.post(p, order()) },
		address + "/renew":        func(p string) *reply { return again.post(p, nil) },
		address + "/report":       func(p string) *reply { return again.post(p, object{"reason": "spam"}) },
		"/api/me/notices/read":    func(p string) *reply { return again.post(p, object{"upTo": 1}) },
		"/api/moderation/reports": func(p string) *reply { return again.get(p) },
		"/api/me":                 func(p string) *reply { return again.delete(p) },
	} {
		if p := refused(path).wantsProblem(http.StatusForbidden); p.Code != "leaving" {
			t.Errorf("%s is refused with %+v", path, p)
		}
	}
	again.get("/api/me/data").wants(http.StatusOK) // they may take it with them
	s.visitor().get(address).wantsProblem(http.StatusNotFound)
	again.post("/api/me/cancel-leaving", nil).wants(http.StatusNoContent)
	s.visitor().get(address).wants(http.StatusOK)
	if me := again.get("/api/me").json(); me["user"].(object)["deletionAt"] != nil || me["counts"].(object)["active"] != 1.0 {
		t.Errorf("after the cancellation: %v", me)
	}
}
