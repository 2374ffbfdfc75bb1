package postgres_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
	"tradepost/core/people"
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

func TestASessionIsReadWithItsUserInOneStatement(t *testing.T) {
	t.Parallel()
	b := newBilled(t)
	sessions := b.Another(postgres.Options{Tracer: b.till, MaxConns: 1}).Sessions()
	ctx, until := t.Context(), time.Now().Add(time.Hour)
	now := b.Clock.Now()
	of := people.UserSession{User: b.Ann.UserID, Begins: true, Session: people.Session{ID: "public", Agent: "Firefox", Since: now, UsedAt: now}}
	must(t, sessions.CommitUserCtx(ctx, "ann", []byte("of ann"), until, of))
	of.ID = "other"
	must(t, sessions.CommitUserCtx(ctx, "ann twice", []byte("a pending sign-in"), until, of))
	must(t, sessions.CommitCtx(ctx, "visitor", []byte("of nobody"), until))
	find := func(token, data string, user core.UserID) func() error {
		return func() error {
			got, found, err := sessions.FindUserCtx(ctx, token)
			of := got.User
			if string(got.Data) != data || found != (data != "" || user != 0) || (of != nil) != (user != 0) || of != nil && of.ID != user {
				t.Errorf("%s: found %v %+v of %+v", token, found, got, of)
			}
			if user != 0 && data == "" && (got.ID != "public" || got.Agent != "Firefox" || !got.Since.Equal(now) || !got.UsedAt.Equal(now) ||
				time.Until(got.Ends) < time.Hour-time.Minute || time.Until(got.Ends) > time.Hour) {
				t.Errorf("%s: found %+v", token, got)
			}
			return err
		}
	}
	b.costs("a user's session", bill{1, 1}, find("ann", "", b.Ann.UserID))
	b.costs("a session of a user who signs in once more", bill{1, 1}, find("ann twice", "a pending sign-in", b.Ann.UserID))
	b.costs("a visitor's session", bill{2, 2}, find("visitor", "of nobody", 0))
	must(t, sessions.DeleteCtx(ctx, "ann"))
	b.costs("a session that has ended", bill{2, 2}, find("ann", "", 0))
}
