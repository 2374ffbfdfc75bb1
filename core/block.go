package core

import "time"

// Block is what comes of a moderator blocking or unblocking a user.
type Block struct {
	User    User
	Entry   AuditEntry
	Notices []Notice
}

// Block decides what a moderator's block of the user means. It refuses with Unauthenticated, Forbidden (for who is a
// moderator themselves, too), Conflict when they are blocked already, and Invalid.
func (u User) Block(by Actor, reason string, forms TextForms, now time.Time) (Block, error) {
	reason, err := mayRemove(by, reason, forms)
	switch {
	case err != nil:
		return Block{}, err
	case u.Moderator || u.ID == by.UserID:
		return Block{}, &Error{Kind: Forbidden, Message: "A moderator cannot be blocked"}
	case u.Blocked():
		return Block{}, &Error{Kind: Conflict, Message: "This user is already blocked"}
	}
	u.BlockedAt, u.BlockedFor = now, reason
	return Block{
		User:    u,
		Entry:   AuditEntry{At: now, Moderator: by.UserID, Action: BlockedUser, Subject: u.ID, Reason: reason},
		Notices: []Notice{{User: u.ID, Kind: UserBlocked, Message: reason, State: NoticePending, CreatedAt: now}},
	}, nil
}

// Unblock decides what a moderator's end of the user's block means. It refuses with Unauthenticated, Forbidden and with
// Conflict when they are not blocked.
func (u User) Unblock(by Actor, now time.Time) (Block, error) {
	if err := by.Moderates(); err != nil {
		return Block{}, err
	}
	if !u.Blocked() {
		return Block{}, &Error{Kind: Conflict, Message: "This user is not blocked"}
	}
	u.BlockedAt, u.BlockedFor = time.Time{}, ""
	return Block{User: u, Entry: AuditEntry{At: now, Moderator: by.UserID, Action: UnblockedUser, Subject: u.ID}}, nil
}
