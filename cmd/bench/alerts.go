package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

const (
	fewWatches    = 100_000
	manyWatches   = 1_000_000
	watchesEach   = 25
	matchedPosts  = 1_000
	manyWatchers  = 5_000
	mostCalls     = 45 // a second
	fillableLists = 300
)

//go:embed alerts.sql
var watchers string

// runAlerts measures alerts, stock and what a seller can fill, on markets of their own, and prints a table.
func runAlerts(ctx context.Context, s settings, program string) (err error) {
	server, err := pgembed.Start(ctx, pgembed.Options{DataDir: s.dir, Temporary: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	var rows []row
	for _, market := range []struct {
		name    string
		watches int
		parts   []func(*alertBench, context.Context) error
	}{
		{"few", fewWatches, []func(*alertBench, context.Context) error{(*alertBench).firstWave, (*alertBench).posting, (*alertBench).forMe}},
		{"many", manyWatches, []func(*alertBench, context.Context) error{(*alertBench).matching, (*alertBench).waves}},
	} {
		a, err := newAlertBench(ctx, s, server, program, market.name, market.watches)
		if err != nil {
			return err
		}
		for _, part := range market.parts {
			if err = part(a, ctx); err != nil {
				break
			}
		}
		rows = append(rows, a.rows...)
		a.bench.server = nil // others need it
		a.close()
		if err != nil {
			return errors.Join(fmt.Errorf("market of %d watches: %w", market.watches, err), printAlerts(rows))
		}
	}
	return printAlerts(rows)
}

func printAlerts(rows []row) error {
	var lines [][]string
	for _, r := range rows {
		lines = append(lines, []string{r.name, r.figure, goal(true, r.value > r.most, r.peerName)})
	}
	return printTable(os.Stdout, "Alerts and stock", []string{"what", "measured", "goal"}, lines)
}

// alertBench is a market with the catalogue's items and many watches.
type alertBench struct {
	*bench
	watches int
	market  *core.Market
	items   []core.Item
	now     time.Time // of market; zero for the real one
}

func newAlertBench(ctx context.Context, s settings, server *pgembed.Server, program, name string, watches int) (*alertBench, error) {
	a := &alertBench{bench: &bench{settings: s, server: server, dsn: server.DSN(name), binary: program}, watches: watches}
	began := time.Now()
	admin, err := pgx.Connect(ctx, server.DSN(""))
	if err != nil {
		return nil, err
	}
	_, err = admin.Exec(ctx, "create database "+name)
	if err = errors.Join(err, admin.Close(ctx)); err != nil {
		return nil, fmt.Errorf("create database: %w", err)
	}
	pool, err := pgconnect.Open(ctx, a.dsn, pgconnect.Options{MaxConns: 2})
	if err != nil {
		return nil, err
	}
	err = schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
	pool.Close()
	if err != nil {
		return nil, err
	}
	if a.store, err = postgres.Open(ctx, a.dsn, postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)}); err != nil {
		return nil, err
	}
	listening, stop := context.WithCancel(ctx)
	a.stopListening = stop
	go a.store.Feed().Listen(listening, func(core.Change) {})
	a.market = core.New(a.store, core.Options{
		Features: core.AllFeatures(), Now: a.clock,
		Forms: core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton},
	})
	if _, err := a.market.SeedItems(ctx); err != nil {
		return nil, err
	}
	script := strings.NewReplacer(":people", strconv.Itoa(watches/watchesEach), ":words", strconv.FormatBool(watches < manyWatches)).Replace(watchers)
	if err := a.script(ctx, script); err != nil {
		return nil, err
	}
	for after := ""; ; {
		page, err := a.market.Catalogue(ctx, core.CatalogueQuery{After: after})
		if err != nil {
			return nil, err
		}
		a.items = append(a.items, page.Items...)
		if after = page.Next; after == "" {
			break
		}
	}
	progress("made a market of %s watches in %s", count(float64(watches)), time.Since(began).Round(time.Millisecond))
	return a, errors.Join(a.findServer(ctx), a.signIn(ctx))
}

func (a *alertBench) clock() time.Time {
	if a.now.IsZero() {
		return time.Now()
	}
	return a.now
}

// script runs statements without the time limit of the store's.
func (a *alertBench) script(ctx context.Context, script string) error {
	conn, err := pgx.Connect(ctx, a.dsn)
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, script).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

// found notes a row: what was measured, and the goal in words and as a value that it must not exceed.
func (a *alertBench) found(name, figure, goal string, value, most float64) {
	progress("%s: %s", name, figure)
	a.rows = append(a.rows, row{name: name, figure: figure, peerName: goal, value: value, most: most, queries: -1})
}

func (a *alertBench) foundTimes(name, goal string, took []time.Duration, most time.Duration) {
	p99 := percentile(took, 0.99)
	a.found(name, fmt.Sprintf("p50 %s, p99 %s, of %s", short(percentile(took, 0.5)), short(p99), count(float64(len(took)))), goal, float64(p99), float64(most))
}

// post posts a request of the n-th kind.
func (a *alertBench) post(ctx context.Context, n int) (core.Order, error) {
	item := a.items[n*37%len(a.items)]
	return a.market.PostOrder(ctx, core.Actor{UserID: core.UserID(1 + n%signedIn)}, core.OrderDraft{
		ItemName: item.Name, Quantity: 50 + n, MaxPrice: core.Copper(1000 + n), BuyerContact: "player", Category: "Miner", Description: "Any grade",
	})
}

// matching measures what it takes to find who is alerted to a request, and to store it.
func (a *alertBench) matching(ctx context.Context) error {
	var steps, matched []time.Duration
	alerts := 0
	for n := range matchedPosts {
		order, err := a.post(ctx, n)
		if err != nil {
			return err
		}
		began := time.Now()
		if _, err := a.market.Audience(ctx, core.Actor{UserID: order.Owner}, order.OrderDraft); err != nil {
			return err
		}
		matched = append(matched, time.Since(began))
		began = time.Now()
		if _, err := a.market.AlertWatchers(ctx, 10); err != nil {
			return err
		}
		steps = append(steps, time.Since(began))
	}
	if err := a.store.Pool().QueryRow(ctx, "select count(*) from notices").Scan(&alerts); err != nil {
		return err
	}
	a.foundTimes("matching a request, a million watches", "p99 < 5 ms", matched, 5*time.Millisecond)
	a.foundTimes(fmt.Sprintf("its first wave planned and stored (%.1f alerts each)", float64(alerts)/matchedPosts), "", steps, time.Hour)
	return nil
}

// posting compares the processor time of a post with watches and stock with that without.
func (a *alertBench) posting(ctx context.Context) error {
	var spent [2]turns
	var programs [2]*program
	for i, features := range []string{"items,prices,handover,records,lists", "all"} {
		p, err := startProgram(ctx, a.binary, a.dsn, a.keepLog, []string{"FEATURES=" + features}, "--only=web")
		if err != nil {
			return err
		}
		defer p.stop()
		programs[i] = p
	}
	c := contest{want: 201, own: func(client, _ int) ask {
		n := a.posted.Add(1)
		return request("POST", "/api/orders", fmt.Sprintf(`{"itemName":%q,"quantity":50,"maxPricePerUnit":%d,"description":"For the guild hall. Meet me at the docks.",`+
			`"buyerContact":"player","category":"Miner"}`, a.items[int(n)%len(a.items)].Name, 100_000+n), []string{a.cookies[client]})
	}}
	for turn := range 2 * a.turns {
		for i, p := range programs {
			of := &spent[i]
			if turn == 0 { // plans, caches and connections
				of = &turns{}
			}
			if err := a.ask(ctx, of, p.address, p.pid(), c); err != nil {
				return err
			}
		}
	}
	without, with := spent[0].measured(), spent[1].measured()
	share := float64(without.cost.both()) / float64(with.cost.both())
	a.found("posting with watches and stock, of the rate without, by processor time", fmt.Sprintf("%.2f (%s and %s)", share, short(with.cost.both()), short(without.cost.both())),
		"0.85", -share, -0.85)
	return nil
}

// forMe measures the list of what a seller can fill among 100,000 open requests.
func (a *alertBench) forMe(ctx context.Context) error {
	err := a.script(ctx, `
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, created_at, updated_at, expires_at)
select 1 + n % 4000, i.name, 1 + n * 7919 % 1000, 1 + n * 104729 % 100000, 'player', 'Miner', now(), now(), now() + interval '30 days'
from generate_series(1, 100000) n join catalogue_items i on i.id = 1 + n * 31 % (select count(*) from catalogue_items);
insert into skills (user_id, category, level, for_me)
select u.id, p.name, 1 + (u.id * 37 + p.n * 101) % 500, true from users u
join (select row_number() over (order by name) as n, name from (select distinct unnest(made_by) as name from catalogue_items) x) p on (p.n + u.id) % 4 = 0
where u.id between 65 and 365;
insert into stock (user_id, item_name, quantity, price, created_at, touched_at)
select u.id, i.name, 200, 1 + k * 1000, now(), now() from users u, generate_series(1, 20) k
join catalogue_items i on i.id % 83 = k where u.id between 65 and 365 and i.id / 83 = u.id % 19;
analyze`)
	if err != nil {
		return fmt.Errorf("make requests: %w", err)
	}
	var took []time.Duration
	listed := 0
	for n := range 20 + fillableLists {
		began := time.Now()
		orders, err := a.market.Fill(ctx, core.Actor{UserID: core.UserID(65 + n%300)})
		if err != nil {
			return err
		}
		if n >= 20 {
			took, listed = append(took, time.Since(began)), listed+len(orders)
		}
	}
	a.foundTimes(fmt.Sprintf("For me, 100,000 requests (%d listed)", listed/fillableLists), "p99 < 50 ms", took, 50*time.Millisecond)
	return nil
}

// inAnySecond is how many of the times lie within one second at most.
func inAnySecond(times []time.Time) (most int) {
	slices.SortFunc(times, time.Time.Compare)
	first := 0
	for i, at := range times {
		for at.Sub(times[first]) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
