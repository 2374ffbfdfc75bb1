package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"tradepost/cmd/capacity/model"
)

// part is how the cost of a kind is measured.
type part struct {
	usage  usage
	during time.Duration
}

const (
	partFor     = 6 * time.Second
	mixTraders  = 1_000
	mixFor      = 45 * time.Second
	mixReaders  = 50 // of direct messages
	boardsOpen  = 1_000
	postsBoards = 5 // a second
)

func each(kind model.Kind, rate float64) part {
	return part{usage{rate: rate, mix: []model.Share{{Kind: kind, Share: 1}}}, partFor}
}

// afterPosts has two of a kind for each post, because what was found and counted is found and counted again
// after a post.
func afterPosts(kind model.Kind) part {
	return part{usage{rate: 45, mix: []model.Share{{Kind: model.Post, Share: 1}, {Kind: kind, Share: 2}}},
		8 * time.Second}
}

// modelParts has how each kind is measured. What posts cost besides is subtracted.
var modelParts = map[model.Kind]part{
	model.Document: each(model.Document, 500), model.FirstPage: each(model.FirstPage, 500),
	model.Counts:  each(model.Counts, 500),
	model.AnyPage: each(model.AnyPage, 100), model.OneRequest: each(model.OneRequest, 200),
	model.OwnLists: each(model.OwnLists, 100),
	model.Filter:   afterPosts(model.Filter), model.Search: afterPosts(model.Search),
	model.Offer: each(model.Offer, 100), model.Post: each(model.Post, 100),
	model.Accept:  each(model.Accept, 100),
	model.Command: {usage{commands: 25}, partFor}, model.Message: {usage{messages: 25}, partFor},
}

// runModel measures the parts of the model on each market, then a mixture, and compares the mixture with
// what the model makes of the parts. Where a file is named, it writes the costs there.
func runModel(ctx context.Context, s settings, program, file string) error {
	costs := model.Costs{Measured: time.Now().Format(time.DateOnly), Machine: machine(), Beside: s.beside}
	var wrong error
	for _, size := range s.sizes {
		m, err := measureModel(ctx, s, program, size)
		if err != nil {
			return fmt.Errorf("market of %d: %w", size, err)
		}
		costs.Markets = append(costs.Markets, m)
		wrong = errors.Join(wrong, printModel(m), writeCosts(file, costs))
	}
	return wrong
}

func writeCosts(file string, costs model.Costs) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(costs, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func measureModel(ctx context.Context, s settings, program string, size int) (m model.Market, err error) {
	b, err := newBench(ctx, s, program, size)
	if err != nil {
		return m, err
	}
	defer b.close()
	// One program is measured, which page and bot share.
	b.program.stop()
	b.program = nil
	b.stopListening()
	e, err := b.newEvening(ctx)
	if err != nil {
		return m, err
	}
	defer e.close()
	if err := e.market.invite(ctx, e.discord, mixReaders); err != nil {
		return m, err
	}
	m = model.Market{Requests: size, Kinds: map[model.Kind]model.Cost{}}
	if err := b.sizesOf(ctx, &m); err != nil {
		return m, err
	}
	return m, e.measureParts(ctx, &m)
}

// sizesOf asks what the market has and stores.
func (b *bench) sizesOf(ctx context.Context, m *model.Market) error {
	tables, indexes, err := b.stored(ctx)
	if err != nil {
		return err
	}
	var all int
	if err := b.store.Pool().QueryRow(ctx,
		"select count(*), count(*) filter (where status = 'active' and expires_at > now()) from orders").Scan(&all, &m.Open); err != nil {
		return fmt.Errorf("count the requests: %w", err)
	}
	m.Stored = math.Round((tables + indexes) / float64(all))
	return nil
}

// measureParts measures each part by itself, then all together.
func (e *evening) measureParts(ctx context.Context, m *model.Market) error {
	// What a program does once after its start is over when two measurements in a row agree.
	var idle figures
	for range 30 {
		before := idle.cost.Both()
		f, err := e.costOf(ctx, part{usage{boards: 1}, 4 * time.Second}, "idle")
		if err != nil {
			return err
		}
		idle = f
		if now := f.cost.Both(); before > 0 && now > before*2/3 && now < before*3/2 {
			break
		}
	}
	m.Idle = rounded(idle.cost)
	// Posts first: what others cost beside them is known then.
	order := []model.Kind{model.Post}
	for _, kind := range model.Kinds {
		if kind != model.Post {
			order = append(order, kind)
		}
	}
	for _, kind := range order {
		p, known := modelParts[kind]
		if !known {
			return fmt.Errorf("it is not said how %q is measured", kind)
		}
		p.usage.boards = 1 // somebody always looks: changes are read and described
		f, err := e.costOf(ctx, p, string(kind))
		if err != nil {
			return err
		}
		rest := less(f.cost, m.Idle)
		if kind != model.Post {
			rest = less(rest, times(m.Kinds[model.Post], f.done[model.Post]))
		}
		c := times(rest, 1/f.done[kind])
		c.Bytes = f.bytes[kind]
		m.Kinds[kind] = rounded(c)
	}
	// What everybody sees is read and written again after a post.
	f, err := e.costOf(ctx, part{usage{rate: 110,
		mix: []model.Share{{Kind: model.Post, Share: 1}, {Kind: model.FirstPage, Share: 8},
			{Kind: model.Counts, Share: 2}}, boards: 1}, 8 * time.Second}, "refresh")
	if err != nil {
		return err
	}
	rest := less(f.cost, m.Idle)
	for _, kind := range []model.Kind{model.Post, model.FirstPage, model.Counts} {
		rest = less(rest, times(m.Kinds[kind], f.done[kind]))
	}
	m.Refresh = rounded(times(rest, 1/f.done[model.Post]))

	if m.Memory, err = e.program.memory(); err != nil {
		return err
	}
	f, err = e.costOf(ctx, part{usage{rate: postsBoards, mix: []model.Share{{Kind: model.Post, Share: 1}},
		boards: boardsOpen}, 8 * time.Second}, "open boards")
	if err != nil {
		return err
	}
	rest = less(f.cost, m.Idle)
	rest = less(rest, times(m.Kinds[model.Post], f.done[model.Post]))
	rest = less(rest, times(m.Refresh, f.done[model.Post]))
	m.Event = rounded(times(rest, 1/f.events))
	m.Board = math.Round(max(f.memory-m.Memory, 0) / boardsOpen)
	return e.measureMix(ctx, m)
}

// vacuum has every part begin alike: new requests wait in a list of the index for words, which each search
// reads through until it is cleaned up.
func (b *bench) vacuum(ctx context.Context) error {
	_, err := b.store.Pool().Exec(ctx, "vacuum orders")
	return err
}

// measureMix plays an evening.
func (e *evening) measureMix(ctx context.Context, m *model.Market) error {
	if err := e.b.vacuum(ctx); err != nil {
		return err
	}
	f, err := e.of(ctx, usageOf(mixTraders), mixFor)
	if err != nil {
		return err
	}
	if f.failures > 0 {
		return fmt.Errorf("%d of the mixture failed: %w", f.failures, e.why)
	}
	m.Mix = model.Mix{Seconds: f.took.Seconds(), Boards: mixTraders, Done: map[model.Kind]int{},
		Memory: f.memory, Measured: rounded(aSecond(f))}
	for kind, took := range e.took {
		m.Mix.Done[kind] = len(took)
	}
	return nil
}

// figures are what a part has cost in a second, and how much of each kind was done in it.
type figures struct {
	cost   model.Cost
	done   map[model.Kind]float64
	bytes  map[model.Kind]float64 // of one
	events float64
	memory float64
}

func (e *evening) costOf(ctx context.Context, p part, name string) (f figures, err error) {
	if err := e.b.vacuum(ctx); err != nil {
		return f, err
	}
	if p.usage.rate+p.usage.commands+p.usage.messages > 0 {
		// what is learnt first is not what is measured
		if _, err := e.of(ctx, p.usage, time.Second); err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	measured, err := e.of(ctx, p.usage, p.during)
	if err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	if measured.failures > 0 {
		return f, fmt.Errorf("%s: %d failed: %w", name, measured.failures, e.why)
	}
	seconds := measured.took.Seconds()
	f = figures{cost: aSecond(measured), done: map[model.Kind]float64{}, bytes: map[model.Kind]float64{},
		events: float64(measured.events) / seconds, memory: measured.memory}
	for kind, took := range e.took {
		f.done[kind] = float64(len(took)) / seconds
		f.bytes[kind] = float64(e.bytes[kind]) / float64(len(took))
	}
	progress("%-16s %s of the program and %s of PostgreSQL a second", name, short(micros(f.cost.Program)),
		short(micros(f.cost.Postgres)))
	return f, nil
}

func aSecond(f eveningFigures) model.Cost {
	seconds := f.took.Seconds()
	return model.Cost{Program: float64(f.cost.program.Microseconds()) / seconds,
		Postgres: float64(f.cost.postgres.Microseconds()) / seconds}
}

func micros(n float64) time.Duration { return time.Duration(n * float64(time.Microsecond)) }

func less(a, b model.Cost) model.Cost {
	return model.Cost{Program: a.Program - b.Program, Postgres: a.Postgres - b.Postgres, Bytes: a.Bytes}
}

func times(c model.Cost, n float64) model.Cost {
	return model.Cost{Program: c.Program * n, Postgres: c.Postgres * n, Bytes: c.Bytes * n}
}

// rounded leaves out what is below the accuracy of the measurement, and what seems to be less than nothing.
func rounded(c model.Cost) model.Cost {
	tenth := func(n float64) float64 { return math.Round(max(n, 0)*10) / 10 }
	return model.Cost{Program: tenth(c.Program), Postgres: tenth(c.Postgres), Bytes: math.Round(c.Bytes)}
}

// printModel prints the parts and the mixture, and reports how far the model is off.
func printModel(m model.Market) error {
	var lines [][]string
	add := func(name string, c model.Cost) {
		lines = append(lines, []string{name, short(micros(c.Program)), short(micros(c.Postgres)),
			short(micros(c.Both())), count(c.Bytes)})
	}
	for _, kind := range model.Kinds {
		add(string(kind), m.Kinds[kind])
	}
	add("refresh after a post", m.Refresh)
	add("event to a board", m.Event)
	add("a second when idle", m.Idle)
	if err := printTable(os.Stdout, fmt.Sprintf("What the parts cost: %s requests, %s open",
		count(float64(m.Requests)), count(float64(m.Open))),
		[]string{"what", "program", "PostgreSQL", "both", "bytes"}, lines); err != nil {
		return err
	}
	load := m.Mix.Load()
	predicted := m.ASecond(load)
	program, postgres, both := m.Mix.Off(predicted)
	lines = nil
	for _, r := range []struct {
		name                string
		predicted, measured float64
		off                 float64
	}{
		{"program", predicted.Program, m.Mix.Measured.Program, program},
		{"PostgreSQL", predicted.Postgres, m.Mix.Measured.Postgres, postgres},
		{"both", predicted.Both(), m.Mix.Measured.Both(), both},
	} {
		lines = append(lines, []string{r.name, fmt.Sprintf("%.3f", r.predicted/1e6),
			fmt.Sprintf("%.3f", r.measured/1e6), fmt.Sprintf("%+.0f %%", 100*r.off)})
	}
	title := fmt.Sprintf("A mixture: %s requests, %.0f reads and %.0f writes a second, %d open boards; processors busy", count(float64(m.Requests)), load.Reads(), load.Writes(), m.Mix.Boards)
	if err := printTable(os.Stdout, title, []string{"of", "predicted", "measured", "off"},
		lines); err != nil {
		return err
	}
	if off := max(math.Abs(program), math.Abs(postgres), math.Abs(both)); off > model.Tolerance {
		return fmt.Errorf("the model is off by %.0f %% at %d requests; %.0f %% is allowed", 100*off,
			m.Requests, 100*model.Tolerance)
	}
	return nil
}

// machine describes what was measured on.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, found := strings.Cut(string(text), "model name"); found {
			line, _, _ := strings.Cut(rest, "\n")
			name = strings.TrimSpace(strings.TrimLeft(line, "\t :"))
		}
	}
	return fmt.Sprintf("%d processors, %s; %s", runtime.NumCPU(), name, runtime.Version())
}
