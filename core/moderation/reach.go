package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// Reaching is a user with many people messaged by their acts, or with a stopped reach.
type Reaching struct {
	User      people.User // with ID and Username only
	People    int         // who were messaged within LimitReach.Per
	StoppedAt time.Time   // by a moderator; zero while the user's acts message others
}

const (
	// reachingFrom is from how many people on a user is listed.
	reachingFrom = 10
	// MaxReaching is how many users are listed.
	MaxReaching = 50
)

// Reaching lists the users with a stopped reach, and those with most people messaged by their acts within
// LimitReach.Per. It returns Unauthenticated and Forbidden.
func (m *Service) Reaching(ctx context.Context, actor core.Actor) ([]Reaching, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	all, err := m.store.Reaching(ctx, m.now().Add(-core.LimitReach.Per), reachingFrom, MaxReaching)
	if err != nil {
		return nil, fmt.Errorf("users who reach most people: %w", err)
	}
	return all, nil
}

// StopReach has a user's acts send no messages to others from now on, until AllowReach: others find the
// requests and offers on the page and in their inbox. Messages that still wait are there only, too. The user
// can still trade and is not told. It is logged. It returns Unauthenticated, Forbidden unless the actor is a
// moderator and the user none, Conflict when it is stopped already, and NotFound.
func (m *Service) StopReach(ctx context.Context, actor core.Actor, id core.UserID) error {
	return m.changeReach(ctx, actor, id, "stop reach", core.AuditReachStopped)
}

// AllowReach ends StopReach. It is logged. It returns Unauthenticated, Forbidden, NotFound, and Conflict
// when nothing is stopped.
func (m *Service) AllowReach(ctx context.Context, actor core.Actor, id core.UserID) error {
	return m.changeReach(ctx, actor, id, "allow reach", core.AuditReachAllowed)
}

func (m *Service) changeReach(
	ctx context.Context, actor core.Actor, id core.UserID, operation string, action core.AuditAction,
) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, operation, id, func(tx Tx, now time.Time) (struct{}, error) {
		user, err := tx.LockUser(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("%s of user %d: %w", operation, id, err)
		}
		user.Moderator = m.moderators.Includes(people.Profile{DiscordID: user.DiscordID})
		if err := mayChangeReach(user, actor, action); err != nil {
			return struct{}{}, err
		}
		if action == core.AuditReachStopped {
			err = tx.StopReach(ctx, id, now)
		} else {
			err = tx.AllowReach(ctx, id)
		}
		if err != nil {
			return struct{}{}, fmt.Errorf("%s of user %d: %w", operation, id, err)
		}
		return struct{}{}, tx.AddAuditEntry(ctx,
			core.AuditEntry{At: now, Moderator: actor.UserID, Action: action, Subject: id})
	})
	return err
}

// mayChangeReach fails with Forbidden for a moderator's reach, and with Conflict when there is nothing to
// change.
func mayChangeReach(u people.User, by core.Actor, action core.AuditAction) error {
	stopped := !u.ReachStoppedAt.IsZero()
	switch stops := action == core.AuditReachStopped; {
	case stops && (u.Moderator || u.ID == by.UserID):
		return core.NewError(core.Forbidden, core.NewText("moderator_reach"))
	case stops && stopped:
		return core.NewError(core.Conflict, core.NewText("reach_stopped_already"))
	case !stops && !stopped:
		return core.NewError(core.Conflict, core.NewText("reach_not_stopped"))
	}
	return nil
}
