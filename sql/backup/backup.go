// Package backup writes the whole market into a file, and restores it.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgconnect"
	"tradepost/sql/progress"
	"tradepost/sql/schema"
)

// Summary describes the contents of a backup.
type Summary struct {
	Made time.Time
	Rows map[string]int64 // by table

	LogHead string // where the log of moderation ends, for tradepost check --log-head; of a restore only
}

// ErrNoMarket is in the error of a backup of a database without a market.
var ErrNoMarket = errors.New("there is no market in this database")

// leftOut lists the tables that a backup leaves out: the schema versions, which the backup records itself,
// the sessions, the tokens of programs, the prefixes of nonces and the key of hashed networks. A restore must
// not sign users in again who signed out after the backup, nor bring tokens back that have ended, and a
// copied backup must not open an account. A restored database has no backup of its own yet. Public changes
// have numbers of transactions, which mean nothing in another database.
var leftOut = []string{"goose_db_version", "river_migration", "sessions", "tokens", "nonce_prefixes",
	"report_keys", "last_backup", "public_changes", "public_changes_removed"}

// Write writes the whole market as it is at one moment, while the market runs. It blocks only migrations. It
// leaves out unlogged tables: the change feed and the leader of the queue. The meter, which may be nil,
// receives the progress.
func Write(ctx context.Context, dsn string, w io.Writer, meter *progress.Meter) (Summary, error) {
	config, err := pgconnect.Config(dsn, pgconnect.Options{})
	if err != nil {
		return Summary{}, err
	}
	own, err := pgconnect.OpenForMaintenance(ctx, config, "tradepost backup", "")
	if err != nil {
		return Summary{}, err
	}
	defer own.Close()
	conn, err := own.Acquire(ctx)
	if err != nil {
		return Summary{}, fmt.Errorf("connect to back up: %w", err)
	}
	defer conn.Release()
	tx, what, err := snapshot(ctx, conn.Conn())
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	archive, err := newArchive(w, what)
	if err != nil {
		return Summary{}, err
	}
	done := Summary{Made: what.Made, Rows: map[string]int64{}}
	for _, t := range what.Tables {
		meter.Step("copy " + t.Name)
		err := archive.table(t.Name, func(w io.Writer) (int64, error) {
			copied, err := conn.Conn().PgConn().CopyTo(ctx, io.MultiWriter(w, meter), t.copy("to stdout"))
			if err != nil {
				return 0, fmt.Errorf("back up %s: %w", t.Name, err)
			}
			done.Rows[t.Name] = copied.RowsAffected()
			return copied.RowsAffected(), nil
		})
		if err != nil {
			return Summary{}, err
		}
	}
	return done, archive.close()
}

// identifier is the name of the table as SQL has it.
func (t tableShape) identifier() string { return pgx.Identifier{t.Name}.Sanitize() }

// copy is the statement that copies the table.
func (t tableShape) copy(direction string) string {
	columns := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		columns[i] = pgx.Identifier{name}.Sanitize()
	}
	return fmt.Sprintf("copy %s (%s) %s", t.identifier(), strings.Join(columns, ", "), direction)
}

// snapshot begins to read everything as it is now. The tables are locked against migrations first: a
// snapshot that is older than a migration would find the tables of before with the rows of after.
func snapshot(ctx context.Context, conn *pgx.Conn) (pgx.Tx, contents, error) {
	for {
		before, err := describe(ctx, conn)
		if err != nil {
			return nil, before, err
		}
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return nil, before, fmt.Errorf("begin to back up: %w", err)
		}
		names := make([]string, len(before.Tables))
		for i, t := range before.Tables {
			names[i] = t.identifier()
		}
		if _, err = tx.Exec(ctx, "lock table "+strings.Join(names, ", ")+
			" in access share mode"); err == nil {
			var now contents
			if now, err = describe(ctx, conn); err == nil && now.Schema == before.Schema {
				return tx, now, nil
			}
		}
		if rollbackErr := tx.Rollback(ctx); err != nil && !pgconnect.LockTimedOut(err) || rollbackErr != nil {
			return nil, before, fmt.Errorf("begin to back up: %w", errors.Join(err, rollbackErr))
		}
		// It was migrated in between, or is being migrated.
	}
}

// querier is a connection, a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

const describeTables = `
select t.relname::text,
    array(select attname::text from pg_attribute a
        where a.attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum),
    array(select s.relname::text from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        where d.refobjid = t.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') order by 1),
    array(select coalesce(pg_sequence_last_value(s.oid), 0)
        from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        where d.refobjid = t.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        order by s.relname::text),
    array(select r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid
        where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid)
from pg_class t
where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relpersistence = 'p'
    and t.relname <> all ($1) order by 1`

// describe returns the versions and tables to back up.
func describe(ctx context.Context, q querier) (contents, error) {
	is := contents{Format: archiveFormat}
	if err := readVersions(ctx, q, &is.Schema, &is.Made); err != nil {
		return is, err
	}
	rows, err := q.Query(ctx, describeTables, leftOut)
	if err != nil {
		return is, fmt.Errorf("list the tables: %w", err)
	}
	var (
		table     tableShape
		sequences []string
		last      []int64
		refersTo  []string
		refersOf  = map[string][]string{}
	)
	_, err = pgx.ForEachRow(rows, []any{&table.Name, &table.Columns, &sequences, &last, &refersTo},
		func() error {
			t := tableShape{Name: table.Name, Columns: slices.Clone(table.Columns),
				Numbers: map[string]int64{}}
			for i, name := range sequences {
				if last[i] > 0 {
					t.Numbers[name] = last[i]
				}
			}
			is.Tables = append(is.Tables, t)
			refersOf[t.Name] = slices.Clone(refersTo)
			return nil
		})
	if err != nil {
		return is, fmt.Errorf("list the tables: %w", err)
	}
	is.Tables = inOrder(is.Tables, refersOf)
	return is, nil
}

// inOrder puts each table after the tables that it refers to.
func inOrder(tables []tableShape, refersTo map[string][]string) []tableShape {
	ordered := make([]tableShape, 0, len(tables))
	placed := map[string]bool{}
	for len(ordered) < len(tables) {
		before := len(ordered)
		for _, t := range tables {
			ready := !slices.ContainsFunc(refersTo[t.Name], func(other string) bool { return !placed[other] })
			if ready && !placed[t.Name] {
				ordered, placed[t.Name] = append(ordered, t), true
			}
		}
		if len(ordered) == before {
			panic("tables refer to one another in a circle: no order of them can be restored")
		}
	}
	return ordered
}

// readVersions reads the versions of the schema and the database's time.
func readVersions(ctx context.Context, q querier, is *schema.Versions, now *time.Time) error {
	var here bool
	err := q.QueryRow(ctx, "select now(), count(*) = 4 from pg_tables where schemaname = current_schema() "+
		"and tablename in ('goose_db_version', 'river_migration', 'order_updates', 'sent_offers')").
		Scan(now, &here)
	if err != nil {
		return fmt.Errorf("find the market: %w", err)
	}
	if !here {
		return ErrNoMarket
	}
	*now = now.UTC()
	err = q.QueryRow(ctx, "select (select max(version_id) from goose_db_version where is_applied), "+
		"(select max(version) from river_migration where line = 'main')").Scan(&is.Market, &is.Queue)
	if err != nil {
		return fmt.Errorf("read the version of the schema: %w", err)
	}
	return nil
}
