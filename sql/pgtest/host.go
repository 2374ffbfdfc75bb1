package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgembed"
	"tradepost/sql/schema"
)

// host is a server that test databases are made on.
type host struct {
	admin    *pgxpool.Pool
	cluster  *cluster // nil unless tests run on a distributed PostgreSQL
	dsn      func(database string) string
	lasting  bool // it outlives the tests
	template func() (string, error)
	leases   *os.File // open, and so locked, for as long as the process runs
}

// process returns the server that this process's tests share with the tests of other processes.
var process = sync.OnceValues(func() (*host, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	given := os.Getenv("TEST_DATABASE_URL")
	if given == "" {
		address, leases, err := lease()
		if err != nil {
			return nil, fmt.Errorf("start a server for tests: %w", err)
		}
		h, err := newHost(ctx, address, func(database string) string {
			return withDatabase(address,
				database)
		})
		if err != nil {
			return nil, fmt.Errorf("use the server of other tests: %w", err)
		}
		h.leases = leases
		return h, nil
	}
	h, err := newHost(ctx, given, func(database string) string { return withDatabase(given, database) })
	if err != nil {
		return nil, fmt.Errorf("use TEST_DATABASE_URL: %w", err)
	}
	h.lasting = true
	if h.cluster, err = newCluster(ctx, given, os.Getenv("TEST_CITUS_WORKERS")); err != nil {
		return nil, fmt.Errorf("use TEST_CITUS_WORKERS: %w", err)
	}
	return h, h.dropForgotten(ctx)
})

func serverOptions() pgembed.Options {
	from := "."
	if root, err := checkout(); err == nil {
		from = root // tests run in the folders of their own checkout
	}
	return pgembed.Options{DataDir: roomiest(), Temporary: true, Fast: true, SearchFrom: []string{from}}
}

// Installed returns the folder of the binaries that npm has installed in the checkout, and "" when there
// are none.
func Installed() string {
	root, err := checkout()
	if err != nil {
		return ""
	}
	for _, project := range []string{filepath.Join(root, "dashboard"), root} {
		dir := pgembed.NPMFolder(project)
		if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
			return dir
		}
	}
	return ""
}

// checkout returns the folder of the product's module around the working directory, or the working directory
// itself. It passes over a module within it, such as tools/lab.
func checkout() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		module, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(module, []byte("module tradepost\n")) {
			return dir, nil
		}
	}
	return here, nil
}

func shared(t testing.TB) *host {
	t.Helper()
	h, err := process()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func newHost(ctx context.Context, admin string, dsn func(string) string) (*host, error) {
	config, err := pgxpool.ParseConfig(admin)
	if err != nil {
		return nil, err
	}
	config.MaxConns = maxConns
	// The server may have been killed since, on purpose.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, err
	}
	h := &host{admin: pool, dsn: dsn}
	h.template = sync.OnceValues(func() (string, error) {
		// Not one test's context: others wait for this too.
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return h.makeTemplate(ctx)
	})
	return h, pool.Ping(ctx)
}

// withDatabase changes the database in an address of either form.
func withDatabase(dsn, database string) string {
	if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
		u.Path = "/" + database
		query := u.Query()
		query.Del("dbname") // it would win over the path
		u.RawQuery = query.Encode()
		return u.String()
	}
	return dsn + " dbname=" + database // the last one wins
}

// migrated makes a copy of the template.
func (h *host) migrated(t testing.TB) string {
	t.Helper()
	template, err := h.template()
	if err != nil {
		t.Fatalf("make a template for test databases: %v", err)
	}
	return h.database(t, template)
}

// number makes the names of this process's databases unique.
var number atomic.Int64

// prefix begins the name of every test database. The time that follows it says when the database may be
// forgotten.
const prefix = "t_"

// database makes a database that lives as long as the test.
func (h *host) database(t testing.TB, template string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	name, err := h.create(ctx, template)
	if err != nil {
		t.Fatalf("make a test database: %v", err)
	}
	t.Cleanup(func() { h.dispose(t, name) })
	return h.dsn(name)
}

func (h *host) create(ctx context.Context, template string) (name string, err error) {
	name = fmt.Sprintf("%s%d_%d_%d", prefix, time.Now().Unix(), os.Getpid(), number.Add(1))
	create := "create database " + name + " template " + template + " strategy file_copy"
	if err := h.cluster.exec(ctx, create); err != nil {
		return name, err
	}
	_, err = h.admin.Exec(ctx, create)
	return name, err
}

// dispose drops a test's database, or says where it is when the test failed.
func (h *host) dispose(t testing.TB, name string) {
	if t.Failed() {
		until := "until its server ends, seconds after the last test (TEST_DATABASE_URL keeps it longer)"
		if h.lasting {
			until = "for a day"
		}
		t.Logf("the test's database is kept %s: %s", until, h.dsn(name))
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.drop(ctx, name); err != nil {
		t.Errorf("drop the test's database: %v", err)
	}
}

func (h *host) drop(ctx context.Context, name string) error {
	drop := "drop database if exists " + pgx.Identifier{name}.Sanitize() + " with (force)"
	_, err := h.admin.Exec(ctx, drop)
	err = errors.Join(err, h.cluster.exec(ctx, drop))
	// Background processes of Citus may connect again while a database is dropped.
	for tries := 0; h.cluster != nil && err != nil && tries < 20; tries++ {
		_, err = h.admin.Exec(ctx, drop)
		err = errors.Join(err, h.cluster.exec(ctx, drop))
	}
	return err
}

// templateLock is taken while a template is made, since several processes may need it at once.
const templateLock = 0x70677465 // "pgte"

// makeTemplate makes the migrated database that others are copied from, unless it is there. Its name contains
// a hash of the migrations, so an existing template is right; it gets that name last, so it is whole too.
func (h *host) makeTemplate(ctx context.Context) (string, error) {
	name := "template_" + schemaName() + "_2" // the number changes with what is given to the serving role
	if h.cluster != nil {
		name += "_citus"
	}
	conn, err := h.admin.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", templateLock); err != nil {
		return "", err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)",
			templateLock)
	}()

	var there bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)",
		name).Scan(&there); err != nil || there {
		return name, err
	}
	draft := name + "_new"
	if err := h.drop(ctx, draft); err != nil {
		return "", err
	}
	for _, sql := range []string{"create database " + draft + " template template0 strategy file_copy",
		makeServingRole} {
		if err := h.cluster.exec(ctx, sql); err != nil {
			return "", err
		}
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	err = h.cluster.distribute(ctx, draft)
	if err == nil {
		err = migrate(ctx, h.dsn(draft), h.cluster)
	}
	if err == nil {
		err = h.cluster.shareNumbers(ctx, draft)
	}
	if err != nil {
		return "", errors.Join(err, h.drop(context.WithoutCancel(ctx), draft))
	}
	// A connection to the template would keep it from being copied.
	for _, sql := range []string{"alter database " + draft + " allow_connections false",
		h.cluster.endConnections(draft), "alter database " + draft + " rename to " + name} {
		if err := h.cluster.exec(ctx, sql); err != nil {
			return "", err
		}
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	return name, nil
}

func migrate(ctx context.Context, dsn string, on *cluster) error {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	serving, err := pgxpool.New(ctx, Serving(dsn))
	if err != nil {
		return err
	}
	defer serving.Close()
	if on == nil {
		err = schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
	} else {
		err = on.migrate(ctx, pool)
	}
	if err != nil {
		return err
	}
	return schema.Grant(ctx, pool, serving)
}

// forgottenAfter is how long a failed or killed test's database stays on a server that outlives the tests.
const forgottenAfter = 24 * time.Hour

// dropForgotten drops the test databases that are old.
func (h *host) dropForgotten(ctx context.Context) error {
	rows, err := h.admin.Query(ctx, "select datname from pg_database where datname like $1 and not datistemplate", prefix+"%")
	if err != nil {
		return fmt.Errorf("find old test databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("find old test databases: %w", err)
	}
	for _, name := range names {
		made, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
		seconds, err := strconv.ParseInt(made, 10, 64)
		if err != nil || time.Since(time.Unix(seconds, 0)) < forgottenAfter {
			continue
		}
		if err := h.drop(ctx, name); err != nil {
			return fmt.Errorf("drop an old test database: %w", err)
		}
	}
	return nil
}
