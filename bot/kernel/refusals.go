package kernel

import (
	"context"
	"log/slog"
	"sync/atomic"

	"tradepost/core"
)

// refusals notes how the writes of one interaction ended. Two programs get the same interaction while one
// hands the gateway over, or has lost its lock and does not know it yet. A write that was refused is not
// stored under its key: the slower program, seconds later, might carry out what the user has read was not
// done. So the refusal is stored before the user reads it.
type refusals struct {
	refused, done atomic.Bool
	before        atomic.Bool // another program has refused it
}

// noting returns a core.Repeat that notes how each write ends.
func (r *refusals) noting(repeat core.Repeat) core.Repeat {
	return func(ctx context.Context, write core.Attempt) error {
		err := repeat(ctx, write)
		switch {
		case write.Actor.Key == "":
		case core.RefusedBefore(err):
			r.before.Store(true)
		case err == nil, core.CommitUnknown(err), core.KeyReused(err):
			r.done.Store(true)
		case isRefusal(err):
			r.refused.Store(true)
		}
		return err
	}
}

func isRefusal(err error) bool {
	kind := core.KindOf(err)
	return kind != 0 && kind != core.Unavailable
}

// doneMeanwhile stores that an interaction was refused, and reports whether another program has carried it
// out before that.
func (k *Kernel) doneMeanwhile(
	ctx context.Context, log *slog.Logger, in Input, writes *refusals, err error,
) bool {
	if in.Actor.Key == "" || writes.done.Load() || writes.before.Load() || core.CommitUnknown(err) ||
		!writes.refused.Load() && !isRefusal(err) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	in.Actor.Key, in.Actor.OtherKey = in.interactionKey(), ""
	happened, err := k.Market.Refuse(ctx, in.Actor)
	if err != nil {
		log.Log(ctx, LevelOf(err), "refusal not stored", "error", err)
	}
	return err == nil && happened
}
