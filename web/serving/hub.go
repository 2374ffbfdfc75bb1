package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"tradepost/core"
)

// Hub publishes changes of the market to every open event stream. Changes that are close together are
// gathered, described and written as JSON once, and every stream sends the same bytes. It is safe for
// concurrent use.
type Hub struct {
	instance string // distinguishes the event IDs of this process from the IDs of another

	mu          sync.Mutex
	subscribers map[*subscriber]struct{}
	open        map[string]int // streams, by client and by user
	published   uint64
	closed      bool
	activate    func() (deactivate func())
	deactivate  func() // not nil while there are subscribers and activate is set

	describe func(context.Context, core.Change) changeView // nil sends only the ids of the orders
	pause    func(boards int) time.Duration                // between two events
	gathered core.Change                                   // what the next event is about
	// the next event is on its way, or waits for its time
	sending bool
	sentAt  time.Time
}

// subscriber is one open event stream.
type subscriber struct {
	counted []string       // whose limits it takes from: the client's, and the user's
	events  chan *hubEvent // closed when the stream must end
}

// hubEvent is a change, the ID under which it is published, and its data as JSON.
type hubEvent struct {
	core.Change
	id string
	// data is the event for readers that the change does not concern, nil when there is nothing to send; mine
	// is the event for the change's users
	data, mine []byte
}

// maxStreams is how many streams one process keeps open in all.
const maxStreams = 10_000

// maxQueuedEvents is how many events a slow subscriber may fall behind before its stream is ended: it
// reconnects and resyncs.
const maxQueuedEvents = 64

// NewHub returns a hub without subscribers.
func NewHub() *Hub {
	return &Hub{instance: rand.Text()[:8], subscribers: map[*subscriber]struct{}{},
		open: map[string]int{}, pause: eventPause}
}

const (
	// pausePerBoard is five times the processor time that an event takes a board: all events together take
	// a fifth of a core.
	pausePerBoard = 100 * time.Microsecond
	// longestPause makes it four events a second from 2,500 boards on.
	longestPause = 250 * time.Millisecond
	// maxGathered is how many changed orders an event names. Beyond, everything counts as changed.
	maxGathered = 5000
	// describeTime is how long reading what changed may take. Then the event says which orders, and readers
	// ask for them.
	describeTime = 2 * time.Second
)

// eventPause is the time between two events. An event that comes after it is sent at once.
func eventPause(boards int) time.Duration {
	return min(time.Duration(boards)*pausePerBoard, longestPause)
}

// WhileSubscribed has activate called when the first stream opens, and the function that it returns when
// the last one ends, so that the publisher can poll less often in between. Both must be quick. Call it
// before any stream opens.
func (h *Hub) WhileSubscribed(activate func() (deactivate func())) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.activate = activate
}

// describeWith adds a description of the change to every event, besides the ids.
func (h *Hub) describeWith(describe func(context.Context, core.Change) changeView) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.describe = describe
}

// Publish sends the change to every subscriber, together with others that come within the same pause. It
// never blocks. The caller must not modify the change afterwards.
func (h *Hub) Publish(c core.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gather(c)
	if !h.sending {
		h.sending = true
		h.schedule()
	}
}

func (h *Hub) gather(c core.Change) {
	g := &h.gathered
	g.Users, g.SignedOut = append(slices.Clip(g.Users), c.Users...),
		append(slices.Clip(g.SignedOut), c.SignedOut...)
	g.Resync, g.Lists = g.Resync || c.Resync || len(g.Orders)+len(c.Orders) > maxGathered, g.Lists || c.Lists
	if g.Resync {
		g.Orders = nil // everything is loaded again
		return
	}
	g.Orders = append(slices.Clip(g.Orders), c.Orders...)
}

// schedule has the next event sent when its time has come.
func (h *Hub) schedule() {
	time.AfterFunc(time.Until(h.sentAt.Add(h.pause(len(h.subscribers)))), h.send)
}

// send publishes what was gathered.
func (h *Hub) send() {
	h.mu.Lock()
	change, boards, describe := h.gathered, len(h.subscribers), h.describe
	h.gathered, h.sentAt = core.Change{}, time.Now()
	h.mu.Unlock()
	if boards == 0 {
		describe = nil
	}
	e := newEvent(change, describe)

	h.mu.Lock()
	defer h.mu.Unlock()
	h.published++
	e.id = h.eventID()
	for s := range h.subscribers {
		select {
		case s.events <- e:
		default:
			h.drop(s)
		}
	}
	if g := h.gathered; g.Resync || len(g.Orders)+len(g.Users)+len(g.SignedOut) > 0 {
		h.schedule()
		return
	}
	h.sending = false
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
	errTooManyStreams = errors.New("too many event streams of one client or user")
	errHubFull        = errors.New("no more event streams can be opened")
)

// subscribe opens a stream and returns the ID of the last event before it. None of those it is counted for
// has more than limit open.
func (h *Hub) subscribe(limit int, counted ...string) (*subscriber, string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.subscribers) >= maxStreams {
		return nil, "", errHubFull
	}
	for _, of := range counted {
		if h.open[of] >= limit {
			return nil, "", errTooManyStreams
		}
	}
	s := &subscriber{counted: counted, events: make(chan *hubEvent, maxQueuedEvents)}
	h.subscribers[s] = struct{}{}
	if h.activate != nil && len(h.subscribers) == 1 {
		h.deactivate = h.activate()
	}
	for _, of := range counted {
		h.open[of]++
	}
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
	for _, of := range s.counted {
		if h.open[of]--; h.open[of] == 0 {
			delete(h.open, of)
		}
	}
	close(s.events)
}
