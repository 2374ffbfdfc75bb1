package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// AllowNames stores names that a moderator allows on an order, or on its offer, beside the entry that this
// transaction added last. All names are one user's. It reports false when all of them were allowed before.
func (t *Tx) AllowNames(
	ctx context.Context, order core.OrderID, names []trust.AllowedName, now time.Time,
) (bool, error) {
	t.NoteWrite()
	added, err := t.Q.AllowName(ctx, db.AllowNameParams{
		UserID: kernel.OrNull(int64(names[0].User)), OfferID: kernel.OrNull(int64(names[0].Offer)), At: now,
		Skeletons: kernel.Convert(names, func(a trust.AllowedName) string { return a.Skeleton }),
		Traders:   kernel.Convert(names, func(a trust.AllowedName) int64 { return int64(a.Trader) }),
	})
	if err != nil {
		return false, kernel.Translate(err)
	}
	return added > 0, kernel.Translate(t.Q.RedrawBoardsOf(ctx, int64(order)))
}

// MarkNamesAgain takes back what a moderator allowed with an entry.
func (t *Tx) MarkNamesAgain(ctx context.Context, entry core.AuditEntry) error {
	taken, err := t.Q.MarkNameAgain(ctx, int64(entry.ID))
	if err == nil && taken == 0 {
		err = kernel.NotFound(core.NewText("name_not_allowed"))
	}
	if err != nil {
		return kernel.Translate(err)
	}
	t.NotePosted(entry.OrderID)
	return kernel.Translate(t.Q.RedrawBoardsOf(ctx, int64(entry.OrderID)))
}
