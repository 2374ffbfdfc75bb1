package core

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// WriteTx is the part of a transaction that every write needs.
type WriteTx interface {
	// OpenMailbox forgets that a user could not be reached: they have just done something, so it is tried
	// again.
	OpenMailbox(ctx context.Context, user UserID) error
	// Claim takes a key for this write, under all of its names. When one was taken before, it returns the
	// claim that is stored under it. Another transaction that claims one of the names waits until this one
	// ends.
	Claim(ctx context.Context, c Claim) (kept *Claim, err error)
	// SaveAnswer stores the answer of the write under the key that it claimed.
	SaveAnswer(ctx context.Context, c Claim) error
}

// Runner runs the writes of a service, each in a transaction of its own. It is an alias: for a named generic
// type Go would compile the methods of Tx again in each package that imports a service; see decision 352.
type Runner[Tx WriteTx] = struct {
	// Atomically runs do in one transaction and commits when it returns nil. do may run again when the
	// database asks for it, so nothing but the transaction may come of it.
	Atomically func(ctx context.Context, do func(Tx) error) error
	Now        func() time.Time
	Refresh    func(context.Context) // measures the clock where Now may not be right
}

// Attempt is one write: its actor, with the key, its operation and its input. It can run any number of
// times: with a key, a repeat has no second effect and returns the first answer.
type Attempt struct {
	Actor     Actor
	Operation string
	Input     any

	idempotent bool // it needs no key
	run        func(context.Context) error
	committed  func(context.Context) (bool, error)
}

// Run runs the write once, in a transaction of its own.
func (a Attempt) Run(ctx context.Context) error { return a.run(ctx) }

// runTime limits one run of a write that is repeated. The store gives up before.
const runTime = 12 * time.Second

// Settle runs the write, and again while it may succeed or its outcome is unknown. Before each repeat it
// calls again, which pauses and reports whether there is time; unknown says whether the write may have been
// committed. When there is no time, or a repeat could have a second effect, Settle returns the last error,
// and a CommitUnknown error when the write may have been committed.
func (a Attempt) Settle(ctx context.Context, again func(unknown bool) bool) error {
	for unknown := false; ; {
		err := a.runOnce(ctx)
		unknown = unknown || CommitUnknown(err) || errors.Is(err, context.DeadlineExceeded)
		switch {
		case !unknown && KindOf(err) != Unavailable, unknown && decides(err):
			return err
		case (!unknown || a.repeatable()) && again(unknown):
		case unknown && !CommitUnknown(err):
			return fmt.Errorf("%w (%w)", NewCommitUnknown(), err)
		default:
			return err
		}
	}
}

func (a Attempt) runOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	return a.Run(ctx)
}

// repeatable reports whether another run has no second effect.
func (a Attempt) repeatable() bool { return a.idempotent || a.Actor.Key != "" }

// decides reports whether err, after a run of unknown outcome, decides whether the write has happened: a run
// under the same key that returns an error has not found it.
func decides(err error) bool {
	kind := KindOf(err)
	return err == nil || kind != 0 && kind != Unavailable
}

// WasCommitted reports whether the write has been committed under its key; see the function of this name.
func (a Attempt) WasCommitted(ctx context.Context) (bool, error) { return a.committed(ctx) }

// Repeat runs an attempt until its outcome is known, and returns the error of the run that decided it.
type Repeat func(ctx context.Context, a Attempt) error

type repeatKey struct{}

// WithRepeat returns a context in which writes are run by repeat. Without one each is run once.
func WithRepeat(ctx context.Context, repeat Repeat) context.Context {
	return context.WithValue(ctx, repeatKey{}, repeat)
}

// Write runs a write in a transaction. When the actor names it with a key, the answer is kept in
// the same transaction: a repeat with the same input gets that answer and has no effect, one with
// another input returns Invalid.
func Write[Tx WriteTx, T any](
	ctx context.Context, run Runner[Tx], actor Actor, operation string, input any,
	decide func(Tx, time.Time) (T, error),
) (T, error) {
	var answer T
	if err := actor.MustStay(); err != nil {
		return answer, err
	}
	attempt := Attempt{
		Actor: actor, Operation: operation, Input: input,
		run: func(ctx context.Context) (err error) {
			answer, err = write(ctx, run, actor, operation, input, decide)
			return err
		},
		committed: func(ctx context.Context) (bool, error) { return WasCommitted(ctx, run, actor) },
	}
	if err := attempt.repeated(ctx); err != nil {
		return *new(T), err
	}
	return answer, nil
}

// Idempotent runs a write that has no key, because it has the same effect however often it runs.
func Idempotent[Tx WriteTx, T any](
	ctx context.Context, run Runner[Tx], operation string, do func(Tx) (T, error),
) (T, error) {
	var answer T
	attempt := Attempt{
		Operation: operation, idempotent: true,
		run: func(ctx context.Context) error {
			return run.Atomically(ctx, func(tx Tx) (err error) {
				answer, err = do(tx)
				return err
			})
		},
		committed: func(context.Context) (bool, error) { return false, nil },
	}
	if err := attempt.repeated(ctx); err != nil {
		return *new(T), err
	}
	return answer, nil
}

// repeated runs the write as the context says.
func (a Attempt) repeated(ctx context.Context) error {
	if repeat, ok := ctx.Value(repeatKey{}).(Repeat); ok {
		return repeat(ctx, a)
	}
	return a.Run(ctx)
}

func write[Tx WriteTx, T any](
	ctx context.Context, run Runner[Tx], actor Actor, operation string, input any,
	decide func(Tx, time.Time) (T, error),
) (T, error) {
	var answer T
	run.Refresh(ctx)
	now := run.Now()
	claim, err := claimFor(actor, operation, input, now)
	if err != nil {
		return answer, err
	}
	err = run.Atomically(ctx, func(tx Tx) error {
		answer = *new(T)
		if actor.SignedIn() {
			if err := tx.OpenMailbox(ctx, actor.UserID); err != nil {
				return fmt.Errorf("open mailbox: %w", err)
			}
		}
		if claim == nil {
			answer, err = decide(tx, now)
			return err
		}
		kept, err := tx.Claim(ctx, *claim)
		if err != nil {
			return fmt.Errorf("claim key: %w", err)
		}
		if kept != nil {
			if bytes.Equal(kept.Digest, refused[:]) {
				return errRefusedBefore
			}
			if !bytes.Equal(kept.Digest, claim.Digest) {
				return keyReused()
			}
			if actor.Repeated != nil {
				*actor.Repeated = true
			}
			if len(kept.Answer) == 0 {
				return answerGone()
			}
			return json.Unmarshal(kept.Answer, &answer)
		}
		if answer, err = decide(tx, now); err != nil {
			return err
		}
		settled := *claim
		if settled.Answer, err = json.Marshal(answer); err != nil {
			return fmt.Errorf("keep answer of %s: %w", operation, err)
		}
		return tx.SaveAnswer(ctx, settled)
	})
	if err != nil {
		return *new(T), WithMessage(writeFailed[operation], forReader(err, actor, now))
	}
	return answer, nil
}

// WasCommitted reports whether the write that the actor's key names has been committed. It waits for one in
// progress, so false is final for every attempt made before the call. It returns Unavailable when that
// cannot be found out now.
func WasCommitted[Tx WriteTx](ctx context.Context, run Runner[Tx], actor Actor) (bool, error) {
	claim, err := claimFor(actor, "", nil, run.Now())
	if err != nil || claim == nil {
		return false, err
	}
	happened := false
	err = run.Atomically(ctx, func(tx Tx) error {
		kept, err := tx.Claim(ctx, *claim)
		happened = kept != nil && !bytes.Equal(kept.Digest, refused[:])
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look for a write: %w", err)
	}
	return happened, nil
}

// Refuse stores that the write of the actor's key was refused, so that no later attempt carries it out. It
// waits for one in progress. It stores nothing and returns true when the write has been committed.
func Refuse[Tx WriteTx](ctx context.Context, run Runner[Tx], actor Actor) (happened bool, err error) {
	claim, err := claimFor(actor, "", nil, run.Now())
	if err != nil || claim == nil {
		return false, err
	}
	claim.Digest, claim.Answer = refused[:], []byte{}
	err = run.Atomically(ctx, func(tx Tx) error {
		kept, err := tx.Claim(ctx, *claim)
		happened = kept != nil && !bytes.Equal(kept.Digest, refused[:])
		if err != nil || kept != nil {
			return err
		}
		return tx.SaveAnswer(ctx, *claim)
	})
	if err != nil {
		return false, fmt.Errorf("refuse a write: %w", err)
	}
	return happened, nil
}
