package main

import (
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
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
	store  *postgres.Store
	market *market.Market
	now    atomic.Int64 // microseconds since 1970
	begin  time.Time

	todo             events
	added            int
	items            []items.Item // the most asked for first; the others by the same places
	demand, supplied []float64    // how often each item and those before it are asked for, and for sale
	usual            []float64    // prices
	sellers          []int
	people           []*person
	byID             map[core.UserID]*person
	wants            map[core.OrderID]*want // that are open
	all              []*want
	handovers        []*handover
	board            []trade.ListedOrder         // the first rows, as the page caches them; nil when something has changed
	found            map[int][]trade.ListedOrder // by item, the same
	ended            map[core.NoticeID]bool
	result           result
	sent             map[messagedOn]int
	nextAlert        time.Time // when held alerts are due
	lastCrossed      core.SaleID
}

// messagedOn is a person on a day.
type messagedOn struct {
	user core.UserID
	day  string
}

// want is a request that was posted.
type want struct {
	request
	buyer *person
	order core.OrderID
	at    time.Time
	looks bool // the buyer is about to look at the offers
	short bool // sellers who take the price did not have as much when it was posted
	unmet bool // the sides of a trade of it never met in time
	// of the first message, of the first offer, and when enough was offered; zero for not yet
	alertedAt, offeredAt, enoughAt      time.Time
	offered, looked, taken, met, trades int
	reserved                            map[*person]int
}

func (w *world) clock() time.Time { return time.UnixMicro(w.now.Load()).UTC() }

// after has something happen.
func (w *world) after(at time.Time, do func(context.Context) error) {
	w.added++
	heap.Push(&w.todo, event{at, w.added, do})
}

// open opens a market in the database that dsn names, which begins at a time.
func open(
	ctx context.Context, dsn string, p plan, begin time.Time, quotas core.Quotas,
) (w *world, closeIt func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	store, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: 4, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		cancel()
		return nil, nil, err
	}
	w = &world{
		plan: p, store: store, begin: begin, byID: map[core.UserID]*person{},
		wants: map[core.OrderID]*want{}, found: map[int][]trade.ListedOrder{},
		ended: map[core.NoticeID]bool{}, sent: map[messagedOn]int{}, result: result{plan: p},
	}
	w.now.Store(begin.UnixMicro())
	features := core.AllFeatures()
	features.Watches, features.Stock, features.Threads = p.alerts, p.alerts, false
	features.Listings, features.Crossing = p.listed > 0 || p.needed, p.listed > 0
	features.Hours = p.hours > 0
	w.market = newMarket(&itemsOnce{Store: store}, market.Options{
		Now: w.clock, Features: features, Quotas: quotas,
		Moderators:  people.Moderators{Accounts: []string{discordID(0)}},
		Random:      rand.NewChaCha8([32]byte{byte(p.seed)}),
		NoticeEnded: func(n notify.Notice) { w.ended[n.ID] = true },
	})
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		store.Feed().Listen(ctx, func(core.Change) {})
	}()
	return w, func() { cancel(); <-listened; store.Close() }, nil
}

// firstDay is when the markets of this run begin. It is after now: the queue's jobs are due by the clock of
// the database, at the earliest. It is a Monday: people say in which hours of the week they play.
func firstDay() time.Time {
	day := time.Now().UTC().Truncate(core.Day).AddDate(1, 0, 0)
	for day.Weekday() != time.Monday {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

// play plays a community on a market without requests.
func play(ctx context.Context, dsn string, p plan) (result, error) {
	w, closeIt, err := open(ctx, dsn, p, firstDay(), p.quotas())
	if err != nil {
		return result{}, err
	}
	defer closeIt()
	err = w.playAll(ctx)
	return w.result, err
}

// playAll plays what is planned, and what comes of it.
func (w *world) playAll(ctx context.Context) error {
	if err := w.settle(ctx); err != nil {
		return err
	}
	for len(w.todo) > 0 {
		next := heap.Pop(&w.todo).(event)
		w.now.Store(next.at.UnixMicro())
		if err := next.do(ctx); err != nil {
			return fmt.Errorf("at %s: %w", next.at, err)
		}
	}
	w.noteUnmet()
	if err := w.timesOfAll(ctx); err != nil {
		return err
	}
	for _, wanted := range w.all {
		if wanted.unmet && wanted.taken == wanted.Quantity {
			w.result.toMet = append(w.result.toMet, neverMet)
		}
	}
	for _, p := range w.people {
		for day := 0; p.sells && day < w.days; day++ {
			w.result.messages = append(w.result.messages,
				w.sent[w.on(p, w.begin.AddDate(0, 0, day+1).Add(12*time.Hour))])
		}
	}
	slices.Sort(w.result.toFilled)
	slices.Sort(w.result.toMet)
	slices.Sort(w.result.waits)
	slices.Sort(w.result.messages)
	return nil
}

// on names a person and the day that it is where they live.
func (w *world) on(p *person, at time.Time) messagedOn {
	return messagedOn{p.UserID, at.Add(time.Duration(p.zone) * time.Hour).Format(time.DateOnly)}
}

// settled is the name of the database that those of a run are copied from.
const settled = "settled"

// prepare makes a migrated database with the catalogue's items.
func prepare(ctx context.Context, server *pgembed.Server) error {
	if err := inServer(ctx, server, "create database "+settled); err != nil {
		return err
	}
	pool, err := pgconnect.Open(ctx, server.DSN(settled), pgconnect.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	err = schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
	pool.Close()
	if err != nil {
		return err
	}
	store, err := postgres.Open(ctx, server.DSN(settled),
		postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = newMarket(store, market.Options{Features: core.Features{Items: true}}).Items.Seed(ctx)
	return err
}

func newMarket(store market.Store, opts market.Options) *market.Market {
	opts.Forms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}
	return market.New(store, opts)
}

// itemsOnce reads the items once: a store reads them every ten minutes, which come often here.
type itemsOnce struct {
	market.Store
	index *items.Index
}

// Items implements market.Store.
func (s *itemsOnce) Items(
	ctx context.Context, forms core.TextForms, now time.Time,
) (index *items.Index, err error) {
	if s.index == nil {
		s.index, err = s.Store.Items(ctx, forms, now)
	}
	return s.index, err
}

// inDatabase does something in a copy of a database, and drops it.
func inDatabase(
	ctx context.Context, server *pgembed.Server, name, of string, do func(dsn string) error,
) error {
	if err := inServer(ctx, server, "create database "+name+" template "+of); err != nil {
		return err
	}
	if err := do(server.DSN(name)); err != nil {
		return err
	}
	return inServer(ctx, server, "drop database "+name+" with (force)")
}

func inServer(ctx context.Context, server *pgembed.Server, statement string) error {
	pool, err := pgconnect.Open(ctx, server.DSN(""), pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
