package kernel

import (
	"context"
	"log/slog"
	"time"

	"tradepost/core"
)

// How long a write is repeated.
const (
	RetryTime = 20 * time.Second // for a write before the user reads that its outcome is not known
	// from the interaction: Discord takes edits of an answer for 15 minutes
	answerLifetime = 14 * time.Minute
	tryPause       = 200 * time.Millisecond // after the first attempt; it doubles up to tryPauseMax
	tryPauseMax    = 5 * time.Second
	maxUnknown     = 256 // writes with unknown outcome that are checked at the same time
)

// writeRetry repeats a write under its key until its outcome is known. It returns an error with CommitUnknown
// set only when that cannot be found out while Discord still takes an answer, or the bot stops.
//
// It repeats for retry while the user waits. After that it reports to the user that the outcome is not known
// yet, and only checks: the user may do the same in another way meanwhile.
type writeRetry struct {
	log     *slog.Logger
	retry   time.Duration
	unknown chan struct{} // takes one value for each write that is checked
	ending  func() <-chan struct{}
}

// NewWriteRetry returns a core.Repeat that repeats writes for the time of retry, until ending is closed.
func NewWriteRetry(log *slog.Logger, retry time.Duration, ending func() <-chan struct{}) core.Repeat {
	return writeRetry{log: log, retry: retry, unknown: make(chan struct{}, maxUnknown), ending: ending}.repeat
}

var (
	errNotSaved      = core.NewUnavailable(core.NewText("not_saved"))
	errCommitUnknown = core.NewCommitUnknown()
)

// repeat is the core.Repeat of every interaction.
func (r writeRetry) repeat(ctx context.Context, write core.Attempt) error {
	open := openOf(ctx)
	open.pause()
	defer open.resume()
	start, pause := time.Now(), tryPause
	err := write.Settle(ctx, func(bool) bool {
		return time.Since(start) <= r.retry && r.wait(ctx, &pause)
	})
	if !core.CommitUnknown(err) {
		return err
	}
	r.log.Warn("write outcome unknown", "retried_for", time.Since(start))
	if write.Actor.Key == "" {
		return errCommitUnknown
	}
	select {
	case r.unknown <- struct{}{}:
		defer func() { <-r.unknown }()
	default:
		return errCommitUnknown
	}
	open.signalUnknown()
	pause = tryPause
	again := func(bool) bool { return time.Now().Before(open.until) && r.wait(ctx, &pause) }
	for again(true) {
		happened, err := write.WasCommitted(ctx)
		switch {
		case err != nil:
		case !happened:
			return errNotSaved
		default:
			// Its answer is the first one's.
			if err := write.Settle(ctx, again); err == nil || ctx.Err() == nil {
				return err
			}
		}
	}
	return errCommitUnknown
}

// wait pauses between two attempts. It returns false when there is no time for another.
func (r writeRetry) wait(ctx context.Context, pause *time.Duration) bool {
	timer := time.NewTimer(*pause)
	defer timer.Stop()
	*pause = min(2**pause, tryPauseMax)
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-r.ending():
	}
	return false
}
