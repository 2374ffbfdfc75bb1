package postgres_test

import (
	"log/slog"
	"testing"

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
