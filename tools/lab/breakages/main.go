// Command breakages breaks the program on purpose, one way at a time, in a copy of the source tree, and
// plays the scene of make faults that must catch it. A breakage that is not caught within a minute, or a
// scene that the unbroken program does not pass, is a failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	only := flag.String("only", "", "try only breakages whose name contains this")
	limit := flag.Duration("limit", time.Minute, "within which a breakage must be caught")
	control := flag.Bool("control", true, "play the scenes with the unbroken program too")
	inSchedules := flag.Bool("schedules", false, "break what make schedules must find instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	if *inSchedules {
		err = runScheduled(ctx, *only)
	} else {
		err = run(ctx, *only, *limit, *control)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "breakages:", err)
		os.Exit(1)
	}
}

// workshop is where programs are broken: a copy of the source tree, and the command that plays scenes.
type workshop struct {
	tree   string
	faults string // the command, built from the tree as it is
	limit  time.Duration
	passed map[string]error // scenes that the unbroken program has played; nil when it passed
}

// unbroken is the program built from the tree as it is.
func (w *workshop) unbroken() string { return filepath.Join(filepath.Dir(w.tree), "unbroken") }

func run(ctx context.Context, only string, limit time.Duration, control bool) error {
	dir, err := os.MkdirTemp("", "breakages-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	w := &workshop{tree: filepath.Join(dir, "tree"), faults: filepath.Join(dir, "faults"), limit: limit,
		passed: map[string]error{}}
	if err := copyTree(ctx, ".", w.tree); err != nil {
		return err
	}
	if err := w.build(ctx, "tools/lab", w.faults, "./faults"); err != nil {
		return err
	}
	if err := w.build(ctx, ".", w.unbroken(), "./cmd/tradepost"); err != nil {
		return err
	}
	var rows []row
	for _, b := range breakages {
		if !strings.Contains(b.name, only) || ctx.Err() != nil {
			continue
		}
		rows = append(rows, w.try(ctx, b, control))
		fmt.Fprintln(os.Stderr, rows[len(rows)-1].progress())
	}
	return report(rows)
}

// row is what came of one breakage.
type row struct {
	breakage
	caught  bool
	stopped bool   // the run was interrupted before it was decided
	played  bool   // the scene was played with the unbroken program
	how     string // the first thing that the scene complained about
	after   time.Duration
	control error // of the unbroken program; nil when it passed
	err     error // that kept it from being tried
}

func (r row) well() bool { return !r.stopped && r.err == nil && r.control == nil && r.caught }

func (r row) progress() string {
	switch {
	case r.stopped:
		return r.name + ": stopped"
	case r.err != nil:
		return fmt.Sprintf("%s: could not be tried: %v", r.name, r.err)
	case !r.caught:
		return fmt.Sprintf("%s: NOT CAUGHT within %s", r.name, r.after.Round(time.Second))
	case r.control != nil:
		return fmt.Sprintf("%s: the unbroken program fails as well: %v", r.name, r.control)
	}
	return fmt.Sprintf("%s: caught after %s", r.name, r.after.Round(100*time.Millisecond))
}

// verdicts are what the table says of the broken and of the unbroken program.
func (r row) verdicts() (caught, unbroken string) {
	switch {
	case r.stopped:
		caught = "stopped"
	case r.err != nil:
		caught = "not tried"
	case r.caught:
		caught = "after " + r.after.Round(100*time.Millisecond).String()
	default:
		caught = "NO"
	}
	switch {
	case !r.played:
		unbroken = "not played"
	case r.control != nil:
		unbroken = "FAILS"
	default:
		unbroken = "passes"
	}
	return caught, unbroken
}

func report(rows []row) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "breakage\tcaught\tby the scene\tunbroken\twhat it saw")
	var failed []error
	for _, r := range rows {
		caught, unbroken := r.verdicts()
		if !r.well() {
			failed = append(failed, errors.New(r.progress()))
		}
		scene := r.scene
		if r.months > 0 {
			scene = months
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.name, caught, scene, unbroken, r.how)
	}
	_ = table.Flush() // nothing could be done about it
	return errors.Join(failed...)
}

// try breaks the program, plays the scene, and repairs it.
func (w *workshop) try(ctx context.Context, b breakage, control bool) (r row) {
	r.breakage = b
	program := filepath.Join(filepath.Dir(w.tree), "tradepost")
	if control {
		r.control = w.control(ctx, b)
		if r.stopped = ctx.Err() != nil; r.stopped {
			return r
		}
		r.played = true
	}
	restore, err := b.apply(w.tree)
	defer restore()
	if err == nil && b.months > 0 {
		r.caught, r.how, r.after, r.err = w.playMonths(ctx, b.months)
		r.stopped = ctx.Err() != nil && !r.caught
		return r
	}
	if err == nil {
		err = w.build(ctx, ".", program, "./cmd/tradepost")
	}
	if r.err = err; err == nil {
		r.caught, r.how, r.after, r.err = w.play(ctx, program, b, w.limit)
	}
	r.stopped = ctx.Err() != nil && !r.caught
	return r
}

// control plays a breakage's scene with the unbroken program, once for each scene.
func (w *workshop) control(ctx context.Context, b breakage) error {
	if b.months > 0 {
		b.scene = months
	}
	if err, played := w.passed[b.scene]; played {
		return err
	}
	if b.months > 0 {
		failed, how, _, err := w.playMonths(ctx, b.months)
		if err == nil && failed {
			err = errors.New(how)
		}
		w.passed[b.scene] = err
		return err
	}
	failed, how, _, err := w.play(ctx, w.unbroken(), b, 3*w.limit)
	if err == nil && failed {
		err = errors.New(how)
	}
	w.passed[b.scene] = err
	return err
}

// apply makes the edits in a tree. restore takes them back. An edit whose text is not there exactly once is
// an error.
func (b breakage) apply(tree string) (restore func(), err error) {
	before := map[string][]byte{}
	restore = func() {
		for path, data := range before {
			_ = os.WriteFile(path, data, 0o600) // the tree is thrown away anyway
		}
	}
	for _, e := range b.edits {
		path := filepath.Join(tree, e.file)
		data, err := os.ReadFile(path)
		if err != nil {
			return restore, fmt.Errorf("breakage %q: %w", b.name, err)
		}
		if n := strings.Count(string(data), e.old); n != 1 {
			return restore, fmt.Errorf("breakage %q no longer applies: %s has %q %d times", b.name, e.file,
				e.old, n)
		}
		if _, kept := before[path]; !kept {
			before[path] = data
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), e.old, e.new, 1)),
			0o600); err != nil {
			return restore, fmt.Errorf("breakage %q: %w", b.name, err)
		}
	}
	return restore, nil
}

// build builds a command of a module of the copy.
func (w *workshop) build(ctx context.Context, module, into, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-C", module, "-trimpath", "-o", into, pkg)
	cmd.Dir, cmd.Env = w.tree, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// play plays a breakage's scene and reports whether the scene failed, for what reason, and after how long.
func (w *workshop) play(
	ctx context.Context, program string, b breakage, limit time.Duration,
) (failed bool, how string, took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.faults, "-program", program, "-only", b.scene, "-rounds",
		strconv.Itoa(max(1, b.rounds)))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	began := time.Now()
	out, runErr := cmd.CombinedOutput()
	took = time.Since(began)
	var exit *exec.ExitError
	switch {
	case runErr == nil && !strings.Contains(string(out), b.scene):
		return false, "", took, fmt.Errorf("there is no scene %q", b.scene)
	case runErr == nil:
		return false, "", took, nil
	case ctx.Err() != nil:
		return false, "stopped at its limit", took, nil
	case errors.As(runErr, &exit):
		return true, complaint(string(out)), took, nil
	}
	return false, "", took, fmt.Errorf("play %q: %w", b.scene, runErr)
}

// months is what the table says of breakages that make months catches.
const months = "make months"

// playMonths plays up to as many months with the tree as it is, until one has a finding.
func (w *workshop) playMonths(ctx context.Context, most int) (found bool, how string, took time.Duration, err error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-C", "tools/lab", "-count=1", "-run", "^TestMonths$", "./months")
	cmd.Dir, cmd.Env = w.tree, append(os.Environ(), "CGO_ENABLED=0", "MONTHS_UNTIL_FOUND=1",
		"MONTHS="+strconv.Itoa(most))
	began := time.Now()
	out, runErr := cmd.CombinedOutput()
	took = time.Since(began)
	if _, text, cut := strings.Cut(string(out), "found after "); cut {
		line, _, _ := strings.Cut(text, "\n")
		return true, shorten("after " + line), took, nil
	}
	if runErr != nil {
		return false, "", took, fmt.Errorf("play months: %w\n%s", runErr, out)
	}
	return false, "", took, nil
}

// complaint is the first thing that a scene complained about.
func complaint(out string) string {
	for line := range strings.Lines(out) {
		_, text, found := strings.Cut(line, "round ")
		if found && !strings.Contains(line, "rounds") {
			if _, rest, cut := strings.Cut(text, ": "); cut {
				text = rest
			}
			return shorten(strings.TrimSpace(text))
		}
	}
	for line := range strings.Lines(out) {
		if text, found := strings.CutPrefix(line, "faults: "); found {
			return shorten(strings.TrimSpace(text))
		}
	}
	return ""
}

func shorten(text string) string {
	const most = 110
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// copyTree copies what the program is built from: the files that git knows or would add, and the built page.
func copyTree(ctx context.Context, from, to string) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-co", "--exclude-standard", "-z", "go.mod", "go.sum",
		"*.go", "bot", "core", "cmd", "sql", "web", "deploy",
		"tools/lab")
	cmd.Dir = from
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("list the source tree: %w", err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted and not committed yet
		}
		if err != nil {
			return fmt.Errorf("copy the source tree: %w", err)
		}
		path := filepath.Join(to, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, data, 0o600)); err != nil {
			return fmt.Errorf("copy the source tree: %w", err)
		}
	}
	if err := os.CopyFS(filepath.Join(to, "dashboard", "dist"),
		os.DirFS(filepath.Join(from, "dashboard", "dist"))); err != nil {
		return fmt.Errorf("copy the built page: %w", err)
	}
	// The private PostgreSQL is found beside the dashboard's packages.
	modules, err := filepath.Abs(filepath.Join(from, "dashboard", "node_modules"))
	if err != nil {
		return err
	}
	return os.Symlink(modules, filepath.Join(to, "dashboard", "node_modules"))
}
