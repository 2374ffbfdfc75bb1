package match

import (
	"context"
	"strconv"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// PublicChanges returns up to limit public changes after a place, in the order of their transactions. It
// reads the primary: a standby does not know which transactions are over, nor its crash epoch.
func (s *Store) PublicChanges(
	ctx context.Context, after core.PublicPlace, limit int,
) (core.PublicPage, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.PublicPage, error) {
		most := limit
		if after.IsStart() {
			most = 0
		}
		rows, err := q.PublicChanges(ctx, db.PublicChangesParams{
			AfterXid: strconv.FormatInt(after.Tx, 10), AfterID: after.ID, Most: int32(most)})
		if err != nil {
			return core.PublicPage{}, err
		}
		place := rows[0] // there is always one
		page := core.PublicPage{Next: after}
		if after.IsStart() {
			// Everything below the horizon is over, so the reader gets it next.
			page.Next = core.PublicPlace{Epoch: place.Epoch, Tx: place.Horizon}
			return page, nil
		}
		if after.Epoch != place.Epoch || after.Tx > place.Horizon ||
			after.Tx < place.RemovedXid || after.Tx == place.RemovedXid && after.ID < place.RemovedID {
			page.Missed = true
			return page, nil
		}
		for _, row := range rows {
			if row.ID == 0 {
				break
			}
			page.Changes = append(page.Changes,
				core.PublicChange{Kind: core.PublicKind(row.Kind), ID: row.Thing})
			page.Next.Tx, page.Next.ID = row.Xid, row.ID
		}
		page.More = len(page.Changes) == limit
		return page, nil
	})
}
