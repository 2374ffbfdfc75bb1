package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/progress"
	"tradepost/sql/schema"
)

// stage is the schema in which a backup is built up. At the end it replaces the existing tables at once;
// until then nothing is changed, whatever goes wrong.
const stage = "tradepost_restoring"

// RestoreOptions configures a restore.
type RestoreOptions struct {
	Replace bool // a market that is there already
	// OnlyVerify restores the backup beside the existing tables, checks every invariant and leaves the
	// database as it was.
	OnlyVerify bool
	Log        *slog.Logger
	Meter      *progress.Meter // receives the progress; may be nil
}

// ErrHoldsAMarket is in the error of a restore that would overwrite one.
var ErrHoldsAMarket = errors.New("the database holds a market already")

// Restore writes the market of a backup into the database, migrated to this version, once it keeps every
// invariant. When it fails nothing has changed.
func Restore(ctx context.Context, dsn string, r io.Reader, opts RestoreOptions) (Summary, error) {
	archive, err := openArchive(r)
	if err != nil {
		return Summary{}, err
	}
	if err := known(archive.Schema); err != nil {
		return Summary{}, err
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	config, err := pgconnect.Config(dsn, pgconnect.Options{})
	if err != nil {
		return Summary{}, err
	}
	front, err := pgconnect.OpenForMaintenance(ctx, config, restoreName, "")
	if err != nil {
		return Summary{}, err
	}
	defer front.Close()
	// A program that starts on this database waits until this is done.
	holder, err := schema.Lock(ctx, front)
	if err != nil {
		return Summary{}, err
	}
	defer holder.Release()
	target, err := makeRoom(ctx, front, opts.Replace)
	if err != nil {
		return Summary{}, err
	}
	back, err := pgconnect.OpenForMaintenance(ctx, config, restoreName,
		stage+","+pgx.Identifier{target}.Sanitize())
	if err != nil {
		return Summary{}, err
	}
	defer back.Close()
	done, err := build(ctx, back, archive, opts)
	if err == nil {
		err = advanceSequences(ctx, back, target)
	}
	if err == nil {
		opts.Meter.Step("check the invariants")
		err = keepsInvariants(ctx, back)
	}
	if err == nil {
		done.LogHead, err = invariants.LogHead(ctx, back, "")
	}
	if err == nil && !opts.OnlyVerify {
		err = takePlace(ctx, back, target)
	}
	if err != nil || opts.OnlyVerify {
		// Only cleanup: the next restore begins with it, too.
		_, _ = front.Exec(context.WithoutCancel(ctx), "drop schema if exists "+stage+" cascade")
	}
	if err != nil {
		return Summary{}, err
	}
	return done, nil
}

const restoreName = "tradepost restore"

// known returns an error for a backup of a newer schema than this program's.
func known(is schema.Versions) error {
	newest, err := schema.Newest()
	if err != nil {
		return err
	}
	if is.Market > newest.Market || is.Queue > newest.Queue {
		return fmt.Errorf("the backup was made by a newer version (schema %d and %d, "+
			"this one knows %d and %d): restore it with that one",
			is.Market, is.Queue, newest.Market, newest.Queue)
	}
	return nil
}

// makeRoom makes room for the stage, and returns the schema of the market. It fails where
// something would be lost.
func makeRoom(ctx context.Context, pool *pgxpool.Pool, replace bool) (target string, err error) {
	var running int
	err = pool.QueryRow(ctx, "select coalesce(current_schema(), ''), (select count(*) from pg_stat_activity "+
		"where datname = current_database() and application_name like 'tradepost%' "+
		"and application_name <> $1)", restoreName).Scan(&target, &running)
	switch {
	case err != nil:
		return "", fmt.Errorf("read the database: %w", err)
	case target == "":
		return "", errors.New("the database has no schema to put the market in: " +
			"create one, or name one in search_path")
	case running > 0:
		return "", fmt.Errorf("a market runs on this database (%d connections): stop it first", running)
	}
	if err := mayReplace(ctx, pool, replace); err != nil {
		return "", err
	}
	for _, statement := range []string{
		"create extension if not exists pg_trgm", // beside the market: it outlives the stage
		"drop schema if exists " + stage + " cascade",
		"create schema " + stage,
	} {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return "", fmt.Errorf("make room for the backup: %w", err)
		}
	}
	return target, nil
}

// fromTheStart reports whether a market that was only ever started has rows in a table: the work of its
// queue, its rules as they are at first, and the items of its game.
func fromTheStart(table string) bool {
	return strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "catalogue_") ||
		table == "market_rules"
}

// mayReplace returns an error where rows would be lost without --replace.
func mayReplace(ctx context.Context, pool *pgxpool.Pool, replace bool) error {
	is, err := describe(ctx, pool)
	if errors.Is(err, ErrNoMarket) || err == nil && replace {
		return nil // tables of another program make takePlace fail
	}
	if err != nil {
		return err
	}
	for _, t := range is.Tables {
		if fromTheStart(t.Name) {
			continue
		}
		var rows bool
		if err := pool.QueryRow(ctx, "select exists (select from "+t.identifier()+
			")").Scan(&rows); err != nil {
			return fmt.Errorf("read %s: %w", t.Name, err)
		}
		if rows {
			return ErrHoldsAMarket
		}
	}
	return nil
}

// build makes the tables as they were, fills them and brings them to this version.
func build(
	ctx context.Context, pool *pgxpool.Pool, archive *archiveReader, opts RestoreOptions,
) (Summary, error) {
	quiet := slog.New(slog.DiscardHandler)
	if err := schema.MigrateTo(ctx, pool, stage, &archive.Schema, quiet); err != nil {
		return Summary{}, err
	}
	done := Summary{Made: archive.Made, Rows: map[string]int64{}}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		return fill(ctx, tx, archive, done.Rows,
			opts.Meter)
	})
	if err != nil {
		return Summary{}, err
	}
	opts.Meter.Step("analyze and migrate")
	if _, err := pool.Exec(ctx, "analyze"); err != nil {
		return Summary{}, fmt.Errorf("check the restored rows: %w", err)
	}
	return done, schema.MigrateTo(ctx, pool, stage, nil, opts.Log)
}

// fill copies the rows into the empty tables. Triggers are silent: what they would note is in the backup.
func fill(
	ctx context.Context, tx pgx.Tx, archive *archiveReader, rows map[string]int64, meter *progress.Meter,
) error {
	here, err := describe(ctx, tx)
	if err != nil {
		return err
	}
	if err := sameTables(archive.Tables, here.Tables); err != nil {
		return err
	}
	for _, t := range here.Tables {
		name := t.identifier()
		if _, err := tx.Exec(ctx, "alter table "+name+" disable trigger user; truncate "+name+
			" cascade"); err != nil {
			return fmt.Errorf("make %s ready: %w", t.Name, err)
		}
	}
	for _, t := range archive.Tables {
		meter.Step("copy " + t.Name)
		reader := archive.table(t.Name)
		copied, err := tx.Conn().PgConn().CopyFrom(ctx, io.TeeReader(reader, meter), t.copy("from stdin"))
		switch {
		case reader.broken != nil:
			return reader.broken
		case err != nil && refusedRows(err):
			return damaged("%s: %w", t.Name, err)
		case err != nil:
			return fmt.Errorf("restore %s: %w", t.Name, err)
		}
		reader.done(copied.RowsAffected())
		rows[t.Name] = copied.RowsAffected()
		for sequence, last := range t.Numbers {
			if _, err := tx.Exec(ctx, "select setval($1::text::regclass, $2)",
				pgx.Identifier{sequence}.Sanitize(), last); err != nil {
				return fmt.Errorf("restore %s: %w", sequence, err)
			}
		}
	}
	for _, t := range here.Tables {
		if _, err := tx.Exec(ctx, "alter table "+t.identifier()+" enable trigger user"); err != nil {
			return fmt.Errorf("restore %s: %w", t.Name, err)
		}
	}
	return archive.close()
}

// refusedRows reports whether the rows were at fault: the version that stored them had taken them, so they
// were changed since.
func refusedRows(err error) bool {
	var pg *pgconn.PgError
	// no such value, a broken constraint
	return errors.As(err, &pg) && (pg.Code[:2] == "22" || pg.Code[:2] == "23")
}

// sameTables returns an error when the tables of an archive differ from the tables that its version has here.
func sameTables(archive, here []tableShape) error {
	for _, t := range archive {
		i := slices.IndexFunc(here, func(h tableShape) bool { return h.Name == t.Name })
		if i < 0 || !slices.Equal(t.Columns, here[i].Columns) {
			return damaged("the table %s is not as its version has it", t.Name)
		}
	}
	if len(archive) != len(here) {
		return damaged("it has %d tables where its version has %d", len(archive), len(here))
	}
	return nil
}

func keepsInvariants(ctx context.Context, pool *pgxpool.Pool) error {
	broken, err := invariants.Check(ctx, pool)
	if err != nil {
		return fmt.Errorf("check what was restored: %w", err)
	}
	if len(broken) > 0 {
		return fmt.Errorf("the backup breaks %d invariants and was not restored; the first: %s", len(broken),
			broken[0])
	}
	return nil
}

// moves lists the queries that write the statements which replace the target's tables, functions and other
// objects by the stage's. They leave out objects of extensions.
var moves = []struct{ what, query string }{
	{"views of before", `
select format('drop view if exists %I.%I', $2::text, relname) from pg_class
where relnamespace = $1::regnamespace and relkind = 'v'`},
	{"tables of before", `
select format('drop table %s', string_agg(format('%I.%I', $2::text, old.relname), ', ')) from pg_class old
where old.relnamespace = $2::regnamespace and old.relkind in ('r', 'p')
    and exists (select from pg_class new where new.relnamespace = $1::regnamespace
        and new.relkind in ('r', 'p') and new.relname = old.relname) having count(*) > 0`},
	{"functions of before", `
select format('drop function %s', old.oid::regprocedure) from pg_proc old
where old.pronamespace = $2::regnamespace
    and not exists (select from pg_depend where objid = old.oid and deptype = 'e')
    and exists (select from pg_proc new
        where new.pronamespace = $1::regnamespace and new.proname = old.proname)`},
	{"types of before", `
select format('drop type %I.%I', $2::text, old.typname) from pg_type old
where old.typnamespace = $2::regnamespace and old.typtype in ('d', 'e')
    and exists (select from pg_type new
        where new.typnamespace = $1::regnamespace and new.typname = old.typname)`},
	{"tables and views", `
select format('alter table %I.%I set schema %I', $1::text, relname, $2::text) from pg_class
where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v')`},
	{"functions", "select format('alter function %s set schema %I', oid::regprocedure, $2::text) " +
		"from pg_proc where pronamespace = $1::regnamespace"},
	{"types", `
select format('alter type %I.%I set schema %I', $1::text, typname, $2::text) from pg_type
where typnamespace = $1::regnamespace and typtype in ('d', 'e')`},
}

// takePlace replaces the target's objects by the stage's in one transaction.
func takePlace(ctx context.Context, pool *pgxpool.Pool, target string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := strangers(ctx, tx, target); err != nil {
			return err
		}
		for _, move := range moves {
			rows, err := tx.Query(ctx, move.query, stage, target)
			if err != nil {
				return fmt.Errorf("put the %s in place: %w", move.what, err)
			}
			statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return fmt.Errorf("put the %s in place: %w", move.what, err)
			}
			for _, statement := range statements {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return fmt.Errorf("put the %s in place: %w", move.what, err)
				}
			}
		}
		// Not with what is in it: nothing may be left.
		if _, err := tx.Exec(ctx, "drop schema "+stage); err != nil {
			return fmt.Errorf("leave the stage: %w", err)
		}
		return nil
	})
}

// strangers returns an error for tables that have the names of the market's and belong to another program.
func strangers(ctx context.Context, tx pgx.Tx, target string) error {
	var same, markets int
	err := tx.QueryRow(ctx, `
select count(*), count(*) filter (where relname in ('goose_db_version', 'order_updates', 'sent_offers'))
from pg_class old where old.relnamespace = $2::regnamespace and old.relkind in ('r', 'v', 'm', 'f', 'p')
    and exists (select from pg_class new where new.relnamespace = $1::regnamespace
        and new.relkind in ('r', 'p') and new.relname = old.relname)`, stage, target).Scan(&same, &markets)
	if err != nil {
		return fmt.Errorf("read the existing schema: %w", err)
	}
	if same > 0 && markets < 3 {
		return fmt.Errorf("%d tables with the names of the market's belong to something else: "+
			"restore into a database of its own", same)
	}
	return nil
}
