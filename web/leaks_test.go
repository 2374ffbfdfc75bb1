package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/web"
)

// Class 12: leaks. Everything that anybody but maple can read is searched for what belongs to maple alone.
func TestNothingPrivateIsAnswered(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.maple.get("/api/me").wants(http.StatusOK)
	b.maple.post("/api/me/notices/test", nil).wants(http.StatusNoContent)
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wants(http.StatusOK)

	secrets := map[string]string{
		"an e-mail":       "@example.com",
		"maple's session": b.maple.cookie().Value,
		"the secret":      b.discord.ClientSecret(),
		"SQL":             "SQLSTATE",
		"a stack trace":   "goroutine ",
		"a source file":   ".go:",
	}
	for name, player := range map[string]string{"maple's Discord id": "maple", "rowan's Discord id": "rowan.ashdown"} {
		secrets[name] = b.discord.Player(t, player).ID()
	}
	juniper := b.signedIn("juniper_fox")
	juniper.header.Set("X-Forwarded-For", "203.0.113.7")
	for who, reader := range map[string]*browser{"a visitor": b.visitor, "another user": juniper, "the seller": b.rowan, "maple": b.maple} {
		for _, path := range []string{
			"/api/orders", "/api/orders/counts", b.order, b.order + "/offers", b.order + "/sales", "/api/me", "/api/me/orders", "/api/me/offers",
			"/api/me/notices", "/api/me/notices/settings", "/api/openapi.json", "/", strings.TrimPrefix(b.order, "/api/orders"), "/readyz", "/healthz",
			strings.Replace(b.order, "/api/orders", "/requests", 1), "/api/orders?cursor=x", "/api/orders/x", "/api/orders?q=%00", "/api/me/offers?cursor=%27",
		} {
			r := reader.get(path)
			text := string(r.body) + fmt.Sprint(r.header)
			for what, secret := range secrets {
				own := path == "/api/me" && what == "an e-mail" && reader != b.visitor
				if (strings.Contains(text, secret) && !own) && !(path == "/api/openapi.json" && what == "an e-mail") {
					t.Errorf("%s reads %s at %s", who, what, path)
				}
			}
			if r.status >= http.StatusInternalServerError {
				t.Errorf("%s answered %d", path, r.status)
			}
		}
	}
	if email := juniper.get("/api/me").json()["user"].(object)["email"]; email != "juniper@example.com" {
		t.Errorf("another user's e-mail is %v", email)
	}
}

func TestNothingPrivateIsLogged(t *testing.T) {
	t.Parallel()
	b := openBoard(t, behindAProxy, logsSecurity) // an untrusted peer that forwards is named in the log, once
	b.visitor.get("/api/orders?q=my+secret+search", "X-Forwarded-For", "203.0.113.7", "User-Agent", "Secret/1.0", "Referer", "http://secret.example")
	b.maple.post("/api/orders", order(object{"description": "my secret plan", "itemName": ""})).wantsProblem(http.StatusUnprocessableEntity, "itemName")
	b.maple.post("/api/orders", `{"itemName":"my secret`, "Idempotency-Key", "secret-key").wantsProblem(http.StatusBadRequest)
	b.get("/auth/discord/callback?code=secretcode&state=secretstate&error=secreterror")
	b.maple.post("/auth/sign-out", nil).wants(http.StatusNoContent)

	text := b.log.String()
	if strings.Count(text, "security event") < 3 {
		t.Errorf("security events are not logged: %s", text)
	}
	if !strings.Contains(text, "route=/api/orders/{id}/offers") || !strings.Contains(text, "status=201") {
		t.Errorf("requests are not logged by their pattern: %s", text)
	}
	for _, secret := range []string{"secret", "maple", "rowan", "@example", "203.0.113.7", "127.0.0.1", "Fern", "Iron", b.discord.Player(t, "maple").ID()} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the log: %s", secret, text)
		}
	}
}

func (b *board) get(path string) *reply { return b.visitor.get(path) }

// failing serves a market on a store that fails, and returns what was logged of it.
func failing(t *testing.T, store market.Store, sessions interface {
	Find(string) ([]byte, bool, error)
	Commit(string, []byte, time.Time) error
	Delete(string) error
}) (*site, *log) {
	t.Helper()
	logged := &log{}
	opts := web.Options{
		PublicURL: "http://trade.example", Sessions: sessions, Dist: page, Log: textLog(logged),
		Discord: web.Discord{ClientID: "1", ClientSecret: "s"},
	}
	door, err := web.New(marketOn(store, opts), opts)
	must(t, err)
	server := httptest.NewServer(door)
	t.Cleanup(server.Close)
	return &site{t: t, url: server.URL}, logged
}

func TestAFailureIsLoggedOnceAndHiddenFromUsers(t *testing.T) {
	t.Parallel()
	// The core says what could not be read, and nothing of why. What it knows nothing of is our fault.
	const noOrders, ourFault = core.FailedOrders, "Something went wrong on our side. Please try again."
	for name, tt := range map[string]struct {
		store failingStore
		shown string
	}{
		"a broken query": {
			failingStore{err: errors.New(`ERROR: relation "orders" does not exist (SQLSTATE 42P01)`)},
			noOrders,
		},
		"a lost connection":   {failingStore{err: fmt.Errorf("list orders: %w", errLost)}, noOrders},
		"a panic":             {failingStore{panic: "runtime error: SQLSTATE index out of range"}, ourFault},
		"a panic of an error": {failingStore{panic: errors.New("SQLSTATE 42P01")}, ourFault},
		"a kind of error that there is not": {
			failingStore{err: &core.Error{Kind: 99, Message: "SQLSTATE"}}, ourFault,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, logged := failing(t, tt.store, noSessions{})
			p := s.visitor().get("/api/orders").wantsProblem(http.StatusInternalServerError)
			if p.Detail != tt.shown {
				t.Errorf("people read %q", p.Detail)
			}
			s.visitor().post("/api/orders/1/offers", offer()).wantsProblem(http.StatusInternalServerError)
			for _, path := range []string{"/api/orders/1", "/requests/1/card.png"} {
				if r := s.visitor().get(path); r.status != http.StatusInternalServerError || strings.Contains(string(r.body), "SQLSTATE") || strings.Contains(string(r.body), "goroutine") {
					t.Errorf("%s answered %d %s", path, r.status, r.body)
				}
			}
			lines := regexp.MustCompile(`level=ERROR`).FindAllString(logged.String(), -1)
			if len(lines) != 4 {
				t.Errorf("4 failures were logged %d times: %s", len(lines), logged)
			}
		})
	}
}

func TestAPageIsShownEvenWhenItsRequestCannotBeRead(t *testing.T) {
	t.Parallel()
	s, _ := failing(t, failingStore{err: errLost}, noSessions{})
	if r := s.visitor().get("/requests/1").wants(http.StatusOK); !strings.Contains(string(r.body), `id="root"`) || strings.Contains(string(r.body), "5432") {
		t.Errorf("shown is %s", r.body)
	}
}

func TestWhenSessionsCannotBeReachedTheBoardIsStillRead(t *testing.T) {
	t.Parallel()
	s, _ := failing(t, &stuckStore{arrived: make(chan struct{}, 9), release: closed()}, lostSessions{})
	s.visitor().get("/api/orders").wants(http.StatusOK)
	s.visitor().get("/api/orders", "Cookie", "session=abc").wants(http.StatusOK)
	for _, path := range []string{"/api/me", "/api/orders/1"} {
		r := s.visitor().get(path, "Cookie", "session=abc").wants(http.StatusInternalServerError)
		if strings.Contains(string(r.body), "5432") {
			t.Errorf("people read %s", r.body)
		}
	}
}

func TestASignInWhileSessionsAreUnavailableShowsAPage(t *testing.T) {
	t.Parallel()
	s, _ := failing(t, &stuckStore{arrived: make(chan struct{}, 9), release: closed()}, lostSessions{})
	for _, path := range []string{"/auth/discord?moved=1", "/auth/discord/callback?state=x&code=y"} {
		for _, cookie := range []string{"session=abc", "other=1"} {
			if cookie == "other=1" && strings.Contains(path, "callback") {
				continue // nothing was begun in that browser, and nothing is stored
			}
			r := s.visitor().get(path, "Cookie", cookie).wants(http.StatusServiceUnavailable)
			body := string(r.body)
			if !strings.Contains(body, "try again</a>") || !strings.HasSuffix(body, "</html>\n") || strings.Contains(body, "5432") {
				t.Errorf("%s with %s: people read %s", path, cookie, body)
			}
			if r.header.Get("Content-Type") != "text/html; charset=utf-8" || r.header.Get("Retry-After") == "" || r.header.Get("Location") != "" {
				t.Errorf("%s with %s: %v", path, cookie, r.header)
			}
		}
	}
}

func TestAnErrorOfTheCoreSetsRetryAfter(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err    core.Error
		status int
		wait   string
	}{
		"too many":            {core.Error{Kind: core.TooMany, Message: "Too many offers on this request", RetryAfter: 90 * time.Second}, 429, "90"},
		"half a second":       {core.Error{Kind: core.TooMany, Message: "Not so fast", RetryAfter: 500 * time.Millisecond}, 429, "1"},
		"unavailable":         {core.Error{Kind: core.Unavailable, Message: "The market is being moved", RetryAfter: 5 * time.Second}, 503, "5"},
		"unavailable for now": {core.Error{Kind: core.Unavailable, Message: "Please try again"}, 503, "1"},
		"forbidden":           {core.Error{Kind: core.Forbidden, Message: "This buyer takes offers from signed-in sellers only"}, 403, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := failing(t, failingStore{err: fmt.Errorf("send offer: %w", &tt.err)}, noSessions{})
			r := s.visitor().post("/api/orders/1/offers", offer())
			if p := r.wantsProblem(tt.status); p.Detail != tt.err.Message || r.header.Get("Retry-After") != tt.wait {
				t.Errorf("refused with %q, again after %q", p.Detail, r.header.Get("Retry-After"))
			}
		})
	}
}

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Only the receipts of the two sides of a trade contain the other side's Discord ID.
func TestADiscordIDIsOnlyInReceiptsAndOnesOwnData(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	b.visitor.post(b.order+"/report", object{"reason": "It looks odd"}).wants(http.StatusNoContent)
	ids := map[string]string{"maple": b.discord.Player(t, "maple").ID(), "rowan.ashdown": b.discord.Player(t, "rowan.ashdown").ID()}
	readers := map[string]*browser{
		"a visitor": b.visitor, "maple": b.maple, "rowan.ashdown": b.rowan, "juniper_fox": b.signedIn("juniper_fox"), "a moderator": b.mod,
	}
	c, err := promised()
	must(t, err)
	paths := []string{"/", strings.Replace(b.order, "/api/orders", "/requests", 1)}
	for _, p := range c.paths {
		if p.methods["get"] == nil || p.template == "/api/events" || strings.HasPrefix(p.template, "/auth/") {
			continue
		}
		for _, id := range []string{"1", b.order[len("/api/orders/"):], b.offer[len("/api/offers/"):]} {
			paths = append(paths, regexp.MustCompile(`\{\w+\}`).ReplaceAllString(p.template, id))
		}
	}
	if len(paths) < 30 {
		t.Fatalf("only %d paths are read", len(paths))
	}
	receipts := 0
	for who, reader := range readers {
		for _, path := range paths {
			r := reader.get(path)
			text := string(r.body) + fmt.Sprint(r.header)
			for whose, id := range ids {
				side := path == "/api/me/receipts" && ids[who] != "" && who != whose
				own := path == "/api/me/data" && who == whose
				if shown := strings.Contains(text, id); shown != (side || own) {
					t.Errorf("%s reads the Discord ID of %s at %s: %v", who, whose, path, shown)
				} else if side {
					receipts++
				}
			}
		}
	}
	if receipts == 0 {
		t.Error("no receipt was read")
	}
}
