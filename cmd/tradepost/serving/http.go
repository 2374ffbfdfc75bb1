// Package serving listens and serves HTTP without losing a request when the program stops.
package serving

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Drain limits the time of requests in flight once the program is asked to stop.
	Drain = 8 * time.Second

	// ShutdownDelay is the time that a server keeps answering, with Connection: close, after it was asked to
	// stop. Clients and load balancers learn of the shutdown before a connection closes under a request that
	// they have just sent.
	ShutdownDelay = 500 * time.Millisecond

	// firstWord limits the time until the first request on a connection that was made before the listener
	// closed.
	firstWord = time.Second
)

// Serve serves until ctx ends, and returns when every request that reached the server has its answer.
func Serve(ctx context.Context, server *http.Server, listener net.Listener, delay time.Duration) error {
	var stopping atomic.Bool
	silent := watchFirstRequests(server)
	answer := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		answer.ServeHTTP(w, r)
	})
	accepted, stopped := make(chan struct{}), make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		stopping.Store(true)
		time.Sleep(delay)
		_ = listener.Close() // Serve says so
		<-accepted
		silent.wait(firstWord)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Drain)
		defer cancel()
		stopped <- server.Shutdown(ctx)
	})
	err := server.Serve(listener)
	close(accepted)
	if stop() { // the program was not asked to stop
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	}
	if err := <-stopped; err != nil && !errors.Is(err, net.ErrClosed) { // the listener was closed before
		return fmt.Errorf("end the requests in flight: %w", err)
	}
	return nil
}

// silentConns are the connections that have not sent a request yet. Shutdown hangs up on them, even if it has
// just read their first request (https://go.dev/src/net/http/server.go, conn.serve), so they are waited for
// before it is called.
type silentConns struct{ conns sync.Map }

type connKey struct{}

// watchFirstRequests has the server keep track of its silent connections.
func watchFirstRequests(server *http.Server) *silentConns {
	var s silentConns
	connContext, connState := server.ConnContext, server.ConnState
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		s.conns.Store(c, nil)
		if connContext != nil {
			ctx = connContext(ctx, c)
		}
		return context.WithValue(ctx, connKey{}, c)
	}
	server.ConnState = func(c net.Conn, state http.ConnState) {
		if connState != nil {
			connState(c, state)
		}
		if state == http.StateClosed || state == http.StateHijacked {
			s.conns.Delete(c)
		}
	}
	answer := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.conns.Delete(r.Context().Value(connKey{}))
		answer.ServeHTTP(w, r)
	})
	return &s
}

// wait returns when no connection is silent, or after most.
func (s *silentConns) wait(most time.Duration) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(most); time.Now().Before(end); <-tick.C {
		empty := true
		s.conns.Range(func(any, any) bool {
			empty = false
			return false
		})
		if empty {
			return
		}
	}
}
