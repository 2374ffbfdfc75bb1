package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"tradepost/core"
)

const (
	// heartbeatInterval is how often a stream sends a comment, so that proxies keep it open and a lost client is noticed.
	heartbeatInterval = 15 * time.Second
	// eventWriteTime is how long one write to a stream may take before the stream is ended.
	eventWriteTime = 10 * time.Second
	// maxStreamAge is how long a stream lasts.
	maxStreamAge = 2 * time.Hour
	// reconnectDelay is how many milliseconds browsers wait before they reconnect.
	reconnectDelay = 2000
)

// changeView is the data of a change event.
type changeView struct {
	Orders []core.OrderID `json:"orders" doc:"Requests that were added, changed or removed"`
	Mine   bool           `json:"mine" doc:"The caller's own lists or inbox changed"`
}

// stream writes events to one client.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s stream) write(format string, args ...any) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(eventWriteTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := fmt.Fprintf(s, format, args...); err != nil {
		return err
	}
	return s.control.Flush()
}

// events streams the changes of the market as server-sent events. A client that reconnects after it may have missed one gets
// a resync event.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead { // the headers alone: no stream is held
		streamHeaders(w.Header())
		return
	}
	of := streamSession{token: s.session.Token(r.Context())}
	if s.session.userID(r.Context()) != 0 {
		user, err := s.user(r.Context())
		if err != nil {
			problemOf(r.Context(), err, s.now()).write(w, r)
			return
		}
		if user != nil {
			of.user = user.ID
		}
	}
	subscriber, lastID, err := s.hub.subscribe(limitKeyOf(r.Context()), s.opts.Limits.Streams)
	switch {
	case errors.Is(err, errTooManyStreams):
		s.reject(w, r, tooMany(time.Minute))
		return
	case err != nil:
		p := newProblem(http.StatusServiceUnavailable, msgOurFault)
		p.retryAfter = time.Second
		p.write(w, r)
		return
	}
	defer s.hub.unsubscribe(subscriber)

	streamHeaders(w.Header())
	out := stream{w, http.NewResponseController(w)}
	if err := out.write("retry: %d\nid: %s\n: welcome\n\n", reconnectDelay, lastID); err != nil {
		return
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" && last != lastID {
		if err := out.write("id: %s\nevent: resync\ndata: {}\n\n", lastID); err != nil {
			return
		}
	}
	s.streamEvents(r.Context(), out, subscriber, of)
}

func streamHeaders(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
}

func (s *Server) streamEvents(ctx context.Context, out stream, from *subscriber, of streamSession) {
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
			e = coalesce(e, from.events)
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

// coalesce merges the events that are queued already into the first, so that a burst becomes one event.
func coalesce(e event, queued <-chan event) event {
	e.Orders, e.Users, e.SignedOut = slices.Clone(e.Orders), slices.Clone(e.Users), slices.Clone(e.SignedOut)
	for {
		select {
		case next, open := <-queued:
			if !open {
				return e // the stream ends at the next receive
			}
			e.Orders, e.Users = append(e.Orders, next.Orders...), append(e.Users, next.Users...)
			e.SignedOut = append(e.SignedOut, next.SignedOut...)
			e.Resync, e.id = e.Resync || next.Resync, next.id
		default:
			return e
		}
	}
}

func (s stream) change(e event, user core.UserID) error {
	if e.Resync {
		return s.write("id: %s\nevent: resync\ndata: {}\n\n", e.id)
	}
	slices.Sort(e.Orders)
	view := changeView{Orders: slices.Compact(e.Orders), Mine: user != 0 && slices.Contains(e.Users, user)}
	if len(view.Orders) == 0 && !view.Mine {
		return nil // it concerns other users
	}
	if view.Orders == nil {
		view.Orders = []core.OrderID{}
	}
	data, err := json.Marshal(view)
	if err != nil {
		return fmt.Errorf("write change: %w", err)
	}
	return s.write("id: %s\nevent: change\ndata: %s\n\n", e.id, strings.TrimSpace(string(data)))
}
