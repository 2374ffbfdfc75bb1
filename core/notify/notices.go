package notify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// AddNotices stores notices, and ends the ones that are for the inbox alone.
func AddNotices(ctx context.Context, tx Tx, notices []Notice) error {
	if len(notices) == 0 {
		return nil
	}
	for i, n := range notices {
		// Some kinds are for the inbox alone.
		if state, reason := (Mailbox{}).EndsUnsent(n, n.CreatedAt); n.State == NoticePending &&
			state != NoticePending {
			notices[i].State, notices[i].Reason, notices[i].SettledAt = state, reason, n.CreatedAt
		}
	}
	if err := tx.AddNotices(ctx, notices); err != nil {
		return fmt.Errorf("add notices: %w", err)
	}
	return nil
}

// Ranked returns alerts as a message lists them: by rank, then the newest first.
func Ranked(alerts []Notice) []Notice {
	ranked := slices.Clone(alerts)
	slices.SortStableFunc(ranked, func(a, b Notice) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(b.ID, a.ID))
	})
	return ranked
}
