package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"tradepost/cmd/tradepost/settings"
	"tradepost/cmd/tradepost/version"
	"tradepost/web/operating"
)

// The page shows these to operators, too.
type (
	// Figures are what an operator looks at every day.
	Figures = operating.MachineFigures
	// Report is everything that a doctor found.
	Report = operating.Machine
)

// examine looks at all things, one after another.
func examine(ctx context.Context, figures *Figures, all []examination) Report {
	report := Report{Version: version.String(), At: time.Now().UTC().Truncate(time.Second)}
	for _, e := range all {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := e.look(ctx)
		cancel()
		check := operating.MachineCheck{ID: e.id, What: e.what, State: operating.Good}
		var (
			unasked notNeeded
			result  found
			careful caution
		)
		if err != nil {
			check.Says = err.Error()
		}
		switch {
		case err == nil, errors.As(err, &result):
		case errors.As(err, &careful):
			check.State = operating.Careful
			report.Careful++
		case errors.As(err, &unasked):
			check.State = operating.NotChecked
		default:
			check.State = operating.Wrong
			report.Wrong++
		}
		report.Checks = append(report.Checks, check)
	}
	report.Figures = *figures
	return report
}

// say prints a line for each thing, or all of it for programs, and returns an error when one is wrong.
func (d *Command) say(out io.Writer, report Report) error {
	wrong := error(nil)
	if report.Wrong > 0 {
		wrong = fmt.Errorf("%d of %d are not as they should be", report.Wrong, len(report.Checks))
	}
	if d.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return errors.Join(encoder.Encode(report), wrong)
	}
	marks := map[operating.State]string{operating.Good: "✓", operating.Careful: "!",
		operating.NotChecked: "-", operating.Wrong: "✗"}
	for _, c := range report.Checks {
		switch {
		case c.Says == "":
			fmt.Fprintf(out, "%s %s\n", marks[c.State], c.What)
		case c.State == operating.Wrong:
			fmt.Fprintf(out, "%s %s\n  %s\n", marks[c.State], c.What,
				strings.ReplaceAll(c.Says, "\n", "\n  "))
		default:
			fmt.Fprintf(out, "%s %s: %s\n", marks[c.State], c.What, c.Says)
		}
	}
	if wrong == nil {
		fmt.Fprintln(out, "Everything is as it should be.")
	}
	return wrong
}

// Examiner returns a function that looks at the market that a command serves, for the page of its
// operators. The settings were right when it started.
func Examiner(market settings.Market) func(context.Context) Report {
	return func(ctx context.Context) Report {
		d, figures := Command{Market: market}, Figures{}
		return examine(ctx, &figures, d.examinations(nil, &figures))
	}
}
