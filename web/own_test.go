package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestOnesDataAreDownloadedByOneselfOnly(t *testing.T) {
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
	s.visitor().get("/api/me/data").refuses(http.StatusUnauthorized)
}

func TestLeavingEndsEverythingOfOnesOwnAndEverySession(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, elsewhere := s.signedIn("maple"), s.signedIn("maple")
	if maple.User.ID != elsewhere.User.ID {
		t.Fatal("two browsers of one user are two users")
	}
	address := maple.posts()

	maple.delete("/api/me", "Sec-Fetch-Site", "cross-site").refuses(http.StatusForbidden)
	gone := maple.delete("/api/me").wants(http.StatusNoContent)
	if cookies := strings.Join(gone.header.Values("Set-Cookie"), "\n"); !strings.Contains(cookies, "session=;") {
		t.Errorf("the cookie stays: %s", cookies)
	}
	maple.get(address).refuses(http.StatusNotFound)
	maple.delete("/api/me").refuses(http.StatusUnauthorized)
	if me := elsewhere.get("/api/me").wants(http.StatusOK); me.json()["user"] != nil || !strings.Contains(me.header.Get("Set-Cookie"), "session=;") {
		t.Errorf("in another browser: %v, %s", me.json(), me.header.Get("Set-Cookie"))
	}
	elsewhere.get("/api/me/data").refuses(http.StatusUnauthorized)

	if again := s.signedIn("maple"); again.User.ID == maple.User.ID {
		t.Error("who comes back is who they were")
	}
}
