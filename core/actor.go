package core

// Actor is who is asking. Its zero value is a visitor.
type Actor struct {
	UserID      UserID // zero for a visitor
	Username    string // the Discord username of a signed-in user: a contact that cannot be faked
	DisplayName string

	Moderator bool // may remove what others posted, and block users
	Blocked   bool // takes no part in the market until a moderator unblocks them

	// Address tells visitors apart, to hold limits; it is never stored or shown. Empty means no limit is held.
	Address string

	// Key names this one write: a repeat of it with the same input has the effect of one and gets the first one's
	// answer. Empty means that every call counts.
	Key string
}

// SignedIn tells whether the actor is a user.
func (a Actor) SignedIn() bool { return a.UserID != 0 }

// Owns refuses with Unauthenticated or Forbidden unless the actor is the order's buyer.
func (a Actor) Owns(o Order) error {
	if err := a.mustBeUser(); err != nil {
		return err
	}
	if a.UserID != o.Owner {
		return &Error{Kind: Forbidden, Message: "Only the buyer can do that"}
	}
	return nil
}

func (a Actor) mustBeUser() error {
	if !a.SignedIn() {
		return &Error{Kind: Unauthenticated, Message: "Sign in with Discord to do that"}
	}
	return nil
}

// mayTrade refuses with Unauthenticated and, when the actor is blocked, with Forbidden.
func (a Actor) mayTrade() error {
	if err := a.mustBeUser(); err != nil {
		return err
	}
	if a.Blocked {
		return &Error{Kind: Forbidden, Message: "A moderator has blocked you from trading here"}
	}
	return nil
}

// Moderates refuses with Unauthenticated or Forbidden unless the actor is a moderator.
func (a Actor) Moderates() error {
	if err := a.mustBeUser(); err != nil {
		return err
	}
	if !a.Moderator || a.Blocked {
		return &Error{Kind: Forbidden, Message: "Only a moderator can do that"}
	}
	return nil
}
