//go:build unix

package pgembed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSweepingRemovesOnlyUnusedFolders(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	used, err := newFolder(base, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	deserted, err := newFolder(base, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	_ = deserted.lock.Close() // as the kernel does for a process that dies
	others := filepath.Join(base, "another-users")
	write(t, filepath.Join(others, "lock"), "", 0o600)

	sweep(base)
	for path, want := range map[string]bool{used.path: true, deserted.path: false, others: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
}

func TestSharedFolderIsRemovedByItsLastUser(t *testing.T) {
	t.Parallel()
	base, owners := t.TempDir(), []int{os.Getuid()}
	first, err := joinSocketFolder(base, "/data", owners)
	if err != nil {
		t.Fatal(err)
	}
	second, err := joinSocketFolder(base, "/data", owners)
	if err != nil {
		t.Fatal(err)
	}
	if first.path != second.path {
		t.Fatalf("two folders for one cluster: %s and %s", first.path, second.path)
	}
	for user, want := range map[*folder]bool{first: true} {
		if err := user.leave(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(second.path); (err == nil) != want {
			t.Errorf("it is there: %v, want %v", err == nil, want)
		}
	}
	if err := second.leave(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(second.path); err == nil {
		t.Error("it is there after the last user has left")
	}
}

// Anybody can make a folder in the temp directory, and the socket's name can be guessed.
func TestAFolderThatOthersCanEnterIsNotTrusted(t *testing.T) {
	t.Parallel()
	base, owners := t.TempDir(), []int{os.Getuid()}
	usual, err := joinSocketFolder(base, "/data", owners)
	if err != nil {
		t.Fatal(err)
	}
	if err := usual.leave(); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func() error{
		"open to others": func() error { return os.Mkdir(usual.path, 0o777) },
		"a link":         func() error { return os.Symlink(t.TempDir(), usual.path) },
	} {
		if err := set(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(usual.path, 0o755); err != nil {
			t.Fatal(err)
		}
		got, err := joinSocketFolder(base, "/data", owners)
		if err != nil {
			t.Fatal(err)
		}
		if got.path == usual.path {
			t.Errorf("%s: trusted", name)
		}
		if info, _ := os.Stat(got.path); info.Mode().Perm() != 0o700 {
			t.Errorf("%s: made %v instead", name, info.Mode())
		}
		if err := os.RemoveAll(usual.path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTooLongSocketPathReturnsAnError(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), strings.Repeat("long", 25))
	if err := os.Mkdir(base, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := joinSocketFolder(base, "/data", []int{os.Getuid()})
	if err == nil || !strings.Contains(err.Error(), "too long for a socket: "+base+"; set TMPDIR to a shorter one") {
		t.Errorf("err = %v", err)
	}
}
