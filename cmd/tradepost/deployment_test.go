package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheSystemdUnitIsHardened(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	unit, err := os.ReadFile("../../deploy/tradepost.service")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tradepost.service")
	if err := os.WriteFile(file, []byte(strings.Replace(string(unit), "/usr/local/bin/tradepost", binary, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	// The threshold is in tenths: 2.0 of 10 is within "OK", green.
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), " OK ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Where nothing can be asked, that is said, and it is a failure only where it is wanted to be one.
func TestVulnerabilitiesThatCannotBeCheckedAreSaidSo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	for _, tt := range []struct {
		required string
		status   int
	}{{"", 0}, {"required", 1}} {
		cmd := exec.CommandContext(t.Context(), "../../scripts/vulns.sh")
		cmd.Env = append(os.Environ(), "VULNS="+tt.required, "VULNS_DATABASE=http://127.0.0.1:1", "npm_config_registry=http://127.0.0.1:1", "npm_config_fetch_retries=0")
		out, _ := cmd.CombinedOutput() // the status is compared
		if got := cmd.ProcessState.ExitCode(); got != tt.status || strings.Count(string(out), "not checked: ") != 3 {
			t.Errorf("VULNS=%q: status %d, want %d\n%s", tt.required, got, tt.status, out)
		}
	}
}
