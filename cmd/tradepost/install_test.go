package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

// emptyMachine is the root of a machine without a market, with stand-ins for the commands that change it: they write what they are
// called with to the file calls, and useradd adds the user that runs the tests under the name.
type emptyMachine struct{ root, bin string }

func newMachine(t *testing.T) emptyMachine {
	t.Helper()
	m := emptyMachine{t.TempDir(), t.TempDir()}
	for path, text := range map[string]string{
		filepath.Join(m.root, "etc/passwd"): "root:x:0:0:root:/root:/bin/bash\n",
		filepath.Join(m.bin, "systemctl"):   "#!/bin/sh\necho systemctl \"$@\" >> " + m.root + "/calls\n",
		filepath.Join(m.bin, "useradd"): fmt.Sprintf("#!/bin/sh\necho useradd \"$@\" >> %s/calls\necho 'tradepost:x:%d:%d::/srv/tradepost:/bin/sh' >> %s/etc/passwd\n",
			m.root, os.Getuid(), os.Getgid(), m.root),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// run runs a command of the program on the machine.
func (m emptyMachine) run(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, append(args, "--root", m.root)...)
	cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader(in)
	cmd.Env = append(os.Environ(), "PATH="+m.bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// files lists what is on the machine.
func (m emptyMachine) files(t *testing.T) (found []string) {
	t.Helper()
	err := filepath.WalkDir(m.root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = append(found, strings.TrimPrefix(path, m.root))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (m emptyMachine) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(m.root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInstallPutsAMarketOnAMachineAndUninstallTakesItOff(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	before := m.files(t)
	must := func(in string, args ...string) string {
		t.Helper()
		out, err := m.run(t, in, args...)
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return out
	}

	if out := must("", "install", "--dry-run"); !strings.Contains(out, "would write /etc/systemd/system/tradepost-backup.timer") || !strings.Contains(out, "would add the user tradepost") {
		t.Errorf("a dry run says\n%s", out)
	}
	if after := m.files(t); !slices.Equal(after, before) {
		t.Fatalf("a dry run has made %q", after)
	}

	if out := must("", "install", "--proxy", "nginx", "--domain", "market.test"); !strings.Contains(out, "tradepost setup") {
		t.Errorf("what comes next is not said:\n%s", out)
	}
	for path, mode := range map[string]os.FileMode{
		"usr/local/bin/tradepost": 0o755, "srv/tradepost": 0o750, "srv/tradepost/backups": 0o700, "srv/tradepost/.env": 0o600,
		"etc/systemd/system/tradepost.service": 0o644, "etc/systemd/system/tradepost-backup.timer": 0o644, "etc/nginx/conf.d/tradepost.conf": 0o644,
	} {
		if info, err := os.Stat(filepath.Join(m.root, path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want mode %v", path, info, err, mode)
		}
	}
	if proxy := m.read(t, "etc/nginx/conf.d/tradepost.conf"); !strings.Contains(proxy, "server_name market.test;") || strings.Contains(proxy, "trade.example") {
		t.Errorf("the proxy serves another domain:\n%s", proxy)
	}
	calls := m.read(t, "calls")
	for _, want := range []string{"useradd --prefix " + m.root + " --system", "systemctl --root=" + m.root + " enable tradepost.service tradepost-backup.timer"} {
		if !strings.Contains(calls, want) {
			t.Errorf("not called: %s\n%s", want, calls)
		}
	}

	// Again: what is there stays, and what the operator has changed only goes when they say so.
	unit := filepath.Join(m.root, "etc/systemd/system/tradepost.service")
	mine := strings.Replace(m.read(t, "etc/systemd/system/tradepost.service"), "MemoryMax=1G", "MemoryMax=2G", 1)
	for path, text := range map[string]string{unit: mine, filepath.Join(m.root, "srv/tradepost/.env"): "DISCORD_TOKEN=x\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := m.run(t, "", "install"); err == nil || !strings.Contains(out, "--yes replaces it") {
		t.Errorf("without an answer: %v\n%s", err, out)
	}
	if out := must("n\n", "install"); !strings.Contains(out, "- MemoryMax=2G") || !strings.Contains(out, "+ MemoryMax=1G") || m.read(t, "etc/systemd/system/tradepost.service") != mine {
		t.Errorf("after a no:\n%s", out)
	}
	must("y\n", "install")
	if m.read(t, "etc/systemd/system/tradepost.service") == mine || m.read(t, "etc/systemd/system/tradepost.service.before") != mine {
		t.Error("after a yes the unit is not replaced, or the old one is not kept")
	}
	if m.read(t, "srv/tradepost/.env") != "DISCORD_TOKEN=x\n" {
		t.Error("the settings were changed")
	}
	if n := strings.Count(m.read(t, "calls"), "useradd"); n != 1 {
		t.Errorf("the user was added %d times", n)
	}

	must("", "uninstall")
	left := m.files(t)
	for _, path := range []string{"/usr/local/bin/tradepost", "/etc/systemd/system/tradepost.service", "/etc/systemd/system/tradepost-backup.timer"} {
		if slices.Contains(left, path) {
			t.Errorf("uninstall leaves %s", path)
		}
	}
	if !slices.Contains(left, "/srv/tradepost/.env") || !strings.Contains(m.read(t, "calls"), "disable tradepost.service") {
		t.Errorf("left %q, called\n%s", left, m.read(t, "calls"))
	}
}

// The package brings the program and the units: install prepares the rest, and puts away what an archive has left there.
func TestThePackagesProgramTakesTheArchivesPlace(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if out, err := m.run(t, "", "install"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	unit := filepath.Join(m.root, "etc/systemd/system/tradepost.service")
	mine := strings.Replace(m.read(t, "etc/systemd/system/tradepost.service"), "MemoryMax=1G", "MemoryMax=2G", 1)
	if err := os.WriteFile(unit, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	packaged := filepath.Join(m.root, "usr/bin/tradepost")
	if err := errors.Join(os.MkdirAll(filepath.Dir(packaged), 0o700), os.WriteFile(packaged, program, 0o700)); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), packaged, append(args, "--root", m.root)...)
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "PATH="+m.bin+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for range 2 { // it can be repeated
		out, err := run("install", "--yes")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		says(t, out, "sudo -u postgres createdb --owner tradepost tradepost", "sudo tradepost setup")
		for _, gone := range []string{"usr/local/bin/tradepost", "etc/systemd/system/tradepost.service", "etc/systemd/system/tradepost-backup.timer"} {
			if _, err := os.Stat(filepath.Join(m.root, gone)); err == nil {
				t.Errorf("%s is still there and hides the package's", gone)
			}
		}
	}
	if m.read(t, "etc/systemd/system/tradepost.service.before") != mine {
		t.Error("the operator's unit is lost")
	}
	if out, err := run("uninstall"); err == nil || !strings.Contains(out, "sudo apt-get remove tradepost") {
		t.Errorf("uninstall takes what is the package's: %v\n%s", err, out)
	}
}

func TestABackupIntoAFolderHasItsTimeInTheName(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "backups")
	dsn := pgtest.New(t)
	for range 3 {
		if _, said, err := tradepost(t, nil, "backup", "--database-url", dsn, "--keep", "2", folder+"/"); err != nil {
			t.Fatalf("%v, said %q", err, said)
		}
	}
	if files, err := filepath.Glob(filepath.Join(folder, "tradepost-2*.tar.gz")); err != nil || len(files) != 2 {
		t.Errorf("backups %q, %v", files, err)
	}
}
