package web

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core"
)

// userSessions is a store that can keep beside the data of a session whose it is, so that users see and end their own.
type userSessions interface {
	scs.Store
	scs.CtxStore
	FindUserCtx(ctx context.Context, token string) (session core.FoundSession, found bool, err error)
	CommitUserCtx(ctx context.Context, token string, data []byte, expiry time.Time, of core.UserSession) error
}

// describedStore stores the sessions of users with what they are told about them.
type describedStore struct{ userSessions }

type foundUserKey struct{}

// foundUser is the user that was read with the session of a request, until it is first asked for: a stream asks again later.
type foundUser struct{ user *core.User }

// withFoundUser returns the context of a request that keeps the user who is read with its session.
func withFoundUser(ctx context.Context) context.Context {
	return context.WithValue(ctx, foundUserKey{}, &foundUser{})
}

func takeFoundUser(ctx context.Context, id core.UserID) *core.User {
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
	return s.CommitUserCtx(ctx, token, data, expiry, core.UserSession{
		User: core.UserID(user), Begins: time.UnixMicro(since).Unix() == seen,
		Session: core.Session{ID: core.SessionID(id), Agent: agent, Since: time.UnixMicro(since).UTC(), UsedAt: time.Unix(seen, 0).UTC()},
	})
}

// since returns when a session began. One of an earlier version does not say; its end does.
func (s *sessions) since(ctx context.Context) time.Time {
	if micros := s.GetInt64(ctx, keySince); micros != 0 {
		return time.UnixMicro(micros).UTC()
	}
	return s.Deadline(ctx).Add(-core.SessionLife)
}

type sessionView struct {
	ID      core.SessionID `json:"id" doc:"Names the session; it signs nobody in" example:"5Q2HJYYBKX3D6WZR4M7TANFE2C"`
	Agent   string         `json:"agent" doc:"The browser and the system; empty when not known" example:"Firefox on Windows"`
	Since   time.Time      `json:"since" doc:"When the user signed in"`
	UsedAt  time.Time      `json:"usedAt" doc:"When it was last used, to the hour"`
	Current bool           `json:"current" doc:"The session of this call"`
}

type sessionsView struct {
	Sessions []sessionView `json:"sessions" doc:"The latest used first"`
}

func (a *api) listSessions(ctx context.Context, _ *struct{}) (*answer[sessionsView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	all, err := a.market.Sessions(ctx, actor)
	if err != nil {
		return nil, err
	}
	view := sessionsView{Sessions: make([]sessionView, 0, len(all))}
	for _, s := range all {
		view.Sessions = append(view.Sessions, viewSession(s, a.session.id(ctx)))
	}
	return &answer[sessionsView]{view}, nil
}

func viewSession(s core.Session, current core.SessionID) sessionView {
	return sessionView{ID: s.ID, Agent: s.Agent, Since: s.Since, UsedAt: s.UsedAt, Current: s.ID == current}
}

type endSessionInput struct {
	Keyed
	ID core.SessionID `path:"id" maxLength:"64" doc:"The session's id" example:"5Q2HJYYBKX3D6WZR4M7TANFE2C"`
}

func (a *api) endSession(ctx context.Context, in *endSessionInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.EndSession(ctx, actor, in.ID)
}

// endSessions signs the user out everywhere, here too.
func (a *api) endSessions(ctx context.Context, in *leaveInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	if err := a.market.EndSessions(ctx, actor); err != nil {
		return err
	}
	if err := a.session.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// sessionCheck is how often an open stream asks whether its session is still there, besides when it hears of an end: sessions
// also expire, and an earlier version beside this one ends them without saying so.
const sessionCheck = 5 * time.Minute

// streamSession is whose an event stream is.
type streamSession struct {
	user  core.UserID // zero for a visitor
	token string
}

// mayHaveEnded reports whether an event may be about the end of the session.
func (s streamSession) mayHaveEnded(e *event) bool {
	return s.user != 0 && (e.Resync || slices.Contains(e.SignedOut, s.user))
}

// ended reports whether a session is over. It is not while that cannot be found out: the next check follows.
func (s *Server) ended(of streamSession) bool {
	if of.user == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), eventWriteTime)
	defer cancel()
	// A context of its own: that of the request has the session as it was when the stream opened.
	ctx, err := s.session.Load(ctx, of.token)
	if err != nil {
		return false
	}
	user, err := s.user(ctx)
	return err == nil && (user == nil || user.ID != of.user)
}
