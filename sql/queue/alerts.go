package queue

import (
	"context"
	"log/slog"
	"time"
)

const (
	// alertEvery is how often is asked which requests watchers are to be alerted to.
	alertEvery = time.Second
	alertLimit = 50
	// alertTime ends a step that takes too long.
	alertTime = 30 * time.Second
	// alertPause is after a step that failed.
	alertPause = 5 * time.Second
)

// alerts has watchers alerted to requests that were posted. It is no job of River's: posting would pay for its row. The rows of
// alert_rounds are the queue, and what comes of one is one transaction with its end, so that each is dealt with once, whatever is
// killed.
type alerts struct {
	alert func(ctx context.Context, limit int) (done int, err error)
	log   *slog.Logger
}

// run alerts watchers until ctx ends.
func (a *alerts) run(ctx context.Context) {
	if a.alert == nil {
		return
	}
	for {
		stepped, cancel := context.WithTimeout(ctx, alertTime)
		done, err := a.alert(stepped, alertLimit)
		cancel()
		wait := alertEvery
		switch {
		case err != nil && ctx.Err() == nil:
			a.log.Warn("queue: watchers not alerted yet", "retry_in", alertPause, "error", err)
			wait = alertPause
		case done == alertLimit:
			wait = 0
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}
