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

// alerts alerts watchers to requests that were posted. It does not use River jobs: their rows would make
// posting slower. The rows of alert_rounds are the queue. One transaction stores the alerts of a row and its
// end, so that each row is processed once, whichever process is killed.
type alerts struct {
	alert func(ctx context.Context, limit int) (done int, err error)
	log   *slog.Logger
}

// run alerts watchers until ctx ends. A request that fails is left to alertsAgain.
func (a *alerts) run(ctx context.Context) {
	failing := false
	each(ctx, a.alert, func(done int, err error) (wait time.Duration) {
		wait = alertEvery
		level := slog.LevelDebug
		switch {
		case err != nil:
			if !failing {
				level = slog.LevelWarn
			}
			a.log.Log(ctx, level, "queue: watchers not alerted yet", "error", err)
			failing = true
			if done == 0 {
				wait = alertPause // the store is away
			}
		case done == alertLimit:
			wait = 0
		}
		if failing && err == nil && done > 0 {
			a.log.Info("queue: watchers are alerted again")
			failing = false
		}
		return wait
	})
}

// alertsAgain tries requests again that failed. It is a loop of its own, so that no other request waits for
// them.
type alertsAgain struct {
	alert func(ctx context.Context, limit int) (done int, err error)
	log   *slog.Logger
}

// run tries again until ctx ends. The first failure of a request was logged by alerts, and how many fail is
// a metric.
func (a *alertsAgain) run(ctx context.Context) {
	each(ctx, a.alert, func(done int, err error) time.Duration {
		if err != nil {
			a.log.Debug("queue: watchers still not alerted", "error", err)
		}
		if done > 0 {
			a.log.Info("queue: watchers alerted after failures", "requests", done)
		}
		return alertEvery
	})
}

// each runs steps until ctx ends, each followed by the pause that after returns.
func each(
	ctx context.Context, step func(ctx context.Context, limit int) (done int, err error),
	after func(done int, err error) time.Duration,
) {
	if step == nil {
		return
	}
	for {
		stepped, cancel := context.WithTimeout(ctx, alertTime)
		done, err := step(stepped, alertLimit)
		cancel()
		if ctx.Err() != nil {
			return
		}
		timer := time.NewTimer(after(done, err))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}
