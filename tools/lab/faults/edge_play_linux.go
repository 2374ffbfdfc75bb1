package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	edgeReads  = 400              // a second
	edgeLasts  = 12 * time.Second // of each measurement
	edgeWrites = 500 * time.Millisecond
	// seenWithin is within which a change is read through the cache, and whole again a market whose
	// programs were killed.
	seenWithin = time.Second
	backWithin = 5 * time.Second
)

// edgeResult is what was measured with some programs.
type edgeResult struct {
	programs               int
	direct, quiet, written *traffic
	seen                   []time.Duration // how long it took until a change was read
	killed                 string          // what readers got meanwhile
	flooded                string
}

func (e *edge) play() (r edgeResult) {
	r.programs = len(e.programs)
	e.prepare()
	e.checkAnswers()
	e.checkStrangers(&r)
	r.seen = e.checkChanges()
	r.direct = e.reads(e.programs[0].address, edgeLasts)
	e.reads(e.address, time.Second) // so that both begin with what is read often
	r.quiet = e.reads(e.address, edgeLasts)
	stop := e.writes()
	r.written = e.reads(e.address, edgeLasts)
	stop()
	r.killed = e.checkKilled()
	return r
}

// prepare posts what is read.
func (e *edge) prepare() {
	e.ids = map[*person]int64{}
	for _, p := range []*person{e.buyer, e.seller, e.owners[0].person, e.owners[1].person} {
		var me struct{ User struct{ ID int64 } }
		e.must(json.Unmarshal([]byte(e.askAs(p, e.address, "", "/api/me", "").body), &me))
		e.ids[p] = me.User.ID
	}
	for i := range 30 {
		e.orders = append(e.orders, e.post(e.owners[i%2].person, fmt.Sprintf("Ore number %d", i)))
	}
	var catalogue struct{ Items []struct{ ID int64 } }
	a := e.ask(visitor, "/api/catalogue")
	e.must(json.Unmarshal([]byte(a.body), &catalogue))
	for _, item := range catalogue.Items {
		e.items = append(e.items, item.ID)
	}
	if len(e.items) < 10 {
		e.Fatalf("the catalogue has %d items: %d %.200s", len(e.items), a.status, a.body)
	}
}

// settle waits until all purges have arrived.
func (e *edge) settle() {
	for e.reached(func() {
		for range 6 {
			e.ask(visitor, "/api/orders")
			e.rest(50 * time.Millisecond)
		}
	}) > 1 {
	}
}

func (e *edge) want(what string, is bool, got ...any) {
	if !is {
		e.Errorf("%s: got %v", what, got)
	}
}

// reached is how many reads of lists reach the programs meanwhile.
func (e *edge) reached(do func()) int {
	before := e.counted()["lists"]
	do()
	return e.counted()["lists"] - before
}

// checkAnswers compares what comes through the cache with what the program says.
func (e *edge) checkAnswers() {
	own := map[string]bool{"Date": true, "Age": true, "X-Request-Id": true, "Content-Length": true,
		"Surrogate-Control": true, "Surrogate-Key": true, "Accept-Ranges": true, "Connection": true,
		"Etag": true, "Vary": true}
	// JSON from memory has them only when it went through the router.
	ofDocuments := map[string]bool{"Content-Security-Policy": true, "X-Frame-Options": true,
		"Cross-Origin-Opener-Policy": true, "Permissions-Policy": true, "Referrer-Policy": true}
	e.settle()
	for _, path := range []string{"/", "/api/orders", "/api/me", fmt.Sprintf("/api/orders/%d", e.orders[0]),
		"/card.png", fmt.Sprintf("/items/%d", e.items[0])} {
		e.ask(visitor, path)
		cached, direct := e.ask(visitor, path), e.askAs(nil, e.programs[0].address, "10.9.9.9", path, "")
		e.want(path+" has another status or body", cached.status == direct.status &&
			(cached.body == direct.body || path == "/"), cached.status, direct.status)
		e.want(path+" is not from the cache", cached.header.Get("Age") != "", cached.header)
		for _, of := range []http.Header{cached.header, direct.header} {
			for name := range of {
				if !own[name] && !(ofDocuments[name] && strings.HasPrefix(path, "/api/")) &&
					!slices.Equal(cached.header[name], direct.header[name]) {
					e.Errorf("%s: %s is %q through the cache and %q without", path, name, cached.header[name],
						direct.header[name])
				}
			}
		}
		e.want(path+" shows what is for caches",
			cached.header.Get("Surrogate-Key")+cached.header.Get("Xkey")+cached.header.Get("X-Began") == "",
			cached.header)
		if tag := cached.header.Get("ETag"); tag != "" {
			again := 0
			hits := e.reached(func() { again = e.ask(visitor, path, "If-None-Match", tag).status })
			e.want(path+" is sent again to one who has it", again == http.StatusNotModified && hits == 0,
				again, hits)
		}
	}
	for _, path := range []string{"/api/me", "/api/orders", fmt.Sprintf("/api/orders/%d", e.orders[0])} {
		a := e.ask(visitor, path, "Authorization", "Bearer tp_made_up")
		e.want(path+" with a token is answered as a visitor's", a.status == http.StatusUnauthorized, a.status)
	}
	list := e.ask(visitor, "/?view=list")
	remembered := e.ask(visitor, "/", "Cookie", "tradepost_view=list; other=1")
	e.want("the view that a browser remembers is not shown", list.body == remembered.body ||
		strings.Contains(remembered.body, "<tr data-row"), len(list.body), len(remembered.body))
	e.want("the cards are not what others get", strings.Contains(e.ask(visitor, "/").body, "<article"),
		"no card")
	for _, headers := range [][]string{{}, {"Accept-Language", "de-DE,de;q=0.9"},
		{"Cookie", "tradepost_language=de"},
		{"Accept-Language", "de", "Cookie", "a=b; tradepost_language=en; tradepost_view=list"}} {
		e.ask(visitor, "/", headers...)
		cached := e.ask(visitor, "/", headers...)
		direct := e.askAs(nil, e.programs[0].address, "10.9.9.9", "/", "", headers...)
		e.want(fmt.Sprintf("a document for %v has another language, or is not from the cache", headers),
			cached.header.Get("Content-Language") == direct.header.Get("Content-Language") &&
				cached.header.Get("Age") != "", cached.header, direct.header)
	}
	for _, line := range strings.Split(e.ask(visitor, "/").body, "\"") {
		if strings.HasPrefix(line, "/assets/") && strings.HasSuffix(line, ".js") {
			for encoding, want := range map[string]string{"br, gzip": "br", "gzip": "gzip", "identity": ""} {
				a := e.ask(visitor, line, "Accept-Encoding", encoding)
				e.want(line+" for "+encoding, a.status == http.StatusOK &&
					a.header.Get("Content-Encoding") == want, a.status, a.header)
			}
			break
		}
	}
	address := e.ask("10.1.2.3", "/api/address").body
	e.want("the visitor's address is lost", strings.Contains(address, `"10.1.2.3"`) &&
		strings.Contains(address, "believed"), address)
	for range 2 {
		missing := e.ask(visitor, "/requests/999999")
		e.want("an error is kept", missing.status == http.StatusNotFound && missing.header.Get("Age") <= "0",
			missing.status, missing.header)
	}
	page := e.follow(&program{address: e.address})
	order := e.post(e.buyer, "For the stream")
	page.hears(order)
	page.close()
}

// checkStrangers has somebody do what they should not.
func (e *edge) checkStrangers(r *edgeResult) {
	e.settle()
	n := e.reached(func() {
		for _, header := range []string{"Surrogate-Key", "X-Nothing"} {
			a := e.ask(visitor, "/api/orders", "method", "PURGE", header, "all")
			e.want("a visitor purges", a.status == http.StatusMethodNotAllowed, a.status)
		}
		for _, header := range []string{"X-Any-Age", "X-Fresh", "X-Shared", "X-View", "X-Language"} {
			e.ask(visitor, "/api/orders", header, "1")
		}
		a := e.askAs(nil, e.purges, "", "/api/orders", "")
		e.want("the port of purges answers readers", a.status == http.StatusMethodNotAllowed, a.status)
		e.ask(visitor, "/api/orders", "Host", "another.example")
		e.ask(visitor, "/api/orders", "Cookie", "session=forged")
	})
	e.want("what a stranger does reaches a program", n == 0, n)
	passed := e.reached(func() {
		for range 300 {
			e.ask("10.66.6.6", "/api/orders", "Cache-Control", "no-cache")
		}
	})
	n = e.reached(func() { e.ask(visitor, "/api/orders") })
	e.want("a stranger reads past the cache without end, or empties it", passed < 150 && passed >= 60 &&
		n == 0, passed, n)
	r.flooded = fmt.Sprintf("300 reads with no-cache from one address as fast as they go: %d reached a program", passed)
}

// checkChanges posts, edits and closes, and waits for each until a stranger reads it.
func (e *edge) checkChanges() (took []time.Duration) {
	buyer := e.buyer
	for i := range 8 {
		name := fmt.Sprintf("Change %d", i)
		id := e.post(buyer, name)
		own := e.askAs(buyer, e.address, "", "/api/orders", "", "Cache-Control", "no-cache")
		e.want("who posts does not read it at once", strings.Contains(own.body, name), own.status)
		took = append(took, e.seen("/api/orders", name, seenWithin), e.seen("/", name, seenWithin))
		request := fmt.Sprintf("/api/orders/%d", id)
		e.seen(request, name, seenWithin)
		edit := e.askAs(buyer, e.address, "", request, fmt.Sprintf(`{"version":1,"quantity":%d}`, 7000+i),
			"method", http.MethodPatch,
			"Content-Type", "application/json", "Idempotency-Key", name)
		e.want("an edit", edit.status == http.StatusOK, edit.status, edit.body)
		took = append(took, e.seen(request, fmt.Sprint(7000+i), seenWithin),
			e.seen("/api/orders", fmt.Sprint(7000+i), seenWithin))
		e.seen(fmt.Sprintf("/requests/%d", id), name, seenWithin)
		closed := e.askAs(buyer, e.address, "", request+"/close", "{}")
		e.want("a close", closed.status == http.StatusOK, closed.status, closed.body)
		took = append(took, e.until("/api/orders", name, seenWithin,
			func(a answered) bool { return a.status == http.StatusOK && !strings.Contains(a.body, name) }))
	}
	return took
}

// writes posts and closes until it is stopped.
func (e *edge) writes() (stop func()) {
	end := make(chan struct{})
	done := e.meanwhile(func() {
		tick := time.NewTicker(edgeWrites)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			id := e.post(e.seller, fmt.Sprintf("Meanwhile %d", i))
			e.askAs(e.seller, e.address, "", fmt.Sprintf("/api/orders/%d/close", id), "{}")
		}
	})
	return func() {
		close(end)
		done()
	}
}

// checkKilled kills every program, and then starts them again.
func (e *edge) checkKilled() string {
	paths := []string{"/", "/?view=list", "/?category=Miner", "/mine", "/items", "/api/orders",
		"/api/orders?category=Miner", "/api/orders?sort=price", "/api/orders/counts", "/api/me", "/card.png",
		fmt.Sprintf("/requests/%d", e.orders[0]), fmt.Sprintf("/api/orders/%d", e.orders[0]),
		fmt.Sprintf("/requests/%d/card.png", e.orders[0]), fmt.Sprintf("/items/%d", e.items[0])}
	for _, path := range paths {
		e.ask(visitor, path)
	}
	// A change just before has purged most of that.
	e.post(e.buyer, "The last one")
	e.seen("/api/orders", "The last one", seenWithin)
	all := func() (good, bad int) {
		for _, path := range paths {
			if a := e.ask(visitor, path); a.status == http.StatusOK {
				good++
			} else {
				bad++
				e.Errorf("while every program is gone, %s is answered %d %v", path, a.status, a.err)
			}
		}
		return good, bad
	}
	if len(e.programs) > 1 { // the other one answers, from the first moment
		e.programs[1].kill()
		for range 3 {
			all()
		}
		e.must(e.programs[1].start())
		e.must(e.programs[1].ready(e.ctx))
	}
	for _, p := range e.programs {
		p.kill()
	}
	good, bad := 0, 0
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		g, b := all()
		good, bad = good+g, bad+b
	}
	for _, p := range e.programs {
		e.must(p.start())
		e.must(p.ready(e.ctx))
	}
	back := time.Now()
	// Varnish knows
	e.until("/api/address", "", backWithin, func(a answered) bool { return a.status == http.StatusOK })
	id := e.post(e.buyer, "The first one after")
	e.seen("/api/orders", "The first one after", backWithin)
	e.seen(fmt.Sprintf("/api/orders/%d", id), "The first one after", backWithin)
	return fmt.Sprintf("killed for 3 s: %d reads answered from the cache, %d not; a change after the start was read %s after the program was ready", good, bad, short(time.Since(back)))
}
