package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

func TestAPublicReadIsCachedUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) { o.Now = func() time.Time { return coretest.Noon } })
	const path = "/api/public/orders?category=Miner&limit=20" // no first page of the page
	first := d.get(path)
	tag := first.Header().Get("ETag")
	if first.Code != http.StatusOK || !strings.HasPrefix(tag, `"`) {
		t.Fatalf("answered %d with the tag %s: %s", first.Code, tag, first.Body)
	}
	for range 3 {
		if w := d.get(path, "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("known already, it is answered %d", w.Code)
		}
	}
	if w := d.get(path, "If-None-Match", tag, "Accept-Encoding", "gzip"); w.Code != http.StatusOK ||
		w.Header().Get("ETag") == tag || w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("compressed, it is answered %d with %v", w.Code, w.Header())
	}
	d.wantReads(1)
	d.store.rename("Copper Ore")
	d.cache.Changed(core.Change{Orders: []core.OrderID{7}})
	if w := d.get(path, "If-None-Match", tag); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Copper Ore") {
		t.Errorf("after a change it is answered %d: %s", w.Code, w.Body)
	}
	d.wantReads(2)
	d.cache.Changed(core.Change{Orders: []core.OrderID{8}}) // of another request
	changed := d.get(path).Header().Get("ETag")
	if again := d.get(path, "If-None-Match", changed); again.Code != http.StatusNotModified {
		t.Errorf("the same list is answered %d", again.Code)
	}
}

func TestAPublicReadChangesWhenARequestExpires(t *testing.T) {
	t.Parallel()
	now := coretest.Noon
	d := newDoor(t, func(o *Options) { o.Now = func() time.Time { return now } })
	d.store.validUntil = now.Add(time.Hour)
	d.get("/api/public/orders")
	now = now.Add(time.Hour - time.Second)
	d.get("/api/public/orders")
	d.wantReads(1)
	now = now.Add(time.Second)
	d.get("/api/public/orders")
	d.wantReads(2)
}

func TestPublicReadsAreForScriptsOfAnySiteAndForSharedCaches(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) { o.Limits.Requests = 6 })
	check := func(what string, got http.Header) {
		t.Helper()
		if got.Get("Access-Control-Allow-Origin") != "*" || got.Get("Access-Control-Allow-Credentials") != "" ||
			got.Get("Access-Control-Expose-Headers") != "ETag, Link, RateLimit, RateLimit-Policy, Retry-After" {
			t.Errorf("%s is not for scripts of any site: %v", what, got)
		}
	}
	for range 2 { // by the router, then before it
		w := d.get("/api/public/orders", "Cookie", "session=secret; tradepost_language=de", "Accept-Language", "de")
		check("a list", w.Header())
		if got := w.Header().Get("Cache-Control"); got != "public, max-age=5" {
			t.Errorf("it may be kept as %q", got)
		}
		if w.Header().Get("Set-Cookie") != "" || w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Content-Language") != "" {
			t.Errorf("it depends on who asks: %v", w.Header())
		}
	}
	known := d.get("/api/public/orders", "If-None-Match", d.get("/api/public/orders").Header().Get("ETag"))
	check("a list that is known", known.Header())
	wrong := d.get("/api/public/orders?q=maple")
	check("a problem", wrong.Header())
	if wrong.Code != http.StatusUnprocessableEntity || wrong.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a search is answered %d, kept as %q", wrong.Code, wrong.Header().Get("Cache-Control"))
	}
	asked := d.ask(http.MethodOptions, "/api/public/orders", "", "Origin", "https://elsewhere.example",
		"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "if-none-match")
	check("a preflight", asked.Header())
	if asked.Code != http.StatusNoContent || !strings.Contains(asked.Header().Get("Access-Control-Allow-Headers"), "If-None-Match") {
		t.Errorf("a preflight is answered %d with %v", asked.Code, asked.Header())
	}
	beyond := d.get("/api/public/orders")
	check("a client beyond the limit", beyond.Header())
	if beyond.Code != http.StatusTooManyRequests {
		t.Errorf("beyond the limit it is answered %d", beyond.Code)
	}
	d = newDoor(t)
	if w := d.get("/api/orders", "Origin", "https://elsewhere.example"); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("scripts of other sites read the page's own list, which has contacts")
	}
}

func TestEveryAnswerSaysWhatIsLeftOfTheLimit(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) { o.Limits.Requests, o.Limits.Writes = 4, 2 })
	wants := func(path, left string, status int, headers ...string) {
		t.Helper()
		w := d.get(path, headers...)
		if w.Code != status || w.Header().Get("RateLimit") != `"requests";r=`+left+`;t=60` ||
			w.Header().Get("RateLimit-Policy") != `"requests";q=4;w=60` {
			t.Errorf("%s is answered %d with %v", path, w.Code, w.Header())
		}
	}
	wants("/api/orders", "3", http.StatusOK)        // by the router
	wants("/api/public/orders", "2", http.StatusOK) // the same limit
	tag := d.get("/api/orders").Header().Get("ETag")
	wants("/api/orders", "0", http.StatusNotModified, "If-None-Match", tag) // before the router
	wants("/api/orders", "0", http.StatusTooManyRequests)
	d = newDoor(t, func(o *Options) { o.Limits.Requests, o.Limits.Writes = 4, 2 })
	w := d.ask(http.MethodPost, "/api/orders", "{}", "Content-Type", "application/json")
	if left := strings.Join(w.Header().Values("RateLimit"), ", "); left != `"writes";r=1;t=60, "requests";r=3;t=60` {
		t.Errorf("a write says that %s is left", left)
	}
}
