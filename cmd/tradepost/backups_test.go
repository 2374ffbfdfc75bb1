package main_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestBackupsAreWrittenAgainAndAgainAndTheOldestDeleted(t *testing.T) {
	t.Parallel()
	here, folder := t.TempDir(), filepath.Join(t.TempDir(), "backups")
	startDemo(t, here, "--empty").end(t, syscall.SIGTERM)
	cmd := exec.Command(binary, "backup", "--data", here, "--every", "50ms", "--keep", "2", folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written := 0
	for lines := bufio.NewScanner(log); written < 4 && lines.Scan(); {
		if strings.Contains(lines.Text(), "backed up") {
			written++
		}
	}
	if written < 4 {
		t.Fatalf("%d backups were written", written)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("asked to end, it ended with %v", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) < 2 || len(files) > 3 { // one may have been written while it was asked to end
		t.Errorf("kept are %q, %v; want the newest two", files, err)
	}
	newest := slices.Max(files)
	if _, said, err := tradepost(t, nil, "restore", "--data", t.TempDir(), newest); err != nil {
		t.Errorf("restore %s: %v, said %q", newest, err, said)
	}
}
