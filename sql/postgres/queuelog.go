package postgres

import (
	"context"
	"errors"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// aside is a log for what a library says of its own working, twice a minute: what is no trouble is for whoever debugs.
type aside struct{ slog.Handler }

func lowered(level slog.Level) slog.Level {
	if level == slog.LevelInfo {
		return slog.LevelDebug
	}
	return level
}

// Enabled is part of slog.Handler.
func (a aside) Enabled(ctx context.Context, level slog.Level) bool {
	return a.Handler.Enabled(ctx, lowered(level))
}

// Handle is part of slog.Handler.
func (a aside) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lowered(r.Level)
	return a.Handler.Handle(ctx, r)
}

// WithAttrs is part of slog.Handler.
func (a aside) WithAttrs(attrs []slog.Attr) slog.Handler { return aside{a.Handler.WithAttrs(attrs)} }

// WithGroup is part of slog.Handler.
func (a aside) WithGroup(name string) slog.Handler { return aside{a.Handler.WithGroup(name)} }

// failures logs the jobs that fail by what they are; River takes them for none of its trouble.
type failures struct{ log *slog.Logger }

// HandleError is part of river.ErrorHandler.
func (f failures) HandleError(_ context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	if !errors.Is(err, context.Canceled) { // the queue was stopped
		f.log.Error("a job has failed and will be tried again", "kind", job.Kind, "job", job.ID, "error", err)
	}
	return nil
}

// HandlePanic is part of river.ErrorHandler.
func (f failures) HandlePanic(_ context.Context, job *rivertype.JobRow, thrown any, trace string) *river.ErrorHandlerResult {
	f.log.Error("a job has panicked and will be tried again", "kind", job.Kind, "job", job.ID, "error", thrown, "stack", trace)
	return nil
}
