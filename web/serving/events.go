package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

const (
	// heartbeatInterval is how often a stream sends a comment, so that proxies keep it open and a lost
	// client is noticed.
	heartbeatInterval = 15 * time.Second
	// eventWriteTime is how long one write to a stream may take before the stream is ended.
	eventWriteTime = 10 * time.Second
	// maxStreamAge is how long a stream lasts.
	maxStreamAge = 2 * time.Hour
	// reconnectDelay is how many milliseconds browsers wait before they reconnect.
	reconnectDelay = 2000
)

// maxDescribed is how many changed orders an event describes. For more it sends only their ids.
const maxDescribed = 100

// describeChange returns the current state of the changed orders, and the counts of the lists when they have
// changed.
func (s *Front) describeChange(ctx context.Context, c core.Change) changeView {
	v := changeView{Orders: c.Orders}
	if len(c.Orders) == 0 || len(c.Orders) > maxDescribed {
		return v
	}
	open, err := s.Market.Match.OpenOrders(ctx, c.Orders)
	if err != nil {
		return v // readers ask for themselves
	}
	isOpen := map[core.OrderID]bool{}
	for _, o := range open {
		isOpen[o.ID] = true
		v.Changed = append(v.Changed, kernel.ViewOrder(o, s.Now()))
	}
	for _, id := range c.Orders {
		if !isOpen[id] {
			v.Gone = append(v.Gone, id)
		}
	}
	if c.Lists {
		if counts, err := s.Market.Match.CountOrders(ctx, match.OrderFilter{}); err == nil {
			v.Counts = &kernel.CountsView{All: counts.All, Categories: counts.ByCategory}
		}
	}
	return v
}

// stream writes events to one client.
type stream struct {
	io.Writer
	deadline func(time.Time) error
	flush    func() error // nil when nothing is kept back
}

func (s stream) write(format string, args ...any) error {
	if err := s.deadline(time.Now().Add(eventWriteTime)); err != nil &&
		!errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := fmt.Fprintf(s, format, args...); err != nil || s.flush == nil {
		return err
	}
	return s.flush()
}

// Events streams the changes of the market as server-sent events. A client that reconnects after it may
// have missed one gets a resync event.
func (s *Front) Events(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead { // the headers alone: no stream is held
		streamHeaders(w.Header())
		return
	}
	of := streamSession{token: s.Session.Token(r.Context())}
	if s.Session.UserID(r.Context()) != 0 {
		user, err := s.User(r.Context())
		if err != nil {
			kernel.ProblemOf(r.Context(), err, s.Now()).Write(w, r)
			return
		}
		if user != nil {
			of.user = user.ID
		}
	}
	counted := []string{kernel.LimitKeyOf(r.Context())}
	if of.user != 0 { // their browsers may be at many addresses
		counted = append(counted, fmt.Sprintf("user %d", of.user))
	}
	subscriber, lastID, err := s.hub.subscribe(s.opts.Limits.Streams, counted...)
	switch {
	case errors.Is(err, errTooManyStreams):
		s.Reject(w, r, kernel.Beyond(core.LimitStreams))
		return
	case err != nil:
		p := kernel.NewProblem(http.StatusServiceUnavailable, kernel.MsgOurFault)
		p.RetryAfter = time.Second
		p.Write(w, r)
		return
	}
	streamHeaders(w.Header())
	if r.ProtoMajor == 1 {
		// the end of the connection is the end of the stream: see keepStream
		w.Header().Set("Transfer-Encoding", "identity")
	}
	control := http.NewResponseController(w)
	out := stream{w, control.SetWriteDeadline, control.Flush}
	err = out.write("retry: %d\nid: %s\n: welcome\n\n", reconnectDelay, lastID)
	if last := r.Header.Get("Last-Event-ID"); err == nil && last != "" && last != lastID {
		err = out.write("id: %s\nevent: resync\ndata: {}\n\n", lastID)
	}
	if err != nil {
		s.hub.unsubscribe(subscriber)
		return
	}
	if conn, _, err := control.Hijack(); err == nil {
		go s.keepStream(conn, subscriber, of)
		return
	}
	defer s.hub.unsubscribe(subscriber)
	s.streamEvents(r.Context(), out, subscriber, of)
}

// keepStream sends events on a connection that is no longer net/http's. While it was, each stream held two
// buffers, what belongs to its request, and a stack as deep as all that a request goes through: three
// quarters of its memory.
func (s *Front) keepStream(conn net.Conn, from *subscriber, of streamSession) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		waitForEnd(conn)
	}()
	s.streamEvents(ctx, stream{conn, conn.SetWriteDeadline, nil}, from, of)
	s.hub.unsubscribe(from)
	_ = conn.Close() // no client is left to send an error to
}

// waitForEnd returns when the client closes the connection. It discards the data that the client sends
// before.
func waitForEnd(conn net.Conn) {
	var ignored [16]byte
	for {
		if _, err := conn.Read(ignored[:]); err != nil {
			return
		}
	}
}

func streamHeaders(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
}

func (s *Front) streamEvents(ctx context.Context, out stream, from *subscriber, of streamSession) {
	ctx, cancel := context.WithTimeout(ctx, maxStreamAge)
	defer cancel()
	heartbeat := time.NewTicker(s.heartbeat)
	defer heartbeat.Stop()
	check := time.NewTicker(s.sessionCheck)
	defer check.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-heartbeat.C:
			err = out.write(": still here\n\n")
		case <-check.C:
			if s.ended(of) {
				return
			}
		case e, open := <-from.events:
			if !open {
				return
			}
			if of.mayHaveEnded(e) && s.ended(of) {
				return
			}
			err = out.change(e, of.user)
		}
		if err != nil {
			return
		}
	}
}

func (s stream) change(e *hubEvent, user core.UserID) error {
	if e.Resync {
		return s.write("id: %s\nevent: resync\ndata: {}\n\n", e.id)
	}
	data := e.dataFor(user)
	if data == nil {
		return nil
	}
	return s.write("id: %s\nevent: change\ndata: %s\n\n", e.id, data)
}

// sessionCheck is how often an open stream asks whether its session is still there, besides when it hears
// of an end: sessions also expire, and an earlier version beside this one ends them without saying so.
const sessionCheck = 5 * time.Minute

// streamSession is the session of an event stream.
type streamSession struct {
	user  core.UserID // zero for a visitor
	token string
}

// mayHaveEnded reports whether an event may be about the end of the session.
func (s streamSession) mayHaveEnded(e *hubEvent) bool {
	return s.user != 0 && (e.Resync || slices.Contains(e.SignedOut, s.user))
}

// ended reports whether a session is over. It is not while that cannot be found out: the next check follows.
func (s *Front) ended(of streamSession) bool {
	if of.user == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), eventWriteTime)
	defer cancel()
	// The check has a context of its own: in the context of the request, the session is as it was when the
	// stream opened.
	ctx, err := s.Session.Load(ctx, of.token)
	if err != nil {
		return false
	}
	user, err := s.User(ctx)
	return err == nil && (user == nil || user.ID != of.user)
}
