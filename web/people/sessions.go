package people

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/web/kernel"
)

// SessionView is the JSON shape of a browser in which a user is signed in.
type SessionView struct {
	ID      core.SessionID `json:"id" doc:"Names the session; it can't be used to sign in" example:"5Q2HJYYBKX3D6WZR4M7TANFE2C"`
	Agent   string         `json:"agent" doc:"The browser and the system; empty when not known" example:"Firefox on Windows"`
	Since   time.Time      `json:"since" doc:"When the user signed in"`
	UsedAt  time.Time      `json:"usedAt" doc:"When it was last used, to the hour"`
	Current bool           `json:"current" doc:"The session of this call"`
}

type sessionsView struct {
	Sessions []SessionView `json:"sessions" doc:"The latest used first"`
}

func (a operations) listSessions(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[sessionsView], error) {
	all, err := a.Market.People.Sessions(ctx, in.By)
	if err != nil {
		return nil, err
	}
	view := sessionsView{Sessions: make([]SessionView, 0, len(all))}
	for _, s := range all {
		view.Sessions = append(view.Sessions, ViewSession(s, a.Session.ID(ctx)))
	}
	return &kernel.Answer[sessionsView]{Body: view}, nil
}

// ViewSession returns the shape of a session; current is the session of the call.
func ViewSession(s people.Session, current core.SessionID) SessionView {
	return SessionView{ID: s.ID, Agent: s.Agent, Since: s.Since, UsedAt: s.UsedAt, Current: s.ID == current}
}

type endSessionInput struct {
	kernel.Keyed
	ID core.SessionID `path:"id" maxLength:"64" doc:"The session's id" example:"5Q2HJYYBKX3D6WZR4M7TANFE2C"`
}

func (a operations) endSession(ctx context.Context, in *endSessionInput) error {
	return a.Market.People.EndSession(ctx, in.By, in.ID)
}

// endSessions signs the user out everywhere, here too.
func (a operations) endSessions(ctx context.Context, in *leaveInput) error {
	if err := a.Market.People.EndSessions(ctx, in.By); err != nil {
		return err
	}
	if err := a.Session.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
