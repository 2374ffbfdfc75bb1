// Command checkfield adds a text to a request that is shown, edited, listed and filtered, in a copy of the
// source tree, and checks that nothing of it can be forgotten: with all places of the list, everything builds and passes; with one left out, a
// command fails.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	only := flag.String("only", "", "leave out only places whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "checkfield:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) error {
	tree, err := os.MkdirTemp("", "checkfield-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(tree)
	c := copied{tree: tree}
	if err := c.copyFrom(ctx, "."); err != nil {
		return err
	}
	if err := c.addField(ctx); err != nil {
		return fmt.Errorf("with all places: %w", err)
	}
	fmt.Fprintf(os.Stderr, "with all %d places everything passes, in %d hand-edited files\n", len(places),
		len(byHand()))

	var failed []error
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "left out\tin\tnoticed\tby\tafter")
	for _, p := range places {
		if !strings.Contains(p.name, only) || ctx.Err() != nil {
			continue
		}
		start := time.Now()
		by, err := c.leaveOut(ctx, p)
		noticed := "yes"
		if err != nil {
			noticed = "NO"
			failed = append(failed, fmt.Errorf("%s: %w", p.name, err))
		}
		after := time.Since(start).Round(100 * time.Millisecond)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", p.name, p.edits[0].file, noticed, by, after)
		fmt.Fprintf(os.Stderr, "%s: noticed %s, %s\n", p.name, noticed, after)
	}
	_ = table.Flush() // nothing could be done about it
	return errors.Join(append(failed, ctx.Err())...)
}

// byHand lists the hand-edited files, without texts, fixtures and tests.
func byHand() []string {
	var files []string
	for _, p := range places {
		for _, e := range p.edits {
			if !p.language && !slices.Contains(files, e.file) {
				files = append(files, e.file)
			}
		}
	}
	return files
}

// copied is a copy of the source tree.
type copied struct {
	tree   string
	before map[string]string // files that a place edits, without any of the places
	after  map[string]string // files that are edited or generated, with all of them
}

// generated are the files and folders that commands write.
var generated = []string{
	"sql/internal/db", "dashboard/openapi.json", "dashboard/src/api/api.gen.ts",
	"dashboard/src/lib/rules.gen.ts", "core/text/keys.go",
	"core/testdata/suspicion.json", "web/firstlook/testdata",
}

// addField makes every edit, generates what follows from them, and runs the checks.
func (c *copied) addField(ctx context.Context) error {
	c.before = map[string]string{}
	for _, p := range places {
		for _, e := range p.edits {
			data, err := os.ReadFile(filepath.Join(c.tree, e.file))
			if err != nil && e.file != migration {
				return err
			}
			c.before[e.file] = string(data)
		}
	}
	if err := c.write(edited(c.before, "")); err != nil {
		return err
	}
	for _, command := range generators {
		if out, err := c.command(ctx, command); err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	for _, command := range checks {
		if out, err := c.command(ctx, command); err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	return c.snapshot()
}

func (c *copied) snapshot() error {
	c.after = edited(c.before, "")
	for _, path := range generated {
		err := filepath.WalkDir(filepath.Join(c.tree, path),
			func(path string, entry os.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				name, _ := filepath.Rel(c.tree, path)
				c.after[name] = string(data)
				return err
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveOut runs what notices that a place is missing, and returns the line that says so.
func (c *copied) leaveOut(ctx context.Context, p place) (by string, err error) {
	if err := c.write(edited(c.before, p.name)); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.write(c.after)) }()
	for _, command := range append(slices.Clone(p.generate), p.noticed) {
		out, err := c.command(ctx, command)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.Exited() {
			return command + ": " + firstComplaint(out), nil
		}
		if err != nil {
			return command, err // it was killed, or is not there
		}
	}
	return p.noticed, errors.New("nothing fails")
}

// edited returns the files with every edit but those of the place that is left out, and of what is within it.
func edited(before map[string]string, without string) map[string]string {
	files := map[string]string{}
	for name, text := range before {
		files[name] = text
	}
	leaveOut := func(p place) bool { return without != "" && (p.name == without || p.within == without) }
	for _, p := range places {
		for _, e := range p.edits {
			if !leaveOut(p) {
				files[e.file] = strings.Replace(files[e.file], e.old, e.new, 1)
			} else if p.name == without && p.within != "" {
				files[e.file] = strings.Replace(files[e.file], e.old, withoutMark(e.old), 1)
			}
		}
	}
	return files
}

// withoutMark is a text without the mark that another place puts in for the text that it may be extended by.
func withoutMark(text string) string {
	return strings.TrimRight(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// write writes files. An empty one is removed.
func (c *copied) write(files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(c.tree, name)
		if text == "" {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *copied) command(ctx context.Context, line string) (string, error) {
	words := strings.Fields(line)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = c.tree
	if strings.HasPrefix(words[0], "np") {
		cmd.Dir = filepath.Join(c.tree, "dashboard")
	}
	if line == openAPI {
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil {
			return complaints.String(), err
		}
		return "", os.WriteFile(filepath.Join(c.tree, "dashboard/openapi.json"), out, 0o600)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// firstComplaint is the line of an output that names a failed test or what does not compile.
func firstComplaint(out string) string {
	for _, sign := range []string{"--- FAIL", "FAIL ", ": error TS", ".go:", ".sql:"} {
		for line := range strings.Lines(out) {
			if strings.Contains(line, sign) {
				return strings.TrimSpace(line)
			}
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return line
}

// copyFrom copies the files of a source tree that git knows or would add.
func (c *copied) copyFrom(ctx context.Context, from string) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-co", "--exclude-standard", "-z")
	cmd.Dir = from
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("list the source tree: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted and not committed yet
		}
		path := filepath.Join(c.tree, name)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, data, 0o600)); err != nil {
			return fmt.Errorf("copy the source tree: %w", err)
		}
	}
	dist := filepath.Join(c.tree, "dashboard", "dist")
	if err := errors.Join(os.MkdirAll(dist, 0o700),
		os.WriteFile(filepath.Join(dist, ".gitkeep"), nil, 0o600)); err != nil {
		return err
	}
	for _, of := range []string{"dashboard", "dashboard/src/test/shadcn"} {
		modules, err := filepath.Abs(filepath.Join(from, of, "node_modules"))
		if err != nil {
			return err
		}
		if err := os.Symlink(modules, filepath.Join(c.tree, of, "node_modules")); err != nil {
			return err
		}
	}
	return nil
}
