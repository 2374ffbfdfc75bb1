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
	// beatEvery is how often a silent stream shows that it is alive, to proxies and to us.
	beatEvery = 15 * time.Second
	// beatTime is how long one piece of a stream may take to be written before the reader is given up.
	beatTime = 10 * time.Second
	// streamLife is how long a stream lasts: who is signed in is asked again when the browser comes back.
	streamLife = 2 * time.Hour
	// reconnectIn is what browsers are told to wait before they come back, in milliseconds.
	reconnectIn = 2000
)

// changeView is the data of a change event.
type changeView struct {
	Orders []core.OrderID `json:"orders" doc:"Requests that appeared, changed or went"`
	Mine   bool           `json:"mine" doc:"The reader's own lists or inbox changed"`
}

// stream writes events to one reader.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s stream) write(format string, args ...any) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(beatTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := fmt.Fprintf(s, format, args...); err != nil {
		return err
	}
	return s.control.Flush()
}

// events streams what changes in the market, as server-sent events. A reader that comes back after it may have missed
// something is told to look at everything again.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	user := s.session.userID(r.Context())
	reader, place, err := s.hub.join(addressOf(r.Context()), s.opts.Limits.Streams)
	switch {
	case errors.Is(err, errTooManyStreams):
		tooMany(time.Minute).write(w, r)
		return
	case err != nil:
		p := newProblem(http.StatusServiceUnavailable, msgOurFault)
		p.retryAfter = time.Second
		p.write(w, r)
		return
	}
	defer s.hub.leave(reader)

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	out := stream{w, http.NewResponseController(w)}
	if err := out.write("retry: %d\nid: %s\n: welcome\n\n", reconnectIn, place); err != nil {
		return
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" && last != place {
		if err := out.write("id: %s\nevent: resync\ndata: {}\n\n", place); err != nil {
			return
		}
	}
	s.follow(r.Context(), out, reader, user)
}

func (s *Server) follow(ctx context.Context, out stream, from *reader, user core.UserID) {
	ctx, cancel := context.WithTimeout(ctx, streamLife)
	defer cancel()
	beat := time.NewTicker(s.beat)
	defer beat.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			err = out.write(": still here\n\n")
		case change, open := <-from.news:
			if !open {
				return
			}
			err = out.change(gather(change, from.news), user)
		}
		if err != nil {
			return
		}
	}
}

// gather adds what is waiting already, so that a burst becomes one event.
func gather(c news, more <-chan news) news {
	c.Orders, c.Users = slices.Clone(c.Orders), slices.Clone(c.Users)
	for {
		select {
		case next, open := <-more:
			if !open {
				return c // the stream ends at the next look
			}
			c.Orders, c.Users = append(c.Orders, next.Orders...), append(c.Users, next.Users...)
			c.Resync, c.place = c.Resync || next.Resync, next.place
		default:
			return c
		}
	}
}

func (s stream) change(c news, user core.UserID) error {
	if c.Resync {
		return s.write("id: %s\nevent: resync\ndata: {}\n\n", c.place)
	}
	slices.Sort(c.Orders)
	view := changeView{Orders: slices.Compact(c.Orders), Mine: user != 0 && slices.Contains(c.Users, user)}
	if len(view.Orders) == 0 && !view.Mine {
		return nil // about somebody else
	}
	if view.Orders == nil {
		view.Orders = []core.OrderID{}
	}
	data, err := json.Marshal(view)
	if err != nil {
		return fmt.Errorf("write change: %w", err)
	}
	return s.write("id: %s\nevent: change\ndata: %s\n\n", c.place, strings.TrimSpace(string(data)))
}
