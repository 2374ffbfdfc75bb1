package channels

import (
	"context"
	"fmt"

	"tradepost/core"
	"tradepost/core/notify"
)

// TraderRole is the role that a Discord server gives to established traders who are its members.
type TraderRole struct {
	GuildID, RoleID      string
	ServerName, RoleName string
	NamedBy              core.UserID // reads of problems
	Problem              string      // why it cannot be given at present; empty while all is well
	Ended                bool        // it is being taken away from everyone
}

// RoleAct is what is to be done about a user's role.
type RoleAct string

// The acts.
const (
	GiveRole  RoleAct = "give"
	TakeRole  RoleAct = "take"
	CheckRole RoleAct = "check" // whether the user is still a member
)

// RoleActs lists every act.
var RoleActs = []RoleAct{GiveRole, TakeRole, CheckRole}

// RoleStep is the next step about the role of one user in one server. Each can be done again: a second time
// makes no difference.
type RoleStep struct {
	GuildID, RoleID string
	User            core.UserID
	DiscordID       string
	Act             RoleAct
	Tells           bool // the user reads of it: not when a manager ends or replaces the role
}

// RoleCheckedEvery is how long after it was given or found to be no use a role is looked after again: who has
// left the server and came back has it again, and who joined gets it, within that time.
const RoleCheckedEvery = core.Day

// Why a role cannot be given. The manager who named it is notified once.
var (
	RoleNeedsPermission = core.NewText("role_needs_permission")
	RoleAbove           = core.NewText("role_above")
	RolePowerful        = core.NewText("role_powerful")
	RoleDeleted         = core.NewText("role_deleted")
)

// RoleProblems lists every reason why a role cannot be given.
var RoleProblems = []core.Text{RoleNeedsPermission, RoleAbove, RolePowerful, RoleDeleted}

// SettleRole stores the result of a step, and notifies the user when they have got or lost the role by it.
// member is false for an account that is not in the server.
func (m *Service) SettleRole(ctx context.Context, s RoleStep, member bool) error {
	err := m.run.Atomically(ctx, func(tx Tx) error {
		role, err := tx.LockTraderRole(ctx, s.GuildID)
		if core.KindOf(err) == core.NotFound {
			return nil // it was forgotten meanwhile
		}
		if err != nil {
			return err
		}
		now := m.now()
		kind := notify.NoticeRoleTaken
		var had bool
		if s.Act == TakeRole {
			if had, err = tx.RemoveHeldRole(ctx, s); err != nil || !had {
				return err
			}
		} else {
			kind = notify.NoticeRoleGiven
			had, err = tx.SaveHeldRole(ctx, s, member, now.Add(RoleCheckedEvery))
			if err != nil || had || s.Act != GiveRole {
				return err
			}
		}
		if !member || !s.Tells || role.Ended || role.RoleID != s.RoleID {
			return nil
		}
		return notify.AddNotices(ctx, tx, []notify.Notice{{
			User: s.User, Kind: kind, Name: role.ServerName, ItemName: role.RoleName,
			State: notify.NoticePending, CreatedAt: now,
		}})
	})
	if err != nil {
		return fmt.Errorf("settle the role of user %d in server %s: %w", s.User, s.GuildID, err)
	}
	return nil
}

// SetRoleProblem stores why the role of a server cannot be given, and notifies the manager who named it. An
// empty text clears it. A role that was deleted is forgotten. The same problem is told once.
func (m *Service) SetRoleProblem(ctx context.Context, guildID, roleID string, problem core.Text) error {
	err := m.run.Atomically(ctx, func(tx Tx) error {
		role, err := tx.LockTraderRole(ctx, guildID)
		if core.KindOf(err) == core.NotFound || err == nil && role.RoleID != roleID {
			return nil // another one was named meanwhile
		}
		why := ""
		if problem.Code != "" {
			why = problem.String()
		}
		switch {
		case err != nil || role.Problem == why:
			return err
		case problem.Code == RoleDeleted.Code:
			err = tx.RemoveTraderRole(ctx, guildID)
		default:
			err = tx.SetRoleTrouble(ctx, guildID, why)
		}
		if err != nil || why == "" || role.Ended {
			return err
		}
		return notify.AddNotices(ctx, tx, []notify.Notice{{
			User: role.NamedBy, Kind: notify.NoticeRoleTrouble,
			Name: role.ServerName, ItemName: role.RoleName, Message: why,
			State: notify.NoticePending, CreatedAt: m.now(),
		}})
	})
	if err != nil {
		return fmt.Errorf("problem of the role of server %s: %w", guildID, err)
	}
	return nil
}
