package serving

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"tradepost/core"
)

func TestAPurgeNamesWhatChanged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		change core.Change
		want   []string
	}{
		{core.Change{Resync: true, Orders: []core.OrderID{7}}, []string{"all"}},
		{core.Change{Orders: []core.OrderID{7, 9}}, []string{"order-7", "order-9", "lists"}},
		{core.Change{Users: []core.UserID{3}}, nil},
		{core.Change{Items: true}, []string{"lists", "items"}},
		{core.Change{Traded: []string{"Iron Ore"}}, []string{"trades"}},
		{core.Change{AnyTraded: true}, []string{"trades"}},
	} {
		if got := changedKeys(tt.change); !slices.Equal(got, tt.want) {
			t.Errorf("%+v purges %q, want %q", tt.change, got, tt.want)
		}
	}
}

// cacheDouble is a cache that takes purges.
type cacheDouble struct {
	purges chan string
	status chan int // of the next answers; 200 when there is none
}

func (c cacheDouble) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case status := <-c.status:
		w.WriteHeader(status)
	default:
	}
	c.purges <- r.Method + " " + r.Header.Get("Surrogate-Key")
}

func newCacheDouble(t *testing.T) (cacheDouble, string) {
	c := cacheDouble{make(chan string, 100), make(chan int, 100)}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	return c, server.URL
}

func TestAPurgerSendsEveryChangeToEveryCache(t *testing.T) {
	t.Parallel()
	one, first := newCacheDouble(t)
	two, second := newCacheDouble(t)
	two.status <- http.StatusServiceUnavailable // it misses the first purge
	p := NewPurger([]string{first, second}, slog.New(slog.DiscardHandler))
	running := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(running)
		p.Run(ctx)
	}()
	p.Changed(core.Change{Users: []core.UserID{3}}) // nothing that a cache has
	p.Changed(core.Change{Orders: []core.OrderID{7}})
	for name, tt := range map[string]struct {
		cache cacheDouble
		want  []string
	}{"one that answers": {one, []string{"PURGE lists order-7"}}, "one that failed": {two, []string{"PURGE lists order-7", "PURGE all"}}} {
		for _, want := range tt.want {
			if got := <-tt.cache.purges; got != want {
				t.Errorf("%s is sent %q, want %q", name, got, want)
			}
		}
	}
	stop()
	<-running
}

// While a cache is away, what it misses takes no memory.
func TestAPurgerForgetsWhatIsTooMuch(t *testing.T) {
	t.Parallel()
	p := NewPurger([]string{"http://127.0.0.1:1"}, nil)
	for id := range core.OrderID(10_000) {
		p.Changed(core.Change{Orders: []core.OrderID{id}})
	}
	if got := p.caches[0].take(); got != "all" {
		t.Errorf("%d bytes of keys are sent, want all", len(got))
	}
	p.Changed(core.Change{Orders: []core.OrderID{1}})
	if got := p.caches[0].take(); got != "lists order-1" {
		t.Errorf("then %q is sent", got)
	}
}
