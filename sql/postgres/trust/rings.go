package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Rings returns the accounts that are set aside, by decision, the latest first.
func (s *Store) Rings(ctx context.Context, limit int) ([]trust.Ring, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.Ring, error) {
		rows, err := q.Rings(ctx, int32(limit))
		var rings []trust.Ring
		for _, r := range rows {
			if len(rings) == 0 || rings[len(rings)-1].ID != core.RingID(r.Ring) {
				rings = append(rings, trust.Ring{ID: core.RingID(r.Ring), At: r.At, Reason: r.Reason})
			}
			ring := &rings[len(rings)-1]
			ring.Members = append(ring.Members, people.User{ID: r.ID, Username: r.Username})
		}
		return rings, err
	})
}

// SetAside sets users aside as one ring and returns the users that were not before.
func (t *Tx) SetAside(
	ctx context.Context, users []core.UserID, reason string, now time.Time,
) ([]core.UserID, error) {
	t.NoteWrite()
	t.NoteAnyTrade()
	ids, err := t.Q.SetAside(ctx, db.SetAsideParams{Users: kernel.Raw(users), Reason: reason, Now: now})
	return kernel.IDs[core.UserID](ids), kernel.Translate(err)
}

// CountAgain ends a ring and returns who was in it.
func (t *Tx) CountAgain(ctx context.Context, ring core.RingID) ([]core.UserID, error) {
	t.NoteWrite()
	t.NoteAnyTrade()
	ids, err := t.Q.CountAgain(ctx, int64(ring))
	return kernel.IDs[core.UserID](ids), kernel.Translate(err)
}
