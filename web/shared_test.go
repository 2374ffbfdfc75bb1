package web

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/trade"
)

// sharedStore has a request and an item besides what countedStore has.
type sharedStore struct{ *countedStore }

func (m sharedStore) Order(_ context.Context, id core.OrderID) (trade.Order, error) {
	order, err := m.read()
	if id != order.ID && err == nil {
		err = &core.Error{Kind: core.NotFound, Message: "Nothing is here"}
	}
	return order, err
}

func (m sharedStore) Items(
	_ context.Context, forms core.TextForms, _ time.Time,
) (*items.Index, error) {
	ore := items.Item{ID: 12, Name: "Iron Ore", State: items.Listed}
	return items.NewIndex([]items.Item{ore}, nil, forms), nil
}

// newSharedDoor opens a door in front of which there is a cache.
func newSharedDoor(t *testing.T, now *time.Time) *door {
	t.Helper()
	d := newDoor(t, withLook(now), func(o *Options) {
		o.SharedCaches, o.Features = true, core.Features{Items: true, Records: true}
		o.Dist.(fstest.MapFS)["assets/cards-1.js"] = &fstest.MapFile{Data: []byte("1")}
		o.Dist.(fstest.MapFS)["favicon.svg"] = &fstest.MapFile{Data: []byte("<svg/>")}
	})
	d.server.kernel.Market = marketOn(sharedStore{d.store}, d.server.opts)
	d.store.order.ExpiresAt = now.Add(trade.OrderLifetime)
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
		{"/api/public/orders", signedIn, "all lists"}, // no session is read there
		{"/api/public/orders?category=Miner", "", "all lists"},
		{"/api/public/orders?ids=7", "", ""},
		{"/api/public/orders?limit=3", "", ""},
		{"/api/public/catalogue", "", "all items"},
		{"/api/public/rules", "", ""},
		{"/api/public/listings", "", ""},
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
		{"/icon-192.png", signedIn, "all"},
		{"/manifest-en.webmanifest", signedIn, "all"},
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
		if keys != "" && w.Header().Get("RateLimit")+w.Header().Get("RateLimit-Policy") != "" {
			t.Errorf("%s may be kept, and says what is left for the client that asked: %v", tt.path, w.Header())
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
		d.store.order.ExpiresAt = now.Add(left)
		if got := d.get("/api/orders/7").Header().Get("Surrogate-Control"); got != want {
			t.Errorf("%s before it expires, the control is %q, want %q", left, got, want)
		}
	}
}

func TestResponsesDuringAnOutageAreNotCached(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newSharedDoor(t, &now)
	d.store.err = &core.Error{Kind: core.Unavailable, Message: "away"}
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
		d.store.rename(item)
		d.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		if page := d.document("/"); !strings.Contains(page, item) {
			t.Errorf("the board does not show %s", item)
		}
	}
}
