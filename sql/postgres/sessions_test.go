package postgres_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/sql/postgres"
)

var (
	_ scs.CtxStore = postgres.Sessions{}
	_ scs.Store    = postgres.Sessions{}
)

func TestASessionLastsUntilItExpiresOrEnds(t *testing.T) {
	t.Parallel()
	sessions := newWorld(t).Store.Sessions()
	ctx := t.Context()
	find := func(token string, want []byte) {
		t.Helper()
		got, found, err := sessions.FindCtx(ctx, token)
		must(t, err)
		if found != (want != nil) || !bytes.Equal(got, want) {
			t.Errorf("%s: found %v %q, want %q", token, found, got, want)
		}
	}
	find("a", nil)
	must(t, sessions.CommitCtx(ctx, "a", []byte("one"), time.Now().Add(time.Hour)))
	must(t, sessions.Commit("b", []byte("gone"), time.Now().Add(-time.Second)))
	find("a", []byte("one"))
	find("b", nil)
	must(t, sessions.CommitCtx(ctx, "a", []byte("two"), time.Now().Add(time.Hour)))
	find("a", []byte("two"))
	must(t, sessions.Delete("a"))
	find("a", nil)
}
