package core

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// Market is the service that both doors call. It is safe for concurrent use.
type Market struct {
	store       Store
	now         func() time.Time
	forms       TextForms
	noticeEnded func(Notice)
	moderators  Moderators
	items       []string
}

// Options are what a Market needs from outside besides its store.
type Options struct {
	Now   func() time.Time // time.Now when nil
	Forms TextForms
	// Moderators may remove what others posted, and block users.
	Moderators Moderators
	// Items are suggested to whoever posts, before those that were ordered.
	Items []string
	// NoticeEnded hears of every notice whose delivery has ended through this Market, after it was stored; may be nil.
	NoticeEnded func(Notice)
}

// New returns a market kept in store.
func New(store Store, opts Options) *Market {
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	// The store keeps microseconds; times are cut here so that what was answered equals what is read later.
	return &Market{
		store: store, forms: opts.Forms, items: opts.Items, noticeEnded: opts.NoticeEnded, moderators: opts.Moderators,
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) },
	}
}

// once runs a write in a transaction. When the actor names it with a key, the answer is kept in the same transaction: a
// repeat with the same input gets that answer and has no effect, one with another input is refused with Invalid.
func once[T any](ctx context.Context, m *Market, actor Actor, operation string, input any, do func(Tx, time.Time) (T, error)) (T, error) {
	var answer T
	now := m.now()
	claim, err := claimFor(actor, operation, input, now)
	if err != nil {
		return answer, err
	}
	err = m.store.Atomically(ctx, func(tx Tx) error {
		answer = *new(T)
		if actor.SignedIn() {
			if err := tx.OpenMailbox(ctx, actor.UserID); err != nil {
				return fmt.Errorf("open mailbox: %w", err)
			}
		}
		if claim == nil {
			answer, err = do(tx, now)
			return err
		}
		kept, err := tx.Claim(ctx, *claim)
		if err != nil {
			return fmt.Errorf("claim key: %w", err)
		}
		if kept != nil {
			if !bytes.Equal(kept.Digest, claim.Digest) {
				return invalid("Idempotency-Key", "This key was already used for something else")
			}
			return json.Unmarshal(kept.Answer, &answer)
		}
		if answer, err = do(tx, now); err != nil {
			return err
		}
		settled := *claim
		if settled.Answer, err = json.Marshal(answer); err != nil {
			return fmt.Errorf("keep answer of %s: %w", operation, err)
		}
		return tx.Keep(ctx, settled)
	})
	if err != nil {
		return *new(T), failing(failures[operation], err)
	}
	return answer, nil
}

// MaxKey is how long a key may be, in bytes.
const MaxKey = 100

func claimFor(actor Actor, operation string, input any, now time.Time) (*Claim, error) {
	if actor.Key == "" {
		return nil, nil
	}
	for _, b := range []byte(actor.Key) {
		if b <= ' ' || b > '~' || len(actor.Key) > MaxKey {
			return nil, invalid("Idempotency-Key", fmt.Sprintf("Use up to %d visible ASCII characters", MaxKey))
		}
	}
	asked, err := json.Marshal([]any{operation, input})
	if err != nil {
		return nil, fmt.Errorf("digest of %s: %w", operation, err)
	}
	digest := sha256.Sum256(asked)
	scope := "visitor " + actor.Address
	if actor.SignedIn() {
		scope = fmt.Sprintf("user %d", actor.UserID)
	}
	return &Claim{Scope: scope, Key: actor.Key, Digest: digest[:], CreatedAt: now}, nil
}
