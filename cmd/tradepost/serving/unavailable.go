package serving

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	waitingSentence = "The market is waiting for its database. Please try again in a moment."
)

// Unavailable answers every request with 503, but /healthz with 200, until the function that it returns
// is called. The listener stays open.
func Unavailable(listener net.Listener) (stop func()) {
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
