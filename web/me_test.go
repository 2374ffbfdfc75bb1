package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

func TestOnlyTheUserSeesWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()

	me := maple.get("/api/me").wants(http.StatusOK).json()
	user := me["user"].(object)
	if user["username"] != "maple" || user["displayName"] != "Maple" || user["email"] != "maple@example.com" || user["id"] != float64(maple.User.ID) {
		t.Errorf("the user is %v", user)
	}
	if me := visitor.get("/api/me").wants(http.StatusOK).json(); me["user"] != nil || me["counts"].(object)["active"] != 0.0 {
		t.Errorf("a visitor is %v", me)
	}
}

func TestTheTabsHaveTheirCounts(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	maple.posts()
	maple.post(maple.posts()+"/close", nil).wants(http.StatusOK)
	s.visitor().offers(maple.posts())

	me := maple.get("/api/me").wants(http.StatusOK).json()
	todo := me["todo"].([]any)
	if len(todo) != 1 || todo[0].(object)["kind"] != "answer_offers" || todo[0].(object)["count"] != 1.0 || todo[0].(object)["order"] != nil {
		t.Errorf("what waits is %v, want one offer to answer", todo)
	}
	counts := me["counts"].(object)
	for name, want := range map[string]float64{"active": 2, "fulfilled": 1, "expired": 0, "unread": 1, "received": 1, "confirm": 0, "cases": 0} {
		if counts[name] != want {
			t.Errorf("%s = %v, want %v", name, counts[name], want)
		}
	}
	for status, want := range map[string]float64{"": 2, "?status=active": 2, "?status=fulfilled": 1, "?status=expired": 0} {
		if page := maple.get("/api/me/orders" + status).wants(http.StatusOK).json(); page["total"] != want {
			t.Errorf("/api/me/orders%s lists %v, want %v", status, page["total"], want)
		}
	}
	maple.get("/api/me/orders?status=lost").wantsProblem(http.StatusUnprocessableEntity, "status")
	first := maple.get("/api/me/orders").json()["orders"].([]any)[0].(object)
	if first["offerCount"] != 1.0 {
		t.Errorf("offers on one's own request are counted as %v", first["offerCount"])
	}
}

func TestNoticesAreReadAndMarked(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()
	s.visitor().offers(address)
	s.visitor().offers(address)

	inbox := maple.get("/api/me/notices").wants(http.StatusOK).json()
	notices := inbox["notices"].([]any)
	if len(notices) != 2 || inbox["unread"] != 2.0 || inbox["nextCursor"] != nil {
		t.Fatalf("the inbox is %v", inbox)
	}
	newest := notices[0].(object)
	if newest["kind"] != "offer_received" || newest["read"] != false || newest["state"] != "pending" || newest["itemName"] != "Iron Ore" ||
		newest["quantity"] != 20.0 || newest["counterpart"].(object)["contact"] != "fern" || newest["message"] != "I have plenty" || newest["reason"] != nil {
		t.Errorf("the notice is %v", newest)
	}
	maple.post("/api/me/notices/read", object{"upTo": notices[1].(object)["id"]}).wants(http.StatusNoContent)
	if after := maple.get("/api/me/notices").json(); after["unread"] != 1.0 {
		t.Errorf("unread = %v, want 1", after["unread"])
	}
	s.visitor().get("/api/me/notices").wantsProblem(http.StatusUnauthorized)
	s.visitor().post("/api/me/notices/read", object{"upTo": 1}).wantsProblem(http.StatusUnauthorized)
	s.visitor().post("/api/me/notices/test", nil).wantsProblem(http.StatusUnauthorized)
	if other := s.signedIn("rowan.ashdown").get("/api/me/notices").json(); len(other["notices"].([]any)) != 0 {
		t.Errorf("another user's inbox is %v", other)
	}
}

func TestUsersChooseTheirDirectMessages(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")

	usual := maple.get("/api/me/notices/settings").wants(http.StatusOK).json()
	if usual["quietFrom"] != nil || usual["unreachable"] != nil || usual["kinds"].(object)["offer_received"] != true || len(usual["kinds"].(object)) != len(notify.MutableKinds(core.EveryFeature(), false)) {
		t.Errorf("the usual settings are %v", usual)
	}
	usual["kinds"].(object)["order_expiring"] = false
	usual["quietFrom"], usual["quietTo"], usual["timeZone"] = "22:00", "07:30", "Europe/Berlin"
	// The page sends back what it was given, the read-only field too.
	saved := maple.put("/api/me/notices/settings", usual).wants(http.StatusOK).json()
	again := maple.get("/api/me/notices/settings").wants(http.StatusOK).json()
	for _, got := range []object{saved, again} {
		if got["quietFrom"] != "22:00" || got["quietTo"] != "07:30" || got["timeZone"] != "Europe/Berlin" || got["kinds"].(object)["order_expiring"] != false || got["kinds"].(object)["offer_received"] != true {
			t.Errorf("saved %v", got)
		}
	}
	for name, tt := range map[string]struct {
		change object
		field  string
	}{
		"a kind that there is not":  {object{"kinds": object{"weather": false}}, "kinds"},
		"a kind that is always on":  {object{"kinds": object{"dm_failed": false}}, "kinds"},
		"kinds that are no object":  {object{"kinds": []string{"order_filled"}}, "kinds"},
		"a time that is none":       {object{"quietFrom": "25:00"}, "quietFrom"},
		"a time of another form":    {object{"quietTo": "7.30pm"}, "quietTo"},
		"a start without an end":    {object{"quietTo": nil}, "quietTo"},
		"a zone that there is not":  {object{"timeZone": "Atlantis"}, "timeZone"},
		"the host's own zone":       {object{"timeZone": "Local"}, "timeZone"},
		"a zone outside its folder": {object{"timeZone": "../../etc/passwd"}, "timeZone"},
	} {
		s.run(name, func(t *testing.T) {
			body := object{"kinds": object{}, "quietFrom": "22:00", "quietTo": "07:30", "timeZone": ""}
			for k, v := range tt.change {
				body[k] = v
			}
			maple.put("/api/me/notices/settings", body).wantsProblem(http.StatusUnprocessableEntity, tt.field)
		})
	}
	s.visitor().put("/api/me/notices/settings", usual).wantsProblem(http.StatusUnauthorized)
}

func TestATestNoticeIsSent(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	maple.post("/api/me/notices/test", nil).wants(http.StatusNoContent)
	if n := maple.get("/api/me/notices").json()["notices"].([]any); len(n) != 1 || n[0].(object)["kind"] != "test" {
		t.Errorf("the inbox is %v", n)
	}
}

func TestBothAdaptersShareOneUser(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	fromDiscord, err := s.market.People.SignIn(context.Background(), people.Profile{
		DiscordID: s.discord.Player(t, "maple").ID(), Username: "maple", DisplayName: "Maple the Miner",
	})
	must(t, err)
	if fromDiscord.ID != maple.User.ID {
		t.Errorf("the bot knows user %d, the page %d", fromDiscord.ID, maple.User.ID)
	}
	if body := string(maple.get("/api/me").wants(http.StatusOK).body); !strings.Contains(body, "Maple the Miner") || !strings.Contains(body, "maple@example.com") {
		t.Errorf("the page does not follow what the bot has learned: %s", body)
	}
}

func TestAWriteThatIsRepeatedHasTheEffectOfOne(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()

	key := []string{"Idempotency-Key", "0c9f1c2e"}
	first := maple.post("/api/orders", order(), key...).wants(http.StatusCreated)
	again := maple.post("/api/orders", order(), key...).wants(http.StatusCreated)
	if string(first.body) != string(again.body) {
		t.Errorf("a repeat answered %s, first was %s", again.body, first.body)
	}
	maple.post("/api/orders", order(object{"quantity": 1}), key...).wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key")
	if page := visitor.get("/api/orders").json(); page["total"] != 1.0 {
		t.Errorf("the board has %v requests, want 1", page["total"])
	}
	address := first.at("/api/orders/", "id")
	offered := []string{"Idempotency-Key", "visitor"}
	visitor.post(address+"/offers", offer(), offered...).wants(http.StatusCreated)
	visitor.post(address+"/offers", offer(), offered...).wants(http.StatusCreated)
	if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
		t.Errorf("%v offers were made, want 1", list["total"])
	}
	deletion := []string{"Idempotency-Key", "deletion"}
	maple.delete(address, deletion...).wants(http.StatusNoContent)
	maple.delete(address, deletion...).wants(http.StatusNoContent)

	for _, bad := range []string{strings.Repeat("k", 101), "två", "a b"} {
		maple.post("/api/orders", order(), "Idempotency-Key", bad).wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key")
	}
}

func TestAnIdempotencyKeyBelongsToItsUser(t *testing.T) {
	t.Parallel()
	s := open(t, behindAProxy)
	maple, rowan, juniper := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	address := maple.posts()
	key := []string{"Idempotency-Key", "1", "X-Forwarded-For", ""}
	made := map[string]string{}
	for who, send := range map[string]struct {
		by   *browser
		from string
	}{
		"a visitor": {s.visitor(), "203.0.113.7"}, "another visitor": {s.visitor(), "203.0.113.8"},
		"a seller": {rowan, "203.0.113.7"}, "another seller": {juniper, "203.0.113.7"},
	} {
		key[3] = send.from
		r := send.by.post(address+"/offers", offer(object{"sellerName": who}), key...).wants(http.StatusCreated)
		made[r.at("/api/offers/", "offer", "id")] = who
	}
	if len(made) != 4 {
		t.Errorf("four people with one key made %v", made)
	}
	// Another visitor with the same key and body does not get the stored answer.
	key[3] = "203.0.113.9"
	r := s.visitor().post(address+"/offers", offer(object{"sellerName": "a visitor"}), key...).wants(http.StatusCreated)
	if who := made[r.at("/api/offers/", "offer", "id")]; who != "" {
		t.Errorf("a third visitor was answered with the offer of %s", who)
	}
}
