package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// forValues runs a query with a plan that is made for its values. Other statements are planned once (see pgconnect): they are
// written such that one plan is right for all values (TestAPageReadsLittleMoreThanItShows). Where it cannot be, because how
// many rows a value matches decides which index is the right one, they are sent by forValues.
func forValues(ctx context.Context, from source, sql string, args []any, read func(pgx.Rows) error) error {
	batch := &pgx.Batch{}
	batch.Queue("begin read only")
	batch.Queue("set local plan_cache_mode = force_custom_plan")
	batch.Queue(sql, args...).Query(read)
	batch.Queue("commit")
	return from.pool.SendBatch(ctx, batch).Close()
}
