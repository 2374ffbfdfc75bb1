package main_test

import (
	"os"
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

// A pooler in the place of PostgreSQL stops the start: the market could not listen there, and its locks would be another's.
func TestAPoolerIsNoDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	through := pgtest.Pooler(t, dsn)
	const instead = "set it to PostgreSQL itself, and DATABASE_POOLER_URL to the pooler"
	for name, tt := range map[string]struct {
		env     []string
		setting string
		want    string
	}{
		"the only address":    {[]string{"DATABASE_URL=" + through}, "DATABASE_URL", instead},
		"both addresses":      {[]string{"DATABASE_URL=" + through, "DATABASE_POOLER_URL=" + through}, "DATABASE_URL", instead},
		"the owner's address": {[]string{"DATABASE_URL=" + dsn, "DATABASE_OWNER_URL=" + through}, "DATABASE_OWNER_URL", instead},
		"another database":    {[]string{"DATABASE_URL=" + dsn, "DATABASE_POOLER_URL=" + pgtest.Pooler(t, pgtest.New(t))}, "DATABASE_POOLER_URL", "it must be the database of DATABASE_URL"},
		"no database":         {[]string{"DATABASE_POOLER_URL=" + through}, "DATABASE_POOLER_URL", "DATABASE_URL is missing"},
		"no address":          {[]string{"DATABASE_URL=" + dsn, "DATABASE_POOLER_URL=nowhere"}, "DATABASE_POOLER_URL", "it is no address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out := attempt(t, t.TempDir(), tt.env, "serve", "--only", "web", "--log-level", "error")
			if status != 80 || !strings.HasPrefix(out, "tradepost: "+tt.setting+": ") || !strings.Contains(out, tt.want) || strings.Count(out, "\n") != 1 {
				t.Errorf("status %d, printed %s", status, out)
			}
		})
	}
	_, out := attempt(t, t.TempDir(), []string{"DATABASE_URL=" + dsn, "DATABASE_POOLER_URL=" + through}, "doctor")
	says(t, out, "✓ the database\n", "✓ the pooler\n")
	_, out = attempt(t, t.TempDir(), []string{"DATABASE_URL=" + through}, "doctor")
	says(t, out, "✗ the database\n", instead)
}

// Two pages and two bots trade through a pooler while each is replaced, as without one.
func TestReplicasTradeThroughAPooler(t *testing.T) {
	if os.Getenv("TEST_POOLER") == "" {
		t.Skip("make pooler plays it")
	}
	t.Parallel()
	dsn := pgtest.New(t)
	s := newStreet(t, dsn, "--database-pooler-url", pgtest.Pooler(t, dsn, "default_pool_size = 4"))
	s.hear()
	s.people()
	s.replaceAll(t)
	var shared int
	if err := s.db.QueryRow(t.Context(), "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tradepost'").Scan(&shared); err != nil {
		t.Fatal(err)
	}
	close(s.over)
	s.trading.Wait()
	if err := s.balancer.failures(); err != nil {
		t.Errorf("requests have failed:\n%v", err)
	}
	if s.judge(); shared > 4 {
		t.Errorf("four programs have %d sessions", shared)
	}
}
