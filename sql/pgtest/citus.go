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

// cluster are the workers of a Citus whose coordinator TEST_DATABASE_URL names. TEST_CITUS_WORKERS has their addresses, with commas
// between; see tools/lab/citus. Each database of a test is one on every server: what the coordinator's says of the workers is true of the
// copy too, because they are connected to by the name of the database.
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

// distribute makes a new database one of the cluster, with a schema whose tables all lie on one worker: market, the first of the
// search path. The queue's tables stay on the coordinator, in public.
func (c *cluster) distribute(ctx context.Context, database string) error {
	if c == nil {
		return nil
	}
	for _, address := range append([]string{c.coordinator}, c.addresses...) {
		if err := once(ctx, withDatabase(address, database), "create extension citus", "create extension pg_trgm schema public"); err != nil {
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

// migrate makes the tables. Those of the queue stay on the coordinator, and so do the two that are about its transactions and crashes.
func (c *cluster) migrate(ctx context.Context, pool *pgxpool.Pool) error {
	own, err := pgconnect.OpenForMaintenance(ctx, pool.Config(), "tradepost migrate", "")
	if err != nil {
		return err
	}
	defer own.Close()
	if err := schema.MigrateTo(ctx, own, "public", nil, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	for _, sql := range []string{DropForOlder, "alter table changes set schema public", "alter table lives set schema public",
		"grant select, insert, update, delete on all tables in schema public to " + servingRole,
		"grant usage, select, update on all sequences in schema public to " + servingRole} {
		if _, err := own.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// takenAtTables are the sequences whose numbers statements take where the tables are, on a worker.
var takenAtTables = []string{"audit_entries_id_seq", "notices_id_seq", "offers_id_seq", "order_updates_id_seq", "orders_id_seq"}

// shareNumbers lets the serving role take numbers on the workers too, since Citus copies no rights on sequences. It gives the coordinator
// the range from 2^48 on that Citus has given to the worker with the tables, and that worker the coordinator's, which begins with 1: so the
// numbers that are taken there go on from those of a market before it was distributed.
func (c *cluster) shareNumbers(ctx context.Context, database string) error {
	if c == nil {
		return nil
	}
	onWorkers := []string{"set citus.enable_ddl_propagation = off",
		"grant usage, select, update on all sequences in schema market to " + servingRole}
	var onCoordinator []string
	for _, sequence := range takenAtTables {
		onWorkers = append(onWorkers, "alter sequence market."+sequence+" minvalue 1 restart with 1")
		onCoordinator = append(onCoordinator, fmt.Sprintf("select setval('market.%s', %d)", sequence, int64(1)<<48))
	}
	for _, address := range c.addresses {
		if err := once(ctx, withDatabase(address, database), onWorkers...); err != nil {
			return err
		}
	}
	return once(ctx, withDatabase(c.coordinator, database), onCoordinator...)
}

// endConnections ends those of Citus itself to a database.
func (c *cluster) endConnections(database string) string {
	if c == nil {
		return "select"
	}
	return "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '" + database + "'"
}

// Sessions is the view that shows the sessions of every server, as pg_stat_activity does those of one.
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
