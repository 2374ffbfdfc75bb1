package web

import (
	"crypto/rand"
	"errors"
	"strconv"
	"sync"

	"tradepost/core"
)

// Hub publishes changes of the market to every open event stream. It is safe for concurrent use.
type Hub struct {
	instance string // tells the event IDs of this process from those of another

	mu          sync.Mutex
	subscribers map[*subscriber]struct{}
	byClient    map[string]int
	published   uint64
	closed      bool
	activate    func() (deactivate func())
	deactivate  func() // not nil while there are subscribers and activate is set
}

// subscriber is one open event stream.
type subscriber struct {
	client string
	events chan event // closed when the stream must end
}

// event is a change and the ID under which it is published.
type event struct {
	core.Change
	id string
}

// maxStreams is how many streams one process keeps open in all.
const maxStreams = 10_000

// maxQueuedEvents is how many events a slow subscriber may fall behind before its stream is ended: it reconnects and resyncs.
const maxQueuedEvents = 64

// NewHub returns a hub without subscribers.
func NewHub() *Hub {
	return &Hub{instance: rand.Text()[:8], subscribers: map[*subscriber]struct{}{}, byClient: map[string]int{}}
}

// WhileSubscribed has activate called when the first stream opens, and the function that it returns when the last one ends, so
// that the publisher can poll less often in between. Both must be quick. Call it before any stream opens.
func (h *Hub) WhileSubscribed(activate func() (deactivate func())) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.activate = activate
}

// Publish sends the change to every subscriber. It never blocks. The caller must not modify the change afterwards.
func (h *Hub) Publish(c core.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.published++
	e := event{c, h.eventID()}
	for s := range h.subscribers {
		select {
		case s.events <- e:
		default:
			h.drop(s)
		}
	}
}

// Close ends every stream and rejects new ones.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.subscribers {
		h.drop(s)
	}
}

// Subscribers returns how many streams are open.
func (h *Hub) Subscribers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.subscribers)
}

var (
	errTooManyStreams = errors.New("too many event streams from one address")
	errHubFull        = errors.New("no more event streams can be opened")
)

// subscribe opens a stream and returns the ID of the last event before it.
func (h *Hub) subscribe(client string, limit int) (*subscriber, string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.subscribers) >= maxStreams {
		return nil, "", errHubFull
	}
	if h.byClient[client] >= limit {
		return nil, "", errTooManyStreams
	}
	s := &subscriber{client: client, events: make(chan event, maxQueuedEvents)}
	h.subscribers[s] = struct{}{}
	if h.activate != nil && len(h.subscribers) == 1 {
		h.deactivate = h.activate()
	}
	h.byClient[client]++
	return s, h.eventID(), nil
}

func (h *Hub) unsubscribe(s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(s)
}

// eventID returns the ID of the event that was published last.
func (h *Hub) eventID() string { return h.instance + "-" + strconv.FormatUint(h.published, 10) }

func (h *Hub) drop(s *subscriber) {
	if _, ok := h.subscribers[s]; !ok {
		return
	}
	delete(h.subscribers, s)
	if h.deactivate != nil && len(h.subscribers) == 0 {
		h.deactivate()
		h.deactivate = nil
	}
	if h.byClient[s.client]--; h.byClient[s.client] == 0 {
		delete(h.byClient, s.client)
	}
	close(s.events)
}
