package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tradepost/sql/pgtest"
)

// tradepost runs the program to its end and returns what it wrote on either side.
func tradepost(t *testing.T, in []byte, args ...string) (out []byte, said string, err error) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err = cmd.Output()
	return out, stderr.String(), err
}

func TestARunningMarketIsBackedUpAndRestoredElsewhere(t *testing.T) {
	t.Parallel()
	here, there := t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "market.backup")
	d := startDemo(t, here)
	before := get(t, d.board+"/api/orders")

	if _, said, err := tradepost(t, nil, "backup", "--data", here, file); err != nil || !strings.Contains(said, "backed up as of") {
		t.Fatalf("back up: %v, said %q", err, said)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
		t.Errorf("left beside the backup: %q", left)
	}
	streamed, said, err := tradepost(t, nil, "backup", "--data", here, "-")
	if err != nil {
		t.Fatalf("back up to a pipe: %v, said %q", err, said)
	}
	if _, said, err := tradepost(t, nil, "restore", "--replace", "--data", here, file); err == nil || !strings.Contains(said, "stop it first") {
		t.Errorf("restore into a running market: %v, said %q", err, said)
	}
	d.end(t, syscall.SIGTERM)

	// Into another private PostgreSQL, from a file.
	if _, said, err := tradepost(t, nil, "restore", "--data", there, file); err != nil || !strings.Contains(said, "all invariants hold") {
		t.Fatalf("restore: %v, said %q", err, said)
	}
	if _, said, err := tradepost(t, nil, "restore", "--data", there, file); err == nil || !strings.Contains(said, "--replace") {
		t.Errorf("restore over a market: %v, said %q", err, said)
	}
	if after := get(t, startDemo(t, there).board+"/api/orders"); after != before {
		t.Errorf("the board was\n%.300s\nand is\n%.300s", before, after)
	}

	// Into an external database, from a pipe.
	dsn := pgtest.Empty(t)
	if _, said, err := tradepost(t, streamed, "restore", "--database-url", dsn, "-"); err != nil {
		t.Fatalf("restore from a pipe: %v, said %q", err, said)
	}
	if out, said, err := tradepost(t, nil, "check", "--database-url", dsn); err != nil || !strings.HasPrefix(string(out), "all invariants hold\n") {
		t.Errorf("check: %v, %q, said %q", err, out, said)
	}
	again, said, err := tradepost(t, nil, "backup", "--database-url", dsn, "-")
	if err != nil || len(again) < len(streamed)/2 {
		t.Errorf("back up what was restored: %v, %d bytes, said %q", err, len(again), said)
	}
}

func TestFailedBackupLeavesTheOldOne(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "market.backup")
	if err := os.WriteFile(file, []byte("the last one"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no market in the folder":     {[]string{"--data", t.TempDir()}, "no market is kept in"},
		"no database":                 {[]string{"--database-url", "postgres://127.0.0.1:1/nothing"}, "connect to the database"},
		"a database without a market": {[]string{"--database-url", pgtest.Empty(t)}, "there is no market in this database"},
	} {
		_, said, err := tradepost(t, nil, append([]string{"backup", file}, tt.args...)...)
		if err == nil || !strings.Contains(said, tt.want) || strings.Count(said, "\n") > 1 {
			t.Errorf("%s: %v, said %q", name, err, said)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "the last one" {
		t.Errorf("the last backup is now %q, %v", text, err)
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("left beside it: %v", files)
	}
}

func TestInvalidBackupFileReturnsAOneLineError(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	for in, want := range map[string]string{
		"":                   "this is no backup of a market",
		"-- PostgreSQL dump": "this is no backup of a market",
	} {
		_, said, err := tradepost(t, []byte(in), "restore", "--database-url", dsn, "-")
		if err == nil || !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%q: %v, said %q", in, err, said)
		}
	}
	if _, said, err := tradepost(t, nil, "restore", "--database-url", dsn, "nowhere"); err == nil || !strings.Contains(said, "no such file") {
		t.Errorf("no file: %v, said %q", err, said)
	}
}
