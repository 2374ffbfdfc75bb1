package database

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"tradepost/cmd/tradepost/serving"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
)

const (
	// databasePause is the pause before serve asks again for a database that does not answer.
	databasePause = time.Second

	// waitingReminder is the interval at which the log repeats that the database is waited for.
	waitingReminder = time.Minute
)

// AwaitStore opens the store. It waits for a database that does not answer yet, as after a restart of the
// machine, until ctx ends. Meanwhile the listener, which may be nil, answers 503. Any other error, such
// as a wrong password, is returned at once.
func (s Server) AwaitStore(
	ctx context.Context, listener net.Listener, log *slog.Logger,
) (*postgres.Store, *pgconnect.Clock, error) {
	began, reported := time.Now(), time.Time{}
	for {
		store, clock, err := s.OpenStore(ctx, log)
		if err == nil || ctx.Err() != nil || !notThereYet(err) {
			if err == nil && !reported.IsZero() {
				log.Info("database: it answers now", "waited", time.Since(began).Round(time.Second))
			}
			return store, clock, err
		}
		if reported.IsZero() && listener != nil {
			unavailable := serving.Unavailable(listener)
			defer unavailable()
		}
		if time.Since(reported) >= waitingReminder {
			reported = time.Now()
			log.Warn("database: it does not answer, waiting for it", "reason", pgconnect.Explain(err),
				"error", err)
		}
		select {
		case <-time.After(databasePause):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// notThereYet reports whether an error of a database passes by waiting.
func notThereYet(err error) bool {
	return pgconnect.ConnectionFailed(err) || pgconnect.OutOfResources(err) ||
		errors.Is(err, context.DeadlineExceeded)
}
