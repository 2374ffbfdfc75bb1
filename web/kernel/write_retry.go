package kernel

import (
	"context"
	"time"

	"tradepost/core"
)

const (
	// answerTime is the part of a request's time in which nothing is repeated: the store may still ask for a
	// commit status, and the answer is sent.
	answerTime = 4 * time.Second

	retryPause    = 100 * time.Millisecond // after the first run of a write; it doubles up to retryPauseMax
	retryPauseMax = 2 * time.Second
)

// repeat is the core.Repeat of every request: it repeats a write while its outcome is unknown and the request
// has time. A write that has certainly failed is not repeated, because the client knows what to do.
func (k *Kernel) repeat(ctx context.Context, write core.Attempt) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime))
		defer cancel()
	}
	start, pause := time.Now(), retryPause
	return write.Settle(ctx, func(unknown bool) bool {
		if !unknown || k.Stopping() || k.RetryTime > 0 && time.Since(start) > k.RetryTime {
			return false
		}
		timer := time.NewTimer(pause)
		defer timer.Stop()
		pause = min(2*pause, retryPauseMax)
		select {
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	})
}
