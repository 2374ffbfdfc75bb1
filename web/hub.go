package web

import (
	"crypto/rand"
	"errors"
	"strconv"
	"sync"

	"tradepost/core"
)

// Hub hands what changed in the market to every open event stream. It is safe for concurrent use.
type Hub struct {
	boot string // tells the events of this process from those of another

	mu        sync.Mutex
	readers   map[*reader]struct{}
	byAddress map[string]int
	published uint64
	closed    bool
	before    []func(core.Change)
	watch     func() (stop func())
	unwatch   func() // not nil while there are readers and somebody wants to know
}

// reader is one open stream.
type reader struct {
	address string
	news    chan news // closed when the stream must end
}

// news is a change, and the place in all news right after it.
type news struct {
	core.Change
	place string
}

// maxStreams is how many streams one process keeps open for everybody.
const maxStreams = 10_000

// waiting is how many changes a slow reader may fall behind before its stream is ended: it will come back and start anew.
const waiting = 64

// NewHub returns a hub without readers.
func NewHub() *Hub {
	return &Hub{boot: rand.Text()[:8], readers: map[*reader]struct{}{}, byAddress: map[string]int{}}
}

// first has f called with each change before any reader is told of it. f must be quick.
func (h *Hub) first(f func(core.Change)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.before = append(h.before, f)
}

// WhileWatched has begin called when a first stream is opened, and what it returns when the last one has ended. It is for
// whoever publishes, who need not hurry when nobody listens. Both must be quick. It is called before any stream is opened.
func (h *Hub) WhileWatched(begin func() (end func())) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watch = begin
}

// Publish tells every reader. It never waits. The change is the hub's from then on.
func (h *Hub) Publish(c core.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.before {
		f(c)
	}
	h.published++
	n := news{c, h.place()}
	for r := range h.readers {
		select {
		case r.news <- n:
		default:
			h.drop(r)
		}
	}
}

// Close ends every stream and lets no more begin.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for r := range h.readers {
		h.drop(r)
	}
}

// Readers returns how many streams are open.
func (h *Hub) Readers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.readers)
}

var (
	errTooManyStreams = errors.New("too many event streams from one address")
	errHubFull        = errors.New("no more event streams can be opened")
)

// join opens a stream, and returns the place in the news where it begins.
func (h *Hub) join(address string, limit int) (*reader, string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.readers) >= maxStreams {
		return nil, "", errHubFull
	}
	if h.byAddress[address] >= limit {
		return nil, "", errTooManyStreams
	}
	r := &reader{address: address, news: make(chan news, waiting)}
	h.readers[r] = struct{}{}
	if h.watch != nil && len(h.readers) == 1 {
		h.unwatch = h.watch()
	}
	h.byAddress[address]++
	return r, h.place(), nil
}

func (h *Hub) leave(r *reader) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(r)
}

func (h *Hub) place() string { return h.boot + "-" + strconv.FormatUint(h.published, 10) }

func (h *Hub) drop(r *reader) {
	if _, ok := h.readers[r]; !ok {
		return
	}
	delete(h.readers, r)
	if h.unwatch != nil && len(h.readers) == 0 {
		h.unwatch()
		h.unwatch = nil
	}
	if h.byAddress[r.address]--; h.byAddress[r.address] == 0 {
		delete(h.byAddress, r.address)
	}
	close(r.news)
}
