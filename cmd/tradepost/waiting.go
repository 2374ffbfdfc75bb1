package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
)

const (
	// databasePause is how long serve waits before it asks again for a database that does not answer.
	databasePause = time.Second

	// waitingReminder is how often the log repeats that the database is waited for.
	waitingReminder = time.Minute

	waitingSentence = "The market is waiting for its database. Please try again in a moment."
)

// awaitStore opens the store. It waits for a database that does not answer yet, as after a restart of the machine, until ctx
// ends. Meanwhile the listener, which may be nil, answers 503. Any other error, such as a wrong password, is returned at once.
func (s server) awaitStore(ctx context.Context, listener net.Listener, log *slog.Logger) (*postgres.Store, *pgconnect.Clock, error) {
	began, reported := time.Now(), time.Time{}
	for {
		store, clock, err := s.openStore(ctx, log)
		if err == nil || ctx.Err() != nil || !notThereYet(err) {
			if err == nil && !reported.IsZero() {
				log.Info("database: it answers now", "waited", time.Since(began).Round(time.Second))
			}
			return store, clock, err
		}
		if reported.IsZero() && listener != nil {
			unavailable := serveUnavailable(listener)
			defer unavailable()
		}
		if time.Since(reported) >= waitingReminder {
			reported = time.Now()
			log.Warn("database: it does not answer, waiting for it", "reason", pgconnect.Explain(err), "error", err)
		}
		select {
		case <-time.After(databasePause):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// notThereYet reports whether the error of a database is one that passes by waiting.
func notThereYet(err error) bool {
	return pgconnect.ConnectionFailed(err) || pgconnect.OutOfResources(err) || errors.Is(err, context.DeadlineExceeded)
}

// serveUnavailable answers every request with 503, but /healthz with 200, until the function that it returns is called. The
// listener stays open.
func serveUnavailable(listener net.Listener) (stop func()) {
	mux := http.NewServeMux()
	answer := func(status int, mediaType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			w.Header().Set("Cache-Control", "no-store")
			if status != http.StatusOK {
				w.Header().Set("Retry-After", "5")
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body) // the client has gone
		}
	}
	const isJSON, away = "application/json", http.StatusServiceUnavailable
	mux.HandleFunc("/healthz", answer(http.StatusOK, isJSON, `{"status":"up"}`))
	mux.HandleFunc("/readyz", answer(away, isJSON, `{"status":"not ready","checks":{"database":"failed"}}`))
	mux.HandleFunc("/api/", answer(away, "application/problem+json",
		`{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"`+waitingSentence+`"}`))
	mux.HandleFunc("/", answer(away, "text/plain; charset=utf-8", waitingSentence+"\n"))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	lent := &lentListener{Listener: listener}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(lent) // ErrServerClosed
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close() // it hangs up on those who send nothing
		}
		<-ended
		lent.giveBack()
	}
}

// lentListener is a listener that is still open after Close.
type lentListener struct{ net.Listener }

// Close ends Accept.
func (l *lentListener) Close() error {
	return l.setDeadline(time.Unix(1, 0))
}

func (l *lentListener) giveBack() { _ = l.setDeadline(time.Time{}) }

func (l *lentListener) setDeadline(at time.Time) error {
	if tcp, ok := l.Listener.(interface{ SetDeadline(at time.Time) error }); ok {
		return tcp.SetDeadline(at)
	}
	return errors.New("the listener cannot be lent")
}
