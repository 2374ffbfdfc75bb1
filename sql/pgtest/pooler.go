package pgtest

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgembed"
	"tradepost/sql/pooler"
)

// poolers holds the poolers that the tests of this process share, by the host of their server.
var poolers = struct {
	mu sync.Mutex
	of map[string]*pooler.Pooler
}{of: map[string]*pooler.Pooler{}}

// throughPooler is set where every store of a test is to send its statements through a pooler: make pooler.
var throughPooler = os.Getenv("TEST_POOLER") != ""

// Pooled returns the address of a database through a pooler with TEST_POOLER, else nothing. A proxy that a
// test has put before a server, such as a network that it cuts, has no pooler: PgBouncer runs as another
// user, and cannot reach it.
func Pooled(t testing.TB, dsn string) string {
	t.Helper()
	config, err := pgconn.ParseConfig(dsn)
	if !throughPooler || err != nil || strings.HasPrefix(config.Host, os.TempDir()+"/wire") {
		return ""
	}
	return Pooler(t, dsn)
}

// Pooler returns the address of a database through a PgBouncer in transaction mode. With settings of its
// own the PgBouncer is this test's. Without PgBouncer the test is skipped.
func Pooler(t testing.TB, dsn string, settings ...string) string {
	t.Helper()
	if len(settings) > 0 {
		p := startPooler(t, dsn, settings)
		t.Cleanup(p.Stop)
		return addressThrough(t, p, dsn)
	}
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		t.Fatalf("read the address of a test database: %v", err)
	}
	poolers.mu.Lock()
	defer poolers.mu.Unlock()
	p := poolers.of[config.Host]
	if p == nil {
		p = startPooler(t, dsn, nil)
		poolers.of[config.Host] = p
	}
	return addressThrough(t, p, dsn)
}

func startPooler(t testing.TB, dsn string, settings []string) *pooler.Pooler {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p, err := pooler.Start(ctx, pooler.Options{
		Server: dsn, Users: map[string]string{servingRole: servingRole, pgembed.Superuser: pooler.Password},
		Extra: settings,
	})
	if errors.Is(err, pooler.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func addressThrough(t testing.TB, p *pooler.Pooler, dsn string) string {
	t.Helper()
	address, err := p.URL(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return address
}
