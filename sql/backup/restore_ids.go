package backup

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// restoreGap is how many ids a restore skips. Messages in Discord that were sent after the backup name
	// ids that the backup does not know; their buttons must not lead to rows that are made after the
	// restore.
	restoreGap = 1_000_000
	// maxID is the largest integer that every JSON client reads exactly.
	maxID = 1<<53 - 1
)

// sequence is a PostgreSQL sequence, which numbers the rows of a table.
type sequence struct {
	Name, Table, Column string // Table and Column are empty when it belongs to none
	Last, Max           int64
	Replaced            int64 // the last number of the sequence that it replaces; 0 for none
}

// listSequences reads the catalogue, so that no table can be forgotten.
const listSequences = `
select s.relname::text, coalesce(t.relname, '')::text, coalesce(a.attname, '')::text,
    coalesce(pg_sequence_last_value(s.oid), 0), q.seqmax, coalesce(pg_sequence_last_value(replaced.oid), 0)
from pg_class s join pg_sequence q on q.seqrelid = s.oid
left join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass
    and d.refobjsubid > 0 and d.deptype in ('a', 'i')
left join pg_class t on t.oid = d.refobjid
left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
left join pg_class replaced on replaced.relkind = 'S' and replaced.relname = s.relname
    and replaced.relnamespace = $2::text::regnamespace
where s.relkind = 'S' and s.relnamespace = $1::text::regnamespace order by 1`

// advanceSequences advances every sequence, so that the ids given after the restore are at least restoreGap
// above the ids of the backup and of the market that it replaces.
func advanceSequences(ctx context.Context, pool *pgxpool.Pool, target string) error {
	rows, err := pool.Query(ctx, listSequences, stage, pgx.Identifier{target}.Sanitize())
	if err != nil {
		return fmt.Errorf("list the sequences: %w", err)
	}
	sequences, err := pgx.CollectRows(rows, pgx.RowToStructByPos[sequence])
	if err != nil {
		return fmt.Errorf("list the sequences: %w", err)
	}
	for _, s := range sequences {
		last := max(s.Last, s.Replaced)
		if s.Table != "" {
			var highest int64
			query := fmt.Sprintf("select coalesce(max(%s), 0) from %s",
				pgx.Identifier{s.Column}.Sanitize(), pgx.Identifier{stage, s.Table}.Sanitize())
			if err := pool.QueryRow(ctx, query).Scan(&highest); err != nil {
				return fmt.Errorf("find the highest id of %s: %w", s.Table, err)
			}
			last = max(last, highest)
		}
		if last > min(s.Max, maxID)-restoreGap {
			return fmt.Errorf("%s is at %d: there is no room for %d more IDs", s.Name, last, restoreGap)
		}
		if _, err := pool.Exec(ctx, "select setval($1::text::regclass, $2)",
			pgx.Identifier{stage, s.Name}.Sanitize(), last+restoreGap); err != nil {
			return fmt.Errorf("advance %s: %w", s.Name, err)
		}
	}
	return nil
}
