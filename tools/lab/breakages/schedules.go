package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

// scheduled are the breakages that make schedules must find.
var scheduled = []breakage{
	{name: "no lock on the request", edits: []edit{{"sql/internal/db/orders.sql.go",
		"from orders where id = $1 for update", "from orders where id = $1"}}},
	{name: "accept without the row lock", edits: []edit{{"sql/internal/db/offers.sql.go",
		"for update of orders, offers", ""}}},
	{name: "no lock on stock", edits: []edit{{"sql/internal/db/stock.sql.go",
		"order by stock.id limit 1 for update", "order by stock.id limit 1"}}},
	{name: "no lock on a listing that sells unasked", edits: []edit{{"sql/internal/db/crossings.sql.go",
		"from stock where id = any($1::bigint[]) order by id for update",
		"from stock where id = any($1::bigint[]) order by id"}}},
	{name: "no lock on the user", edits: []edit{{"sql/internal/db/blocks.sql.go",
		"from users where id = $1 for update", "from users where id = $1"}}},
	{name: "no lock on the handover", edits: []edit{{"sql/internal/db/handovers.sql.go",
		"order by h.sale_id for update\n", "order by h.sale_id\n"}}},
	{name: "no lock on the report", edits: []edit{{"sql/internal/db/reports.sql.go",
		"from reports where id = $1 for update", "from reports where id = $1"}}},
	{name: "no look at who has heard", edits: []edit{{"sql/internal/db/alerts.sql.go",
		"n.kind = 'request_watched' and n.order_id = ", "false and n.kind = 'request_watched' and n.order_id = "}}},
	{name: "an undo ignores the other side's word", edits: []edit{{"core/trade/handovers.go",
		"if acted := h.Undo().Acted; acted != nil {", "if acted := h.Undo().Acted; acted != nil && false {"}}},
	{name: "key ignored", edits: []edit{{"core/claim.go", "\tif actor.Key == \"\" {\n\t\treturn nil, nil\n\t}\n\tfor",
		"\tif true {\n\t\treturn nil, nil\n\t}\n\tfor"}}},
	{name: "no advisory lock for the key", edits: []edit{{"sql/postgres/kernel/claims.go",
		"if err := t.Q.WaitForClaim(ctx, lockNumber(name)); err != nil {",
		"_ = name\n\t\tif err := error(nil); err != nil {"}}},
	{name: "lost COMMIT taken for committed", edits: []edit{{"sql/postgres/kernel/tx.go",
		"committed, statusErr := s.commitStatus(ctx, p.id)", "committed, statusErr := true, error(nil)"}}},
	{name: "serialization failures are not repeated", edits: []edit{{"sql/pgconnect/errors.go",
		"(pg.Code == \"40001\" ||", "(pg.Code == \"none\" ||"}}},
}

// schedules limits how many schedules a breakage is looked for in.
const schedules = 10_000

// foundAfter is the line of TestSchedules that tells of a finding.
var foundAfter = regexp.MustCompile(`found after (\d+) schedules`)

// runScheduled breaks the core and the store, one way at a time, and plays schedules until one finds it.
func runScheduled(ctx context.Context, only string) error {
	dir, err := os.MkdirTemp("", "breakages-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	w := &workshop{tree: filepath.Join(dir, "tree")}
	if err := copyTree(ctx, ".", w.tree); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "breakage\tfound after")
	missed := 0
	for _, b := range scheduled {
		if !strings.Contains(b.name, only) || ctx.Err() != nil {
			continue
		}
		after, err := w.schedulesUntil(ctx, b)
		switch {
		case err != nil:
			return err
		case after == 0:
			missed++
			fmt.Fprintf(table, "%s\tNOT FOUND in %d schedules\n", b.name, schedules)
		default:
			fmt.Fprintf(table, "%s\t%d schedules\n", b.name, after)
		}
		fmt.Fprintf(os.Stderr, "%s: %d\n", b.name, after)
	}
	_ = table.Flush() // nothing could be done about it
	if missed > 0 {
		return fmt.Errorf("%d breakages were not found", missed)
	}
	return ctx.Err()
}

// schedulesUntil returns how many schedules were played until one found a breakage; zero when none did.
func (w *workshop) schedulesUntil(ctx context.Context, b breakage) (after int, err error) {
	restore, err := b.apply(w.tree)
	defer restore()
	if err != nil {
		return 0, err
	}
	program := filepath.Join(filepath.Dir(w.tree), "schedules.test")
	if err := w.compileTest(ctx, program); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, program, "-test.v", "-test.run", "TestSchedules$", "-test.timeout", "60m")
	cmd.Dir = filepath.Join(w.tree, "sql/scheduletest")
	cmd.Env = append(os.Environ(), "SCHEDULES="+strconv.Itoa(schedules))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for lines := bufio.NewScanner(out); lines.Scan() && after == 0; {
		if found := foundAfter.FindStringSubmatch(lines.Text()); found != nil {
			after, _ = strconv.Atoi(found[1]) // it is digits
		}
	}
	if after > 0 {
		stop() // a smaller schedule is of no interest
		_ = cmd.Wait()
		return after, nil
	}
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("breakage %q: the schedules failed without a finding: %w", b.name, err)
	}
	return 0, nil
}

func (w *workshop) compileTest(ctx context.Context, into string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", into, "./sql/scheduletest")
	cmd.Dir, cmd.Env = w.tree, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the schedules: %w\n%s", err, out)
	}
	return nil
}
