package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

// database is what the tests load a number from.
type database struct {
	mu         sync.Mutex
	value      int
	validUntil time.Time
	err        error
	reads      int
	wait       chan struct{} // a read that has its answer waits until this is closed
}

func (d *database) read(context.Context) (int, time.Time, error) {
	d.mu.Lock()
	d.reads++
	value, until, err, wait := d.value, d.validUntil, d.err, d.wait
	d.mu.Unlock()
	if wait != nil {
		<-wait
	}
	return value, until, err
}

func (d *database) set(value int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.value = value
}

func (d *database) waitFor(wait chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wait = wait
}

// fixture is an entry of a cache whose feed is up to date.
type fixture struct {
	*database
	t     *testing.T
	cache *cache.Cache
	entry *cache.Entry[int]
	now   time.Time // the market's
}

func newFixture(t *testing.T, scope cache.Scope) *fixture {
	c := cache.New(nil)
	c.UpToDate(time.Now())
	return &fixture{&database{value: 1}, t, c, cache.NewEntry[int](c, scope), time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
}

func (f *fixture) wants(value, reads int) {
	f.t.Helper()
	got, err := f.entry.Get(context.Background(), f.now, f.read)
	if err != nil || got != value || f.reads != reads {
		f.t.Errorf("got %d, %v after %d reads, want %d after %d", got, err, f.reads, value, reads)
	}
}

func TestAValueIsLoadedAgainWhenItsScopeChanges(t *testing.T) {
	t.Parallel()
	sale := core.Change{Orders: []core.OrderID{7}}
	post := core.Change{Orders: []core.OrderID{7}, Lists: true}
	inbox := core.Change{Users: []core.UserID{3}}
	for _, tt := range []struct {
		scope   cache.Scope
		change  core.Change
		reloads bool
	}{
		{cache.Orders, sale, true}, {cache.Orders, post, true}, {cache.Orders, inbox, false}, {cache.Orders, core.Change{Resync: true}, true},
		{cache.Lists, sale, false}, {cache.Lists, post, true}, {cache.Lists, inbox, false}, {cache.Lists, core.Change{Resync: true}, true},
	} {
		f := newFixture(t, tt.scope)
		f.wants(1, 1)
		f.wants(1, 1)
		f.set(2)
		f.cache.Changed(tt.change)
		if tt.reloads {
			f.wants(2, 2)
		} else {
			f.wants(1, 1)
		}
	}
}

func TestAValueIsFreshWhileTheFeedIsUpToDate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		f.wants(1, 1)
		for range 20 {
			time.Sleep(200 * time.Millisecond)
			f.cache.UpToDate(time.Now())
			f.wants(1, 1)
		}
	})
}

func TestValueExpiresWhileTheFeedIsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		time.Sleep(time.Hour)
		f.wants(1, 1)
		time.Sleep(399 * time.Millisecond)
		f.wants(1, 1)
		f.set(2)
		time.Sleep(time.Millisecond)
		f.wants(2, 2)
	})
}

func TestALateFeedMakesAValueFreshAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		f.wants(1, 1)
		time.Sleep(time.Minute)
		if _, fresh := f.entry.Fresh(f.now); fresh {
			t.Error("a value is fresh that may be a minute behind")
		}
		f.cache.UpToDate(time.Now()) // nothing has changed meanwhile
		f.wants(1, 1)
	})
}

func TestNoValueIsFreshBeforeTheFirstPoll(t *testing.T) {
	t.Parallel()
	f := newFixture(t, cache.Orders)
	f.entry = cache.NewEntry[int](cache.New(nil), cache.Orders)
	f.wants(1, 1)
	f.wants(1, 2)
}

func TestIdleFeedIsPolledBeforeAValueIsLoaded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		caughtUp := 0
		f.cache = cache.New(func(context.Context) {
			caughtUp++
			f.cache.UpToDate(time.Now())
		})
		f.entry = cache.NewEntry[int](f.cache, cache.Orders)
		f.wants(1, 1)
		time.Sleep(time.Minute)
		f.wants(1, 1)
		if caughtUp != 2 {
			t.Errorf("the feed was read %d times, want 2", caughtUp)
		}
	})
}

func TestAValueIsLoadedAgainOnceItIsNoLongerValid(t *testing.T) {
	t.Parallel()
	f := newFixture(t, cache.Lists)
	f.validUntil = f.now.Add(time.Hour)
	f.wants(1, 1)
	f.now = f.now.Add(time.Hour - time.Microsecond)
	f.wants(1, 1)
	f.now = f.now.Add(time.Microsecond)
	f.set(2)
	f.wants(2, 2)
}

func TestALoadThatBeganBeforeAChangeIsNotStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		slow := make(chan struct{})
		f.waitFor(slow)
		var early sync.WaitGroup
		for range 10 {
			early.Go(func() { _, _ = f.entry.Get(context.Background(), f.now, f.read) })
		}
		synctest.Wait() // they share one load, which has read 1
		f.waitFor(nil)
		f.set(2)
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		f.wants(2, 2) // on a load of its own, before the early one ends
		close(slow)
		early.Wait()
		f.wants(2, 2)

		slow = make(chan struct{})
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		f.waitFor(slow)
		early.Go(func() { _, _ = f.entry.Get(context.Background(), f.now, f.read) })
		synctest.Wait()
		f.waitFor(nil)
		f.set(3)
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		close(slow) // no request since
		early.Wait()
		f.wants(3, 4)
	})
}

func TestCanceledClientDoesNotEndALoadForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		slow := make(chan struct{})
		f.waitFor(slow)
		first, leave := context.WithCancel(context.Background())
		go func() { _, _ = f.entry.Get(first, f.now, f.read) }()
		synctest.Wait()
		waiting, leaveToo := context.WithCancel(context.Background())
		left := make(chan error)
		go func() { _, err := f.entry.Get(waiting, f.now, f.read); left <- err }()
		synctest.Wait()
		leave()
		leaveToo()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("a client that has left gets %v", err)
		}
		close(slow)
		synctest.Wait()
		f.wants(1, 1)
	})
}

func TestAnOldValueIsUsedWhileTheNextOneIsLoaded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cache.Orders)
		f.wants(1, 1)
		within := func(age time.Duration, wanted bool) {
			t.Helper()
			if got, ok := f.entry.Within(age, f.now); ok != wanted || ok && got != 1 {
				t.Errorf("within %s: %d, %t", age, got, ok)
			}
		}
		loaded := f.now
		f.now = loaded.Add(time.Minute)
		f.set(2)
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		within(time.Minute, false)
		within(time.Minute+time.Microsecond, true)
		slow := make(chan struct{})
		f.waitFor(slow)
		wait := f.entry.ReloadLater(t.Context(), f.now, f.read)
		within(time.Hour, true)
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, err := wait(left); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has left gets %v", err)
		}
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}}) // it is old already, and newer than the one before
		close(slow)
		if got, err := wait(t.Context()); got != 2 || err != nil {
			t.Errorf("a caller that waits gets %d, %v", got, err)
		}
		if got, ok := f.entry.Latest(); got != 2 || !ok {
			t.Errorf("the latest is %d, %t", got, ok)
		}
		f.now = loaded // by a clock that was set back
		within(time.Hour, false)

		_, err := f.entry.ReloadLater(t.Context(), f.now, func(context.Context) (int, time.Time, error) { panic("out of order") })(t.Context())
		if err == nil {
			t.Error("a load that panicked has no error")
		}
	})
}

func TestEntriesAreKeptByTheirKeysUpToANumber(t *testing.T) {
	t.Parallel()
	c := cache.New(nil)
	entries := cache.Entries[string, int]{Most: 3}
	of := func(key string) *cache.Entry[int] {
		return entries.Of(key, func() *cache.Entry[int] { return cache.NewEntry[int](c, cache.Never) })
	}
	a := of("a")
	if of("a") != a || of("b") == a {
		t.Error("an entry is not that of its key")
	}
	known := map[*cache.Entry[int]]bool{a: true, of("b"): true, of("c"): true}
	of("d")
	kept := 0
	for _, key := range []string{"a", "b", "c"} {
		if known[of(key)] {
			kept++
		}
	}
	if kept > 2 {
		t.Errorf("%d of three are kept beside a fourth", kept)
	}
	entries.Clear()
	if of("d") == nil || known[of("a")] {
		t.Error("an entry is kept that was cleared")
	}
}

func TestAFailedLoadIsNotStored(t *testing.T) {
	t.Parallel()
	f := newFixture(t, cache.Orders)
	f.err = errors.New("no connection")
	if _, err := f.entry.Get(context.Background(), f.now, f.read); !errors.Is(err, f.err) {
		t.Errorf("got %v, want %v", err, f.err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = f.entry.Get(context.Background(), f.now, func(context.Context) (int, time.Time, error) { panic("out of order") })
	}()
	f.err = nil
	f.wants(1, 2)
}
