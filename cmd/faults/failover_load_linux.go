package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// pulse is a sale that is logged again and again, each at the first program.
type pulse struct {
	s     *scene
	order int64
	sold  atomic.Int64 // acknowledged
	mu    sync.Mutex
	acked []time.Time // when each write began that was acknowledged, and when it was
	ends  []time.Time
	end   chan struct{}
	done  chan error
}

// pulse begins to write. Its order is the first owner's.
func (s *scene) pulse() *pulse {
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
				s.mustWrite(write{op: opSell, actor: s.owners[0].person, order: p.order, quantity: 1, name: newName(visitors.Add(1))}, nil)
				p.mu.Lock()
				p.acked, p.ends = append(p.acked, began), append(p.ends, time.Now())
				p.mu.Unlock()
				p.sold.Add(1)
			}
		})
	}()
	return p
}

// writesAgain waits for a write that was acknowledged after everything broke, and returns how long after that was.
func (p *pulse) writesAgain(broke time.Time) time.Duration {
	// A write that is answered just now may still have been answered by the former primary: one that began later counts.
	broke = broke.Add(500 * time.Millisecond)
	for {
		p.mu.Lock()
		for i, began := range p.acked {
			if p.ends[i].After(broke) && (began.After(broke) || p.ends[i].Sub(broke) > time.Second) {
				p.mu.Unlock()
				return p.ends[i].Sub(broke) + 500*time.Millisecond
			}
		}
		p.mu.Unlock()
		p.s.rest(20 * time.Millisecond)
		if p.s.ctx.Err() != nil {
			p.s.Fatalf("nothing was written any more")
		}
	}
}

func (p *pulse) stop() {
	close(p.end)
	p.s.must(<-p.done)
}

// readers read the board, searches and one order of each program as a visitor does, and compare what they read with what they have read.
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
		path := []string{"/api/orders/" + strconv.FormatInt(order, 10), "/api/orders?q=iron&minPrice=" + strconv.Itoa(1+n%90), "/api/orders"}[n%3]
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
		r.s.rest(20 * time.Millisecond)
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

// lonely writes to a primary at its own machine, past everything that is in front of it.
type lonely struct {
	cut     atomic.Bool
	end     chan struct{}
	stopped chan struct{}
	asked   int
	acked   int
}

func (s *scene) writeAlone(n *clusterNode) *lonely {
	l := &lonely{end: make(chan struct{}), stopped: make(chan struct{})}
	dsn := fmt.Sprintf("postgres:///postgres?host=%s&port=5432&user=postgres&sslmode=disable", n.folder)
	go func() {
		defer close(l.stopped)
		for {
			select {
			case <-l.end:
				return
			case <-time.After(50 * time.Millisecond):
			}
			cut := l.cut.Load()
			err := writeOnce(s.ctx, dsn)
			if cut {
				l.asked++
				if err == nil {
					l.acked++
				}
			}
		}
	}()
	return l
}

// writeOnce writes a row on a connection of its own. It gives up by closing the connection: a cancelled COMMIT would be answered.
func writeOnce(ctx context.Context, dsn string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, "insert into proof values (1, now())")
	return err
}

func (l *lonely) stop() (asked, acknowledged int) {
	close(l.end)
	<-l.stopped
	return l.asked, l.acked
}

const measuredReads = 1500

// processorPerRead measures what a read costs the primary, with standbys and without.
func (g *ground) processorPerRead(ctx context.Context, c *patroniCluster) (lines []string, err error) {
	direct := "DATABASE_URL=" + c.dsn(role, clusterGate+":5000", clusterDatabase, "")
	for _, w := range []struct {
		name string
		env  []string
	}{{"without DATABASE_REPLICAS", []string{direct}}, {"with DATABASE_REPLICAS", []string{direct, "DATABASE_REPLICAS=" + c.standbys()}}} {
		s, err := g.failoverScene(ctx, c, way{w.name, func(*patroniCluster) []string { return w.env }})
		if err != nil {
			return nil, err
		}
		n := c.primary()
		if n == nil {
			s.close()
			return nil, fmt.Errorf("there is no primary to measure")
		}
		client := &http.Client{Timeout: 12 * time.Second, Transport: from(visitors.Add(1))}
		read := func(times int) error {
			for i := range times {
				path := "/api/orders/" + strconv.FormatInt(s.owners[0].order, 10)
				if i%2 == 0 {
					path = "/api/orders?q=ore&minPrice=" + strconv.Itoa(1+i)
				}
				if _, err := get(ctx, client, "http://"+s.programs[0].address+path); err != nil {
					return err
				}
			}
			return nil
		}
		err = read(200) // so that everything is connected and planned
		before, asOf := c.processor(n), time.Now()
		if err == nil {
			time.Sleep(2 * time.Second)
		}
		idle := (c.processor(n) - before).Seconds() / time.Since(asOf).Seconds()
		before, asOf = c.processor(n), time.Now()
		if err == nil {
			err = read(measuredReads)
		}
		replica, _ := s.programs[0].metric(ctx, `database_public_reads_total{from="replica"}`) // for the remark only
		primary, _ := s.programs[0].metric(ctx, `database_public_reads_total{from="primary"}`)
		used := (c.processor(n) - before).Seconds() - idle*time.Since(asOf).Seconds()
		s.close()
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("processor time of the primary for a read, %s: %.0f µs (of %d, less what it takes at rest; standbys answered %.0f reads of the store, the primary %.0f)",
			w.name, max(0, used)/measuredReads*1e6, measuredReads, replica, primary))
	}
	return lines, nil
}

// processor is the processor time that PostgreSQL of a node has used so far.
func (c *patroniCluster) processor(n *clusterNode) (used time.Duration) {
	for _, pid := range c.inside(n) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if !strings.HasPrefix(filepath.Base(string(command)), "postgres") && !strings.Contains(string(command), "postgres:") {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if end := strings.LastIndexByte(string(stat), ')'); end > 0 {
			fields := strings.Fields(string(stat)[end+1:])
			for _, field := range fields[11:15] { // its own and its ended children's, in hundredths of a second
				ticks, _ := strconv.ParseInt(field, 10, 64)
				used += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return used
}
