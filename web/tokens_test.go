package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/token"
	"tradepost/web"
)

// makes makes a token and returns its secret and its address.
func (b *browser) makes(scopes ...token.Scope) (secret, address string) {
	b.s.t.Helper()
	made := b.post("/api/me/tokens", object{"name": "Restock bot", "scopes": scopes, "days": 90}).wants(http.StatusCreated).json()
	return made["secret"].(string), fmt.Sprint("/api/me/tokens/", made["token"].(object)["id"])
}

// program returns a caller that has only a token, and names its writes.
func (s *site) program(secret string) *browser {
	b := s.visitor()
	b.header.Set("Authorization", "Bearer "+secret)
	return b
}

// letsProgramsTrade has a moderator let them.
func (s *site) letsProgramsTrade() *browser {
	mod := s.signedIn(moderator)
	mod.post("/api/moderation/programs-trade", nil).wants(http.StatusNoContent)
	return mod
}

func keyed(n int) []string { return []string{"Idempotency-Key", fmt.Sprintf("program-%d", n)} }

func (b *browser) tokens() []any {
	b.s.t.Helper()
	return b.get("/api/me/tokens").wants(http.StatusOK).json()["tokens"].([]any)
}

// ended fails the test unless the token is refused as one that is unknown.
func (b *browser) ended() {
	b.s.t.Helper()
	for _, path := range []string{"/api/me/orders", "/api/orders", "/api/orders/counts"} {
		r := b.get(path)
		if p := r.wantsProblem(http.StatusUnauthorized); p.Code != "token_unknown" || !strings.Contains(r.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
			b.s.t.Errorf("%s is answered %+v, %v", path, p, r.header)
		}
	}
}

func TestAProgramActsForItsOwner(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	s.letsProgramsTrade()
	secret, _ := maple.makes(token.Read, token.Trade, token.Stock)
	if !token.WellFormed(secret) {
		t.Errorf("the token is %s", secret)
	}
	program := s.program(secret)
	posted := program.post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated)
	program.post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated) // the same one
	if mine := maple.get("/api/me/orders").wants(http.StatusOK).json()["orders"].([]any); len(mine) != 1 {
		t.Errorf("maple has %v", mine)
	}
	program.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 5}}}, keyed(2)...)
	me := program.get("/api/me").wants(http.StatusOK)
	if me.json()["user"].(object)["username"] != "maple" || len(me.header["Set-Cookie"]) > 0 || len(posted.header["Set-Cookie"]) > 0 {
		t.Errorf("it is %s, with %v", me.body, me.header)
	}
	if log := s.log.String(); strings.Contains(log, secret) || strings.Contains(log, secret[3:]) {
		t.Error("the log has the token")
	}
	if rows := s.rowsWith(secret); len(rows) > 0 {
		t.Errorf("the token is stored in the clear: %v", rows)
	}
}

func TestATokenIsShownOnceAndItsOwnerIsTold(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	draft := object{"name": " Price sheet ", "scopes": []string{"inbox", "read"}, "days": 30}
	made := maple.post("/api/me/tokens", draft, keyed(1)...).wants(http.StatusCreated).json()
	again := maple.post("/api/me/tokens", draft, keyed(1)...).wants(http.StatusCreated).json()
	if made["secret"] == nil || again["secret"] != nil || again["token"].(object)["id"] != made["token"].(object)["id"] {
		t.Errorf("made %v, then %v", made, again)
	}
	secret := made["secret"].(string)
	listed := maple.get("/api/me/tokens").wants(http.StatusOK)
	shown := listed.json()["tokens"].([]any)[0].(object)
	if strings.Contains(string(listed.body), secret) || shown["name"] != "Price sheet" || shown["usedAt"] != nil || len(maple.tokens()) != 1 {
		t.Errorf("listed are %s", listed.body)
	}
	notices := maple.get("/api/me/notices").json()["notices"].([]any)
	if len(notices) != 1 || notices[0].(object)["kind"] != "token_made" || notices[0].(object)["counterpart"].(object)["name"] != "Price sheet" {
		t.Errorf("the notices are %v", notices)
	}
	deliver := s.startBot()
	deliver()
	sent := s.discord.Player(t, "maple").DMs()
	if len(sent) != 1 || !strings.Contains(fmt.Sprintf("%+v", sent[0]), "You made a token for **Price sheet**") || strings.Contains(fmt.Sprintf("%+v", sent[0]), secret) {
		t.Errorf("the messages are %+v", sent)
	}
	if rows := s.rowsWith(secret); len(rows) > 0 {
		t.Errorf("the token is stored in the clear: %v", rows)
	}

	s.program(secret).get("/api/me").wants(http.StatusOK)
	first := maple.tokens()[0].(object)["usedAt"]
	s.clock.forward(59 * time.Minute)
	s.program(secret).get("/api/me").wants(http.StatusOK)
	if then := maple.tokens()[0].(object)["usedAt"]; first == nil || then != first {
		t.Errorf("used at %v, then at %v", first, then)
	}
	s.clock.forward(time.Minute)
	s.program(secret).get("/api/me").wants(http.StatusOK)
	if then := maple.tokens()[0].(object)["usedAt"]; then == first {
		t.Errorf("used at %v still", then)
	}
	data := maple.signsIn("maple").get("/api/me/data").wants(http.StatusOK)
	if strings.Contains(string(data.body), secret) || len(data.json()["tokens"].([]any)) != 1 {
		t.Errorf("the export is %s", data.body)
	}
}

func TestMakingATokenNeedsAFreshSignInAndASoundDraft(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	good := object{"name": "Bot", "scopes": []string{"read"}, "days": 365}
	for field, value := range map[string]any{"name": "  ", "scopes": []string{"everything"}, "days": 366} {
		draft := object{}
		for k, v := range good {
			draft[k] = v
		}
		draft[field] = value
		maple.post("/api/me/tokens", draft).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	s.visitor().post("/api/me/tokens", good).wantsProblem(http.StatusUnauthorized)
	for range core.MaxTokens {
		maple.post("/api/me/tokens", good).wants(http.StatusCreated)
	}
	if p := maple.post("/api/me/tokens", good).wantsProblem(http.StatusConflict); p.Code != "tokens_full" {
		t.Errorf("refused with %+v", p)
	}
	maple.delete(fmt.Sprint("/api/me/tokens/", maple.tokens()[0].(object)["id"])).wants(http.StatusNoContent)
	maple.post("/api/me/tokens", good).wants(http.StatusCreated)
	s.clock.forward(core.FreshSignInFor + time.Second)
	maple.post("/api/me/tokens", good).asksToSignIn()
	s.clock.forward(365 * core.Day) // ended ones do not count
	maple.signsIn("maple").post("/api/me/tokens", good).wants(http.StatusCreated)
}

func TestWhatEndsAToken(t *testing.T) {
	t.Parallel()
	s := open(t)
	mod := s.signedIn(moderator)
	for name, end := range map[string]func(owner *browser, address string){
		"its owner":               func(owner *browser, address string) { owner.delete(address).wants(http.StatusNoContent) },
		"signing out everywhere":  func(owner *browser, _ string) { owner.delete("/api/me/sessions").wants(http.StatusNoContent) },
		"leaving, also cancelled": func(owner *browser, _ string) { owner.delete("/api/me").wants(http.StatusNoContent) },
		"a block, also lifted": func(owner *browser, _ string) {
			mod.post("/api/moderation/blocks", object{"userId": owner.User.ID, "reason": "Spam"}).wants(http.StatusNoContent)
		},
	} {
		s.run(name, func(t *testing.T) {
			owner, other := s.signedIn("maple"), s.signedIn("rowan.ashdown")
			secret, address := owner.makes(token.Read)
			kept, _ := other.makes(token.Read)
			program := s.program(secret)
			program.get("/api/me/orders").wants(http.StatusOK)
			other.delete(address).wants(http.StatusNoContent) // it is not theirs: nothing happens
			program.get("/api/me/orders").wants(http.StatusOK)
			end(owner, address)
			program.ended()
			owner.signsIn("maple")
			owner.post("/api/me/cancel-leaving", nil)
			mod.delete(fmt.Sprint("/api/moderation/blocks/", owner.User.ID))
			program.ended()
			if left := owner.tokens(); len(left) != 0 {
				t.Errorf("left are %v", left)
			}
			s.program(kept).get("/api/me/orders").wants(http.StatusOK)
		})
	}
	s.run("expiry", func(t *testing.T) {
		maple := s.signedIn("maple")
		secret, _ := maple.makes(token.Read)
		s.clock.forward(90*core.Day - time.Second)
		s.program(secret).get("/api/me/orders").wants(http.StatusOK)
		s.clock.forward(time.Second)
		s.program(secret).ended()
		if left := maple.signsIn("maple").tokens(); len(left) != 0 {
			t.Errorf("left are %v", left)
		}
	})
	s.run("a slip", func(t *testing.T) {
		secret, _ := s.signedIn("maple").makes(token.Read)
		for _, other := range []string{"", "x", secret[:len(secret)-1], secret[:len(secret)-1] + "~", "tp_" + strings.Repeat("0", 36)} {
			s.program(other).ended()
		}
		never, err := token.NewSecret(strings.NewReader(strings.Repeat("a", 100)))
		must(t, err)
		s.program(never).ended()
	})
}

// forNoProgram begins the addresses that no token reaches.
var forNoProgram = []string{"/api/moderation", "/api/me/sessions", "/api/me/tokens", "/api/me/data", "/api/me/cancel-leaving",
	"/api/operation", "/api/events", "/api/sign-out", "/auth/", "/api/me/language", "/api/undo/"}

func TestEveryOperationAsksForItsScope(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.letsProgramsTrade()
	maple := s.signedIn("maple")
	all, _ := maple.makes(token.Scopes...)
	without := map[string]*browser{}
	for _, scope := range token.Scopes {
		others := slices.DeleteFunc(slices.Clone(token.Scopes), func(other token.Scope) bool { return other == scope })
		secret, _ := maple.makes(others...)
		without[string(scope)] = s.program(secret)
	}
	program := s.program(all)
	c, err := promised()
	must(t, err)
	opened := 0
	for _, path := range c.paths {
		if !strings.HasPrefix(path.template, "/api/") || strings.HasPrefix(path.template, "/api/public/") || path.template == "/api/openapi.json" {
			continue
		}
		address := strings.NewReplacer("{id}", "1", "{kind}", "close", "{token}", "x").Replace(path.template)
		for verb, described := range path.methods {
			method := strings.ToUpper(verb)
			scope := ""
			ways, _ := described.(object)["security"].([]any)
			for _, way := range ways {
				if needs, ok := way.(object)["token"].([]any); ok {
					scope = needs[0].(string)
				}
			}
			refused := slices.ContainsFunc(forNoProgram, func(begin string) bool { return strings.HasPrefix(path.template, begin) }) ||
				method == "DELETE" && path.template == "/api/me"
			switch {
			case scope == "":
				if p := program.do(method, address, nil, keyed(1)...).wantsProblem(http.StatusForbidden); p.Code != "token_not_here" {
					t.Errorf("%s %s answers a token with %+v", method, address, p)
				}
			case refused:
				t.Errorf("%s %s is open to the scope %s", method, path.template, scope)
			default:
				opened++
				r := without[scope].do(method, address, nil, keyed(1)...)
				if p := r.wantsProblem(http.StatusForbidden); p.Code != "token_scope" || !strings.Contains(r.header.Get("WWW-Authenticate"), scope) {
					t.Errorf("%s %s answers a token without %s with %+v, %v", method, address, scope, p, r.header)
				}
				if method == "GET" {
					if r := program.get(address); r.status == http.StatusForbidden && strings.Contains(string(r.body), "token_") || r.status == http.StatusUnauthorized {
						t.Errorf("%s refuses a token with %s: %s", address, scope, r.body)
					}
				}
			}
		}
	}
	if opened < 50 {
		t.Errorf("only %d operations are open to programs", opened)
	}
}

func TestAWriteOfAProgramNeedsAKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.letsProgramsTrade()
	maple := s.signedIn("maple")
	secret, _ := maple.makes(token.Trade)
	p := s.program(secret).post("/api/orders", order()).wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key")
	if p.Code != "token_key_required" {
		t.Errorf("refused with %+v", p)
	}
	s.program(secret).post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated)
	maple.post("/api/orders", another()).wants(http.StatusCreated) // a browser needs none
}

func TestProgramsTradeOnlyWhileModeratorsLetThem(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	secret, _ := maple.makes(token.Read, token.Trade)
	program := s.program(secret)
	refuses := func() {
		t.Helper()
		if p := program.post("/api/orders", order(), keyed(1)...).wantsProblem(http.StatusForbidden); p.Code != "token_trade_off" {
			t.Errorf("refused with %+v", p)
		}
		program.get("/api/me/orders").wants(http.StatusOK)
	}
	refuses()
	maple.post("/api/moderation/programs-trade", nil).wantsProblem(http.StatusForbidden)
	if maple.get("/api/me/tokens").json()["tradeAllowed"] != false || maple.get("/api/rules").json()["programsTradeSince"] != nil {
		t.Error("they may trade from the start")
	}
	mod := s.letsProgramsTrade()
	mod.post("/api/moderation/programs-trade", nil).wantsProblem(http.StatusConflict)
	if maple.get("/api/me/tokens").json()["tradeAllowed"] != true || maple.get("/api/rules").json()["programsTradeSince"] == nil {
		t.Error("that they may trade is not said")
	}
	program.post("/api/orders", order(), keyed(2)...).wants(http.StatusCreated)
	mod.delete("/api/moderation/programs-trade").wants(http.StatusNoContent)
	refuses()
	entries := mod.get("/api/moderation/audit").wants(http.StatusOK).json()["entries"].([]any)
	if entries[0].(object)["action"] != "programs_trade_off" || entries[1].(object)["action"] != "programs_trade_on" {
		t.Errorf("the log is %v", entries)
	}
	s.clock.forward(core.FreshSignInFor + time.Second)
	mod.post("/api/moderation/programs-trade", nil).asksToSignIn()
}

func TestQuotasAreThePersonsOverAllTokens(t *testing.T) {
	t.Parallel()
	s := openLimited(t, core.Quotas{NewRequests: core.Quota{Limit: 3, Per: time.Hour}})
	s.letsProgramsTrade()
	maple := s.signedIn("maple")
	one, _ := maple.makes(token.Trade)
	two, _ := maple.makes(token.Trade)
	named := func(n int) object { return order(object{"itemName": fmt.Sprint("Iron Ore ", n)}) }
	maple.post("/api/orders", named(1)).wants(http.StatusCreated)
	s.program(one).post("/api/orders", named(2), keyed(2)...).wants(http.StatusCreated)
	s.program(two).post("/api/orders", named(3), keyed(3)...).wants(http.StatusCreated)
	for i, by := range []*browser{maple, s.program(one), s.program(two)} {
		if p := by.post("/api/orders", named(4+i), keyed(4+i)...).wantsProblem(http.StatusTooManyRequests); p.Code != "quota" {
			t.Errorf("refused with %+v", p)
		}
	}
}

func TestATokenReplacesTheCookieAndIsNoBrowser(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, mod := s.signedIn("maple"), s.signedIn(moderator)
	secret, _ := maple.makes(token.Stock, token.Read)
	bearer := []string{"Authorization", "bearer " + secret}
	if who := mod.get("/api/me", bearer...).json()["user"].(object); who["username"] != "maple" || who["moderator"] != false {
		t.Errorf("the cookie counts beside a token: %v", who)
	}
	mod.get("/api/moderation/reports", bearer...).wantsProblem(http.StatusForbidden)
	stolen := []string{"Authorization", "Bearer tp_x"}
	mod.get("/api/me", stolen...).wantsProblem(http.StatusUnauthorized)
	// No other site can have a browser send a token, so a program may run on one.
	elsewhere := append([]string{"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"}, keyed(1)...)
	stock := object{"stock": []object{{"itemName": "Iron Ore", "quantity": 5}}}
	if r := s.program(secret).post("/api/me/stock", stock, elsewhere...); r.status == http.StatusForbidden {
		t.Errorf("refused with %s", r.body)
	}
	mod.post("/api/me/stock", stock, elsewhere...).wantsProblem(http.StatusForbidden)
	// Pages know no tokens.
	s.program("tp_x").get("/").wants(http.StatusOK)
	s.program("tp_x").get("/api/public/orders").wants(http.StatusOK)
	if mod.get("/api/orders", "Authorization", "Basic eDp5").status != http.StatusOK { // a proxy's own
		t.Error("another scheme is refused")
	}
	// A moderator's own token does not moderate.
	theirs, _ := mod.makes(token.Scopes...)
	if who := s.program(theirs).get("/api/me").json()["user"].(object); who["moderator"] != false {
		t.Errorf("the token moderates: %v", who)
	}
	mod.get("/api/me").wants(http.StatusOK)
}

func TestWithoutTheFeatureThereAreNoTokens(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.AllFeatures() })
	maple := s.signedIn("maple")
	maple.get("/api/me/tokens").wantsProblem(http.StatusNotFound)
	maple.post("/api/me/tokens", object{"name": "Bot", "scopes": []string{"read"}, "days": 30}).wantsProblem(http.StatusMethodNotAllowed)
	s.signedIn(moderator).post("/api/moderation/programs-trade", nil).wantsProblem(http.StatusMethodNotAllowed)
	// A header that means nothing to the market changes nothing.
	if who := maple.get("/api/me", "Authorization", "Bearer tp_x").wants(http.StatusOK).json()["user"].(object); who["username"] != "maple" {
		t.Errorf("signed in is %v", who)
	}
	document := string(s.visitor().get("/api/openapi.json").wants(http.StatusOK).body)
	for _, trace := range []string{"token_made", "programs_trade", "programsTradeSince", `"bearer"`, "/api/me/tokens", `"Scope"`} {
		if strings.Contains(document, trace) {
			t.Errorf("the description has %s", trace)
		}
	}
	if _, has := maple.get("/api/me/data").wants(http.StatusOK).json()["tokens"]; has {
		t.Error("the export has tokens")
	}
}

// A cache in front of the market would hand the owner's answer to the next visitor.
func TestSharedCachesKeepNothingOfAProgram(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.SharedCaches = true })
	secret, _ := s.signedIn("maple").makes(token.Read)
	address := s.signedIn("rowan.ashdown").posts()
	for _, path := range []string{"/api/me", address, "/api/orders", "/api/orders/counts"} {
		if keys := s.visitor().get(path).wants(http.StatusOK).header["Surrogate-Key"]; len(keys) == 0 {
			t.Errorf("%s of a visitor is kept by no cache", path)
		}
		kept := s.program(secret).get(path).wants(http.StatusOK).header
		if len(kept["Surrogate-Key"]) > 0 || strings.Contains(kept.Get("Cache-Control"), "public") {
			t.Errorf("%s of a program is kept: %v", path, kept)
		}
	}
}

// The check of a token is one statement, as a session's is. With -v this prints what a read that is not cached takes with each.
func TestReadsByTokenAreAsQuickAsByASession(t *testing.T) {
	s := open(t)
	maple := s.signedIn("maple")
	secret, _ := maple.makes(token.Read)
	took := map[string][]time.Duration{}
	for range 200 {
		for by, reader := range map[string]*browser{"a session": maple, "a token": s.program(secret)} {
			began := time.Now()
			reader.get("/api/me/orders").wants(http.StatusOK)
			took[by] = append(took[by], time.Since(began))
		}
	}
	for by, times := range took {
		slices.Sort(times)
		t.Logf("by %s: median %s", by, times[len(times)/2])
	}
}
