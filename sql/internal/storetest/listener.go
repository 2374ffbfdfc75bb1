package storetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/sql/postgres"
)

// Listener collects what a store hears of changes. The feed polls often until WaitUntilIdle.
type Listener struct {
	t     *testing.T
	heard chan core.Change
	stop  func() // returns when the listener has
	leave func() // no longer watches
}

// Listen starts listening, until the test ends.
func Listen(t *testing.T, store *postgres.Store) *Listener {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	l := &Listener{t: t, heard: make(chan core.Change, 1000)}
	done := make(chan struct{})
	l.leave = sync.OnceFunc(store.Feed().Watch())
	go func() {
		defer close(done)
		store.Feed().Listen(ctx, func(c core.Change) { l.heard <- c })
	}()
	l.stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(func() { l.stop(); l.leave() })
	if c := l.Next(); !c.Resync {
		t.Fatalf("the first thing heard is %+v, want a resync", c)
	}
	return l
}

// Next waits for the next change.
func (l *Listener) Next() core.Change {
	l.t.Helper()
	select {
	case c := <-l.heard:
		return c
	case <-time.After(coretest.Patience(10 * time.Second)):
		l.t.Fatal("nothing was heard for 10 s")
		return core.Change{}
	}
}

// Until listens on until it has heard of an order, and fails when it heard of it before. It returns all it
// heard.
func (l *Listener) Until(id core.OrderID) core.Change {
	l.t.Helper()
	var all core.Change
	for !slices.Contains(all.Orders, id) {
		c := l.Next()
		all.Orders = append(all.Orders, c.Orders...)
		all.Users = append(all.Users, c.Users...)
		all.Resync = all.Resync || c.Resync
	}
	return all
}

// WaitUntilIdle stops watching, and waits until the feed polls rarely.
func (l *Listener) WaitUntilIdle(store *postgres.Store) {
	l.t.Helper()
	l.leave()
	for end := time.Now().Add(coretest.Patience(10 * time.Second)); !store.Feed().Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatal("the feed is still active after 10 s")
		}
	}
}
