package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/security"
	"tradepost/web"
)

// logsSecurity has security events written into the site's log.
func logsSecurity(o *web.Options) {
	o.Security = security.NewLog(security.Options{Log: o.Log, Key: []byte("key of the test"), Now: o.Now})
}

func TestSecurityEventsSayWhoWithoutNaming(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	counted := map[security.Event]int{}
	count := func(e security.Event) {
		mu.Lock()
		defer mu.Unlock()
		counted[e]++
	}
	var events *security.Log
	s := open(t, func(o *web.Options) {
		events = security.NewLog(security.Options{Log: o.Log, Key: []byte("k"), Now: o.Now, Count: count})
		o.Security = events
		o.Limits.Requests = 60
	})
	maple, mod := s.signedIn("maple"), s.signedIn(moderator)
	address := maple.posts()
	client := events.Client("127.0.0.1")
	logged := func(event string, user core.UserID, action string) {
		t.Helper()
		want := fmt.Sprintf("security.event=%s security.user=%d security.client=%s security.action=%q", event, user, client, action)
		if user == 0 {
			want = fmt.Sprintf("security.event=%s security.client=%s security.action=%q", event, client, action)
		}
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("missing %s in\n%s", want, regexp.MustCompile(`(?m)^.*msg=request.*\n`).ReplaceAllString(s.log.String(), ""))
		}
	}
	logged("sign-in", maple.User.ID, "GET /auth/discord/callback")

	s.visitor().get("/api/me/orders").wantsProblem(http.StatusUnauthorized)
	logged("unauthenticated", 0, "GET /api/me/orders")
	maple.get("/api/moderation/reports").wantsProblem(http.StatusForbidden)
	logged("forbidden", maple.User.ID, "GET /api/moderation/reports")
	s.visitor().get("/auth/discord/callback?state=secretstate&code=secretcode").wants(http.StatusSeeOther)
	logged("sign-in-failed", 0, "GET /auth/discord/callback")

	mod.post(address+"/remove", object{"reason": "secret reason"}).wants(http.StatusNoContent)
	logged("moderation", mod.User.ID, "POST /api/orders/{id}/remove")
	settings := maple.get("/api/me/notices/settings").wants(http.StatusOK).json()
	maps.DeleteFunc(settings, func(name string, _ any) bool { return name == "reachable" })
	maple.put("/api/me/notices/settings", settings)
	logged("settings", maple.User.ID, "PUT /api/me/notices/settings")
	mod.post("/auth/sign-out", nil).wants(http.StatusNoContent)
	logged("sign-out", mod.User.ID, "POST /auth/sign-out")
	maple.delete("/api/me").wants(http.StatusNoContent)
	logged("leaving", maple.User.ID, "DELETE /api/me")

	for range 60 {
		s.visitor().get("/api/orders")
	}
	s.visitor().get("/api/me/orders").wants(http.StatusTooManyRequests)
	if lines := strings.Count(s.log.String(), "security.event=limited"); lines != 1 {
		t.Errorf("a flood is %d lines", lines)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, event := range security.All {
		if counted[event] == 0 {
			t.Errorf("%s is not counted: %v", event, slices.Sorted(maps.Keys(counted)))
		}
	}
	s.clock.forward(time.Minute)
	for _, secret := range []string{"maple", moderator, "secret", "127.0.0.1", s.discord.Player(t, "maple").ID()} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}
