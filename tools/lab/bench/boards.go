package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// boardsFor is how long open boards are measured.
const boardsFor = 10 * time.Second

// measureBoards measures many open boards while requests are posted: how long it takes from the moment a
// request is posted until a board has all it needs to show it. A board that is told what has changed has it
// then; one that is told which request has changed asks for the counts and the first page, once at a time,
// as the page does.
func (b *bench) measureBoards(ctx context.Context) error {
	for _, load := range []struct{ boards, rate, most int }{{1_000, 10, 250}, {5_000, 50, 1_000}} {
		name := fmt.Sprintf("%s open boards, %d posts a second: post to seen", count(float64(load.boards)),
			load.rate)
		if !b.wanted(name) {
			continue
		}
		if err := b.measureBoardsAt(ctx, name, load.boards, load.rate, load.most); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (b *bench) measureBoardsAt(ctx context.Context, name string, boards, rate, most int) error {
	p, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, nil, "--only=web")
	if err != nil {
		return err
	}
	defer p.stop()
	w := newWall(p.address)
	if _, err := w.open(boards); err != nil {
		return err
	}
	w.hangUp()
	again, err := w.open(boards) // the first time the program's memory grew as well
	if err != nil {
		return err
	}
	before, err := p.busy()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := b.postAt(ctx, w, p.address, rate); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // what was posted last is still on its way
	after, err := p.busy()
	if err != nil {
		return err
	}
	share := 100 * float64(after-before) / float64(time.Since(began))
	memory, err := p.memory()
	if err != nil {
		return err
	}
	p50, p99, missed := w.result()
	w.hangUp()
	figure := fmt.Sprintf("%s; %.0f %% of a core, %.0f MiB, %.1f events a second and board, %s asked, %d posts refused, %s never seen, all open in %s", short(p99), share, memory/mebibyte,
		float64(w.events.Load())/float64(boards)/time.Since(began).Seconds(), count(float64(w.asked.Load())),
		w.refused.Load(), count(float64(missed)), short(again))
	b.add(row{size: b.size, name: name, figure: figure, value: p99.Seconds() * 1000, most: float64(most),
		queries: -1, ours: measured{p50: p50, p99: p99}})
	return nil
}

// postAt posts requests at a rate, whether or not earlier ones were answered.
func (b *bench) postAt(ctx context.Context, w *wall, address string, rate int) error {
	const posters = 8
	turns := make(chan int, rate)
	failed := make(chan error, posters)
	var posting sync.WaitGroup
	for i := range posters {
		c, err := dial(address)
		if err != nil {
			return err
		}
		posting.Go(func() {
			defer c.close()
			for n := range turns {
				body := fmt.Sprintf(`{"itemName":"Signal Lamp","quantity":1,"maxPricePerUnit":%d,"buyerContact":"player","confirmPrice":true}`, 1000+time.Now().UnixNano()%1_000_000_000+int64(n))
				began := time.Now()
				r, err := c.do(request("POST", "/api/orders", body, []string{b.cookies[i]}), true)
				if err == nil && r.status == http.StatusServiceUnavailable {
					w.refused.Add(1) // too busy
					continue
				}
				if err == nil && r.status != http.StatusCreated {
					err = fmt.Errorf("posting answered %d: %s", r.status, r.body)
				}
				if err != nil {
					failed <- err
					return
				}
				w.posted(numberAfter(r.body, `"id":`), began)
			}
		})
	}
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var err error
	for n := range int(boardsFor.Seconds()) * rate {
		select {
		case turns <- n:
		case err = <-failed:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			break
		}
		<-tick.C
	}
	close(turns)
	posting.Wait()
	return err
}

// wall is many open boards.
type wall struct {
	address string
	conns   []net.Conn
	reading sync.WaitGroup

	events, asked, opened, refused atomic.Int64

	mu    sync.Mutex
	posts map[int64]*post
	took  []int64 // by millisecond, the last for everything slower
}

// post is a request: when it was sent off, and who saw it before that was noted.
type post struct {
	at    time.Time
	early []time.Time
	seen  int
}

func newWall(address string) *wall {
	return &wall{address: address, posts: map[int64]*post{}, took: make([]int64, 30_000)}
}

// open opens boards and returns how long it took until all were welcomed.
func (w *wall) open(boards int) (time.Duration, error) {
	began := time.Now()
	var opening sync.WaitGroup
	var mu sync.Mutex
	var failed error
	turns := make(chan struct{}, 256)
	for range boards {
		turns <- struct{}{}
		opening.Go(func() {
			defer func() { <-turns }()
			conn, in, err := w.listen()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = errors.Join(failed, err)
				return
			}
			w.conns = append(w.conns, conn)
			w.reading.Go(func() { w.read(in) })
		})
	}
	opening.Wait()
	return time.Since(began), failed
}

func (w *wall) listen() (net.Conn, *bufio.Reader, error) {
	conn, err := net.Dial("tcp", w.address)
	if err != nil {
		return nil, nil, err
	}
	in := bufio.NewReaderSize(conn, 4<<10)
	n := w.opened.Add(1)
	// Each from an address of its own, as through a proxy: one address may have a few only.
	from := fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	_, err = conn.Write(get("/api/events", "Accept: text/event-stream", from))
	for welcome := false; err == nil && !welcome; {
		var line []byte
		line, err = in.ReadSlice('\n')
		if bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.HasPrefix(line[9:], []byte("200")) {
			err = fmt.Errorf("the stream answered %s", line)
		}
		welcome = bytes.HasPrefix(line, []byte(": welcome"))
	}
	if err != nil {
		_ = conn.Close()
	}
	return conn, in, err
}

func (w *wall) hangUp() {
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
	w.reading.Wait()
}

// read is one board.
func (w *wall) read(in *bufio.Reader) {
	asks := make(chan []int64, 1000)
	defer close(asks)
	asking := false
	var kept []byte // a line that is longer than the buffer
	for {
		part, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			kept = append(kept, part...)
			continue
		}
		if err != nil {
			return
		}
		line := part
		if len(kept) > 0 {
			kept = append(kept, part...)
			line = kept
		}
		if bytes.HasPrefix(line, []byte(`data: {"orders":[`)) {
			now := time.Now()
			w.events.Add(1)
			ids := numbers(line[len(`data: {"orders":[`):])
			if bytes.Contains(line, []byte(`"changed":[`)) {
				w.saw(ids, now)
			} else {
				if !asking {
					asking = true
					w.reading.Go(func() { w.ask(asks) })
				}
				asks <- ids
			}
		}
		kept = kept[:0]
	}
}

// ask is a board that asks for what has changed, once at a time.
func (w *wall) ask(asks <-chan []int64) {
	c, err := dial(w.address)
	if err != nil {
		return
	}
	defer c.close()
	counts, page := "", ""
	for ids := range asks {
		time.Sleep(80 * time.Millisecond) // as the page does
		for more := true; more; {
			select {
			case others, open := <-asks:
				ids, more = append(ids, others...), open
			default:
				more = false
			}
		}
		for path, tag := range map[string]*string{"/api/orders/counts": &counts, "/api/orders": &page} {
			r, err := c.do(get(path, "Accept-Encoding: gzip", "If-None-Match: "+*tag), false)
			if err != nil {
				return
			}
			if r.tag != "" {
				*tag = r.tag
			}
			w.asked.Add(1)
		}
		w.saw(ids, time.Now())
	}
}

func (w *wall) of(id int64) *post {
	p := w.posts[id]
	if p == nil {
		p = &post{}
		w.posts[id] = p
	}
	return p
}

func (w *wall) posted(id int64, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.of(id)
	p.at = at
	for _, seen := range p.early {
		w.add(seen.Sub(at))
	}
	p.early = nil
}

func (w *wall) saw(ids []int64, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		p := w.of(id)
		p.seen++
		if p.at.IsZero() {
			p.early = append(p.early, now)
		} else {
			w.add(now.Sub(p.at))
		}
	}
}

func (w *wall) add(took time.Duration) {
	w.took[min(max(int(took.Milliseconds()), 0), len(w.took)-1)]++
}

// result is how long the boards took, and how many times a board did not see a request.
func (w *wall) result() (p50, p99 time.Duration, missed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all int64
	for _, n := range w.took {
		all += n
	}
	at := func(share float64) time.Duration {
		left := int64(float64(all) * share)
		for ms, n := range w.took {
			if left -= n; left < 0 {
				return time.Duration(ms) * time.Millisecond
			}
		}
		return 0
	}
	for _, p := range w.posts {
		if !p.at.IsZero() {
			missed += len(w.conns) - p.seen
		}
	}
	return at(0.5), at(0.99), missed
}

// numbers reads numbers with commas between them, up to a bracket.
func numbers(text []byte) (all []int64) {
	text, _, _ = bytes.Cut(text, []byte("]"))
	for n := range bytes.SplitSeq(text, []byte(",")) {
		if id, err := strconv.ParseInt(string(n), 10, 64); err == nil {
			all = append(all, id)
		}
	}
	return all
}

func numberAfter(body []byte, name string) int64 {
	_, rest, _ := bytes.Cut(body, []byte(name))
	rest, _, _ = bytes.Cut(rest, []byte(","))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64)
	return n
}
