package people

import (
	"context"
	"fmt"

	"tradepost/web/kernel"
)

type leaveInput struct {
	kernel.Keyed
}

// leave hides everything of the user's, which is deleted later, and signs them out everywhere.
func (a operations) leave(ctx context.Context, in *leaveInput) error {
	if _, err := a.Market.Leave(ctx, in.By); err != nil {
		return err
	}
	if err := a.Session.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// cancelLeaving cancels the deletion of the account. A user who is leaving can do nothing else.
func (a operations) cancelLeaving(ctx context.Context, in *leaveInput) error {
	return a.Market.CancelLeaving(ctx, in.By)
}
