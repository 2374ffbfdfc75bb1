package queue

import (
	"context"
	"errors"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
	"tradepost/sql/pgconnect"
)

// riverLog is a log for River, with what it says at info level, twice a minute, at debug level, and its
// errors as warnings: it tries again whatever has failed, as when the database is restarted.
func riverLog(log *slog.Logger) *slog.Logger { return slog.New(debugHandler{log.Handler()}) }

type debugHandler struct{ slog.Handler }

func lowered(level slog.Level) slog.Level {
	switch level {
	case slog.LevelInfo:
		return slog.LevelDebug
	case slog.LevelError:
		return slog.LevelWarn
	}
	return level
}

// Enabled is part of slog.Handler.
func (h debugHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, lowered(level))
}

// Handle is part of slog.Handler.
func (h debugHandler) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lowered(r.Level)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs is part of slog.Handler.
func (h debugHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return debugHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup is part of slog.Handler.
func (h debugHandler) WithGroup(name string) slog.Handler {
	return debugHandler{h.Handler.WithGroup(name)}
}

// errorLog logs failed jobs; River itself does not at a level that is shown.
type errorLog struct{ log *slog.Logger }

// HandleError is part of river.ErrorHandler.
func (l errorLog) HandleError(
	ctx context.Context, job *rivertype.JobRow, err error,
) *river.ErrorHandlerResult {
	level := slog.LevelError
	if core.KindOf(err) == core.Unavailable || pgconnect.ConnectionFailed(err) {
		level = slog.LevelWarn
	}
	if !errors.Is(err, context.Canceled) { // the queue was stopped
		l.log.Log(ctx, level, "queue: job failed, will be retried", "kind", job.Kind, "job", job.ID,
			"error", err)
	}
	return nil
}

// HandlePanic is part of river.ErrorHandler.
func (l errorLog) HandlePanic(
	_ context.Context, job *rivertype.JobRow, thrown any, trace string,
) *river.ErrorHandlerResult {
	l.log.Error("queue: job panicked, will be retried", "kind", job.Kind, "job", job.ID, "error", thrown,
		"stack", trace)
	return nil
}
