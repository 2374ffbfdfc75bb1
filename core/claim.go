package core

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Claim is a key that names one write, and the answer of that write.
type Claim struct {
	// Names are the keys of the stored write. It has happened when it is stored under any of them.
	Names     []ClaimName
	Asked     []byte // JSON of the operation and its input; it is not stored
	Digest    []byte // of Asked
	Answer    []byte // JSON; empty until kept, and again after AnswerRetention
	CreatedAt time.Time
}

// ClaimName is a key and the scope in which it is unique.
type ClaimName struct{ Scope, Key string }

const (
	// MaxKey is how long a key may be, in bytes.
	MaxKey = 100
	// MinRoamingKey is how long a visitor's key must be to name the same write from every address. A random
	// UUID is longer. A shorter key might be another visitor's: it counts for one address.
	MinRoamingKey = 32
)

// claimFor returns the claim that the actor's key makes, nil for an actor without a key.
func claimFor(actor Actor, operation string, input any, now time.Time) (*Claim, error) {
	if actor.Key == "" {
		return nil, nil
	}
	for _, b := range []byte(actor.Key) {
		if b <= ' ' || b > '~' || len(actor.Key) > MaxKey {
			return nil, NewFieldError(keyField, NewText("key_format", "limit", MaxKey))
		}
	}
	asked, err := json.Marshal([]any{operation, input})
	if err != nil {
		return nil, fmt.Errorf("digest of %s: %w", operation, err)
	}
	digest := sha256.Sum256(asked)
	return &Claim{Names: claimNames(actor), Asked: asked, Digest: digest[:], CreatedAt: now}, nil
}

// claimNames returns the names of the actor's write. The ones that earlier versions of the program use are
// among them, so that a version that runs beside this one finds the write too.
func claimNames(actor Actor) []ClaimName {
	if !actor.SignedIn() {
		names := []ClaimName{{"visitor " + actor.Address, actor.Key}}
		if len(actor.Key) >= MinRoamingKey {
			names = append(names, ClaimName{"visitor", actor.Key})
		}
		return names
	}
	scope := fmt.Sprintf("user %d", actor.UserID)
	names := []ClaimName{{scope, actor.Key}}
	if actor.OtherKey != "" {
		names = append(names, ClaimName{scope, actor.OtherKey})
	}
	return names
}

const keyField = "Idempotency-Key"

const codeKeyReused = "key_reused"

func keyReused() error {
	return NewFieldError(keyField, NewText(codeKeyReused))
}

// KeyReused reports whether a write failed because its key was used for another write.
func KeyReused(err error) bool {
	var coreErr *Error
	return errors.As(err, &coreErr) && len(coreErr.Fields) == 1 &&
		coreErr.Fields[0].Text.Code == codeKeyReused
}

// refused is the digest under which the key of a refused write is stored.
var refused = sha256.Sum256([]byte("refused"))

// errRefusedBefore is returned by a write after Refuse.
var errRefusedBefore = NewError(Conflict, NewText("not_saved"))

// RefusedBefore reports whether a write was not carried out because of an earlier Refuse.
func RefusedBefore(err error) bool { return errors.Is(err, errRefusedBefore) }

// CommitUnknown reports whether err leaves open whether the write has happened. A repeat under the same key
// is safe.
func CommitUnknown(err error) bool {
	var coreErr *Error
	return errors.As(err, &coreErr) && coreErr.Code == CodeCommitUnknown
}
