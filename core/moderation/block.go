package moderation

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// Block is the result of a moderator blocking or unblocking a user.
type Block struct {
	User    people.User
	Entry   core.AuditEntry
	Notices []notify.Notice
}

// mayBlock fails with Unauthenticated or Forbidden unless the actor is a moderator with a fresh sign-in.
func mayBlock(by core.Actor, now time.Time) error {
	if err := by.MustModerate(); err != nil {
		return err
	}
	return by.MustBeFresh(now)
}

// mayDecide fails with Unauthenticated or Forbidden unless the actor may decide on reports in that way.
func mayDecide(by core.Actor, decision ReportDecision, now time.Time) error {
	if decision == DecideBlock {
		return mayBlock(by, now)
	}
	return by.MustModerate()
}

// BlockUser returns the result of a moderator blocking the user. It fails with Unauthenticated, Forbidden
// (also when the user is a moderator), Conflict when they are blocked already, and Invalid.
func BlockUser(
	u people.User, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Block, error) {
	reason, err := mayRemove(by, reason, forms)
	switch {
	case err != nil:
		return Block{}, err
	case u.Moderator || u.ID == by.UserID:
		return Block{}, core.NewError(core.Forbidden, core.NewText("moderator_not_blockable"))
	case u.Blocked():
		return Block{}, core.NewError(core.Conflict, core.NewText("user_already_blocked"))
	}
	u.BlockedAt, u.BlockedFor = now, reason
	return Block{
		User: u,
		Entry: core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditUserBlocked, Subject: u.ID,
			Reason: reason},
		Notices: []notify.Notice{{User: u.ID, Kind: notify.NoticeUserBlocked, Message: reason,
			State: notify.NoticePending, CreatedAt: now}},
	}, nil
}

// UnblockUser returns the result of a moderator unblocking the user. It fails with Unauthenticated,
// Forbidden and with Conflict when they are not blocked.
func UnblockUser(u people.User, by core.Actor, now time.Time) (Block, error) {
	if err := by.MustModerate(); err != nil {
		return Block{}, err
	}
	if !u.Blocked() {
		return Block{}, core.NewError(core.Conflict, core.NewText("user_not_blocked"))
	}
	u.BlockedAt, u.BlockedFor = time.Time{}, ""
	return Block{User: u, Entry: core.AuditEntry{At: now, Moderator: by.UserID,
		Action: core.AuditUserUnblocked, Subject: u.ID}}, nil
}
