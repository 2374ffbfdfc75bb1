package pgconnect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
)

// ignored makes PgBouncer take what a session is begun with, and leave it out.
const ignored = "ignore_startup_parameters = plan_cache_mode,statement_timeout,idle_in_transaction_session_timeout"

func TestAPoolerThatSharesSessionsIsFoundOut(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	for name, tt := range map[string]struct {
		address string
		shares  bool
	}{
		"PostgreSQL itself":             {dsn, false},
		"as it is deployed":             {pgtest.Pooler(t, dsn), true},
		"one that ignores settings":     {pgtest.Pooler(t, dsn, ignored), true},
		"one that takes turns":          {pgtest.Pooler(t, dsn, ignored, "server_round_robin = 1"), true},
		"one with a single session":     {pgtest.Pooler(t, dsn, ignored, "default_pool_size = 1"), true},
		"a session for every statement": {pgtest.Pooler(t, dsn, ignored, "pool_mode = statement"), true},
		"a session for every client":    {pgtest.Pooler(t, dsn, ignored, "pool_mode = session"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, err := pgconnect.Open(t.Context(), tt.address, pgconnect.Options{MaxConns: 2})
			if err == nil {
				defer pool.Close()
				err = pgconnect.CheckSessions(t.Context(), pool)
			}
			if errors.Is(err, pgconnect.ErrNoSession) != tt.shares || err != nil && !tt.shares {
				t.Fatalf("%v", err)
			}
			if tt.shares && (pgconnect.ConnectionFailed(err) || !strings.Contains(pgconnect.Explain(err), "DATABASE_POOLER_URL to the pooler")) {
				t.Errorf("%v is explained by %q, and waited for: %t", err, pgconnect.Explain(err), pgconnect.ConnectionFailed(err))
			}
		})
	}
}

func TestAPoolerLeadsToTheSameDatabase(t *testing.T) {
	t.Parallel()
	dsn, other := pgtest.New(t), pgtest.New(t)
	direct := opened(t, pgtest.Serving(dsn), pgconnect.Options{MaxConns: 1})
	for name, tt := range map[string]struct {
		address   string
		want      error
		unlimited bool
	}{
		"the same":           {pgtest.Pooler(t, pgtest.Serving(dsn)), nil, false},
		"another database":   {pgtest.Pooler(t, pgtest.Serving(other)), pgconnect.ErrOtherDatabase, false},
		"another role":       {pgtest.Pooler(t, dsn), pgconnect.ErrOtherDatabase, false},
		"one without limits": {pgtest.Pooler(t, pgtest.Serving(dsn), "[databases]", "* = "+hostOf(t, dsn)), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			unlimited, err := pgconnect.CheckPooler(t.Context(), direct, opened(t, tt.address, pgconnect.Options{MaxConns: 1, Pooled: true}))
			if !errors.Is(err, tt.want) || unlimited != tt.unlimited {
				t.Errorf("%v, without limits: %t", err, unlimited)
			}
		})
	}
}

func hostOf(t *testing.T, dsn string) string {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	storetest.Must(t, err)
	return "host=" + config.ConnConfig.Host
}

func opened(t *testing.T, dsn string, opts pgconnect.Options) *pgxpool.Pool {
	t.Helper()
	pool, err := pgconnect.Open(t.Context(), dsn, opts)
	storetest.Must(t, err)
	t.Cleanup(pool.Close)
	return pool
}
