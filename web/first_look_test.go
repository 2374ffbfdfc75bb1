package web

import (
	"compress/gzip"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/web/kernel"
)

// withLook has a built page with a place for the first requests, and a clock that the test moves.
func withLook(now *time.Time) func(*Options) {
	return func(o *Options) {
		o.Dist = fstest.MapFS{"index.html": {Data: []byte(`<html><head><title>x</title>
<link rel="modulepreload" href="/assets/cards-1.js" data-for="cards">
<link rel="modulepreload" href="/assets/OrderList-1.js" data-for="list">
</head><body><div id="root"><!-- first look --><i>skeleton</i><!-- /first look --></div></body></html>`)}}
		o.Now = func() time.Time { return *now }
		o.LookPatience = coretest.Patience(10 * time.Second)
	}
}

func (d *door) document(path string, headers ...string) string {
	d.t.Helper()
	w := d.get(path, headers...)
	if w.Code != http.StatusOK {
		d.t.Errorf("%s is answered %d", path, w.Code)
	}
	return w.Body.String()
}

func TestTheDocumentHasTheFirstRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	d := newDoor(t, withLook(&now))
	const card, row, skeleton = `<article aria-labelledby="request-7"`, `<tr data-row="7"`, "<i>skeleton</i>"
	const cards, list = "/assets/cards-1.js", "/assets/OrderList-1.js"
	for _, tt := range []struct {
		path, cookie string
		want         []string
	}{
		{"/", "", []string{card, cards}},
		{"/?category=Miner&sort=price", "", []string{card, cards}},
		{"/?dialog=offer&request=7", "", []string{card, cards}},
		{"/?view=list", "", []string{row, list}},
		{"/", "tradepost_view=list", []string{row, list}},
		{"/?view=cards", "tradepost_view=list", []string{card, cards}},
		{"/", "tradepost_view=other", []string{card, cards}},
		{"/?view=list&request=7", "", []string{skeleton, list}}, // the list is narrower beside it
		{"/?q=iron", "", []string{skeleton, cards}},
		{"/?category=Miner&category=Chef", "", []string{skeleton, cards}},
		{"/?for=me", "", []string{skeleton, cards}},
		{"/mine", "", []string{`<h1 class="inline text-xl">My Requests</h1>`, cards}},
		{"/offer/abc", "", []string{skeleton, cards}},
	} {
		html := d.document(tt.path, "Cookie", tt.cookie)
		for _, part := range append([]string{card, row, skeleton, cards, list}, tt.want...) {
			if want := strings.Contains(strings.Join(tt.want, " "), part); strings.Contains(html, part) != want {
				t.Errorf("%s with %q: %s: %v, want %v", tt.path, tt.cookie, part, !want, want)
			}
		}
	}
}

// A document of what is for sale does not show requests until its scripts run.
func TestTheDocumentOfTheOtherSidesHasNoRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	both := newDoor(t, withLook(&now), func(o *Options) { o.Features.Listings = true })
	only := newDoor(t, withLook(&now))
	const card = `<article aria-labelledby="request-7"`
	for path, heading := range map[string]string{
		"/?side=sale":                ">For sale</h1>",
		"/?side=sale&category=Miner": ">For sale</h1>",
		"/?side=both&view=list":      ">Wanted and for sale</h1>",
	} {
		html := both.document(path)
		if !strings.Contains(html, heading) || !strings.Contains(html, "Loading what is for sale") || strings.Contains(html, card) {
			t.Errorf("%s shows\n%s", path, html)
		}
		if html := only.document(path); strings.Contains(html, "for sale") || strings.Contains(html, card) == strings.Contains(path, "list") {
			t.Errorf("%s without listings shows\n%s", path, html)
		}
	}
	if html := both.document("/?side=other"); !strings.Contains(html, card) {
		t.Errorf("an unknown side shows\n%s", html)
	}
}

func TestADocumentReadsNothingThatIsCached(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newDoor(t, withLook(&now))
	d.shows("Iron Ore")
	d.get(kernel.CountsPath)
	d.wantReads(2)
	var visitors sync.WaitGroup
	for range 8 {
		visitors.Go(func() { d.document("/") })
	}
	visitors.Wait()
	d.wantReads(2)
	now = now.Add(2 * time.Minute)
	d.document("/")
	d.wantReads(2)
}

func TestADocumentIsDrawnAtMostOnceASecond(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newDoor(t, withLook(&now))
	d.document("/")
	d.store.rename("Gold Ore")
	d.cache.Changed(core.Change{Orders: []core.OrderID{7}, Lists: true})
	if html := d.document("/"); !strings.Contains(html, "Iron Ore") {
		t.Error("it was drawn again within the second")
	}
	now = now.Add(time.Second)
	if html := d.document("/"); !strings.Contains(html, "Gold Ore") || strings.Contains(html, "Iron Ore") {
		t.Errorf("it is not drawn again after a second")
	}
}

func TestADocumentThatIsKnownIsNotSentAgain(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newDoor(t, withLook(&now))
	first := d.get("/", "Accept-Encoding", "gzip")
	if again := d.get("/", "Accept-Encoding", "gzip", "If-None-Match", first.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("it is answered %d", again.Code)
	}
	unzip, err := gzip.NewReader(first.Body)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(unzip)
	if err != nil || string(plain) != d.document("/") {
		t.Errorf("the compressed document is another one: %v", err)
	}
	d.store.rename("Gold Ore")
	d.cache.Changed(core.Change{Orders: []core.OrderID{7}, Lists: true})
	now = now.Add(time.Second)
	if again := d.get("/", "Accept-Encoding", "gzip", "If-None-Match", first.Header().Get("ETag")); again.Code != http.StatusOK {
		t.Errorf("after a change it is answered %d", again.Code)
	}
}

func TestWithoutItsRequestsADocumentHasTheSkeleton(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := newDoor(t, withLook(&now))
	fail := func(err error, panics bool) {
		d.store.mu.Lock()
		defer d.store.mu.Unlock()
		d.store.err, d.store.panics = err, panics
	}
	for name, broken := range map[string]func(){
		"an error": func() { fail(errors.New("no database"), false) },
		"a panic":  func() { fail(nil, true) },
	} {
		now = now.Add(time.Hour)
		d.cache.Changed(core.Change{Resync: true})
		broken()
		if html := d.document("/"); !strings.Contains(html, "<i>skeleton</i>") {
			t.Errorf("%s: %s", name, html)
		}
		fail(nil, false)
		if html := d.document("/"); !strings.Contains(html, "<i>skeleton</i>") {
			t.Errorf("%s: the next attempt is made at once", name)
		}
		now = now.Add(time.Second)
		if html := d.document("/"); !strings.Contains(html, "<article") {
			t.Errorf("%s: it lasts: %s", name, html)
		}
	}
}

func TestADocumentDoesNotWaitForASlowDatabase(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var logged strings.Builder
	d := newDoor(t, withLook(&now), func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&logged, nil)) }, func(o *Options) { o.LookPatience = 0 })
	d.store.hold = make(chan struct{})
	defer close(d.store.hold)
	if html := d.document("/"); !strings.Contains(html, "<i>skeleton</i>") {
		t.Errorf("it has %s", html)
	}
	// It passes: nobody has to look because of one.
	if log := logged.String(); strings.Contains(log, "level=ERROR") || !strings.Contains(log, "level=WARN") {
		t.Errorf("it is logged as %s", log)
	}
}
