package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// pgbench runs scripts, each as often as the others, one statement a round trip and every statement
// prepared, and returns how many it ran a second. It is the peer that shows what PostgreSQL can do.
func (b *bench) pgbench(ctx context.Context, scripts []string) (float64, error) {
	dir, err := os.MkdirTemp("", "bench-scripts-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	seconds := max(1, int(b.turn.Round(time.Second)/time.Second))
	args := []string{"-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", "2", "-T",
		strconv.Itoa(seconds)}
	for i, script := range scripts {
		name := filepath.Join(dir, fmt.Sprintf("%03d.sql", i))
		if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
			return 0, err
		}
		args = append(args, "-f", name)
	}
	out, err := exec.CommandContext(ctx, "pgbench", append(args, b.dsn)...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return 0, fmt.Errorf("pgbench is missing (Debian: apt-get install postgresql-contrib): %w", err)
	}
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %.500s", err, out)
	}
	found := tps.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench says nothing of its speed: %.500s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// remark is a line of SQL that says something to people.
var remark = regexp.MustCompile(`(?m)^--.*\n`)

// maxScripts is how many scripts pgbench takes.
const maxScripts = 128

// sameStatements are scripts that run what the program runs for these requests.
func (b *bench) sameStatements(asks []ask) (scripts []string, statements int, err error) {
	for _, asked := range asks[:min(len(asks), maxScripts)] {
		sent, err := b.statementsOf(asked)
		if err != nil {
			return nil, 0, err
		}
		statements = len(sent)
		var script strings.Builder
		for _, s := range sent {
			script.WriteString(strings.TrimSpace(remark.ReplaceAllString(s.written(), "")) + ";\n")
		}
		scripts = append(scripts, script.String())
	}
	return scripts, statements, nil
}
