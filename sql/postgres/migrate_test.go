package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

func TestTheSchemaIsMadeFromNothingByThreeNodesAtOnce(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	for i, err := range atOnce(3, func(int) error {
		pool, err := postgres.Connect(t.Context(), dsn, postgres.Options{})
		if err != nil {
			return err
		}
		defer pool.Close()
		return postgres.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler))
	}) {
		if err != nil {
			t.Errorf("node %d: %v", i, err)
		}
	}
	made := schema(t, dsn)
	pool, err := postgres.Connect(t.Context(), dsn, postgres.Options{})
	must(t, err)
	defer pool.Close()
	must(t, postgres.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)))
	if again := schema(t, dsn); again != made {
		t.Errorf("migrating again changed the schema")
	}
	w := &world{t: t, dsn: dsn, clock: &clock{}}
	w.store = w.another(postgres.Options{})
	must(t, w.store.Ping(t.Context()))
}

// schema describes every column and constraint.
func schema(t *testing.T, dsn string) string {
	t.Helper()
	var text string
	must(t, connect(t, dsn).QueryRow(t.Context(), `
select (select string_agg(format('%s.%s %s', table_name, column_name, data_type), E'\n' order by table_name, ordinal_position)
        from information_schema.columns where table_schema = 'public')
    || (select string_agg(conname || pg_get_constraintdef(oid), E'\n' order by conname, oid) from pg_constraint)`).Scan(&text))
	return text
}

func TestTheNameOfTheSchemaStaysTheSame(t *testing.T) {
	t.Parallel()
	if a, b := postgres.MigrationsHash(), postgres.MigrationsHash(); a != b || len(a) != 16 {
		t.Errorf("%q and %q", a, b)
	}
}

func TestAMigrationThatIsCutOffHalfWayCompletesAtTheNextStart(t *testing.T) {
	t.Parallel()
	newest, _ := postgres.Newest()
	whole := schema(t, pgtest.New(t))
	for version := int64(1); version < newest; version++ {
		t.Run(fmt.Sprint("from schema ", version), func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.Empty(t)
			pool, err := postgres.Connect(t.Context(), dsn, postgres.Options{})
			must(t, err)
			defer pool.Close()
			must(t, postgres.MigrateTo(t.Context(), pool, version, 1))
			before := schema(t, dsn)

			// What the migration has done is there, and all connections end before it can say that it is done.
			_, err = connect(t, dsn).Exec(t.Context(), `
create function cut() returns trigger language plpgsql as $$
begin
    perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tradepost migrate';
    perform pg_sleep(1);
    return new;
end $$;
create trigger cut before insert on goose_db_version for each row execute function cut()`)
			must(t, err)
			if err := postgres.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)); err == nil {
				t.Fatal("it was not cut off")
			}
			_, err = connect(t, dsn).Exec(t.Context(), "drop function cut cascade")
			must(t, err)
			if after := schema(t, dsn); after != before {
				t.Errorf("half of it is left:\n%s\nwant:\n%s", after, before)
			}
			must(t, postgres.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)))
			if now := schema(t, dsn); now != whole {
				t.Errorf("completed, the schema is:\n%s\nwant:\n%s", now, whole)
			}
		})
	}
}

func TestAMarketTradesOnWhileANewerVersionMigrates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann, func(d *core.OrderDraft) { d.Quantity = 1_000_000 })
	ctx, stop := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	traded := make(chan struct{}, 1_000_000)
	go func() {
		defer close(failed)
		for ctx.Err() == nil {
			_, err := w.LogSale(context.WithoutCancel(ctx), w.ann, order.ID, core.SaleDraft{Quantity: 1})
			if err == nil {
				_, err = w.BrowseOrders(context.WithoutCancel(ctx), core.OrderQuery{})
			}
			if err != nil {
				failed <- err
				return
			}
			traded <- struct{}{}
		}
	}()
	// What migrations are allowed to do to a running market, to every table of it.
	conn := connect(t, w.dsn)
	rows, err := conn.Query(t.Context(), `
select format('alter table %I add column added_later text not null default ''''', relname) from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'river%' and relname <> 'goose_db_version'
union all select 'alter domain offer_state add constraint later check (value <> ''later'') not valid'
union all select 'alter domain category drop constraint orders_category_short'
union all select 'create table added_later (id bigint)'`)
	must(t, err)
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if len(statements) < 15 {
		t.Fatalf("only %d tables", len(statements))
	}
	for _, statement := range statements {
		_, err := conn.Exec(t.Context(), statement)
		must(t, err)
		select {
		case <-traded:
		case err := <-failed:
			t.Fatalf("after %q: %v", statement, err)
		}
	}
	w.post(w.bob)
	w.offer(w.cat, order, 1)
	stop()
	for err := range failed {
		t.Error(err)
	}
	w.keepsItsPromises()
}

func TestAMigrationDoesNotHoldUpTheMarketBehindALongRead(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	pool, err := postgres.Connect(t.Context(), dsn, postgres.Options{})
	must(t, err)
	defer pool.Close()
	must(t, postgres.MigrateTo(t.Context(), pool, 2, 6))
	long := connect(t, dsn)
	_, err = long.Exec(t.Context(), "begin; lock table mailboxes in access share mode")
	must(t, err)
	done := make(chan error, 1)
	go func() { done <- postgres.Migrate(t.Context(), pool, slog.New(slog.DiscardHandler)) }()

	// Whoever reads gets through, although the migration waits for the table.
	reader := connect(t, dsn)
	waiting := 0
	for waiting == 0 {
		must(t, reader.QueryRow(t.Context(), `
select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tradepost migrate' and wait_event_type = 'Lock'`).Scan(&waiting))
	}
	began := time.Now()
	_, err = reader.Exec(t.Context(), "select from mailboxes")
	must(t, err)
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("a reader waited %s", took)
	}
	_, err = long.Exec(t.Context(), "commit")
	must(t, err)
	must(t, <-done)
}
