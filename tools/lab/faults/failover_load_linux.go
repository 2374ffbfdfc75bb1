package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// pulse is a sale that is logged again and again, each at the first program.
type pulse struct {
	s     *scene
	order int64
	mu    sync.Mutex
	acked []time.Time // when each write began that was acknowledged, and when it was
	ends  []time.Time
	end   chan struct{}
	done  chan error
}

// pulseAt begins to write. Its order is the first owner's.
func (s *scene) pulseAt() *pulse {
	p := &pulse{s: s, order: s.owners[0].order, end: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		p.done <- s.try(func() {
			for {
				select {
				case <-p.end:
					return
				case <-time.After(100 * time.Millisecond):
				}
				began := time.Now()
				s.mustWrite(write{op: opSell, actor: s.owners[0].person, order: p.order, quantity: 1,
					name: newName(visitors.Add(1))}, nil)
				p.mu.Lock()
				p.acked, p.ends = append(p.acked, began), append(p.ends, time.Now())
				p.mu.Unlock()
			}
		})
	}()
	return p
}

// wroteSince waits for a write that began after a time and was acknowledged.
func (p *pulse) wroteSince(when time.Time) {
	for {
		p.mu.Lock()
		written := slices.ContainsFunc(p.acked, func(began time.Time) bool { return began.After(when) })
		p.mu.Unlock()
		if written {
			return
		}
		p.s.rest(20 * time.Millisecond)
	}
}

// longestWithout is the longest time after another without a write that was acknowledged.
func (p *pulse) longestWithout(since time.Time) (longest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, end := range p.ends {
		if end.After(since) {
			longest, since = max(longest, end.Sub(since)), end
		}
	}
	return longest
}

// stop ends the writing, and waits for the last write.
func (p *pulse) stop() {
	close(p.end)
	p.s.must(<-p.done)
}

// readers read the board, searches and one order of each program as a visitor does, and compare what they
// read with what they have read.
type readers struct {
	s       *scene
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu                       sync.Mutex
	reads, failed, backwards int
	slowest                  time.Duration
	last                     error
}

// readPages begins to read.
func (s *scene) readPages() *readers {
	ctx, cancel := context.WithCancel(s.ctx)
	r := &readers{s: s, cancel: cancel}
	for i := range 2 {
		r.running.Go(func() { r.read(ctx, s.page(i), s.owners[0].order) })
	}
	return r
}

func (r *readers) stop() {
	r.cancel()
	r.running.Wait()
}

func (r *readers) read(ctx context.Context, p *program, order int64) {
	client := &http.Client{Timeout: 12 * time.Second, Transport: from(visitors.Add(1))}
	sold := 0
	for n := 0; ctx.Err() == nil; n++ {
		path := []string{"/api/orders/" + strconv.FormatInt(order, 10),
			"/api/orders?q=iron&minPrice=" + strconv.Itoa(1+n%90), "/api/orders"}[n%3]
		began := time.Now()
		shown, err := get(ctx, client, "http://"+p.address+path)
		took := time.Since(began)
		if ctx.Err() != nil {
			return
		}
		r.mu.Lock()
		r.reads++
		r.slowest = max(r.slowest, took)
		switch {
		case err != nil:
			r.failed, r.last = r.failed+1, fmt.Errorf("%s after %s: %w", path, took, err)
		case n%3 == 0 && shown < sold:
			r.backwards, r.last = r.backwards+1, fmt.Errorf("%d sold after %d", shown, sold)
		case n%3 == 0:
			sold = shown
		}
		r.mu.Unlock()
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

// get reads a page, and how much is sold where it is one order.
func get(ctx context.Context, client *http.Client, url string) (sold int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s", resp.Status)
	}
	var order struct{ Sold int }
	return order.Sold, json.NewDecoder(resp.Body).Decode(&order)
}
