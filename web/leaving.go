package web

import (
	"context"
	"fmt"
)

type leaveInput struct {
	Keyed
}

// leave hides everything of the user's, which is deleted later, and signs them out everywhere.
func (a peopleOperations) leave(ctx context.Context, in *leaveInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	if _, err := a.market.Leave(ctx, actor); err != nil {
		return err
	}
	if err := a.session.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// cancelLeaving is the one thing that a user can do who is leaving.
func (a peopleOperations) cancelLeaving(ctx context.Context, in *leaveInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.CancelLeaving(ctx, actor)
}
