package pgtest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
	"tradepost/sql/schema"
)

// make citus plays it.
func TestEveryMigrationRunsInADistributedSchema(t *testing.T) {
	t.Parallel()
	if os.Getenv("TEST_CITUS_WORKERS") == "" {
		t.Skip("there is no Citus")
	}
	conn, err := pgx.Connect(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var migrations, queue, distributed, local int
	err = conn.QueryRow(t.Context(), `
select (select count(*) from goose_db_version where version_id > 0), (select count(*) from river_migration),
    (select count(*) from pg_dist_partition), (select count(*) from pg_class where relnamespace = 'market'::regnamespace and relkind = 'r'
        and oid not in (select logicalrelid from pg_dist_partition))`).Scan(&migrations, &queue, &distributed, &local)
	if err != nil {
		t.Fatal(err)
	}
	want, err := schema.MarketVersions()
	if err != nil || migrations != len(want) || local != 0 || distributed < 50 {
		t.Errorf("%d of %d migrations, %d tables are distributed, %d of the schema are not: %v", migrations, len(want), distributed, local, err)
	}
	t.Logf("%d migrations of the market in a distributed schema of %d tables, %d of the queue beside it", migrations, distributed, queue)
}
