package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"tradepost/core"
)

// asksToSignIn fails the test unless the answer asks to sign in once more.
func (r *reply) asksToSignIn() {
	r.t.Helper()
	p := r.wantsProblem(http.StatusForbidden)
	if p.Code != core.CodeFreshSignInNeeded || p.Detail != "You signed in more than 10 minutes ago. Please sign in once more to do this." {
		r.t.Errorf("refused with %+v", p)
	}
}

func TestExportAndLeavingAskForAFreshSignIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()
	s.clock.forward(core.FreshSignInFor)
	maple.get("/api/me/data").wants(http.StatusOK) // ten minutes are still fresh
	s.clock.forward(time.Second)
	maple.get("/api/me/data").asksToSignIn()
	maple.delete("/api/me").asksToSignIn()
	maple.get("/api/me/orders").wants(http.StatusOK)
	s.visitor().get(address).wants(http.StatusOK)

	before := maple.sessions()[0]["since"]
	maple.signsIn("maple") // while they are signed in
	if all := maple.sessions(); len(all) != 1 || all[0]["since"] == before {
		t.Errorf("the sessions are %v, the earlier one began at %v", all, before)
	}
	maple.get("/api/me/data").wants(http.StatusOK)
	maple.delete("/api/me").wants(http.StatusNoContent)

	maple.signsIn("maple")
	s.clock.forward(time.Hour)
	maple.post("/api/me/cancel-leaving", nil).wants(http.StatusNoContent)
	s.visitor().get(address).wants(http.StatusOK)
}

func TestSigningOutEverywhereNeverAsksForAFreshSignIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, phone := s.signedIn("maple"), s.signedIn("maple")
	s.clock.forward(6 * 24 * time.Hour)
	maple.get("/api/me/data").asksToSignIn()
	maple.delete("/api/me/sessions").wants(http.StatusNoContent)
	phone.get("/api/me/sessions").wantsProblem(http.StatusUnauthorized)
}

func TestBlocksAndSettingsOfTheWholeMarketAskForAFreshSignIn(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	rowan := fmt.Sprint("/api/moderation/blocks/", b.rowan.User.ID)
	reason := object{"reason": "Spam"}
	acts := []struct {
		what string
		do   func(*browser) *reply
	}{
		{"block a user", func(by *browser) *reply {
			return by.post("/api/moderation/blocks", object{"userId": b.rowan.User.ID, "reason": "Spam"})
		}},
		{"unblock a user", func(by *browser) *reply { return by.delete(rowan) }},
		{"turn visitors' offers off", func(by *browser) *reply { return by.post("/api/moderation/signed-in-only", reason) }},
		{"turn visitors' offers on", func(by *browser) *reply { return by.delete("/api/moderation/signed-in-only") }},
	}
	old := b.signedIn(moderator)
	b.clock.forward(core.FreshSignInFor + time.Second)
	b.mod.signsIn(moderator)
	for _, act := range acts { // each undoes the one before it
		old.asks(act.what, act.do(old))
		act.do(b.mod).wants(http.StatusNoContent)
	}
	if p := b.maple.delete(rowan).wantsProblem(http.StatusForbidden); p.Code == "fresh_sign_in_needed" {
		t.Errorf("a user who is no moderator is asked to sign in: %+v", p)
	}
	old.post(b.order+"/remove", reason).wants(http.StatusNoContent) // it can be undone
}

// asks names the act that should have asked to sign in once more.
func (b *browser) asks(act string, r *reply) {
	b.s.t.Helper()
	b.s.t.Log(act)
	r.asksToSignIn()
}
