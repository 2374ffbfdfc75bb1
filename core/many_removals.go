package core

import (
	"context"
	"fmt"
	"time"
)

// When the other moderators are notified of one who removes many things at once: it may be a stolen account.
const (
	// ManyRemovals is how many orders and offers a moderator removes within ManyRemovalsWithin without a notice.
	ManyRemovals = 10
	// ManyRemovalsWithin is the time over which the removals of a moderator are counted.
	ManyRemovalsWithin = time.Minute
	// ManyRemovalsPause is the least time between two notices to one moderator about the same remover.
	ManyRemovalsPause = 10 * time.Minute
	// ModeratorRoleRetention is how long a moderator role counts after it was last seen. The bot
	// learns of roles only with what people do.
	ModeratorRoleRetention = 30 * 24 * time.Hour
)

// alertModerators notifies the other moderators when the actor has removed more than ManyRemovals things within
// ManyRemovalsWithin. It reaches the accounts of Moderators that are users, and users with a role of Moderators that was seen
// within ModeratorRoleRetention. It is the last step of a removal, so that a transaction that waits for its lock keeps no other
// lock that the holder needs.
func (m *Market) alertModerators(ctx context.Context, tx Tx, actor Actor, now time.Time) error {
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
	others, err := tx.ModeratorsToAlert(ctx, m.moderators, actor.UserID, now.Add(-ModeratorRoleRetention), now.Add(-ManyRemovalsPause))
	if err != nil {
		return fmt.Errorf("moderators to alert about user %d: %w", actor.UserID, err)
	}
	return addNotices(ctx, tx, manyRemovalsNotices(actor, removed, others, now))
}

// manyRemovalsNotices says to moderators how many things another one removed within ManyRemovalsWithin.
func manyRemovalsNotices(by Actor, removed int, to []UserID, now time.Time) []Notice {
	notices := make([]Notice, len(to))
	for i, id := range to {
		notices[i] = Notice{
			User: id, Kind: NoticeManyRemovals, CausedBy: by.UserID, Quantity: removed, Contact: by.Username, State: NoticePending, CreatedAt: now,
		}
	}
	return notices
}
