package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// visitor is nobody in particular, at an address of their own.
const visitor = ""

// answered is what came back.
type answered struct {
	status int
	header http.Header
	body   string
	err    error
}

var edgeHTTP = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// ask reads an address through the cache as a visitor. from is their address; one of their own when it is
// empty.
func (e *edge) ask(from, path string, headers ...string) answered {
	return e.askAs(nil, e.address, from, path, "", headers...)
}

// askAs reads an address, or writes when there is a body, at the cache or at a program, signed in unless
// the person is nil.
func (e *edge) askAs(p *person, at, from, path, body string, headers ...string) (a answered) {
	method := http.MethodGet
	if body != "" {
		method, headers = http.MethodPost,
			append(headers, "Content-Type", "application/json", "Idempotency-Key",
				strconv.FormatUint(rand.Uint64(), 10))
	}
	if len(headers) > 0 && headers[0] == "method" {
		method, headers = headers[1], headers[2:]
	}
	req, err := http.NewRequestWithContext(e.ctx, method, "http://"+at+path, strings.NewReader(body))
	e.must(err)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	client := edgeHTTP
	if p != nil {
		client = p.browser
	} else {
		if from == "" {
			from = fmt.Sprintf("10.200.%d.%d", rand.IntN(250), 1+rand.IntN(250))
		}
		req.Header.Set("X-Forwarded-For", from)
	}
	resp, err := client.Do(req)
	if err != nil {
		return answered{err: err}
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	return answered{resp.StatusCode, resp.Header, string(content), err}
}

// post posts an order through the cache and returns its number.
func (e *edge) post(p *person, name string) int64 {
	body, err := json.Marshal(map[string]any{
		"itemName": name, "quantity": 10, "maxPricePerUnit": 100, "buyerContact": p.Username(),
		"category": "Miner", "importance": "medium",
	})
	e.must(err)
	a := e.askAs(p, e.address, "", "/api/orders", string(body))
	if a.err != nil || a.status != http.StatusCreated && a.status != http.StatusOK {
		e.Fatalf("posting %s is answered %d: %s %v", name, a.status, a.body, a.err)
	}
	var made struct{ ID int64 }
	e.must(json.Unmarshal([]byte(a.body), &made))
	return made.ID
}

// seen reads an address as a visitor until it shows a text, and returns how long that took.
func (e *edge) seen(path, text string, most time.Duration) time.Duration {
	return e.until(path, text, most, func(a answered) bool {
		return a.status == http.StatusOK &&
			strings.Contains(a.body, text)
	})
}

func (e *edge) until(path, text string, most time.Duration, is func(answered) bool) time.Duration {
	began := time.Now()
	for {
		a := e.ask(visitor, path)
		if a.err == nil && is(a) {
			return time.Since(began)
		}
		if time.Since(began) > most {
			e.Fatalf("%s is not right about %q after %s: %d %.300s", path, text, short(most),
				a.status, a.body)
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-e.ctx.Done():
			e.Fatalf("%s is not right about %q in time", path, text)
		}
	}
}

// edgeKind is what addresses are counted by.
type edgeKind struct {
	name   string
	share  int                         // of 100 requests
	routes []string                    // of the program, as its metrics name them
	path   func(*edge, int) string     // one of its addresses
	check  func(*person, string) error // of an answer; nil for none
}

func one[T any](of []T, n int) T { return of[n%len(of)] }

// edgeKinds is what visitors read: a page is a document, who is asking, a list and the counts.
var edgeKinds = []edgeKind{
	{"documents", 20, []string{"/", "/requests/{id}", "/items/{id}", "/items", "/mine"},
		func(e *edge, n int) string {
			return one([]string{"/", "/?view=list", "/?category=Miner", "/items", "/mine",
				fmt.Sprintf("/requests/%d", one(e.orders, n)), fmt.Sprintf("/items/%d", one(e.items, n))}, n)
		}, nil},
	{"lists", 25, []string{"/api/orders"}, func(e *edge, n int) string {
		return one([]string{"/api/orders", "/api/orders?category=Miner", "/api/orders?sort=price",
			"/api/orders?group=item"}, n)
	}, nil},
	{"counts", 15, []string{"/api/orders/counts"},
		func(*edge, int) string { return "/api/orders/counts" }, nil},
	{"requests", 10, []string{"/api/orders/{id}"},
		func(e *edge, n int) string { return fmt.Sprintf("/api/orders/%d", one(e.orders, n)) }, nil},
	{"items and prices", 8, []string{"/api/catalogue/{id}", "/api/catalogue/{id}/prices"},
		func(e *edge, n int) string {
			return fmt.Sprintf("/api/catalogue/%d%s", one(e.items, n), one([]string{"", "/prices"}, n))
		}, nil},
	{"pictures", 5, []string{"/requests/{id}/card.png", "/items/{id}/card.png", "/card.png"},
		func(e *edge, n int) string {
			return one([]string{"/card.png", fmt.Sprintf("/requests/%d/card.png?v=1", one(e.orders[:8], n)),
				fmt.Sprintf("/items/%d/card.png", one(e.items[:8], n))}, n)
		}, nil},
	{"who is asking", 15, []string{"/api/me"}, func(*edge, int) string { return "/api/me" },
		func(p *person, body string) error {
			if p == nil && !strings.Contains(body, `"user":null`) || p != nil &&
				!strings.Contains(body, `"username":"`+p.Username()+`"`) {
				return fmt.Errorf("another one's answer: %.200s", body)
			}
			return nil
		}},
	{"searches", 2, nil, func(_ *edge, n int) string {
		return fmt.Sprintf("/api/orders?q=ore&minPrice=%d",
			1+n%50)
	}, nil},
}

// traffic is how many requests there were, by kind, and what they took.
type traffic struct {
	asked, reached   map[string]int
	program, varnish time.Duration // of processor time
	failed           atomic.Int64
}

// reads plays readers at an address for some time: four in five are visitors, the others are signed in. All
// answers are checked.
func (e *edge) reads(at string, lasts time.Duration) *traffic {
	t := &traffic{asked: map[string]int{}}
	before, programs := e.counted(), e.pids()
	cpu, varnish := processorOf(programs...), processorOf(children(e.varnish.Process.Pid)...)
	signedIn := []*person{e.buyer, e.seller, e.owners[0].person, e.owners[1].person}
	var reading sync.WaitGroup
	type turn struct {
		kind edgeKind
		n    int
	}
	turns := make(chan turn, 64)
	for reader := range 16 {
		var p *person
		if reader%5 == 4 {
			p = signedIn[reader/5%len(signedIn)]
		}
		reading.Go(func() {
			for next := range turns {
				if err := e.try(func() { e.readOne(p, at, next.kind, next.n) }); err != nil {
					t.failed.Add(1)
					e.complain(err)
				}
			}
		})
	}
	tick := time.NewTicker(10 * time.Millisecond)
	end := time.Now().Add(lasts)
	began, sent := time.Now(), 0
	for now := began; now.Before(end) && e.ctx.Err() == nil; now = <-tick.C {
		for ; sent < int(now.Sub(began).Seconds()*edgeReads); sent++ {
			kind, at := edgeKinds[0], rand.IntN(100)
			for _, kind = range edgeKinds {
				if at -= kind.share; at < 0 {
					break
				}
			}
			t.asked[kind.name]++
			turns <- turn{kind, rand.IntN(1 << 20)}
		}
	}
	tick.Stop()
	close(turns)
	reading.Wait()
	t.program, t.varnish = processorOf(programs...)-cpu,
		processorOf(children(e.varnish.Process.Pid)...)-varnish
	t.reached = map[string]int{}
	for kind, n := range e.counted() {
		t.reached[kind] = n - before[kind]
	}
	t.reached["lists"] -= t.asked["searches"] // they have the same route, and all reach a program
	t.reached["searches"] = t.asked["searches"]
	return t
}

// readOne reads one address and checks the answer.
func (e *edge) readOne(p *person, at string, kind edgeKind, n int) {
	path := kind.path(e, n)
	a := e.askAs(p, at, "", path, "")
	switch {
	case a.err != nil || a.status != http.StatusOK:
		e.Fatalf("%s is answered %d %v: %.200s", path, a.status, a.err, a.body)
	case p == nil && len(a.header["Set-Cookie"]) > 0:
		e.Fatalf("%s gives a visitor a cookie", path)
	case p == nil && strings.Contains(a.body, `"offerCount"`):
		e.Fatalf("%s gives a visitor what its buyer sees", path)
	case kind.check != nil:
		if err := kind.check(p, a.body); err != nil {
			e.Fatalf("%s: %v", path, err)
		}
	}
	if p == nil || kind.name != "requests" {
		return
	}
	var order struct {
		OfferCount *int
		UserID     int64
	}
	e.must(json.Unmarshal([]byte(a.body), &order))
	if (order.OfferCount != nil) != (order.UserID == e.ids[p]) {
		e.Fatalf("%s is answered as if %s were another", path, p.Username())
	}
}

func (e *edge) pids() (pids []int) {
	for _, p := range e.programs {
		if p.running() {
			pids = append(pids, p.cmd.Process.Pid)
		}
	}
	return pids
}

// counted is how many reads of each kind the programs have answered so far.
func (e *edge) counted() map[string]int {
	all := map[string]int{}
	for _, p := range e.programs {
		resp, err := http.Get("http://" + p.metrics + "/metrics")
		if err != nil {
			continue // it was killed
		}
		data, err := io.ReadAll(resp.Body)
		e.must(resp.Body.Close())
		e.must(err)
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			line := lines.Text()
			if !strings.HasPrefix(line, `tradepost_http_requests_total{method="GET"`) &&
				!strings.HasPrefix(line, `tradepost_http_requests_total{method="HEAD"`) {
				continue
			}
			value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			e.must(err)
			for _, kind := range edgeKinds {
				for _, route := range kind.routes {
					if strings.Contains(line, `route="`+route+`"`) {
						all[kind.name] += int(value)
					}
				}
			}
		}
	}
	return all
}
