package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"sync"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
)

// The model of an evening. A trader has a board open and does something every ten seconds; one in ten of them uses commands
// in Discord as often besides.
const (
	actEvery         = 10 * time.Second
	tradersByCommand = 10
	eveningClients   = 128 // connections; more than are ever busy
)

// eveningMix is what traders do, in hundredths: 90 look, and of these half at the first page.
var eveningMix = []struct {
	kind  string
	share int
}{
	{"first page", 36}, {"counts", 9}, {"any page", 15}, {"filter", 8}, {"search", 7}, {"one request", 7}, {"own lists", 8},
	{"offer", 5}, {"post", 3}, {"accept", 2},
}

// evening is a market in use.
type evening struct {
	b       *bench
	program *program
	discord *discordtest.Discord
	wall    *wall
	kinds   map[string]func(n int) (asked ask, want int)

	mu     sync.Mutex
	took   map[string][]time.Duration
	failed map[string]int
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
}

// measureEvening measures a typical evening: everything at once, and each at its time whether or not what came before has been
// answered, so that waiting shows.
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
	f, err := e.of(ctx, b.traders, b.evening)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.add(row{size: b.size, name: name, queries: -1, figure: f.String(), ours: measured{p99: f.worst}})
	return e.print(name, f)
}

// measureTraders looks for how many traders one machine carries: with twice as many again and again, until something takes longer
// than a second in one of a hundred cases, or is not answered. Then it tries between.
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
		f, err := e.of(ctx, n, 15*time.Second)
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
	b.add(row{size: b.size, name: name, queries: -1, figure: fmt.Sprintf("%s; %s", count(float64(carries)), best), value: float64(carries), ours: measured{p99: best.worst}})
	return nil
}

func (f eveningFigures) String() string {
	return fmt.Sprintf("%.0f requests a second, slowest kind p99 %s, %d failed; a post on other boards p50 %s, p99 %s, %d never; %.2f cores busy, %.0f %% of it PostgreSQL; %.0f MiB",
		f.rate, short(f.worst), f.failures, short(f.seen[0]), short(f.seen[1]), f.missed, f.cores, 100*float64(f.cost.postgres)/float64(f.cost.both()), f.memory/mebibyte)
}

func (b *bench) newEvening(ctx context.Context) (*evening, error) {
	e := &evening{b: b}
	_, err := b.store.Pool().Exec(ctx, "update notices set state = 'expired', settled_at = now() where state = 'pending'")
	if err != nil {
		return nil, fmt.Errorf("end what was to be delivered: %w", err)
	}
	if e.kinds, err = b.eveningKinds(ctx); err != nil {
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
		_, err = e.of(ctx, 200, 5*time.Second) // what is learnt first is not what is measured
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

// eveningKinds has how each kind of request is written.
func (b *bench) eveningKinds(ctx context.Context) (map[string]func(n int) (ask, int), error) {
	pages, err := b.pagesFrom(ctx, core.Newest, open)
	if err != nil {
		return nil, err
	}
	ids, err := b.ids(ctx, open, 1000)
	if err != nil {
		return nil, err
	}
	ropes, err := b.ropes(ctx)
	if err != nil {
		return nil, err
	}
	filters := []string{"importance=urgent", "level=120", "minPrice=10000&maxPrice=1000000", "category=Miner", "category=Chef&sort=price"}
	words := []string{"iron", "wild mushroom", "obsidian", "velvet", "kraken", "guild hall"}
	own := []string{"/api/me", "/api/me/orders", "/api/me/offers", "/api/me/notices"}
	cookie := func(n int) string { return b.cookies[n%signedIn] }
	read := func(path string, headers ...string) (ask, int) { return get(path, append(headers, gzipped)...), 200 }
	return map[string]func(n int) (ask, int){
		"first page":  func(int) (ask, int) { return read("/api/orders") },
		"counts":      func(int) (ask, int) { return read("/api/orders/counts") },
		"any page":    func(n int) (ask, int) { return read(pages[n%len(pages)]) },
		"filter":      func(n int) (ask, int) { return read("/api/orders?" + filters[n%len(filters)]) },
		"search":      func(n int) (ask, int) { return read("/api/orders?q=" + url.QueryEscape(words[n%len(words)])) },
		"one request": func(n int) (ask, int) { return read(fmt.Sprintf("/api/orders/%d", ids[n%len(ids)]), cookie(n)) },
		"own lists":   func(n int) (ask, int) { return read(own[n%len(own)], cookie(n)) },
		"offer": func(n int) (ask, int) {
			r := ropes[n%512]
			if r.Owner == int64(n%signedIn+1) {
				r = ropes[(n+1)%512]
			}
			return request("POST", fmt.Sprintf("/api/orders/%d/offers", r.Order), `{"sellerName":"Ropemaker","message":"I have a lot of it","quantityOffered":1}`, []string{cookie(n)}), 201
		},
		"post": func(n int) (ask, int) {
			return request("POST", "/api/orders", fmt.Sprintf(`{"itemName":"Copper Ore","quantity":50,"maxPricePerUnit":%d,"description":"For the evening.","buyerContact":"player","category":"Miner"}`,
				100+b.posted.Add(1)), []string{cookie(n)}), 201
		},
		"accept": func(n int) (ask, int) {
			r := ropes[n%512]
			return request("POST", fmt.Sprintf("/api/offers/%d/accept", r.Offer), `{"quantity":1}`, []string{b.cookies[r.Owner-1]}), 200
		},
	}, nil
}

// due is a request whose time has come.
type due struct {
	kind string
	n    int
	at   time.Time
}

// of lets so many traders use the market for a while.
func (e *evening) of(ctx context.Context, traders int, during time.Duration) (f eveningFigures, err error) {
	e.took, e.failed, e.why = map[string][]time.Duration{}, map[string]int{}, nil
	e.wall = newWall(e.program.address)
	if _, err := e.wall.open(traders); err != nil {
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
	sent := e.act(ctx, traders, began.Add(during), queue)
	close(queue)
	working.Wait()
	took := time.Since(began)
	after, err := e.b.cost(e.program.pid())
	if err != nil {
		return f, err
	}
	time.Sleep(3 * time.Second) // what was posted last is still on its way
	f.cost = after.since(before)
	f.rate, f.cores = float64(sent)/took.Seconds(), f.cost.both().Seconds()/took.Seconds()
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

// act has everything done at its time, and returns how much was done.
func (e *evening) act(ctx context.Context, traders int, end time.Time, queue chan<- due) (sent int) {
	var asking sync.WaitGroup
	defer asking.Wait()
	var player *discordtest.Player
	if err := play(func(t discordtest.TB) { player = e.discord.Player(t, "maple") }); err != nil {
		e.note("command", 0, err)
		return 0
	}
	every := actEvery / time.Duration(traders)
	draw := rand.New(rand.NewPCG(1, uint64(traders)))
	for at := time.Now(); at.Before(end) && ctx.Err() == nil; sent++ {
		at = at.Add(time.Duration(draw.ExpFloat64() * float64(every))) // people do not wait for each other
		time.Sleep(time.Until(at))
		queue <- due{kind: drawKind(draw), n: sent, at: at}
		if draw.IntN(tradersByCommand) == 0 {
			at := at
			asking.Go(func() {
				err := play(func(t discordtest.TB) { player.With(t).Slash("request browse") })
				e.note("command", time.Since(at), err)
			})
		}
		if sent%1000 == 0 {
			e.discord.ForgetRequests()
		}
	}
	return sent
}

func drawKind(draw *rand.Rand) string {
	left := draw.IntN(100)
	for _, k := range eveningMix {
		if left -= k.share; left < 0 {
			return k.kind
		}
	}
	return eveningMix[0].kind
}

// answer asks for what is due through one connection.
func (e *evening) answer(c *client, queue <-chan due) {
	defer func() { c.close() }()
	for d := range queue {
		asked, want := e.kinds[d.kind](d.n)
		r, err := c.do(asked, d.kind == "post")
		if err != nil { // the program closes idle connections when many are open; a browser then asks through another
			c.close()
			again, dialErr := dial(e.program.address)
			if dialErr != nil {
				e.note(d.kind, 0, dialErr)
				continue
			}
			c = again
			r, err = c.do(asked, d.kind == "post")
		}
		if err == nil && r.status != want {
			err = fmt.Errorf("answered %d: %.200s", r.status, r.body)
		}
		e.note(d.kind, time.Since(d.at), err)
		if err == nil && d.kind == "post" {
			e.wall.posted(numberAfter(r.body, `"id":`), d.at)
		}
	}
}

func (e *evening) note(kind string, took time.Duration, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.failed[kind]++
		e.why = err
		return
	}
	e.took[kind] = append(e.took[kind], took)
}

// print prints the table of an evening.
func (e *evening) print(name string, f eveningFigures) error {
	var lines [][]string
	kinds := []string{"command"}
	for _, k := range eveningMix {
		kinds = append(kinds, k.kind)
	}
	for _, kind := range kinds {
		took := e.took[kind]
		lines = append(lines, []string{
			kind, fmt.Sprintf("%.1f", float64(len(took))/e.b.evening.Seconds()), short(percentile(took, 0.5)), short(percentile(took, 0.99)), short(percentile(took, 0.999)), fmt.Sprint(e.failed[kind]),
		})
	}
	title := fmt.Sprintf("%s, %s requests, %s: %s", name, count(float64(e.b.size)), e.b.evening, f)
	return printTable(os.Stdout, title, []string{"what", "a second", "p50", "p99", "p99.9", "failed"}, lines)
}
