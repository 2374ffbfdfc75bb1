package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

const (
	// ManyRemovals is how many orders and offers a moderator removes within ManyRemovalsWithin without a
	// notice.
	ManyRemovals = 10
	// ManyRemovalsWithin is the time over which the removals of a moderator are counted.
	ManyRemovalsWithin = time.Minute
	// ManyRemovalsPause is the least time between two notices to one moderator about the same remover.
	ManyRemovalsPause = 10 * time.Minute
)

// alertModerators notifies the other moderators when the actor has removed more than ManyRemovals things
// within ManyRemovalsWithin. It reaches the accounts of Moderators that are users, and users with a role of
// Moderators that was seen within ModeratorRoleRetention. It is the last step of a removal, so that a
// transaction that waits for its lock keeps no other lock that the holder needs.
func (m *Service) alertModerators(ctx context.Context, tx Tx, actor core.Actor, now time.Time) error {
	if len(m.moderators.Accounts)+len(m.moderators.Roles) == 0 {
		return nil
	}
	removed, err := tx.LockRemovals(ctx, actor.UserID, now.Add(-ManyRemovalsWithin))
	if err != nil {
		return fmt.Errorf("removals of user %d: %w", actor.UserID, err)
	}
	if removed <= ManyRemovals {
		return nil
	}
	others, err := tx.ModeratorsToAlert(ctx, m.moderators, actor.UserID,
		now.Add(-people.ModeratorRoleRetention), now.Add(-ManyRemovalsPause))
	if err != nil {
		return fmt.Errorf("moderators to alert about user %d: %w", actor.UserID, err)
	}
	return notify.AddNotices(ctx, tx, manyRemovalsNotices(actor, removed, others, now))
}

// manyRemovalsNotices says to moderators how many things another one removed within ManyRemovalsWithin.
func manyRemovalsNotices(by core.Actor, removed int, to []core.UserID, now time.Time) []notify.Notice {
	notices := make([]notify.Notice, len(to))
	for i, id := range to {
		notices[i] = notify.Notice{
			User: id, Kind: notify.NoticeManyRemovals, CausedBy: by.UserID, Quantity: removed,
			Contact: by.Username, State: notify.NoticePending, CreatedAt: now,
		}
	}
	return notices
}
