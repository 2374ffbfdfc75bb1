package people

import (
	"time"

	"tradepost/core"
)

const (
	// LeavingFor is how long after a user has left their data are deleted. Until then they can cancel it.
	LeavingFor = 14 * core.Day
	// RememberFor is how long other users' decisions about a deleted account are stored under a keyed hash,
	// and how long the other sides of its accepts keep its contact.
	RememberFor = 90 * core.Day
)

// Leaving reports whether the user has asked for the deletion of their account.
func (u User) Leaving() bool { return !u.LeavingAt.IsZero() }

// DeletionAt returns when the account of a user who leaves is deleted; zero for others.
func (u User) DeletionAt() time.Time {
	if !u.Leaving() {
		return time.Time{}
	}
	return u.LeavingAt.Add(LeavingFor)
}
