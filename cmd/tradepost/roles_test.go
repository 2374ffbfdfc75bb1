package main_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

const logWarning = "may change the log of moderation"

// The owner migrates and restores; the market serves as a role that may not change the log of moderation.
func TestAMarketServesAsTheLesserOfTwoRoles(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	one := pgtest.New(t)
	owner := pgtest.Empty(t)
	serving := pgtest.Serving(owner)
	dir := t.TempDir()

	status, out := attempt(t, dir, []string{"DATABASE_URL=" + serving}, "migrate")
	if status == 0 || !strings.Contains(out, "DATABASE_OWNER_URL") {
		t.Errorf("migrating as the lesser role: status %d, %s", status, out)
	}
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + serving, "DATABASE_OWNER_URL=" + owner}, "migrate"); status != 0 {
		t.Fatalf("migrate: status %d, %s", status, out)
	}
	for name, tt := range map[string]struct {
		args  []string
		warns bool
	}{
		"two roles":                      {[]string{"--database-url", serving}, false},
		"two roles, the owner here, too": {[]string{"--database-url", serving, "--database-owner-url", owner}, false},
		"one role":                       {[]string{"--database-url", one}, true},
	} {
		address := freeAddress(t)
		m := h.serve(append([]string{"--only", "web", "--listen", address}, tt.args...)...)
		waitFor(t, "http://"+address+"/readyz")
		get(t, "http://"+address+"/api/orders")
		m.end(t)
		if logged := m.log.String(); (strings.Count(logged, logWarning) == 1) != tt.warns {
			t.Errorf("%s: warned should be %t, once:\n%s", name, tt.warns, logged)
		}
	}
	if _, out = attempt(t, dir, []string{"DATABASE_URL=" + one}, "doctor"); !strings.Contains(out, "! the database's roles: the role of DATABASE_URL is a superuser of PostgreSQL") {
		t.Errorf("the doctor does not warn of a superuser: %s", out)
	}
	if _, out = attempt(t, dir, []string{"DATABASE_URL=" + serving}, "doctor"); !strings.Contains(out, "✓ the database's roles") {
		t.Errorf("the doctor warns of two roles: %s", out)
	}

	file := filepath.Join(dir, "market.tar.gz")
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + serving}, "backup", file); status != 0 {
		t.Fatalf("back up as the lesser role: status %d, %s", status, out)
	}
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + serving, "DATABASE_OWNER_URL=" + owner}, "restore", "--replace", file); status != 0 {
		t.Fatalf("restore as the owner: status %d, %s", status, out)
	}
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + serving}, "check"); status != 0 {
		t.Errorf("after a restore the lesser role reads: status %d, %s", status, out)
	}
}

func TestACutOffLogOfModerationShowsAgainstAKeptEnd(t *testing.T) {
	t.Parallel()
	dsn, dir := pgtest.New(t), t.TempDir()
	db, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close(context.Background()) })
	run := func(statement string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	run("insert into audit_entries (at, moderator_id, action) select now(), 1, 'user_unblocked' from generate_series(1, 3)")
	status, out := attempt(t, dir, []string{"DATABASE_URL=" + dsn}, "check")
	head := regexp.MustCompile(`3:[0-9a-f]{64}`).FindString(out)
	if status != 0 || head == "" {
		t.Fatalf("status %d, %s", status, out)
	}
	run("insert into audit_entries (at, moderator_id, action) values (now(), 1, 'user_unblocked')")
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + dsn}, "check", "--log-head", head); status != 0 {
		t.Errorf("with one more entry: status %d, %s", status, out)
	}
	run("set session_replication_role = replica; delete from audit_entries where place > 2")
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + dsn}, "check"); status != 0 {
		t.Errorf("nothing shows by itself: status %d, %s", status, out)
	}
	if status, out = attempt(t, dir, []string{"DATABASE_URL=" + dsn}, "check", "--log-head", head); status == 0 || !strings.Contains(out, "cut off") {
		t.Errorf("against the kept end: status %d, %s", status, out)
	}
}
