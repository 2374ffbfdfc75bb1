package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// NameUses returns under which names accounts have acted here, and the names of established traders'
// accounts at a time.
func (s *Store) NameUses(ctx context.Context, now time.Time) ([]trust.NameUse, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.NameUse, error) {
		rows, err := q.NameUses(ctx, now)
		return kernel.Convert(rows, func(r db.NameUsesRow) trust.NameUse {
			return trust.NameUse{User: core.UserID(r.UserID), Name: r.Name, First: r.First, Surely: r.Surely}
		}), err
	})
}

// AllowedNames returns who may use a name although it looks like an established trader's, sorted.
func (s *Store) AllowedNames(ctx context.Context) ([]trust.AllowedName, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.AllowedName, error) {
		rows, err := q.AllowedNames(ctx)
		return kernel.Convert(rows, func(r db.AllowedNamesRow) trust.AllowedName {
			return trust.AllowedName{Skeleton: r.Skeleton, Trader: core.UserID(r.TraderID),
				User: core.UserID(r.UserID), Offer: core.OfferID(r.OfferID)}
		}), err
	})
}

// AddElders stores accounts that used a name before its trader did.
func (t *Tx) AddElders(ctx context.Context, elders []trust.AllowedName, now time.Time) error {
	if len(elders) == 0 {
		return nil
	}
	return kernel.Translate(t.Q.AddElders(ctx, db.AddEldersParams{
		At:        now,
		Skeletons: kernel.Convert(elders, func(a trust.AllowedName) string { return a.Skeleton }),
		Traders:   kernel.Convert(elders, func(a trust.AllowedName) int64 { return int64(a.Trader) }),
		Users:     kernel.Convert(elders, func(a trust.AllowedName) int64 { return int64(a.User) }),
	}))
}
