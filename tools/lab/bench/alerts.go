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
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

const (
	watchesEach   = 25
	matchedPosts  = 1_000
	manyWatchers  = 5_000
	mostCalls     = 45 // a second
	fillableLists = 300
)

//go:embed alerts.sql
var watchers string

// alertPart is what -only names.
type alertPart struct {
	name    string
	measure func(*alertBench, context.Context) error
}

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
		parts   []alertPart
	}{
		{"few", s.watches, []alertPart{{"first wave", (*alertBench).firstWave},
			{"posting", (*alertBench).posting}, {"For me", (*alertBench).forMe},
			{"crossing", (*alertBench).crossing},
			{"plan", (*alertBench).plans}}},
		{"many", 10 * s.watches, []alertPart{{"matching", (*alertBench).matching},
			{"waves", (*alertBench).waves}}},
	} {
		parts := slices.DeleteFunc(market.parts,
			func(p alertPart) bool { return !(&bench{settings: s}).wanted(p.name) })
		if len(parts) == 0 {
			continue
		}
		a, err := newAlertBench(ctx, s, server, program, market.name, market.watches)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err = part.measure(a, ctx); err != nil {
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
	market  *market.Market
	items   []items.Item
	now     time.Time // of market; zero for the real one

	filled        bool      // it has the requests of For me
	listed        bool      // it has the listings of crossing and plans
	crossedBefore time.Time // crossed trades until then are counted
}

func newAlertBench(
	ctx context.Context, s settings, server *pgembed.Server, program, name string, watches int,
) (*alertBench, error) {
	a := &alertBench{bench: &bench{settings: s, server: server, dsn: server.DSN(name), binary: program},
		watches: watches}
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
	if a.store, err = postgres.Open(ctx, a.dsn,
		postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)}); err != nil {
		return nil, err
	}
	listening, stop := context.WithCancel(ctx)
	a.stopListening = stop
	go a.store.Feed().Listen(listening, func(core.Change) {})
	a.market = market.New(a.store, market.Options{
		Features: core.EveryFeature(), Now: a.clock,
		Forms: core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton},
	})
	if _, err := a.market.Items.Seed(ctx); err != nil {
		return nil, err
	}
	script := strings.NewReplacer(":people", strconv.Itoa(watches/watchesEach), ":words",
		strconv.FormatBool(name == "few")).Replace(watchers)
	for _, part := range []string{script, "vacuum analyze", "checkpoint"} {
		if err := a.script(ctx, part); err != nil {
			return nil, err
		}
	}
	for after := ""; ; {
		page, err := a.market.Items.Catalogue(ctx, items.CatalogueQuery{After: after})
		if err != nil {
			return nil, err
		}
		a.items = append(a.items, page.Items...)
		if after = page.Next; after == "" {
			break
		}
	}
	progress("made a market of %s watches in %s", count(float64(watches)),
		time.Since(began).Round(time.Millisecond))
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
	a.rows = append(a.rows, row{name: name, figure: figure, peerName: goal, value: value, most: most,
		queries: -1})
}

func (a *alertBench) foundTimes(name, goal string, took []time.Duration, most time.Duration) {
	p99 := percentile(took, 0.99)
	a.found(name, fmt.Sprintf("p50 %s, p99 %s, of %s", short(percentile(took, 0.5)), short(p99),
		count(float64(len(took)))), goal, float64(p99), float64(most))
}

// post posts a request of the n-th kind.
func (a *alertBench) post(ctx context.Context, n int) (trade.Order, error) {
	item := a.items[n*37%len(a.items)]
	return a.market.Trade.PostOrder(ctx, core.Actor{UserID: core.UserID(1 + n%signedIn)}, trade.OrderDraft{
		ItemName: item.Name, Quantity: 50 + n, MaxPrice: core.Copper(1000 + n), BuyerContact: "player",
		Category: "Miner", Description: "Any grade",
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
		if _, err := a.market.Match.Audience(ctx, core.Actor{UserID: order.Owner},
			order.OrderDraft); err != nil {
			return err
		}
		matched = append(matched, time.Since(began))
		began = time.Now()
		if _, err := a.market.Match.AlertWatchers(ctx, 10); err != nil {
			return err
		}
		steps = append(steps, time.Since(began))
	}
	if err := a.store.Pool().QueryRow(ctx, "select count(*) from notices").Scan(&alerts); err != nil {
		return err
	}
	a.foundTimes(fmt.Sprintf("matching a request, %s watches", count(float64(a.watches))), "p99 < 5 ms",
		matched, 5*time.Millisecond)
	a.foundTimes(fmt.Sprintf("its first wave planned and stored (%.1f alerts each)",
		float64(alerts)/matchedPosts), "", steps, time.Hour)
	return nil
}

// posting compares how many posts a second are answered with watches and stock and without, by programs
// that take turns. With them the program also finds and plans the alerts of what is posted, as far as it
// comes.
func (a *alertBench) posting(ctx context.Context) error {
	return a.compareFeatures(ctx, "posts a second with watches and stock, of those without", "all", false)
}

// compareFeatures compares how many posts a second are answered with features and with those that have no
// watches, stock and listings. Where posts stand, every fourth takes offers as they come and trades.
func (a *alertBench) compareFeatures(ctx context.Context, what, with string, stand bool) error {
	var spent [2]turns
	for range 2 * a.turns {
		for i, features := range []string{"items,prices,handover,records,lists", with} {
			c := contest{want: 201, own: func(client, _ int) ask {
				n := a.posted.Add(1)
				stands := ""
				if stand && i == 1 && n%4 == 0 {
					stands = standsInPost
				}
				return request("POST", "/api/orders",
					fmt.Sprintf(`{"itemName":%q,"quantity":50,"maxPricePerUnit":%d,"description":"For the guild hall. Meet me at the docks.",`+
						`"buyerContact":"player","confirmPrice":true,"category":"Miner"%s}`, a.items[int(n)%len(a.items)].Name, 100_000+n, stands),
					[]string{a.cookies[client]})
			}}
			if err := a.script(ctx, "truncate alert_rounds; checkpoint"); err != nil {
				return err
			}
			p, err := startProgram(ctx, a.binary, a.dsn, a.keepLog, []string{"FEATURES=" + features},
				"--only=web")
			if err != nil {
				return err
			}
			for _, of := range []*turns{{}, &spent[i]} { // first plans, caches and connections
				if err = a.ask(ctx, of, p.address, p.pid(), c); err != nil {
					break
				}
			}
			p.stop()
			if err != nil {
				return err
			}
		}
	}
	without, measured := spent[0].measured(), spent[1].measured()
	share := measured.rate / without.rate
	goal, least := "0.85", -0.85
	if stand { // its trades are more than a post
		goal, least = "", 0
	}
	a.found(what,
		fmt.Sprintf("%.2f (%s and %s; %s and %s of processor each)",
			share, count(measured.rate), count(without.rate), short(measured.cost.both()),
			short(without.cost.both())), goal, -share, least)
	return nil
}

//go:embed for_me.sql
var fillable string

// fillable makes 100,000 requests, and sellers who can fill some.
func (a *alertBench) fillable(ctx context.Context) error {
	if a.filled {
		return nil
	}
	err := a.script(ctx, strings.ReplaceAll(fillable, ":people", strconv.Itoa(a.watches/watchesEach)))
	if err != nil {
		return fmt.Errorf("make requests: %w", err)
	}
	a.filled = true
	return nil
}

// forMe measures the list of what a seller can fill among 100,000 open requests.
func (a *alertBench) forMe(ctx context.Context) error {
	if err := a.fillable(ctx); err != nil {
		return err
	}
	took, listed, err := a.fillLists(ctx)
	if err != nil {
		return err
	}
	a.foundTimes(fmt.Sprintf("For me, 100,000 requests (%d listed)", listed), "p99 < 50 ms",
		took, 50*time.Millisecond)
	return nil
}

// fillLists reads lists of what sellers can fill. It returns how many requests one has.
func (a *alertBench) fillLists(ctx context.Context) (took []time.Duration, listed int, err error) {
	for n := range 20 + fillableLists {
		began := time.Now()
		orders, err := a.market.Match.Fill(ctx, core.Actor{UserID: core.UserID(65 + n%300)})
		if err != nil {
			return nil, 0, err
		}
		if n >= 20 {
			took, listed = append(took, time.Since(began)), listed+len(orders)
		}
	}
	return took, listed / fillableLists, nil
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
