package core

// Actor is who is asking. Its zero value is a visitor.
type Actor struct {
	UserID      UserID // zero for a visitor
	Username    string // the Discord username of a signed-in user: a contact that cannot be faked
	DisplayName string

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
