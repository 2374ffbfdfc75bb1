package main

import (
	"context"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/sql/postgres"
)

// signedIn is how many users have a session.
const signedIn = 64

// usersSessions stores sessions with whose they are, as the program does.
type usersSessions struct {
	postgres.Sessions
	user core.UserID
}

// CommitCtx implements scs.CtxStore.
func (s usersSessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	now := time.Now()
	return s.CommitUserCtx(ctx, token, data, expiry, people.UserSession{
		User: s.user, Begins: true,
		Session: people.Session{ID: core.SessionID(fmt.Sprintf("bench-%d-%d", s.user, now.UnixNano())),
			Agent: "Firefox on Linux", Since: now, UsedAt: now},
	})
}

// signIn opens a session for each of the first users.
func (b *bench) signIn(ctx context.Context) error {
	for i := range signedIn {
		m := scs.New()
		m.Store, m.HashTokenInStore = usersSessions{b.store.Sessions(), core.UserID(i + 1)}, true
		session, err := m.Load(ctx, "")
		if err != nil {
			return err
		}
		m.Put(session, "user", int64(i+1))
		m.Put(session, "seen", time.Now().Unix())
		token, _, err := m.Commit(session)
		if err != nil {
			return fmt.Errorf("open a session: %w", err)
		}
		b.cookies = append(b.cookies, "Cookie: session="+token)
	}
	return nil
}
