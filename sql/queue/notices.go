package queue

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// deliverNotice is the job that brings one notice to its reader.
type deliverNotice struct {
	Notice core.NoticeID `json:"notice"`
	// Redraw asks for a redraw of the message that the notice was given to. An older program finds nothing to
	// do.
	Redraw bool `json:"redraw,omitempty"`
	// Except is a message that is not drawn again: it was being sent when its reader acted on it.
	Except string `json:"except,omitempty"`
}

func (deliverNotice) Kind() string { return "deliver_notice" }

func (deliverNotice) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Notices, MaxAttempts: NoticeAttempts}
}

type noticeWorker struct {
	river.WorkerDefaults[deliverNotice]
	deliver func(context.Context, core.NoticeID) error
	redraw  func(context.Context, core.NoticeID, string) error
	now     func() time.Time
	log     *slog.Logger
}

func (w *noticeWorker) Work(ctx context.Context, job *river.Job[deliverNotice]) error {
	var err error
	switch {
	case !job.Args.Redraw:
		err = w.deliver(ctx, job.Args.Notice)
	case w.redraw != nil:
		err = w.redraw(ctx, job.Args.Notice, job.Args.Except)
	}
	if err == nil {
		return nil
	}
	wait := channels.JobWaits(err, w.now().Sub(job.CreatedAt), rand.Float64())
	if later := (*channels.RetryLater)(nil); !errors.As(err, &later) || later.Cause != nil {
		w.log.Warn("queue: notice not delivered yet", "notice", job.Args.Notice, "retry_in", wait,
			"error", err)
	}
	return river.JobSnooze(wait)
}

// retryPolicy is for jobs that panicked or failed; see notify.RetryIn.
type retryPolicy struct{ now func() time.Time }

func (p retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	now := p.now()
	return now.Add(notify.RetryIn(now.Sub(job.CreatedAt), rand.Float64()))
}
