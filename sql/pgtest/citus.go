package pgtest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgconnect"
	"tradepost/sql/schema"
)

// cluster is a Citus cluster. TEST_DATABASE_URL names its coordinator and TEST_CITUS_WORKERS the addresses of
// its workers, separated by commas; see tools/lab/citus. Each test has a database of the same name on every
// server. The coordinator's metadata about the workers is valid in a copy of its database too, because it
// connects to them by the name of the database.
type cluster struct {
	coordinator string
	workers     []*pgxpool.Pool
	addresses   []string
}

func newCluster(ctx context.Context, coordinator, workers string) (*cluster, error) {
	if workers == "" {
		return nil, nil
	}
	c := &cluster{coordinator: coordinator, addresses: strings.Split(workers, ",")}
	for _, address := range c.addresses {
		pool, err := pgxpool.New(context.WithoutCancel(ctx), address)
		if err != nil {
			return nil, err
		}
		c.workers = append(c.workers, pool)
	}
	return c, nil
}

// exec runs a statement on every worker; on none where there is no cluster.
func (c *cluster) exec(ctx context.Context, sql string) error {
	if c == nil {
		return nil
	}
	for _, worker := range c.workers {
		if _, err := worker.Exec(ctx, sql); err != nil {
			return fmt.Errorf("on a worker: %w", err)
		}
	}
	return nil
}

// distribute adds a new database to the cluster, with the schema market, the first of the search path. All
// tables of that schema are on one worker. The queue's tables stay on the coordinator, in public.
func (c *cluster) distribute(ctx context.Context, database string) error {
	if c == nil {
		return nil
	}
	for _, address := range append([]string{c.coordinator}, c.addresses...) {
		if err := once(ctx, withDatabase(address, database), "create extension citus",
			"create extension pg_trgm schema public"); err != nil {
			return err
		}
	}
	host, port, err := place(c.coordinator)
	if err != nil {
		return err
	}
	statements := []string{fmt.Sprintf("select citus_set_coordinator_host('%s', %d)", host, port)}
	for _, address := range c.addresses {
		if host, port, err = place(address); err != nil {
			return err
		}
		statements = append(statements, fmt.Sprintf("select citus_add_node('%s', %d)", host, port))
	}
	statements = append(statements, "set citus.enable_schema_based_sharding = on", "create schema market")
	return once(ctx, withDatabase(c.coordinator, database), statements...)
}

// migrate makes the tables. The queue's tables stay on the coordinator, and so do the tables about its
// transactions and crashes.
func (c *cluster) migrate(ctx context.Context, pool *pgxpool.Pool) error {
	own, err := pgconnect.OpenForMaintenance(ctx, pool.Config(), "tradepost migrate", "")
	if err != nil {
		return err
	}
	defer own.Close()
	if err := schema.MigrateTo(ctx, own, "public", nil, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	for _, sql := range []string{DropForOlder, "alter table changes set schema public",
		"alter table lives set schema public",
		// Citus does not move a table whose ids are an identity.
		"create table public.public_changes (like public_changes including all)",
		"drop table public_changes",
		"alter table public_changes_removed set schema public",
		"grant select, insert, update, delete on all tables in schema public to " + servingRole,
		"grant usage, select, update on all sequences in schema public to " + servingRole} {
		if _, err := own.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// takenAtTables lists the sequences that statements advance on the worker with the tables.
var takenAtTables = []string{"audit_entries_id_seq", "notices_id_seq", "offers_id_seq",
	"order_updates_id_seq", "orders_id_seq"}

// shareNumbers lets the serving role take numbers on the workers too, since Citus copies no rights on
// sequences. It gives the coordinator the range from 2^48 on that Citus has given to the worker with the
// tables, and that worker the coordinator's, which begins with 1: so the worker's numbers continue from the
// numbers of a market before it was distributed.
func (c *cluster) shareNumbers(ctx context.Context, database string) error {
	if c == nil {
		return nil
	}
	onWorkers := []string{"set citus.enable_ddl_propagation = off",
		"grant usage, select, update on all sequences in schema market to " + servingRole}
	var onCoordinator []string
	for _, sequence := range takenAtTables {
		onWorkers = append(onWorkers, "alter sequence market."+sequence+" minvalue 1 restart with 1")
		onCoordinator = append(onCoordinator,
			fmt.Sprintf("select setval('market.%s', %d)", sequence, int64(1)<<48))
	}
	for _, address := range c.addresses {
		if err := once(ctx, withDatabase(address, database), onWorkers...); err != nil {
			return err
		}
	}
	return once(ctx, withDatabase(c.coordinator, database), onCoordinator...)
}

// endConnections returns the statement that ends Citus's own connections to a database.
func (c *cluster) endConnections(database string) string {
	if c == nil {
		return "select"
	}
	return "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '" + database + "'"
}

// Sessions returns the view that shows the sessions of every server, as pg_stat_activity does for one server.
func Sessions() string {
	if os.Getenv("TEST_CITUS_WORKERS") != "" {
		return "citus_stat_activity"
	}
	return "pg_stat_activity"
}

func place(address string) (host string, port int, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", 0, err
	}
	port, err = strconv.Atoi(u.Port())
	return u.Hostname(), port, err
}

// once runs statements on a connection of their own.
func once(ctx context.Context, dsn string, statements ...string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	for _, sql := range statements {
		if _, err = conn.Exec(ctx, sql); err != nil {
			err = fmt.Errorf("%s: %w", sql, err)
			break
		}
	}
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
