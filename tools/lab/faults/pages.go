//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// read requests a user's own data.
func (s *scene) read(p *person, path string, answer any) {
	for attempt := 0; ; attempt++ {
		req, err := http.NewRequestWithContext(s.ctx, "GET", "http://"+s.page(attempt).address+path, nil)
		s.must(err)
		resp, err := p.browser.Do(req)
		if err == nil {
			data, readErr := io.ReadAll(resp.Body)
			s.must(resp.Body.Close())
			if resp.StatusCode == http.StatusOK && readErr == nil {
				s.must(json.Unmarshal(data, answer))
				return
			}
			err = fmt.Errorf("%s: %s", resp.Status, data)
		}
		select {
		case <-time.After(20 * time.Millisecond): // as a browser's retry, only faster
		case <-s.ctx.Done():
			s.Fatalf("GET %s was not answered in time: %v", path, err)
		}
	}
}

// page is an open page of a visitor: its stream of events, taken up again whenever it breaks.
type openPage struct {
	s      *scene
	cancel context.CancelFunc
	heard  chan change
}

// change is an event that a page receives: orders that have changed, or a resync.
type change struct {
	resync bool
	Orders []int64
}

// follow opens a page at a program and returns when its stream is open.
func (s *scene) follow(p *program) *openPage {
	ctx, cancel := context.WithCancel(s.ctx)
	page := &openPage{s: s, cancel: cancel, heard: make(chan change, 1000)}
	open := make(chan struct{}, 1)
	go func() {
		for first := true; ctx.Err() == nil; first = false {
			page.stream(ctx, p, first, open)
			select {
			case <-time.After(50 * time.Millisecond): // browsers wait longer
			case <-ctx.Done():
			}
		}
	}()
	select {
	case <-open:
	case <-s.ctx.Done():
		s.Fatalf("the page's stream does not open")
	}
	return page
}

func (p *openPage) stream(ctx context.Context, from *program, first bool, open chan<- struct{}) {
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+from.address+"/api/events", nil)
	if err != nil {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return
	}
	defer resp.Body.Close()
	if !first {
		p.heard <- change{resync: true} // as a browser that comes back asks for everything
	}
	lines := bufio.NewScanner(resp.Body)
	event := ""
	for lines.Scan() {
		line := lines.Text()
		select {
		case open <- struct{}{}:
		default:
		}
		if name, found := strings.CutPrefix(line, "event: "); found {
			event = name
		}
		data, found := strings.CutPrefix(line, "data: ")
		if !found {
			continue
		}
		c := change{resync: event == "resync"}
		if json.Unmarshal([]byte(data), &c) == nil {
			p.heard <- c
		}
	}
}

// hears waits until the page gets an event of an order, or one to reload everything.
func (p *openPage) hears(order int64) {
	for {
		select {
		case c := <-p.heard:
			if c.resync || slices.Contains(c.Orders, order) {
				return
			}
		case <-p.s.ctx.Done():
			p.s.Fatalf("the page got no event of order %d", order)
		}
	}
}

func (p *openPage) close() { p.cancel() }
