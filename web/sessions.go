package web

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

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

func (a peopleOperations) listSessions(ctx context.Context, _ *struct{}) (*answer[sessionsView], error) {
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
	return &answer[sessionsView]{Body: view}, nil
}

func viewSession(s core.Session, current core.SessionID) sessionView {
	return sessionView{ID: s.ID, Agent: s.Agent, Since: s.Since, UsedAt: s.UsedAt, Current: s.ID == current}
}

type endSessionInput struct {
	Keyed
	ID core.SessionID `path:"id" maxLength:"64" doc:"The session's id" example:"5Q2HJYYBKX3D6WZR4M7TANFE2C"`
}

func (a peopleOperations) endSession(ctx context.Context, in *endSessionInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.EndSession(ctx, actor, in.ID)
}

// endSessions signs the user out everywhere, here too.
func (a peopleOperations) endSessions(ctx context.Context, in *leaveInput) error {
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
