package market

import (
	"context"
	"fmt"

	"tradepost/core"
)

// Counts returns the counts beside the actor's tabs. It fails with Unauthenticated.
func (m *Market) Counts(ctx context.Context, actor core.Actor) (Counts, error) {
	if err := actor.MustBeUser(); err != nil {
		return Counts{}, err
	}
	counts, err := m.store.Counts(ctx, actor.UserID, m.Now())
	if err != nil {
		return Counts{}, fmt.Errorf("counts of user %d: %w", actor.UserID, err)
	}
	return counts, nil
}

// Counts are the numbers shown on a user's tabs.
type Counts struct {
	Active    int // orders that are open and not expired
	Fulfilled int // and not archived
	Archived  int
	Expired   int
	Unread    int // notices
	Received  int // offers that wait for the user's answer
}
