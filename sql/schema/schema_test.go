package schema_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/migrations"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

func TestTheSchemaIsMadeFromNothingByThreeNodesAtOnce(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	for i, err := range storetest.AtOnce(3, func(int) error {
		pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
		if err != nil {
			return err
		}
		defer pool.Close()
		return schema.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler))
	}) {
		if err != nil {
			t.Errorf("node %d: %v", i, err)
		}
	}
	made := storetest.Schema(t, dsn)
	pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
	storetest.Must(t, err)
	defer pool.Close()
	storetest.Must(t, schema.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)))
	if again := storetest.Schema(t, dsn); again != made {
		t.Errorf("migrating again changed the schema")
	}
	storetest.Must(t, storetest.On(t, dsn, postgres.Options{}).Store.Ping(t.Context()))
}

// Each start completes the migration that was cut off before, and is cut off in the next one. A second database has the
// same migrations without a cut.
func TestAMigrationThatIsCutOffHalfWayCompletesAtTheNextStart(t *testing.T) {
	t.Parallel()
	versions, err := schema.MarketVersions()
	storetest.Must(t, err)
	cut, whole := pgtest.Empty(t), pgtest.Empty(t)
	open := func(dsn string) *pgxpool.Pool {
		pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
		storetest.Must(t, err)
		t.Cleanup(pool.Close)
		return pool
	}
	cutPool, wholePool := open(cut), open(whole)
	storetest.MigrateTo(t, cutPool, schema.Versions{Market: versions[0], Queue: 1})
	conn := storetest.Connect(t, cut)
	for i, version := range versions[:len(versions)-1] {
		// What the migration has done is there, and all connections end before it can say that it is done.
		_, err = conn.Exec(t.Context(), fmt.Sprintf(`
create function cut() returns trigger language plpgsql as $$
begin
    if new.version_id > %d then
        perform pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'tradepost migrate';
        perform pg_sleep(1);
    end if;
    return new;
end $$;
create trigger cut before insert on goose_db_version for each row execute function cut()`, version))
		storetest.Must(t, err)
		if err := schema.Migrate(t.Context(), cutPool, slog.New(slog.DiscardHandler)); err == nil {
			t.Fatalf("migration %d was not cut off", versions[i+1])
		}
		_, err = conn.Exec(t.Context(), "drop function cut cascade")
		storetest.Must(t, err)
		var completed int64
		storetest.Must(t, conn.QueryRow(t.Context(), "select max(version_id) from goose_db_version").Scan(&completed))
		if completed != version {
			t.Fatalf("this start completed migration %d, want %d", completed, version)
		}
		storetest.MigrateTo(t, wholePool, schema.Versions{Market: version, Queue: 1})
		if outsideOfATransaction(t, versions[i+1]) {
			continue // half of it may be left until it is completed
		}
		if now, want := storetest.Schema(t, cut), storetest.Schema(t, whole); now != want {
			t.Fatalf("after migration %d was completed, and %d cut off, the schema is:\n%s\nwant:\n%s",
				version, versions[i+1], now, want)
		}
	}
	storetest.Must(t, schema.Migrate(t.Context(), cutPool, slog.New(slog.DiscardHandler)))
	if now, want := storetest.Schema(t, cut), storetest.Schema(t, pgtest.New(t)); now != want {
		t.Errorf("completed, the schema is:\n%s\nwant:\n%s", now, want)
	}
}

// outsideOfATransaction reports whether a migration is none: an index that is built concurrently can't be in one.
func outsideOfATransaction(t *testing.T, version int64) bool {
	t.Helper()
	names, err := fs.Glob(migrations.Files, fmt.Sprintf("%05d_*.sql", version))
	if err != nil || len(names) != 1 {
		t.Fatalf("the file of migration %d: %v, %v", version, names, err)
	}
	text, err := fs.ReadFile(migrations.Files, names[0])
	storetest.Must(t, err)
	return strings.Contains(string(text), "-- +goose NO TRANSACTION")
}

func TestDoubleAlertsAreMergedAndNoneIsAdded(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
	storetest.Must(t, err)
	defer pool.Close()
	storetest.MigrateTo(t, pool, schema.Versions{Market: 249, Queue: 1})
	conn := storetest.Connect(t, dsn)
	_, err = conn.Exec(t.Context(), `
set session_replication_role = replica; -- the requests are not needed
insert into users (discord_id, username, display_name, created_at, updated_at) values ('1', 'ann', 'Ann', now(), now());
insert into notices (id, user_id, kind, order_id, item_name, state, created_at)
select n, (select id from users), 'request_watched', 7 + n / 3, 'Iron Ore', 'pending', now() from generate_series(1, 4) n`)
	storetest.Must(t, err)
	storetest.Must(t, schema.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)))
	var left []int64
	storetest.Must(t, conn.QueryRow(t.Context(), "select array_agg(id order by id) from notices").Scan(&left))
	if !slices.Equal(left, []int64{1, 3}) {
		t.Errorf("the alerts %v are left, want the first of each request", left)
	}
	_, err = conn.Exec(t.Context(), `insert into notices (id, user_id, kind, order_id, item_name, state, created_at)
select 9, user_id, kind, order_id, item_name, state, created_at from notices where id = 1`)
	var broken *pgconn.PgError
	if !errors.As(err, &broken) || broken.ConstraintName != "notices_one_alert" {
		t.Errorf("a double is added: %v", err)
	}
}

func TestAMarketTradesOnWhileANewerVersionMigrates(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 1_000_000 })
	ctx, stop := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	traded := make(chan struct{}, 1_000_000)
	go func() {
		defer close(failed)
		for ctx.Err() == nil {
			_, err := w.Trade.LogSale(context.WithoutCancel(ctx), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
			if err == nil {
				_, err = w.Match.BrowseOrders(context.WithoutCancel(ctx), match.OrderQuery{})
			}
			if err != nil {
				failed <- err
				return
			}
			traded <- struct{}{}
		}
	}()
	conn := storetest.Connect(t, w.DSN)
	var unused int
	storetest.Must(t, conn.QueryRow(t.Context(), "select count(*) from pg_indexes where indexname in ('river_job_kind', 'river_job_metadata_index')").Scan(&unused))
	if unused != 0 {
		t.Errorf("%d indexes are written for each job and read by nothing", unused)
	}
	// What migrations are allowed to do to a running market, to every table of it.
	rows, err := conn.Query(t.Context(), `
select format('alter table %I add column added_later text not null default ''''', relname) from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'river%' and relname <> 'goose_db_version'
union all select 'alter domain offer_state add constraint later check (value <> ''later'') not valid'
union all select 'alter domain category drop constraint orders_category_short'
union all select 'create table added_later (id bigint)'`)
	storetest.Must(t, err)
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	storetest.Must(t, err)
	if len(statements) < 15 {
		t.Fatalf("only %d tables", len(statements))
	}
	for _, statement := range statements {
		_, err := conn.Exec(t.Context(), statement)
		storetest.Must(t, err)
		select {
		case <-traded:
		case err := <-failed:
			t.Fatalf("after %q: %v", statement, err)
		}
	}
	w.Post(w.Bob)
	w.OfferOn(w.Cat, order, 1)
	stop()
	for err := range failed {
		t.Error(err)
	}
	w.CheckInvariants()
}

func TestAMigrationDoesNotHoldUpTheMarketBehindALongRead(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
	storetest.Must(t, err)
	defer pool.Close()
	storetest.MigrateTo(t, pool, schema.Versions{Market: 2, Queue: 6})
	long := storetest.Connect(t, dsn)
	_, err = long.Exec(t.Context(), "begin; lock table mailboxes in access share mode")
	storetest.Must(t, err)
	done := make(chan error, 1)
	go func() { done <- schema.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)) }()

	// Readers get through, although the migration waits for the table.
	reader := storetest.Connect(t, dsn)
	waiting := 0
	for waiting == 0 {
		storetest.Must(t, reader.QueryRow(t.Context(), `
select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tradepost migrate' and wait_event_type = 'Lock'`).Scan(&waiting))
	}
	_, err = reader.Exec(t.Context(), "select from mailboxes")
	storetest.Must(t, err)
	_, err = long.Exec(t.Context(), "commit")
	storetest.Must(t, err)
	storetest.Must(t, <-done)
}
