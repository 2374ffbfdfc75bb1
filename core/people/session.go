package people

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

const (
	// SessionLife is the maximum age of a session.
	SessionLife = 30 * 24 * time.Hour
	// SessionIdle is how long a session may be unused.
	SessionIdle = 7 * 24 * time.Hour
)

// Session is a browser in which a user is signed in.
type Session struct {
	ID     core.SessionID
	Agent  string // the browser and the system, such as "Firefox on Windows"; empty when not known
	Since  time.Time
	UsedAt time.Time // up to an hour before the last use
}

// UserSession is a session with its user, as a store of sessions keeps it beside the session's data.
type UserSession struct {
	User core.UserID
	Session
	Begins bool // it begins with this; otherwise it is stored only while it is there
}

// FoundSession is a session as a store of sessions has it.
type FoundSession struct {
	User *User // nil for a visitor's, and where the store does not know; then only Data count
	Session
	Ends time.Time
	Data []byte // nil when they say no more than the rest
}

// Sessions lists the actor's sessions, the latest used first. It fails with Unauthenticated.
func (m *Service) Sessions(ctx context.Context, actor core.Actor) ([]Session, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sessions, err := m.store.SessionsOf(ctx, actor.UserID, m.now().Add(-SessionIdle))
	if err != nil {
		return nil, fmt.Errorf("sessions of user %d: %w", actor.UserID, err)
	}
	return sessions, nil
}

// EndSession ends one of the actor's sessions, with its event streams. It is no error when the session has
// ended already. It fails with Unauthenticated.
func (m *Service) EndSession(ctx context.Context, actor core.Actor, id core.SessionID) error {
	return m.endSessions(ctx, actor, func(tx Tx) error { return tx.EndSession(ctx, actor.UserID, id) })
}

// EndSessions signs the actor out everywhere: every session that began before this ends, the present one
// too. It fails with Unauthenticated.
func (m *Service) EndSessions(ctx context.Context, actor core.Actor) error {
	return m.endSessions(ctx, actor, func(tx Tx) error { return tx.EndSessions(ctx, actor.UserID, m.now()) })
}

func (m *Service) endSessions(ctx context.Context, actor core.Actor, end func(Tx) error) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	if err := m.run.Atomically(ctx, end); err != nil {
		return fmt.Errorf("end sessions of user %d: %w", actor.UserID, err)
	}
	return nil
}
