package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// countingStore counts how often trades are read.
type countingStore struct {
	*postgres.Store
	reads atomic.Int64
}

func (s *countingStore) Fills(ctx context.Context, keys []string, since time.Time) ([]items.NamedFill, error) {
	s.reads.Add(1)
	return s.Store.Fills(ctx, keys, since)
}

// keeping has a market keep prices, which takes a change feed.
func (r *trader) keeping(t *testing.T) *countingStore {
	t.Helper()
	store := &countingStore{Store: r.Store}
	storetest.Listen(t, r.Store)
	r.Market = market.New(store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	return store
}

// eventually waits until something is so, as another replica hears of it.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(coretest.Patience(10 * time.Second)); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not so", what)
		}
	}
}

func TestPricesAreReadAgainWhenATradeOfTheItemChanges(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	store := r.keeping(t)
	fills := func() int {
		t.Helper()
		got, err := r.Items.Prices(t.Context(), iron, false)
		must(t, err)
		if got.Windows[2].Price == nil {
			return 0
		}
		return got.Windows[2].Price.Fills
	}
	wants := func(what string, want int, again bool) {
		t.Helper()
		before := store.reads.Load()
		if got := fills(); got != want || again && store.reads.Load() == before {
			t.Errorf("%s: %d trades after %d reads, want %d", what, got, store.reads.Load()-before, want)
		}
		// The feed tells of this process's own changes once more.
		eventually(t, what+" is kept", func() bool {
			before := store.reads.Load()
			return fills() == want && store.reads.Load() == before
		})
	}
	var people []core.Actor
	for i := range 12 {
		people = append(people, r.SignUp(fmt.Sprint("trader", i)))
	}
	for i := range 4 {
		r.sells(people[2*i], people[2*i+1], "Iron Ore", 100)
	}
	wants("four trades", 0, true)
	r.sells(people[8], people[9], "iron  ORE", 100)
	wants("a trade by another spelling", 5, true)
	r.sells(people[0], people[1], "Copper Ore", 100)
	r.Post(r.Ann, func(d *trade.OrderDraft) { d.ItemName = "Iron Ore" })
	reads := store.reads.Load()
	wants("a trade of another item, and a request", 5, false)
	if n := store.reads.Load() - reads; n > 1 { // once for what the feed tells again
		t.Errorf("a trade of another item has trades read %d times", n)
	}
	last := r.agrees(people[10], people[11], "Iron Ore", 100)
	wants("a trade on its way", 5, true)
	_, err := r.Trade.UndoSale(t.Context(), people[11], last)
	must(t, err)
	wants("an undo", 5, true)
	_, err = r.Trust.SetAside(t.Context(), r.Moderator(), r.proposed(people[0]))
	must(t, err)
	wants("a ring that is set aside", 0, true)
	rings, err := r.Trust.Rings(t.Context(), r.Moderator())
	must(t, err)
	must(t, r.Trust.CountAgain(t.Context(), r.Moderator(), rings[0].ID))
	wants("a ring that counts again", 5, true)
	r.Clock.Forward(25 * time.Hour)
	wants("another day", 5, true)
	r.Clock.Forward(91 * 24 * time.Hour)
	wants("trades that are too old", 0, true)
	for i := range 5 {
		r.sells(people[2*i], people[2*i+1], "Iron Ore", 100)
	}
	wants("five trades", 5, true)

	other := r.Another(postgres.Options{})
	here := r.Market
	r.Market = market.New(other, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	r.sells(people[10], people[11], "Iron Ore", 100)
	r.Market = here
	eventually(t, "a trade of another replica", func() bool { return fills() == 6 })
	// A program from before does not say what was traded.
	_, err = other.Pool().Exec(t.Context(), "insert into changes (orders, users, lists) values ('{}', '{}', false)")
	must(t, err)
	reads = store.reads.Load()
	eventually(t, "a change of an older program", func() bool { return fills() == 6 && store.reads.Load() > reads })
}

func TestCachedPricesEqualFreshOnes(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	store := r.keeping(t)
	fresh := func() *market.Market {
		return market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms, Features: core.Features{Items: true, Prices: true}})
	}
	random := rand.New(rand.NewPCG(19, 142))
	var people []core.Actor
	for i := range 8 {
		people = append(people, r.SignUp(fmt.Sprint("trader", i)))
	}
	var last core.SaleID
	var buyer core.Actor
	steps := 60
	for range steps {
		switch random.IntN(6) {
		case 0, 1:
			a := random.IntN(8)
			buyer = people[a]
			last = r.agrees(people[(a+1+random.IntN(7))%8], buyer, []string{"Iron Ore", "IRON ORE", "Copper Ore"}[random.IntN(3)], core.Copper(1+random.IntN(500)))
		case 2:
			if last != 0 {
				_, err := r.Trade.UndoSale(t.Context(), buyer, last)
				must(t, err)
				last = 0
			}
		case 3:
			r.Clock.Forward(time.Duration(random.IntN(int(10 * 24 * time.Hour))))
			last = 0
		}
		got, err := r.Items.Prices(t.Context(), iron, true)
		must(t, err)
		want, err := fresh().Items.Prices(t.Context(), iron, true)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("kept are %+v, want %+v", got, want)
		}
	}
	if n := store.reads.Load(); n >= int64(steps) {
		t.Errorf("trades were read %d times in %d steps", n, steps)
	}
}
