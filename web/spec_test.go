package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alexedwards/scs/v2"

	"tradepost/web"
)

// What the specification and its decisions say, held against what is answered over HTTP. docs/spec-coverage.md says which
// test covers which sentence.

func TestAVisitorBrowsesAndOffersAndNothingElse(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	v := b.visitor
	for name, r := range map[string]*reply{
		"browse":                v.get("/api/orders"),
		"filter by category":    v.get("/api/orders?category=Miner"),
		"read the chips":        v.get("/api/orders/counts"),
		"read a request":        v.get(b.order),
		"ask who one is":        v.get("/api/me"),
		"send an offer":         v.post(b.order+"/offers", offer()),
		"sign out all the same": v.post("/auth/sign-out", nil),
	} {
		if r.status >= http.StatusBadRequest {
			t.Errorf("a visitor may not %s: %d %s", name, r.status, r.body)
		}
	}
	for name, r := range map[string]*reply{
		"post":              v.post("/api/orders", order()),
		"edit":              v.patch(b.order, object{"version": 1, "quantity": 1}),
		"close":             v.post(b.order+"/close", nil),
		"renew":             v.post(b.order+"/renew", nil),
		"delete":            v.delete(b.order),
		"read offers":       v.get(b.order + "/offers"),
		"accept an offer":   v.post(b.offer+"/accept", object{"quantity": 1}),
		"delete an offer":   v.delete(b.offer),
		"log a sale":        v.post(b.order+"/sales", object{"quantitySold": 1}),
		"read sales":        v.get(b.order + "/sales"),
		"list own requests": v.get("/api/me/orders"),
		"list own offers":   v.get("/api/me/offers"),
		"list notices":      v.get("/api/me/notices"),
	} {
		if p := r.wantsProblem(http.StatusUnauthorized); p.Detail != "Sign in with Discord to do that" {
			t.Errorf("a visitor who wants to %s reads %q", name, p.Detail)
		}
	}
}

func TestBrowseShowsSixtyAtATimeNewestFirstAndCountsAll(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for i := range 61 {
		maple.posts(object{"itemName": fmt.Sprintf("Item %d", i)})
	}
	maple.post(maple.posts()+"/close", nil).wants(http.StatusOK)
	var page struct {
		Orders     []struct{ ItemName string }
		Total      int
		NextCursor *string
	}
	s.visitor().get("/api/orders").wants(http.StatusOK).into(&page)
	if len(page.Orders) != 60 || page.Total != 61 || page.Orders[0].ItemName != "Item 60" || page.NextCursor == nil {
		t.Errorf("the first page has %d of %d from %q", len(page.Orders), page.Total, page.Orders[0].ItemName)
	}
	s.visitor().get("/api/orders?cursor=" + *page.NextCursor).wants(http.StatusOK).into(&page)
	if len(page.Orders) != 1 || page.Total != 61 || page.Orders[0].ItemName != "Item 0" || page.NextCursor != nil {
		t.Errorf("the second page has %d of %d", len(page.Orders), page.Total)
	}
}

func TestTheImportanceIsStoredSetAndEdited(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	plain := order()
	delete(plain, "importance")
	posted := maple.post("/api/orders", plain).wants(http.StatusCreated)
	if got := posted.json()["importance"]; got != "medium" {
		t.Errorf("left out, the importance is %v", got)
	}
	address := posted.at("/api/orders/", "id")
	for i, importance := range []string{"urgent", "low", "high", "medium"} {
		maple.patch(address, object{"version": i + 1, "importance": importance}).wants(http.StatusOK)
		if got := s.visitor().get(address).json()["importance"]; got != importance {
			t.Errorf("set to %s it reads %v", importance, got)
		}
	}
}

func TestSuspiciousContentIsRefusedAtItsField(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	const post, message = "Your post contains suspicious content. Please revise.", "Your message contains suspicious content. Please revise."
	for _, phrase := range []string{"free money", "Click Here", "URGENT", "limited time", "u.r.gent", "freemoney"} {
		for _, field := range []string{"itemName", "description"} {
			p := maple.post("/api/orders", order(object{field: "for " + phrase + " only"})).wantsProblem(http.StatusUnprocessableEntity, field)
			if p.Detail != post || p.Errors[field] != post {
				t.Errorf("%q in %s is refused with %q", phrase, field, p.Detail)
			}
		}
	}
	address := maple.posts(object{"importance": "urgent", "itemName": "Insurgent Blade"})
	maple.patch(address, object{"version": 1, "description": "urgent"}).wantsProblem(http.StatusUnprocessableEntity, "description")
	p := s.visitor().post(address+"/offers", offer(object{"message": "Click here"})).wantsProblem(http.StatusUnprocessableEntity, "message")
	if p.Detail != message {
		t.Errorf("an offer is refused with %q", p.Detail)
	}
	maple.post(address+"/sales", object{"quantitySold": 1, "notes": "free money"}).wantsProblem(http.StatusUnprocessableEntity, "notes")
}

func TestVisitorsReadAClosedRequestsStatusButNotItsNotes(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	maple.post(address+"/sales", object{"quantitySold": 3, "notes": "my secret"}).wants(http.StatusOK)
	if o := visitor.get(address).json(); o["sold"] != 3.0 || o["progress"] != 0.0 || o["remainingValue"] != "124250" {
		t.Errorf("how much is sold is public, a visitor reads %v", o)
	}
	maple.post(address+"/close", nil).wants(http.StatusOK)
	r := visitor.get(address)
	if o := r.json(); o["status"] != "fulfilled" || o["progress"] != 100.0 || o["sold"] != 3.0 || o["closeReason"] != "closed_early" {
		t.Errorf("closed early after 3 of 500, a visitor reads %v", o)
	}
	if strings.Contains(string(r.body), "secret") {
		t.Error("a visitor reads the notes of a sale")
	}
	if page := visitor.get("/api/orders").json(); page["total"] != 0.0 {
		t.Errorf("the board still shows it: %v", page)
	}
	if page := maple.get("/api/me/orders?status=fulfilled").json(); page["total"] != 1.0 {
		t.Errorf("Completed does not show it: %v", page)
	}
}

func TestASellerReadsOnlyTheirOwnOffers(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.visitor.offers(b.order)
	juniper := b.signedIn("juniper_fox")
	junipers := juniper.offers(b.order)
	for who, own := range map[*browser]string{b.rowan: b.offer, juniper: junipers} {
		list := who.get("/api/me/offers").wants(http.StatusOK).json()["offers"].([]any)
		if len(list) != 1 || "/api/offers/"+jsonNumber(list[0].(object)["id"].(float64)) != own {
			t.Errorf("%s, who sent %s, reads %v", who.name, own, list)
		}
	}
	if list := b.maple.get(b.order + "/offers").json(); list["total"] != 3.0 {
		t.Errorf("the buyer reads %v", list)
	}
}

func TestAFailureIsReportedInTheWordsOfTheSpecification(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	_, err := b.store.Pool().Exec(t.Context(), "alter table offers rename to mislaid; alter table order_updates rename to mislaid_too")
	must(t, err)
	const message = "Something went wrong on our side. Please try again."
	for _, tt := range []struct {
		answer *reply
		want   string
	}{
		{b.maple.get(b.order + "/offers"), "Failed to fetch offers"},
		{b.maple.get(b.order + "/sales"), "Failed to fetch order updates"},
		{b.maple.get("/api/me/orders"), "Failed to fetch user orders"},
		{b.visitor.post(b.order+"/offers", offer()), "Failed to create offer"},
		{b.maple.post(b.offer+"/accept", object{"quantity": 1}), "Failed to update offer quantity"},
		{b.maple.delete(b.offer), "Failed to delete offer: " + message},
		{b.maple.post(b.order+"/sales", object{"quantitySold": 1}), "Failed to add order update"},
		{b.maple.post(b.order+"/close", nil), "Failed to close order"},
		{b.maple.delete(b.order), "Failed to delete order: " + message},
	} {
		if p := tt.answer.wantsProblem(http.StatusInternalServerError); p.Detail != tt.want {
			t.Errorf("%s: people read %q, want %q", tt.answer.asked, p.Detail, tt.want)
		}
	}
	if p := b.visitor.get("/api/orders/999999").wantsProblem(http.StatusNotFound); p.Detail != "Order not found" {
		t.Errorf("a request that is not there: %q", p.Detail)
	}
	if o := b.maple.get(b.order).wants(http.StatusOK).json(); o["offerCount"] != 0.0 {
		t.Errorf("offers that cannot be counted are %v", o["offerCount"])
	}
}

func TestFieldsAreNamedAsTheSpecificationNamesThem(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts(object{"ign": "Maple", "levelRequirement": 3})
	visitor := s.visitor()
	made := visitor.post(address+"/offers", offer()).wants(http.StatusCreated).json()["offer"].(object)
	sale := maple.post(address+"/sales", object{"quantitySold": 1, "notes": "x"}).wants(http.StatusOK).json()["sale"].(object)
	for what, tt := range map[string]struct {
		got    object
		fields string
	}{
		"order": {maple.get(address).json(), "id itemName quantity maxPricePerUnit description buyerContact status progress createdAt expiresAt userId category levelRequirement ign importance updatedAt"},
		"offer": {made, "id orderId sellerName sellerContact message pricePerUnit quantityOffered createdAt"},
		"sale":  {sale, "id orderId quantitySold notes createdAt"},
	} {
		for field := range strings.FieldsSeq(tt.fields) {
			if tt.got[field] == nil {
				t.Errorf("the %s has no %s: %v", what, field, tt.got)
			}
		}
	}
}

// The cookie is deleted even when the server cannot delete the session.
func TestSigningOutForgetsTheTokenAlsoWhenItFails(t *testing.T) {
	t.Parallel()
	lost := &undeletable{}
	s := open(t, func(o *web.Options) {
		lost.Store = o.Sessions
		o.Sessions = lost
	})
	maple := s.signedIn("maple")
	lost.stuck.Store(true)
	maple.post("/auth/sign-out", nil).wantsProblem(http.StatusInternalServerError)
	if maple.cookie() != nil || maple.isSignedIn() {
		t.Error("the browser still has the session cookie")
	}
	nowhere, logged := failing(t, nil, lostSessions{})
	r := nowhere.visitor().post("/auth/sign-out", nil, "Cookie", "session=abc")
	r.wantsProblem(http.StatusInternalServerError)
	forgotten := func(cookie string) bool {
		return strings.HasPrefix(cookie, "session=;") && strings.Contains(cookie, "Max-Age=0")
	}
	if set := r.header.Values("Set-Cookie"); !slices.ContainsFunc(set, forgotten) {
		t.Errorf("the browser receives Set-Cookie %q", set)
	}
	if n := strings.Count(logged.String(), "level=ERROR"); n != 1 {
		t.Errorf("one session error was logged %d times: %s", n, logged)
	}
}

// undeletable sessions cannot be ended while the store is stuck.
type undeletable struct {
	scs.Store
	stuck atomic.Bool
}

func (u *undeletable) Delete(token string) error {
	if u.stuck.Load() {
		return errLost
	}
	return u.Store.Delete(token)
}
