package kernel

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// ForValues runs a query with a plan that is made for its values. Other statements are planned once (see
// pgconnect): they are written such that one plan is right for all values
// (TestAPageReadsLittleMoreThanItShows). Where it cannot be, because how many rows a value matches decides
// which index is the right one, they are sent by forValues.
func ForValues(ctx context.Context, from Source, sql string, args []any, read func(pgx.Rows) error) error {
	batch := &pgx.Batch{}
	batch.Queue("begin read only")
	batch.Queue("set local plan_cache_mode = force_custom_plan")
	batch.Queue(sql, args...).Query(read)
	batch.Queue("commit")
	return from.Pool.SendBatch(ctx, batch).Close()
}
