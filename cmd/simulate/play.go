package main

import (
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

const (
	buyersWait = 7 * 24 * time.Hour // then they close what is not filled
	ofFive     = 2                  // of five people so many buy
	goodsOf    = 8                  // items that a seller has
	answerLag  = 30 * time.Minute   // on average, of somebody who is awake, to a message
	wakesAt    = 8                  // in one's own time; everybody sleeps from midnight
)

var (
	bulk  = []int{50, 100, 200, 500, 1000}
	zones = []int{1, 1, 1, -5, -5} // hours from UTC
	// byHour is how likely a visit or a request is in each hour of one's own day.
	byHour = []int{2, 1, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 4, 4, 5, 6, 8, 10, 12, 12, 11, 8, 5}
)

// event is something that happens at a time.
type event struct {
	at    time.Time
	order int // of events at the same time
	do    func(context.Context) error
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push is part of heap.Interface.
func (e *events) Push(x any) { *e = append(*e, x.(event)) }

// Pop is part of heap.Interface.
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// world is a community that is played.
type world struct {
	plan
	random *rand.Rand
	store  *postgres.Store
	market *core.Market
	now    atomic.Int64 // microseconds since 1970
	begin  time.Time

	todo   events
	added  int
	items  []core.Item // the most asked for first
	people []*person
	byID   map[core.UserID]*person
	wants  map[core.OrderID]*want
	result result
	sent   map[string]int // messages of a person on a day
}

// person buys or sells.
type person struct {
	core.Actor
	zone    int
	goods   map[string]int // by item; of a seller
	offered map[core.OrderID]bool
}

// want is a request that was posted.
type want struct {
	buyer    *person
	at       time.Time
	looks    bool // the buyer is about to look at the offers
	reserved map[*person]int
}

func (w *world) clock() time.Time { return time.UnixMicro(w.now.Load()).UTC() }

// after has something happen.
func (w *world) after(at time.Time, do func(context.Context) error) {
	w.added++
	heap.Push(&w.todo, event{at, w.added, do})
}

// play plays a community on an empty market.
func play(ctx context.Context, dsn string, p plan) (result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	store, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: 4, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return result{}, err
	}
	defer store.Close()
	w := &world{
		plan: p, random: rand.New(rand.NewPCG(p.seed, 0)), store: store, begin: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
		byID: map[core.UserID]*person{}, wants: map[core.OrderID]*want{}, sent: map[string]int{}, result: result{plan: p},
	}
	w.now.Store(w.begin.UnixMicro())
	features := core.Features{Items: true, Watches: p.alerts, Stock: p.alerts}
	w.market = core.New(store, core.Options{
		Now: w.clock, Features: features, Forms: core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton},
	})
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		store.Feed().Listen(ctx, func(core.Change) {})
	}()
	defer func() { cancel(); <-listened }()
	if err := w.settle(ctx); err != nil {
		return result{}, err
	}
	for len(w.todo) > 0 {
		next := heap.Pop(&w.todo).(event)
		w.now.Store(next.at.UnixMicro())
		if err := next.do(ctx); err != nil {
			return result{}, fmt.Errorf("at %s: %w", next.at, err)
		}
	}
	for _, p := range w.people {
		for day := 0; p.goods != nil && day < w.days; day++ {
			w.result.messages = append(w.result.messages, w.sent[sentOn(p, w.begin.AddDate(0, 0, day+1))])
		}
	}
	return w.result, nil
}

func newDatabase(ctx context.Context, server *pgembed.Server, name string) (string, error) {
	pool, err := pgconnect.Open(ctx, server.DSN(""), pgconnect.Options{MaxConns: 1})
	if err != nil {
		return "", err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, "create database "+name); err != nil {
		return "", fmt.Errorf("create database: %w", err)
	}
	dsn := server.DSN(name)
	own, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 2})
	if err != nil {
		return "", err
	}
	defer own.Close()
	return dsn, schema.Migrate(ctx, own, slog.New(slog.DiscardHandler))
}

// settle brings in the items and the people, and what each will do.
func (w *world) settle(ctx context.Context) error {
	if _, err := w.market.SeedItems(ctx); err != nil {
		return err
	}
	for after := ""; ; {
		page, err := w.market.Catalogue(ctx, core.CatalogueQuery{After: after})
		if err != nil {
			return err
		}
		for _, i := range page.Items {
			if len(i.MadeBy) > 0 && i.Known() {
				w.items = append(w.items, i)
			}
		}
		if after = page.Next; after == "" {
			break
		}
	}
	w.random.Shuffle(len(w.items), func(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] })
	for n := range w.traders {
		if err := w.join(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// anItem draws an item: the n-th is asked for in proportion to 1/n.
func (w *world) anItem() core.Item {
	return w.items[rand.NewZipf(w.random, 1.07, 3, uint64(len(w.items)-1)).Uint64()]
}

// hours draws a time of a person's day.
func (w *world) hours(p *person, day int) time.Time {
	total := 0
	for _, n := range byHour {
		total += n
	}
	n, hour := w.random.IntN(total), 0
	for n >= byHour[hour] {
		n -= byHour[hour]
		hour++
	}
	at := time.Duration(hour-p.zone)*time.Hour + time.Duration(w.random.IntN(3600))*time.Second
	return w.begin.AddDate(0, 0, day+1).Add(at)
}

// times draws how often something happens in a day that happens so often on average.
func (w *world) times(average float64) int {
	n := int(average)
	if w.random.Float64() < average-float64(n) {
		n++
	}
	return n
}

func (w *world) join(ctx context.Context, n int) error {
	name := fmt.Sprintf("player_%d", n)
	user, err := w.market.SignIn(ctx, core.Profile{DiscordID: fmt.Sprint(80351110224678912 + n), Username: name, DisplayName: name})
	if err != nil {
		return err
	}
	p := &person{Actor: user.Actor(), zone: zones[w.random.IntN(len(zones))], offered: map[core.OrderID]bool{}}
	w.byID[p.UserID] = p
	w.people = append(w.people, p)
	last := w.days
	if n%5 >= ofFive {
		p.goods = map[string]int{}
		for range goodsOf {
			p.goods[w.anItem().Name] = bulk[w.random.IntN(len(bulk))]
		}
		if w.alerts {
			if err := w.saveGoods(ctx, p); err != nil {
				return err
			}
		}
		last += int(buyersWait / (24 * time.Hour))
	}
	for day := range last {
		if p.goods != nil {
			for range w.times(w.visits) {
				w.after(w.hours(p, day), func(ctx context.Context) error { return w.visit(ctx, p) })
			}
			continue
		}
		for range w.times(w.posts) {
			w.after(w.hours(p, day), func(ctx context.Context) error { return w.post(ctx, p) })
		}
	}
	return nil
}
