package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tradepost/core"
)

// sharedMarket has a request and an item besides what countedMarket has.
type sharedMarket struct{ *countedMarket }

func (m sharedMarket) Order(_ context.Context, _ core.Actor, id core.OrderID) (core.ListedOrder, error) {
	order, err := m.read()
	if id != order.ID && err == nil {
		err = &core.Error{Kind: core.NotFound, Message: "Nothing is here"}
	}
	return core.ListedOrder{Order: order}, err
}

func (m sharedMarket) Item(_ context.Context, id core.ItemID) (core.Item, error) {
	return core.Item{ID: id, Name: "Iron Ore"}, nil
}

// newSharedDoor opens a door in front of which there is a cache.
func newSharedDoor(t *testing.T, now *time.Time) *door {
	t.Helper()
	d := newDoor(t, withLook(now), func(o *Options) {
		o.SharedCaches, o.Features = true, core.Features{Items: true, Records: true}
		o.Dist.(fstest.MapFS)["assets/cards-1.js"] = &fstest.MapFile{Data: []byte("1")}
		o.Dist.(fstest.MapFS)["favicon.svg"] = &fstest.MapFile{Data: []byte("<svg/>")}
	})
	d.server.kernel.market = sharedMarket{d.market}
	d.market.order.ExpiresAt = now.Add(core.OrderLifetime)
	return d
}

func TestResponsesThatAreTheSameForEverybodySayWhatChangesThem(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	d := newSharedDoor(t, &now)
	const signedIn = "session=0123456789"
	for _, tt := range []struct{ path, cookie, want string }{
		{"/api/orders", "", "all lists"},
		{"/api/orders?category=Miner&sort=price", signedIn, "all lists"}, // the same, no matter who asks
		{"/api/orders?itemId=12", "", "all lists"},
		{"/api/orders?q=iron", "", ""}, // there is no end of these
		{"/api/orders?limit=3", "", ""},
		{"/api/orders/counts", "", "all lists"},
		{"/api/orders/counts?q=iron", "", ""},
		{"/api/orders/7", "", "all order-7"},
		{"/api/orders/7", signedIn, ""},                      // who owns it sees more
		{"/api/orders/7", "__Host-session=1", "all order-7"}, // not this site's
		{"/api/orders/8", "", ""},                            // not found
		{"/api/me", "", "all"},
		{"/api/me", signedIn, ""},
		{"/api/catalogue/12", signedIn, "all items"},
		{"/api/catalogue?q=iron", "", ""},
		{"/api/address", "", ""},
		{"/", "", "all lists"},
		{"/?category=Miner&view=list", "tradepost_view=list", "all lists"},
		{"/?category=Nobody", "", ""},
		{"/?q=iron", "", ""},
		{"/?request=7", "", ""},
		{"/requests/7", signedIn, "all order-7"}, // documents know no session
		{"/requests/8", "", ""},
		{"/requests/7/card.png?v=3", "", "all order-7"},
		{"/items/12/iron-ore", "", "all items"},
		{"/mine", signedIn, "all"},
		{"/traders/3", "", "all"},
		{"/card.png?v=1", "", "all"},
		{"/favicon.svg", "", "all"},
		{"/assets/cards-1.js", "", "assets"},
		{"/nothing", "", ""},
		{"/offer/secret", "", ""},
		{"/auth/discord", "", ""},
	} {
		w := d.get(tt.path, "Cookie", tt.cookie)
		keys, control := w.Header().Get("Surrogate-Key"), w.Header().Get("Surrogate-Control")
		if keys != tt.want || (control == "") != (tt.want == "") {
			t.Errorf("%s with the cookie %q is answered %d with the keys %q and the control %q, want %q", tt.path, tt.cookie, w.Code, keys, control, tt.want)
		}
		if keys != "" && w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie and may be kept", tt.path)
		}
		if browsers := w.Header().Get("Cache-Control"); strings.Contains(browsers, "s-maxage") || keys != "" && browsers == "" {
			t.Errorf("%s tells browsers %q", tt.path, browsers)
		}
	}
}

func TestNothingIsMarkedWithoutACacheInFront(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for range 2 {
		if w := d.get("/api/orders"); w.Header().Get("Surrogate-Control")+w.Header().Get("Surrogate-Key") != "" {
			t.Errorf("the headers are %v", w.Header())
		}
	}
}

func TestNotModifiedIsMarkedToo(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newSharedDoor(t, &now)
	for range 2 { // by the router, then before it
		tag := d.get("/api/orders").Header().Get("ETag")
		if w := d.get("/api/orders", "If-None-Match", tag); w.Code != http.StatusNotModified || w.Header().Get("Surrogate-Key") != "all lists" {
			t.Errorf("answered %d with %v", w.Code, w.Header())
		}
	}
}

func TestAResponseIsKeptNoLongerThanTheRequestIsOpen(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	d := newSharedDoor(t, &now)
	for left, want := range map[time.Duration]string{
		time.Hour: "max-age=30, stale-while-revalidate=30", 40 * time.Second: "max-age=30", 7 * time.Second: "max-age=7", time.Millisecond: "",
	} {
		d.market.order.ExpiresAt = now.Add(left)
		if got := d.get("/api/orders/7").Header().Get("Surrogate-Control"); got != want {
			t.Errorf("%s before it expires, the control is %q, want %q", left, got, want)
		}
	}
}

func TestWhatShowsLessThanItShouldIsNotKept(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newSharedDoor(t, &now)
	d.market.err = &core.Error{Kind: core.Unavailable, Message: "away"}
	for _, path := range []string{"/", "/requests/7", "/api/orders", "/api/orders/7"} {
		if w := d.get(path); w.Header().Get("Surrogate-Control") != "" {
			t.Errorf("%s may be kept, although it is answered %d while the database is away", path, w.Code)
		}
	}
}

// Without a cache in front the board is drawn once a second.
func TestTheBoardThatACacheKeepsIsTheLatest(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newSharedDoor(t, &now)
	for _, item := range []string{"Iron Ore", "Copper Ore", "Tin Ore"} {
		d.market.rename(item)
		d.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		if page := d.document("/"); !strings.Contains(page, item) {
			t.Errorf("the board does not show %s", item)
		}
	}
}

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

func TestAPurgerTellsEveryCacheWhatChanged(t *testing.T) {
	t.Parallel()
	one, first := newCacheDouble(t)
	two, second := newCacheDouble(t)
	two.status <- http.StatusServiceUnavailable // it misses the first purge
	d := newDoor(t)
	p := NewPurger([]string{first, second}, d.server.kernel.log)
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
