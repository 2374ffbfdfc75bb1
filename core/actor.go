package core

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// Actor identifies the caller. Its zero value is a visitor.
type Actor struct {
	UserID      UserID // zero for a visitor
	Username    string // the Discord username of a signed-in user: a contact that cannot be faked
	DisplayName string

	Moderator bool // may remove other users' posts, and block users
	Blocked   bool // takes no part in the market until a moderator unblocks them
	Canary    bool // the program itself, which trades where others do not see it
	Program   bool // a program acts for the user, with a token

	// when they asked for the deletion of their account, which keeps them from everything but cancelling it
	LeavingAt time.Time

	// SignedInAt is when they signed in with Discord; an interaction there is a sign-in. See MustBeFresh.
	SignedInAt time.Time

	// PriceConfirmed is set once they were asked about a price and keep it; see UnusualPrice.
	PriceConfirmed bool

	// Address is the key of a visitor's rate limit; it is never stored or shown. Empty means no
	// limit.
	Address string

	// ActsOn is the message in Discord that a user acts on: its answer draws it again. Empty for none.
	ActsOn string

	// Key names this one write: a repeat of it with the same input has the effect of one and gets the first
	// one's answer. Empty means that every call counts.
	Key string
	// OtherKey is a second name of the same write: it has happened when it has under either. Empty for none.
	OtherKey string
	// Repeated is set to true when a write has happened before and its first answer is returned. May be nil.
	Repeated *bool
}

// SignedIn reports whether the actor is a user.
func (a Actor) SignedIn() bool { return a.UserID != 0 }

// MustBe fails with Unauthenticated, or with Forbidden unless the actor is the buyer.
func (a Actor) MustBe(buyer UserID) error {
	if err := a.MustBeUser(); err != nil {
		return err
	}
	if a.UserID != buyer {
		return NewError(Forbidden, NewText("buyer_only"))
	}
	return nil
}

// MustBeUser fails with Unauthenticated for a visitor, and with Forbidden for a user who is leaving.
func (a Actor) MustBeUser() error {
	if !a.SignedIn() {
		return NewError(Unauthenticated, NewText("sign_in_required"))
	}
	return a.MustStay()
}

// MustStay fails with Forbidden for a user who is leaving. A visitor may stay.
func (a Actor) MustStay() error {
	if !a.LeavingAt.IsZero() {
		return leavingError()
	}
	return nil
}

// MayTrade fails with Unauthenticated and, when the actor is blocked, with Forbidden.
func (a Actor) MayTrade() error {
	if err := a.MustBeUser(); err != nil {
		return err
	}
	if a.Blocked {
		return NewError(Forbidden, NewText("blocked_from_trading"))
	}
	return nil
}

// MustModerate fails with Unauthenticated or Forbidden unless the actor is a moderator.
func (a Actor) MustModerate() error {
	if err := a.MustBeUser(); err != nil {
		return err
	}
	if !a.Moderator || a.Blocked {
		return NewError(Forbidden, NewText("moderator_only"))
	}
	return nil
}

// KeyedFor returns the actor with a key derived for one of several writes under the actor's key. id is the
// object of the write.
func (a Actor) KeyedFor(id int64) Actor {
	for _, key := range []*string{&a.Key, &a.OtherKey} {
		if *key != "" {
			sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", *key, id))
			*key = hex.EncodeToString(sum[:])
		}
	}
	return a
}

// NotASide returns Forbidden when the moderator is one of the sides of the case that they are about to
// decide.
func NotASide(by Actor, sides ...UserID) error {
	if by.UserID != 0 && slices.Contains(sides, by.UserID) {
		return NewError(Forbidden, NewText("report_about_you"))
	}
	return nil
}
