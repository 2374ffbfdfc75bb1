package kernel

import (
	"context"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
	"tradepost/core/people"
)

// userSessions is a store that can keep the user of a session beside its data, so that users see and end
// their own.
type userSessions interface {
	scs.Store
	scs.CtxStore
	FindUserCtx(ctx context.Context, token string) (session people.FoundSession, found bool, err error)
	CommitUserCtx(ctx context.Context, token string, data []byte, expiry time.Time,
		of people.UserSession) error
}

// describedStore stores the sessions of users with what they are told about them.
type describedStore struct{ userSessions }

type foundUserKey struct{}

// foundUser is the user that was read with the session of a request, until it is first asked for: a stream
// asks again later.
type foundUser struct{ user *people.User }

// withFoundUser returns the context of a request that keeps the user who is read with its session.
func withFoundUser(ctx context.Context) context.Context {
	return context.WithValue(ctx, foundUserKey{}, &foundUser{})
}

func takeFoundUser(ctx context.Context, id core.UserID) *people.User {
	found, ok := ctx.Value(foundUserKey{}).(*foundUser)
	if !ok || found.user == nil || found.user.ID != id {
		return nil
	}
	user := found.user
	found.user = nil
	return user
}

// FindCtx implements scs.CtxStore.
func (s describedStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	keep, ok := ctx.Value(foundUserKey{}).(*foundUser)
	if !ok {
		return s.userSessions.FindCtx(ctx, token)
	}
	session, found, err := s.FindUserCtx(ctx, token)
	if err != nil || !found {
		return nil, false, err
	}
	keep.user = session.User
	if session.Data != nil {
		return session.Data, true, nil
	}
	data, err := encodeFound(session)
	return data, err == nil, err
}

// CommitCtx implements scs.CtxStore.
func (s describedStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, values, err := scs.GobCodec{}.Decode(data)
	if err != nil {
		return fmt.Errorf("decode session: %w", err)
	}
	user, _ := values[keyUser].(int64)
	id, _ := values[keyID].(string)
	if user == 0 || id == "" {
		return s.userSessions.CommitCtx(ctx, token, data, expiry)
	}
	agent, _ := values[keyAgent].(string)
	since, _ := values[keySince].(int64)
	seen, _ := values[keySeen].(int64)
	return s.CommitUserCtx(ctx, token, data, expiry, people.UserSession{
		User: core.UserID(user), Begins: time.UnixMicro(since).Unix() == seen,
		Session: people.Session{ID: core.SessionID(id), Agent: agent, Since: time.UnixMicro(since).UTC(),
			UsedAt: time.Unix(seen, 0).UTC()},
	})
}
