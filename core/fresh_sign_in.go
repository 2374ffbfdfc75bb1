package core

import "time"

// FreshSignInFor is how long a sign-in with Discord counts as fresh.
const FreshSignInFor = 10 * time.Minute

// CodeFreshSignInNeeded is the code of the Error of an act that needs a fresh sign-in: signing in once more
// solves it.
const CodeFreshSignInNeeded = "fresh_sign_in_needed"

// MustBeFresh fails with Forbidden unless the actor signed in with Discord within FreshSignInFor. It protects
// acts that would harm most if they were done with a stolen session. An actor without a time has no fresh
// sign-in.
func (a Actor) MustBeFresh(now time.Time) error {
	if now.Sub(a.SignedInAt) <= FreshSignInFor {
		return nil
	}
	err := NewError(Forbidden, NewText("fresh_sign_in_needed", "minutes", int(FreshSignInFor/time.Minute)))
	err.Code = CodeFreshSignInNeeded
	return err
}
