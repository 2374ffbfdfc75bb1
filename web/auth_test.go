package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/web"
)

// begin starts a sign-in and returns where the browser is sent.
func (b *browser) begin(back string) *url.URL {
	b.s.t.Helper()
	return b.get("/auth/discord?return=" + url.QueryEscape(back)).wants(http.StatusFound).location()
}

// cookie is the session cookie, nil when there is none.
func (b *browser) cookie() *http.Cookie {
	b.s.t.Helper()
	here, err := url.Parse(b.s.url)
	must(b.s.t, err)
	for _, c := range b.client.Jar.Cookies(here) {
		if c.Name == "session" {
			return c
		}
	}
	return nil
}

func (b *browser) isSignedIn() bool {
	b.s.t.Helper()
	return b.get("/api/me").wants(http.StatusOK).json()["user"] != nil
}

// leadsBack checks that a sign-in ended on a page of the site, with the reason.
func (r *reply) leadsBack(t *testing.T, s *site, to string) {
	t.Helper()
	if got := r.wants(http.StatusSeeOther).header.Get("Location"); got != s.url+to {
		t.Errorf("%s leads to %s, want %s", r.asked, got, s.url+to)
	}
}

func TestSignInAsksDiscordForTheNeededScopes(t *testing.T) {
	t.Parallel()
	s := open(t)
	to := s.visitor().begin("/mine")
	query := to.Query()
	if !strings.HasPrefix(to.String(), s.discord.OAuthEndpoint().AuthURL) {
		t.Errorf("sent to %s", to)
	}
	for name, want := range map[string]string{
		"client_id": s.discord.ClientID(), "response_type": "code", "scope": "identify email", "code_challenge_method": "S256",
		"redirect_uri": s.url + "/auth/discord/callback",
	} {
		if query.Get(name) != want {
			t.Errorf("%s = %q, want %q", name, query.Get(name), want)
		}
	}
	if len(query.Get("state")) < 20 || len(query.Get("code_challenge")) < 43 {
		t.Errorf("state %q, challenge %q", query.Get("state"), query.Get("code_challenge"))
	}
	if again := s.visitor().begin("/mine").Query(); again.Get("state") == query.Get("state") || again.Get("code_challenge") == query.Get("code_challenge") {
		t.Error("two sign-ins share their secrets")
	}
}

func TestSignInReturnsToThePage(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.visitor()
	back := s.discord.Player(t, "maple").Authorize(b.begin("/requests/7?q=iron&sort=price").String())
	b.get(back.RequestURI()).leadsBack(t, s, "/requests/7?q=iron&sort=price")
	if !b.isSignedIn() {
		t.Error("the user is not signed in")
	}
	for _, r := range s.discord.Requests() {
		if strings.Contains(r.Path, "token") && !strings.HasPrefix(r.Header.Get("User-Agent"), "DiscordBot (") {
			t.Errorf("Discord was asked by %q", r.Header.Get("User-Agent"))
		}
	}
}

func TestTheSessionCookie(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		public, cookie string
		secure         bool
	}{
		"over http":  {"http://trade.example", "session", false},
		"over https": {"https://trade.example", "__Host-session", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(o *web.Options) { o.PublicURL = tt.public })
			r := s.visitor().get("/auth/discord?moved=1").wants(http.StatusFound)
			cookies := (&http.Response{Header: r.header}).Cookies()
			if len(cookies) != 1 {
				t.Fatalf("cookies %v", cookies)
			}
			c := cookies[0]
			if c.Name != tt.cookie || c.Secure != tt.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("the cookie is %s", c)
			}
			if hsts := r.header.Get("Strict-Transport-Security"); (hsts != "") != tt.secure {
				t.Errorf("Strict-Transport-Security = %q", hsts)
			}
		})
	}
}

func TestSessionsAreStoredAsHashes(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.signedIn("maple").cookie().Value
	rows, err := s.store.Pool().Query(t.Context(), "select token from sessions")
	must(t, err)
	defer rows.Close()
	found := 0
	sum := sha256.Sum256([]byte(token))
	for rows.Next() {
		var stored string
		must(t, rows.Scan(&stored))
		found++
		if strings.Contains(stored, token) {
			t.Errorf("the token is stored unhashed")
		}
		if stored != base64.RawURLEncoding.EncodeToString(sum[:]) && stored != hex.EncodeToString(sum[:]) {
			t.Logf("stored as %q", stored)
		}
	}
	must(t, rows.Err())
	if found != 1 {
		t.Errorf("%d sessions are stored, want 1: the one before sign-in must be deleted", found)
	}
}

func TestAnAbandonedSignInStoresNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	left := s.visitor().get("/auth/discord").wants(http.StatusFound)
	maple := s.signedIn("maple")
	lasting := maple.get("/auth/discord").wants(http.StatusFound) // while another browser is signed in
	for r, want := range map[*reply]time.Duration{left: 10 * time.Minute, lasting: 30 * 24 * time.Hour} {
		c := (&http.Response{Header: r.header}).Cookies()[0]
		if life := time.Duration(c.MaxAge) * time.Second; life > want+time.Minute || life < want-time.Minute {
			t.Errorf("the session lasts %s, want %s", life, want)
		}
	}
}

func TestASignInThatFails(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.discord.Player(t, "maple")
	for name, tt := range map[string]struct {
		try  func(b *browser) *reply
		want string
	}{
		"refused at Discord": {func(b *browser) *reply {
			return b.get(maple.Deny(b.begin("/mine").String()).RequestURI())
		}, "/mine?signin=denied"},
		"no state": {func(b *browser) *reply {
			back := maple.Authorize(b.begin("/mine").String())
			return b.get("/auth/discord/callback?code=" + back.Query().Get("code"))
		}, "/?signin=expired"},
		"a state that was never made": {func(b *browser) *reply {
			back := maple.Authorize(b.begin("/mine").String())
			return b.get("/auth/discord/callback?state=AAAA&code=" + back.Query().Get("code"))
		}, "/?signin=expired"},
		"another browser's state": {func(b *browser) *reply {
			back := maple.Authorize(s.visitor().begin("/mine").String())
			b.begin("/mine")
			return b.get(back.RequestURI())
		}, "/?signin=expired"},
		"a browser without a cookie": {func(b *browser) *reply {
			back := maple.Authorize(b.begin("/mine").String())
			return s.visitor().get(back.RequestURI())
		}, "/?signin=expired"},
		"a state from long ago": {func(b *browser) *reply {
			back := maple.Authorize(b.begin("/mine").String())
			s.clock.forward(11 * time.Minute)
			return b.get(back.RequestURI())
		}, "/?signin=expired"},
		"a code that is none": {func(b *browser) *reply {
			state := b.begin("/mine").Query().Get("state")
			return b.get("/auth/discord/callback?code=nonsense&state=" + state)
		}, "/mine?signin=expired"},
		"a code made for another challenge": {func(b *browser) *reply {
			stolen := maple.Authorize(s.visitor().begin("/mine").String()).Query().Get("code")
			state := b.begin("/mine").Query().Get("state")
			return b.get("/auth/discord/callback?code=" + stolen + "&state=" + state)
		}, "/mine?signin=expired"},
		"no code": {func(b *browser) *reply {
			return b.get("/auth/discord/callback?state=" + b.begin("/mine?q=iron").Query().Get("state"))
		}, "/mine?q=iron&signin=denied"},
	} {
		s.run(name, func(t *testing.T) {
			b := s.visitor()
			tt.try(b).leadsBack(t, s, tt.want)
			if b.isSignedIn() {
				t.Error("a user is signed in")
			}
		})
	}
}

func TestAStateAndACodeWorkOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.visitor()
	back := s.discord.Player(t, "maple").Authorize(b.begin("/mine").String())
	b.get(back.RequestURI()).leadsBack(t, s, "/mine")
	b.get(back.RequestURI()).leadsBack(t, s, "/?signin=expired")
	state := b.begin("/").Query().Get("state")
	b.get("/auth/discord/callback?code="+back.Query().Get("code")+"&state="+state).leadsBack(t, s, "/?signin=expired")
	if !b.isSignedIn() {
		t.Error("a repeat has signed out")
	}

	// A denied sign-in uses up its state as well.
	other := s.visitor()
	address := other.begin("/mine").String()
	other.get(s.discord.Player(t, "maple").Deny(address).RequestURI()).leadsBack(t, s, "/mine?signin=denied")
	other.get(s.discord.Player(t, "maple").Authorize(address).RequestURI()).leadsBack(t, s, "/?signin=expired")
	if other.isSignedIn() {
		t.Error("a used state signs in")
	}
}

func TestSignInWhenDiscordIsUnwell(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct {
		request string
		fault   *discordtest.Fault
	}{
		"no token":            {"POST /oauth2/token", discordtest.Outage(503)},
		"a page for a token":  {"POST /oauth2/token", discordtest.Answering(200, "<html>")},
		"half a token":        {"POST /oauth2/token", discordtest.Cutting()},
		"no account":          {"GET /users/@me", discordtest.Outage(500)},
		"a revoked token":     {"GET /users/@me", discordtest.Unauthorized()},
		"an account of none":  {"GET /users/@me", discordtest.Answering(200, `{}`)},
		"an id that is none":  {"GET /users/@me", discordtest.Answering(200, `{"id":"1; drop table users","username":"maple"}`)},
		"too many requests":   {"GET /users/@me", discordtest.RateLimiting(time.Minute, "global")},
		"half an account":     {"GET /users/@me", discordtest.Cutting()},
		"an answer of no end": {"GET /users/@me", discordtest.Hanging()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(o *web.Options) {
				quick := *o.Discord.Client
				quick.Timeout = 300 * time.Millisecond
				o.Discord.Client = &quick
			})
			s.discord.Fail(fault.request, discordtest.Always, fault.fault)
			b := s.visitor()
			back := s.discord.Player(t, "maple").Authorize(b.begin("/mine").String())
			b.get(back.RequestURI()).leadsBack(t, s, "/mine?signin=unavailable")
			if b.isSignedIn() {
				t.Error("a user is signed in")
			}
			s.discord.LiftFaults()
			b.get(s.discord.Player(t, "maple").Authorize(b.begin("/mine").String()).RequestURI()).leadsBack(t, s, "/mine")
		})
	}
}

func TestSignInNeedsAnApplication(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Discord = web.Discord{} })
	s.visitor().get("/auth/discord?return=/mine").leadsBack(t, s, "/mine?signin=unavailable")
}

func TestACookiePlantedBeforeSignInIsWorthNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	victim := s.visitor()
	back := s.discord.Player(t, "maple").Authorize(victim.begin("/").String())
	planted := victim.cookie()
	victim.get(back.RequestURI()).leadsBack(t, s, "/")
	if victim.cookie().Value == planted.Value {
		t.Error("the token is the one from before sign-in")
	}
	if me := s.visitor().get("/api/me", "Cookie", planted.String()).wants(http.StatusOK).json(); me["user"] != nil {
		t.Errorf("a planted cookie signs in %v", me["user"])
	}
	made := "session=" + strings.Repeat("A", 43)
	r := s.visitor().get("/auth/discord", "Cookie", made).wants(http.StatusFound)
	if set := r.header.Get("Set-Cookie"); strings.Contains(set, strings.Repeat("A", 43)) || set == "" {
		t.Errorf("a token of the client's own making is taken over: %q", set)
	}
}

func TestACookieIsWorthNothingAfterSignOut(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	token := maple.cookie()
	s.discord.Fail("* /**", discordtest.Always, discordtest.Hanging()) // sign-out does not call Discord
	maple.post("/auth/sign-out", nil).wants(http.StatusNoContent)
	if maple.cookie() != nil {
		t.Error("the cookie is still there")
	}
	thief := s.visitor()
	if me := thief.get("/api/me", "Cookie", token.String()).json(); me["user"] != nil {
		t.Errorf("the old cookie is still %v", me["user"])
	}
	thief.post("/api/orders", order(), "Cookie", token.String()).wantsProblem(http.StatusUnauthorized)
	maple.post("/auth/sign-out", nil).wants(http.StatusNoContent)
	s.discord.LiftFaults()
}

func TestAReadBesideASignOutDoesNotUndoIt(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	token := maple.cookie().String()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 50 {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/me", nil)
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Cookie", token)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}()
	maple.post("/auth/sign-out", nil).wants(http.StatusNoContent)
	<-done
	if me := s.visitor().get("/api/me", "Cookie", token).json(); me["user"] != nil {
		t.Errorf("the ended session lives again: %v", me["user"])
	}
}

func TestASessionEndsWhenItIsNotUsed(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for range 3 {
		s.clock.forward(6 * 24 * time.Hour)
		if !maple.isSignedIn() {
			t.Fatal("a session in use has ended")
		}
	}
	s.clock.forward(8 * 24 * time.Hour)
	if maple.isSignedIn() {
		t.Error("a session that was idle for eight days is still open")
	}
}

func TestSigningInAsAnotherUserReplacesTheUser(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.signedIn("maple")
	b.get(s.discord.Player(t, "oldtamsin").Authorize(b.begin("/").String()).RequestURI()).leadsBack(t, s, "/")
	if me := b.get("/api/me").json()["user"].(object); me["username"] != "oldtamsin" {
		t.Errorf("signed in as %v", me)
	}
}

func TestAUserWhoIsGoneIsAVisitor(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	_, err := s.store.Pool().Exec(t.Context(), "delete from users where id = $1", int64(maple.User.ID))
	must(t, err)
	if maple.isSignedIn() {
		t.Error("a deleted account is signed in")
	}
	maple.post("/api/orders", order()).wantsProblem(http.StatusUnauthorized)
}

func TestAReturnAddressThatLeavesTheSite(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, address := range []string{
		"https://evil.example", "http://evil.example/", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\\/evil.example",
		"/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "/ /evil.example", "/.//evil.example", "/..//evil.example",
		"/x/..//evil.example", "/%2F/evil.example", "/%5Cevil.example", "/%09/evil.example", "javascript:alert(1)", "data:text/html,x",
		"evil.example", "@evil.example", "/@evil.example:x\r\nSet-Cookie: a=b", "https:evil.example", "https:/evil.example", "http:\\\\evil.example",
		"//evil.example/%2e%2e", "/\x00/evil.example", "/\u2028/evil.example", "/%zz", "?//evil.example", "#//evil.example", "", "/auth/discord", "/api/me",
		"/./auth/sign-out", "/x/../auth/discord", strings.Repeat("/a", 2000),
	} {
		b := s.visitor()
		back := s.discord.Player(t, "maple").Authorize(b.begin(address).String())
		to := b.get(back.RequestURI()).wants(http.StatusSeeOther).location()
		if s.url != to.Scheme+"://"+to.Host || strings.HasPrefix(to.Path, "//") || strings.ContainsAny(to.Path, "\\\t\n") ||
			strings.Contains(to.Path, "auth") || strings.Contains(to.Path, "api") {
			t.Errorf("%q leads to %s", address, to)
		}
	}
	for _, address := range []string{"/", "/mine", "/completed", "/requests/7", "/?q=iron&category=Miner", "/mine?x=%2F%2Fevil.example", "/requests/7?q=a+b%20c"} {
		b := s.visitor()
		back := s.discord.Player(t, "maple").Authorize(b.begin(address).String())
		b.get(back.RequestURI()).leadsBack(t, s, address)
	}
}

func TestAForgedHostChangesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, host := range []string{"evil.example", "evil.example:80", "127.0.0.1:1", "localhost", "trade.example@evil.example"} {
		b := s.visitor()
		moved := b.get("/auth/discord?return=/mine", "Host", host).wants(http.StatusFound).location()
		if moved.Host != strings.TrimPrefix(s.url, "http://") || moved.Path != "/auth/discord" || moved.Query().Get("return") != "/mine" {
			t.Errorf("under Host %s the browser is sent to %s", host, moved)
		}
		to := b.get(moved.RequestURI(), "Host", host).wants(http.StatusFound).location()
		if got := to.Query().Get("redirect_uri"); got != s.url+"/auth/discord/callback" {
			t.Errorf("under Host %s Discord receives %s", host, got)
		}
		if body := string(b.get("/", "Host", host).wants(http.StatusOK).body); strings.Contains(body, "evil") {
			t.Errorf("under Host %s the page says %s", host, body)
		}
	}
}

func TestAFormOnAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, headers := range map[string][]string{
		"a cross-site form":       {"Sec-Fetch-Site", "cross-site"},
		"a neighbour's form":      {"Sec-Fetch-Site", "same-site"},
		"another origin":          {"Origin", "https://evil.example"},
		"no origin at all":        {"Origin", "null"},
		"this site on other port": {"Origin", "http://127.0.0.1:1"},
		"a form's content type":   {"Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain"},
	} {
		b.run(name, func(t *testing.T) {
			b.maple.post("/api/orders", another(), headers...).wantsProblem(http.StatusForbidden)
			b.maple.patch(b.order, object{"version": 1, "quantity": 1}, headers...).wantsProblem(http.StatusForbidden)
			b.maple.delete(b.order, headers...).wantsProblem(http.StatusForbidden)
			b.maple.post(b.order+"/close", nil, headers...).wantsProblem(http.StatusForbidden)
			b.maple.post("/auth/sign-out", nil, headers...).wantsProblem(http.StatusForbidden)
			b.visitor.post(b.order+"/offers", offer(), headers...).wantsProblem(http.StatusForbidden)
		})
	}
	for name, headers := range map[string][]string{
		"the page itself":          {"Sec-Fetch-Site", "same-origin", "Origin", b.url},
		"behind a renaming proxy":  {"Origin", b.url, "Host", "inside:8080", "Cookie", b.maple.cookie().String()},
		"a program without either": {},
	} {
		b.run(name, func(*testing.T) { b.maple.post("/api/orders", another(), headers...).wants(http.StatusCreated) })
	}
	if !b.maple.isSignedIn() {
		t.Error("another site has signed the user out")
	}
}
