package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tradepost/cmd/capacity/model"
)

// markets are the rows of the guide.
var markets = []model.Question{
	{Traders: 300, Weekly: 1, Readers: 60, Weeks: 104},
	{Traders: 5_000, Weekly: 1, Readers: 1_000, Weeks: 104},
	{Traders: 5_000, Weekly: 1, Readers: 1_000, Weeks: 104, Survives: true},
	{Traders: 9_000, Weekly: 1, Readers: 10_000, Weeks: 104},
	{Traders: 100_000, Weekly: 1, Readers: 50_000, Weeks: 104, Survives: true},
	{Traders: 500_000, Weekly: 1, Readers: 250_000, Weeks: 104, Survives: true},
	{Traders: 2_000_000, Weekly: 1, Readers: 1_000_000, Weeks: 104, Survives: true},
	{Traders: 5_000_000, Weekly: 2, Readers: 2_500_000, Weeks: 104, Survives: true},
}

// tables returns the texts between the markers of the guide, by name.
func tables(costs model.Costs) map[string]string {
	return map[string]string{"markets": marketRows(costs), "costs": costRows(costs), "mix": mixRows(costs)}
}

// fill writes each table between the lines of its markers.
func fill(page string, tables map[string]string) (string, error) {
	for name, table := range tables {
		begin, end := "<!-- "+name+": make generate -->\n", "<!-- end of "+name+" -->\n"
		before, rest, found := strings.Cut(page, begin)
		_, after, ends := strings.Cut(rest, end)
		if !found || !ends {
			return "", fmt.Errorf("the lines %q and %q are missing", strings.TrimSpace(begin),
				strings.TrimSpace(end))
		}
		page = before + begin + "\n" + table + "\n" + end + after
	}
	return page, nil
}

func marketRows(costs model.Costs) string {
	var b strings.Builder
	b.WriteString("| traders | readers in the busiest hour | reads, writes a second | boards open | " +
		"processors busy: program, PostgreSQL | take | " +
		"memory of a program | disk in 2 years | steps | runs behind it |\n")
	b.WriteString("|--:|--:|--:|--:|--:|:--|--:|--:|:--|:--|\n")
	for _, q := range markets {
		p := costs.Plan(q)
		beyond := ""
		if p.Beyond {
			beyond = " *"
		}
		posts := ""
		if q.Weekly != 1 {
			posts = fmt.Sprintf(", %.0f requests each", q.Weekly)
		}
		fmt.Fprintf(&b, "| %s%s%s | %s | %s, %s | %s | %s, %s | %s | %s | %s | %s | %s |\n",
			number(float64(q.Traders)), beyond, posts, number(float64(q.Readers)),
			number(p.Load.Reads()), number(p.Load.Writes()), number(p.Load.Boards), number(p.Busy.Program),
			number(p.Busy.Postgres),
			take(p), size(p.Memory), size(p.Disk), steps(p), runs(p))
	}
	return b.String()
}

// take lists the machines that a plan needs.
func take(p model.Plan) string {
	if p.Bots == 0 {
		return fmt.Sprintf("one machine, %d processors", p.Database)
	}
	parts := []string{counted(p.Pages, "page"), counted(p.Bots, "bot"),
		fmt.Sprintf("PostgreSQL with %d processors", p.Database)}
	if p.Standbys > 0 {
		parts = append(parts, counted(p.Standbys, "standby")+" of the same size")
	}
	return strings.Join(parts, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return number(float64(n)) + " " + what + "s"
}

func steps(p model.Plan) string {
	var links []string
	for _, s := range p.Steps {
		links = append(links, fmt.Sprintf("[%s](#%s)", s,
			strings.ToLower(strings.ReplaceAll(string(s), " ", "-"))))
	}
	return strings.Join(links, ", ")
}

// shownBy is the run that has shown a step. Those that are not here have been computed only.
var shownBy = map[model.Step]string{
	model.OneMachine: "`make bench`", model.Programs: "`make bench`", model.Standby: "`make cluster`",
	model.Pooler: "`make pooler`", model.Cache: "`make edge`", model.Replicas: "`make cluster`",
	model.Distributed: "`make citus`",
}

func runs(p model.Plan) string {
	all := []string{"`make bench-model`"}
	for _, s := range p.Steps {
		if run := shownBy[s]; run == "" {
			all = append(all, "none for "+string(s))
		} else if !slices.Contains(all, run) {
			all = append(all, run)
		}
	}
	return strings.Join(all, ", ")
}

func costRows(costs model.Costs) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s (%s), %s.\n\n| one of these |", costs.Measured, costs.Machine,
		costs.Beside)
	for _, m := range costs.Markets {
		fmt.Fprintf(&b, " %s requests: program, PostgreSQL |", number(float64(m.Requests)))
	}
	last := costs.Markets[len(costs.Markets)-1]
	b.WriteString(" bytes |\n|:--|" + strings.Repeat("--:|", len(costs.Markets)+1) + "\n")
	row := func(name string, cost func(model.Market) model.Cost) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, m := range costs.Markets {
			c := cost(m)
			fmt.Fprintf(&b, " %s, %s |", micros(c.Program), micros(c.Postgres))
		}
		fmt.Fprintf(&b, " %s |\n", dash(cost(last).Bytes))
	}
	for _, kind := range model.Kinds {
		row(string(kind), func(m model.Market) model.Cost { return m.Kinds[kind] })
	}
	row("what a post has read and written again", func(m model.Market) model.Cost { return m.Refresh })
	row("an event to an open board", func(m model.Market) model.Cost { return m.Event })
	row("a second of an idle market", func(m model.Market) model.Cost { return m.Idle })
	figure := func(name string, of func(model.Market) float64) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, m := range costs.Markets {
			fmt.Fprintf(&b, " %s |", size(of(m)))
		}
		b.WriteString(" |\n")
	}
	figure("memory of the program", func(m model.Market) float64 { return m.Memory })
	figure("memory of an open board", func(m model.Market) float64 { return m.Board })
	return b.String()
}

func mixRows(costs model.Costs) string {
	var b strings.Builder
	b.WriteString("| requests | things a second | boards open | " +
		"predicted: program, PostgreSQL | measured | off | memory predicted, measured |\n" +
		"|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, m := range costs.Markets {
		l := m.Mix.Load()
		predicted := m.ASecond(l)
		program, postgres, both := m.Mix.Off(predicted)
		fmt.Fprintf(&b, "| %s | %s | %s | %s, %s | %s, %s | %+.0f %%, %+.0f %%; both %+.0f %% | %s, %s |\n",
			number(float64(m.Requests)), number(l.Reads()+l.Writes()), number(l.Boards),
			number(predicted.Program/1e6), number(predicted.Postgres/1e6), number(m.Mix.Measured.Program/1e6),
			number(m.Mix.Measured.Postgres/1e6),
			100*program, 100*postgres, 100*both, size(m.Memory+l.Boards*m.Board), size(m.Mix.Memory))
	}
	return b.String()
}

// answer prints what one market needs.
func answer(w io.Writer, costs model.Costs, p model.Plan) error {
	q := p.Question
	fmt.Fprintf(w, "%s traders (requests of each in a week: %s) and %s readers in the busiest hour:\n\n",
		number(float64(q.Traders)), number(q.Weekly), number(float64(q.Readers)))
	for _, line := range [][2]string{
		{"take", take(p)},
		{"steps", strings.Join(names(p.Steps), ", ")},
		{"in the busiest hour", fmt.Sprintf("%s reads and %s writes a second, %s boards open, "+
			"%s direct messages a second", number(p.Load.Reads()), number(p.Load.Writes()),
			number(p.Load.Boards), number(p.Load.Done[model.Message]))},
		{"processors busy", fmt.Sprintf("%s by the program, %s by PostgreSQL", number(p.Busy.Program),
			number(p.Busy.Postgres))},
		{"memory of a program", size(p.Memory)},
		{"connections to PostgreSQL", fmt.Sprint(p.Connected)},
		{"traffic", size(p.Traffic) + " a second, without scripts and pictures"},
		{"disk", fmt.Sprintf("%s after %s weeks, of one PostgreSQL", size(p.Disk), number(q.Weeks))},
	} {
		fmt.Fprintf(w, "  %-26s %s\n", line[0], line[1])
	}
	if p.Beyond {
		last := costs.Markets[len(costs.Markets)-1]
		fmt.Fprintf(w, "\n%s requests are open at once; the largest market that was measured has %s. "+
			"Searches cost more than this says.\n", number(q.Open()), number(float64(last.Open)))
	}
	if p.Load.Done[model.Message] > model.MostMessages {
		fmt.Fprintf(w, "\nDiscord takes about %.0f calls a second from one application: "+
			"direct messages wait in the busiest hour.\n", float64(model.MostMessages))
	}
	fmt.Fprintln(w, "\nPages and bots have", model.PageProcessors,
		"processors each. docs/scaling.md has the commands of each step, and what is assumed.")
	return nil
}

func names(steps []model.Step) (all []string) {
	for _, s := range steps {
		all = append(all, string(s))
	}
	return all
}

// number writes a number with two digits that count, at least, and its thousands apart.
func number(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n < 0.995:
		return fmt.Sprintf("%.2g", n)
	case n < 10 && n != float64(int(n)):
		return fmt.Sprintf("%.1f", n)
	}
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func micros(n float64) string { return number(n) + " µs" }

func dash(n float64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

func size(bytes float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	unit := 0
	for bytes >= 1000 && unit < len(units)-1 {
		bytes /= 1024
		unit++
	}
	return number(bytes) + " " + units[unit]
}
