package serving

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"tradepost/web/kernel"
)

// bodies reads the bodies of requests. It is safe for concurrent use.
type bodies struct {
	slots   *slots
	maxTime time.Duration // for one body

	mu       sync.Mutex
	arriving map[*http.ResponseController]struct{}
	stopped  bool
}

func newBodies(l kernel.Limits) *bodies {
	return &bodies{
		slots: newSlots(4*l.InFlight, l.Share), maxTime: bodyTime,
		arriving: map[*http.ResponseController]struct{}{},
	}
}

// stop shortens the deadlines of the bodies that are arriving, so that a stalled upload does not delay
// shutdown.
func (b *bodies) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	for control := range b.arriving {
		_ = control.SetReadDeadline(time.Now().Add(bodyGrace)) // a connection that takes none is closed
	}
}

// begin sets the deadline of a body, and end clears it: a deadline that fired later, while the request is
// answered, would cancel every later request on the connection.
func (b *bodies) begin(control *http.ResponseController) {
	b.mu.Lock()
	defer b.mu.Unlock()
	allowed := b.maxTime
	if b.stopped {
		allowed = bodyGrace
	}
	_ = control.SetReadDeadline(time.Now().Add(allowed)) // a test's recorder has none
	b.arriving[control] = struct{}{}
}

func (b *bodies) end(control *http.ResponseController) (stopped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.arriving, control)
	_ = control.SetReadDeadline(time.Time{})
	return b.stopped
}

// read returns the whole body of a request.
func (b *bodies) read(w http.ResponseWriter, r *http.Request) ([]byte, *kernel.Problem) {
	client := kernel.LimitKeyOf(r.Context())
	if err := b.slots.take(client); err != nil {
		return nil, noSlot(err)
	}
	defer b.slots.leave(client)
	control := http.NewResponseController(w)
	b.begin(control)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	stopped := b.end(control)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, kernel.NewProblem(http.StatusRequestEntityTooLarge, msgBodyTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded) && stopped:
		p := kernel.NewProblem(http.StatusServiceUnavailable, msgStopping)
		p.RetryAfter = time.Second
		return nil, p
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, kernel.NewProblem(http.StatusRequestTimeout, msgBodyTooSlow)
	case err != nil:
		return nil, kernel.NewProblem(http.StatusBadRequest, kernel.MsgCutOff)
	}
	return body, nil
}

// readyBody is a body that was read from the connection.
type readyBody struct{ *bytes.Reader }

func (readyBody) Close() error { return nil }

// isUnread reports whether the body of a request is still on the connection.
func isUnread(r *http.Request) bool {
	_, arrived := r.Body.(readyBody)
	return kernel.HasBody(r) && !arrived
}

// closeUnread ends the connection of a request with an unread rest of its body: net/http would wait for the
// rest.
func closeUnread(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	// the connection ends with the answer
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingerTime))
}

// maxBody is how long a request body may be, in bytes. The longest right one is a description of 1,000
// characters that are all escaped, with some room.
const maxBody = 64 << 10

var msgBodyTooLarge = kernel.Message("problem_too_large")

const (
	// bodyTime is how long a request body may take to arrive.
	bodyTime = 10 * time.Second
	// bodyGrace is how long a body may still take once the server stops.
	bodyGrace = time.Second
	// lingerTime is how long the rest of a body is read after its request was rejected. A connection that
	// is closed on unread bytes is reset, and the client may lose the answer.
	lingerTime = 500 * time.Millisecond
)

var msgBodyTooSlow = kernel.Message("problem_too_slow_body")

var msgStopping = kernel.Message("problem_restarting")
