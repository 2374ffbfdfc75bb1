package token_test

import (
	"crypto/rand"
	"regexp"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/token"
)

func TestASecretIsKnownByItsChecksum(t *testing.T) {
	form := regexp.MustCompile(`^tp_[0-9A-Za-z]{36}$`)
	seen := map[string]bool{}
	for range 100 {
		secret, err := token.NewSecret(rand.Reader)
		if err != nil || !form.MatchString(secret) || !token.WellFormed(secret) || seen[secret] {
			t.Fatalf("%q, %v", secret, err)
		}
		seen[secret] = true
		for i := 3; i < len(secret); i++ { // a slip of one letter
			other := []byte(secret)
			if other[i] = 'a'; secret[i] == 'a' {
				other[i] = 'b'
			}
			if token.WellFormed(string(other)) {
				t.Errorf("%s passes for %s", other, secret)
			}
		}
	}
	// a known pair, so that scanners that learned the form need not learn another
	if known := "tp_0123456789ABCDEFGHIJKLMNOPQRSTpsWXX"; token.WellFormed(known) {
		t.Errorf("%s has no checksum", known)
	}
	for _, other := range []string{"", "tp_", "session", "tp_" + "é"} {
		if token.WellFormed(other) {
			t.Errorf("%q passes", other)
		}
	}
}

func TestWhatEndsAToken(t *testing.T) {
	made := coretest.Noon
	live := token.Found{Token: token.Token{CreatedAt: made, ExpiresAt: made.Add(30 * core.Day)}}
	now := made.Add(time.Hour)
	if !live.Live(now) || !live.Live(made) {
		t.Error("it does not live")
	}
	for what, end := range map[string]func(*token.Found){
		"expiry":      func(f *token.Found) { f.ExpiresAt = now },
		"signing out": func(f *token.Found) { f.SignedOutAt = now },
		"a block":     func(f *token.Found) { f.Blocked = true },
		"leaving":     func(f *token.Found) { f.Leaving = true },
	} {
		over := live
		end(&over)
		if over.Live(now) {
			t.Errorf("%s does not end it", what)
		}
	}
	live.SignedOutAt = made.Add(-time.Second)
	if !live.Live(now) {
		t.Error("an earlier sign-out ends it")
	}
}

func TestWhatAScopeAllows(t *testing.T) {
	f := token.Found{Token: token.Token{Scopes: []token.Scope{token.Read, token.Trade}}}
	if !f.May(token.Read) || f.May(token.Stock) || f.May("") {
		t.Error("it may not do what it says")
	}
	if f.May(token.Trade) {
		t.Error("it trades before moderators allow that")
	}
	if f.TradeAllowed = true; !f.May(token.Trade) {
		t.Error("it does not trade")
	}
}

func TestMakingAToken(t *testing.T) {
	by := core.Actor{UserID: 1, SignedInAt: coretest.Noon}
	good := token.Draft{Name: "  Restock bot ", Scopes: []token.Scope{token.Stock, token.Read, token.Read}, Days: 90}
	make := func(d token.Draft, by core.Actor, others int) (token.Token, error) {
		return d.Make(by, others, "tp_x", coretest.Forms, coretest.Noon)
	}
	made, err := make(good, by, 9)
	if err != nil || made.Name != "Restock bot" || len(made.Scopes) != 2 || made.Scopes[0] != token.Read ||
		!made.ExpiresAt.Equal(coretest.Noon.Add(90*core.Day)) || made.Owner != 1 {
		t.Errorf("made %+v, %v", made, err)
	}
	blocked, old, leaving := by, by, by
	blocked.Blocked, old.SignedInAt, leaving.LeavingAt = true, coretest.Noon.Add(-time.Hour), coretest.Noon
	for _, tt := range []struct {
		by     core.Actor
		others int
		change func(*token.Draft)
		want   core.ErrorKind
	}{
		{core.Actor{}, 0, nil, core.Unauthenticated},
		{blocked, 0, nil, core.Forbidden},
		{old, 0, nil, core.Forbidden},
		{leaving, 0, nil, core.Forbidden},
		{by, 10, nil, core.Conflict},
		{by, 0, func(d *token.Draft) { d.Name = " " }, core.Invalid},
		{by, 0, func(d *token.Draft) { d.Scopes = nil }, core.Invalid},
		{by, 0, func(d *token.Draft) { d.Scopes = []token.Scope{"everything"} }, core.Invalid},
		{by, 0, func(d *token.Draft) { d.Days = 366 }, core.Invalid},
	} {
		draft := good
		if tt.change != nil {
			tt.change(&draft)
		}
		if _, err := make(draft, tt.by, tt.others); core.KindOf(err) != tt.want {
			t.Errorf("%+v of %+v beside %d: %v, want %v", draft, tt.by, tt.others, err, tt.want)
		}
	}
}
