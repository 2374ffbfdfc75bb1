package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

func TestABackupIsVerifiedInAScratchDatabase(t *testing.T) {
	t.Parallel()
	dsn, file := pgtest.New(t), filepath.Join(t.TempDir(), "market.tar.gz")
	if _, said, err := tradepost(t, nil, "backup", "--database-url", dsn, file); err != nil {
		t.Fatalf("%v, said %q", err, said)
	}
	out, said, err := tradepost(t, nil, "backup", "verify", "--database-url", dsn, file)
	if err != nil || !strings.Contains(string(out), "a good backup as of") || !strings.Contains(string(out), "all invariants hold") {
		t.Errorf("a good one: %v, %q, said %q", err, out, said)
	}
	empty := pgtest.Empty(t)
	if out, said, err := tradepost(t, nil, "backup", "verify", "--scratch-url", empty, file); err != nil || !strings.Contains(string(out), "a good backup") {
		t.Errorf("in a named database: %v, %q, said %q", err, out, said)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, said, err := tradepost(t, whole[:len(whole)/2], "backup", "verify", "--database-url", dsn, "-"); err == nil || !strings.Contains(said, "damaged or cut off") {
		t.Errorf("one that was cut off: %v, said %q", err, said)
	}

	for address, query := range map[string]string{
		dsn:   "select count(*) from pg_database where datname like 'tradepost_verify_%'",
		empty: "select count(*) from pg_tables where tablename = 'orders'",
	} {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		var left int
		if err := conn.QueryRow(t.Context(), query).Scan(&left); err != nil || left > 0 {
			t.Errorf("%d are left, %v", left, err)
		}
		_ = conn.Close(t.Context())
	}
}

func TestTheAgeOfTheLastBackupIsWatched(t *testing.T) {
	t.Parallel()
	dsn, folder := pgtest.New(t), filepath.Join(t.TempDir(), "backups")
	h := newHost(t)
	said := func() string {
		out, _ := h.run([]string{"doctor", "--database-url", dsn}, "") // other things are wrong
		return out
	}
	if out := said(); !strings.Contains(out, "! the last backup: none was made yet") {
		t.Errorf("without a backup the doctor says\n%s", out)
	}
	if _, _, err := tradepost(t, nil, "healthcheck", "--backups", folder); err == nil {
		t.Error("a folder without a backup is healthy")
	}
	if _, said, err := tradepost(t, nil, "backup", "--database-url", dsn, folder+"/"); err != nil {
		t.Fatalf("%v, said %q", err, said)
	}
	if out := said(); !strings.Contains(out, "✓ the last backup: the last one is 0s old") {
		t.Errorf("after a backup the doctor says\n%s", out)
	}
	if _, said, err := tradepost(t, nil, "healthcheck", "--backups", folder); err != nil {
		t.Errorf("a folder with a new backup: %v, %s", err, said)
	}
	metrics := freeAddress(t)
	h.serve("--only", "web", "--listen", freeAddress(t), "--metrics-listen", metrics, "--database-url", dsn)
	waitFor(t, "http://"+metrics+"/metrics")
	if text := get(t, "http://"+metrics+"/metrics"); !strings.Contains(text, "\ntradepost_backup_last_success_timestamp_seconds 1.") || !strings.Contains(text, "\ntradepost_disk_free_bytes ") {
		t.Errorf("the metrics do not have the backup or the disk:\n%s", text)
	}

	// A day and three hours later.
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	old := filepath.Join(folder, time.Now().UTC().Add(-27*time.Hour).Format("tradepost-20060102T150405.000Z.tar.gz"))
	if err := os.Rename(files[0], old); err != nil {
		t.Fatal(err)
	}
	if _, said, err := tradepost(t, nil, "healthcheck", "--backups", folder); err == nil || !strings.Contains(said, "27h0m0s old") {
		t.Errorf("a folder with an old backup: %v, %s", err, said)
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "update last_backup set made_at = made_at - interval '27 hours'"); err != nil {
		t.Fatal(err)
	}
	if out := said(); !strings.Contains(out, "the last one is 27h0m0s old: look at the log of the backups") {
		t.Errorf("with an old backup the doctor says\n%s", out)
	}
}
