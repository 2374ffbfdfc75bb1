package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/cmd/capacity/model"
)

// The model of an evening (model.Evening): a trader has a board open and does something every ten seconds;
// one in ten of them uses commands in Discord as often besides.
const (
	actEvery       = 10 * time.Second
	eveningClients = 128 // connections; more than are ever busy
)

// usage is what a market is asked for, each thing at its time.
type usage struct {
	rate     float64 // things a second on the page
	mix      []model.Share
	commands float64 // a second, in Discord
	messages float64 // a second: notices that become direct messages
	boards   int     // open
}

// usageOf is what so many traders do.
func usageOf(traders int) usage {
	rate := float64(traders) / actEvery.Seconds()
	return usage{rate: rate, mix: model.Evening, commands: rate * model.CommandsByThing, boards: traders}
}

// evening is a market in use.
type evening struct {
	b       *bench
	program *program
	discord *discordtest.Discord
	wall    *wall
	market  askData

	mu     sync.Mutex
	took   map[model.Kind][]time.Duration
	bytes  map[model.Kind]int
	failed map[model.Kind]int
	why    error
}

// eveningFigures are what an evening comes to.
type eveningFigures struct {
	rate     float64
	cost     cost
	cores    float64 // how many were busy
	memory   float64
	seen     [3]time.Duration // a post on other boards: p50 and p99
	missed   int
	worst    time.Duration // the p99 of the slowest kind
	failures int
	took     time.Duration
	events   int64 // that all boards got
}

// measureEvening measures a typical evening: everything at once, and each at its time whether or not what
// came before has been answered, so that waiting shows.
func (b *bench) measureEvening(ctx context.Context) error {
	name := fmt.Sprintf("an evening of %s traders", count(float64(b.traders)))
	if !b.wanted(name) {
		return nil
	}
	e, err := b.newEvening(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	f, err := e.of(ctx, usageOf(b.traders), b.evening)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.add(row{size: b.size, name: name, queries: -1, figure: f.String(), ours: measured{p99: f.worst}})
	return errors.Join(e.print(name, f), b.checkInvariants(ctx, true))
}

// measureTraders looks for how many traders one machine carries: with twice as many again and again, until
// something takes longer than a second in one of a hundred cases, or is not answered. Then it tries
// between.
func (b *bench) measureTraders(ctx context.Context) error {
	const name = "active traders that one machine carries"
	if !b.wanted(name) {
		return nil
	}
	e, err := b.newEvening(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	carries, most := 0, 0
	var best eveningFigures
	for step := 0; step < 6; step++ {
		n := 4_000
		switch {
		case most == 0 && carries > 0:
			n = min(carries*3/2, 9_900) // a process has 10,000 streams
		case most > 0:
			n = (carries + most) / 2
		}
		if n-carries < 300 {
			break
		}
		f, err := e.of(ctx, usageOf(n), 15*time.Second)
		if err != nil {
			return fmt.Errorf("%d traders: %w", n, err)
		}
		progress("%d traders: %s", n, f)
		if f.failures == 0 && f.worst < time.Second && f.seen[1] < time.Second {
			carries, best = n, f
		} else {
			most = n
		}
	}
	b.add(row{size: b.size, name: name, queries: -1,
		figure: fmt.Sprintf("%s; %s", count(float64(carries)), best), value: float64(carries),
		ours: measured{p99: best.worst}})
	return nil
}

func (f eveningFigures) String() string {
	return fmt.Sprintf("%.0f requests a second, slowest kind p99 %s, %d failed; a post on other boards p50 %s, p99 %s, %d never; %.2f cores busy, %.0f %% of it PostgreSQL; %.0f MiB",
		f.rate, short(f.worst), f.failures, short(f.seen[0]), short(f.seen[1]), f.missed, f.cores,
		100*float64(f.cost.postgres)/float64(f.cost.both()), f.memory/mebibyte)
}

func (b *bench) newEvening(ctx context.Context) (*evening, error) {
	e := &evening{b: b}
	_, err := b.store.Pool().Exec(ctx, "update notices set state = 'expired', settled_at = now() where state = 'pending'")
	if err != nil {
		return nil, fmt.Errorf("end what was to be delivered: %w", err)
	}
	if e.market, err = b.askData(ctx); err != nil {
		return nil, err
	}
	var env []string
	if e.discord, env, err = standIn(); err != nil {
		return nil, err
	}
	if e.program, err = startProgram(ctx, b.binary, b.dsn, b.keepLog, env); err != nil {
		e.discord.Close()
		return nil, err
	}
	err = play(func(t discordtest.TB) { e.discord.WaitForBot(t) })
	if err == nil {
		_, err = e.of(ctx, usageOf(200), 5*time.Second) // what is learnt first is not what is measured
	}
	if err != nil {
		e.close()
	}
	return e, err
}

func (e *evening) close() {
	e.program.stop()
	e.discord.Close()
}

// due is a request whose time has come.
type due struct {
	kind model.Kind
	n    int
	at   time.Time
}

// of has the market used for a while.
func (e *evening) of(ctx context.Context, u usage, during time.Duration) (f eveningFigures, err error) {
	e.took, e.bytes, e.failed, e.why = map[model.Kind][]time.Duration{}, map[model.Kind]int{},
		map[model.Kind]int{}, nil
	e.wall = newWall(e.program.address)
	if _, err := e.wall.open(u.boards); err != nil {
		return f, err
	}
	defer e.wall.hangUp()
	queue := make(chan due, 1<<16)
	var working sync.WaitGroup
	for range eveningClients {
		c, err := dial(e.program.address)
		if err != nil {
			return f, err
		}
		working.Go(func() { e.answer(c, queue) })
	}
	before, err := e.b.cost(e.program.pid())
	if err != nil {
		return f, err
	}
	began := time.Now()
	sent := e.act(ctx, u, began.Add(during), queue)
	close(queue)
	working.Wait()
	f.took = time.Since(began)
	after, err := e.b.cost(e.program.pid())
	if err != nil {
		return f, err
	}
	f.events = e.wall.events.Load()
	if u.boards > 1 {
		time.Sleep(3 * time.Second) // what was posted last is still on its way
	}
	f.cost = after.since(before)
	f.rate, f.cores = float64(sent)/f.took.Seconds(), f.cost.both().Seconds()/f.took.Seconds()
	if f.memory, err = e.program.memory(); err != nil {
		return f, err
	}
	f.seen[0], f.seen[1], f.missed = e.wall.result()
	for kind, n := range e.failed {
		f.failures += n
		progress("%s: %d failed, such as %v", kind, n, e.why)
	}
	for _, took := range e.took {
		f.worst = max(f.worst, percentile(took, 0.99))
	}
	return f, ctx.Err()
}

// act has everything done at its time, and returns how much was done on the page.
func (e *evening) act(ctx context.Context, u usage, end time.Time, queue chan<- due) (sent int) {
	var asking sync.WaitGroup
	defer asking.Wait()
	var player *discordtest.Player
	if err := play(func(t discordtest.TB) { player = e.discord.Player(t, "maple") }); err != nil {
		e.note(model.Command, 0, 0, err)
		return 0
	}
	all := u.rate + u.commands + u.messages
	if all == 0 {
		time.Sleep(time.Until(end))
		return 0
	}
	draw := rand.New(rand.NewPCG(1, uint64(all*actEvery.Seconds())))
	for n, at := 0, time.Now(); at.Before(end) && ctx.Err() == nil; n++ {
		// people do not wait for each other
		at = at.Add(time.Duration(draw.ExpFloat64() / all * float64(time.Second)))
		time.Sleep(time.Until(at))
		switch drawn := draw.Float64() * all; {
		case drawn < u.rate:
			queue <- due{kind: drawKind(draw, u.mix), n: sent, at: at}
			sent++
		case drawn < u.rate+u.commands:
			asking.Go(func() {
				err := play(func(t discordtest.TB) { player.With(t).Slash("request browse") })
				e.note(model.Command, time.Since(at), 0, err)
			})
		default:
			asking.Go(func() {
				err := e.market.sendTo(ctx, n)
				e.note(model.Message, time.Since(at), 0, err)
			})
		}
		if n%1000 == 0 {
			e.discord.ForgetRequests()
		}
	}
	return sent
}

func drawKind(draw *rand.Rand, mix []model.Share) model.Kind {
	all := 0
	for _, s := range mix {
		all += s.Share
	}
	left := draw.IntN(all)
	for _, s := range mix {
		if left -= s.Share; left < 0 {
			return s.Kind
		}
	}
	return mix[0].Kind
}

// answer asks for what is due through one connection.
func (e *evening) answer(c *client, queue <-chan due) {
	defer func() { c.close() }()
	for d := range queue {
		asked, want := asksFor[d.kind](e.market, d.n)
		r, err := c.do(asked, d.kind == model.Post)
		// the program closes idle connections when many are open; a browser then asks through another
		if err != nil {
			c.close()
			again, dialErr := dial(e.program.address)
			if dialErr != nil {
				e.note(d.kind, 0, 0, dialErr)
				continue
			}
			c = again
			r, err = c.do(asked, d.kind == model.Post)
		}
		if err == nil && r.status != want {
			err = fmt.Errorf("answered %d: %.200s", r.status, r.body)
		}
		e.note(d.kind, time.Since(d.at), r.bytes, err)
		if err == nil && d.kind == model.Post {
			e.wall.posted(numberAfter(r.body, `"id":`), d.at)
		}
	}
}

func (e *evening) note(kind model.Kind, took time.Duration, bytes int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.failed[kind]++
		e.why = err
		return
	}
	e.took[kind] = append(e.took[kind], took)
	e.bytes[kind] += bytes
}

// print prints the table of an evening.
func (e *evening) print(name string, f eveningFigures) error {
	var lines [][]string
	kinds := []model.Kind{model.Command}
	for _, k := range model.Evening {
		kinds = append(kinds, k.Kind)
	}
	for _, kind := range kinds {
		took := e.took[kind]
		lines = append(lines, []string{
			string(kind), fmt.Sprintf("%.1f", float64(len(took))/e.b.evening.Seconds()),
			short(percentile(took, 0.5)), short(percentile(took, 0.99)), short(percentile(took, 0.999)),
			fmt.Sprint(e.failed[kind]),
		})
	}
	title := fmt.Sprintf("%s, %s requests, %s: %s", name, count(float64(e.b.size)), e.b.evening, f)
	return printTable(os.Stdout, title, []string{"what", "a second", "p50", "p99", "p99.9", "failed"}, lines)
}
