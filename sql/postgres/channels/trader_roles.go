package channels

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// TraderRoles returns the roles that servers give to established traders.
func (s *Store) TraderRoles(ctx context.Context) ([]channels.TraderRole, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.TraderRole, error) {
		rows, err := q.TraderRoles(ctx)
		return kernel.Convert(rows, traderRole), err
	})
}

func traderRole(r db.TraderRole) channels.TraderRole {
	return channels.TraderRole{
		GuildID: r.GuildID, RoleID: r.RoleID, ServerName: r.GuildName, RoleName: r.RoleName,
		NamedBy: r.UserID, Problem: r.Trouble, Ended: r.Ended,
	}
}

// SaveTraderRole stores the role that a server gives to established traders, in place of another one.
func (s *Store) SaveTraderRole(ctx context.Context, r channels.TraderRole) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SaveTraderRole(ctx, db.SaveTraderRoleParams{
			GuildID: r.GuildID, RoleID: r.RoleID, GuildName: r.ServerName, RoleName: r.RoleName,
			UserID: r.NamedBy,
		})
	})
}

// EndTraderRole begins to take the role of a server away. It reports whether there was one.
func (s *Store) EndTraderRole(ctx context.Context, guildID string) (bool, error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.EndTraderRole(ctx, guildID)
	})
	return n > 0, err
}

// RemoveTraderRole forgets the role of a server and who has it.
func (s *Store) RemoveTraderRole(ctx context.Context, guildID string) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.RemoveTraderRole(ctx, guildID)
	})
}

// HeldRoles returns how many users have the role of a server.
func (s *Store) HeldRoles(ctx context.Context, guildID string) (int, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int, error) {
		n, err := q.HeldRoles(ctx, guildID)
		return int(n), err
	})
}

// RoleSteps returns the next steps about the role of a server.
func (s *Store) RoleSteps(
	ctx context.Context, guildID string, now time.Time, most int,
) ([]channels.RoleStep, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.RoleStep, error) {
		rows, err := q.RoleSteps(ctx, db.RoleStepsParams{GuildID: guildID, Now: now, Most: int32(most)})
		return kernel.Convert(rows, func(r db.RoleStepsRow) channels.RoleStep {
			return channels.RoleStep{
				GuildID: guildID, RoleID: r.RoleID, User: core.UserID(r.UserID), DiscordID: r.DiscordID,
				Act: channels.RoleAct(r.Act), Tells: r.Tells,
			}
		}), err
	})
}

// LockTraderRole locks the role of a server. It returns NotFound.
func (t *Tx) LockTraderRole(ctx context.Context, guildID string) (channels.TraderRole, error) {
	row, err := t.Q.LockTraderRole(ctx, guildID)
	return traderRole(row), kernel.Translate(err)
}

// SaveHeldRole stores whether a user has a role. It reports whether the bot had given it before.
func (t *Tx) SaveHeldRole(
	ctx context.Context, s channels.RoleStep, given bool, due time.Time,
) (bool, error) {
	had, err := t.Q.SaveHeldRole(ctx, db.SaveHeldRoleParams{
		GuildID: s.GuildID, RoleID: s.RoleID, UserID: s.User, Given: given, DueAt: due,
	})
	return had, kernel.Translate(err)
}

// RemoveHeldRole forgets that a user had a role. It reports whether the bot had given it.
func (t *Tx) RemoveHeldRole(ctx context.Context, s channels.RoleStep) (bool, error) {
	had, err := t.Q.RemoveHeldRole(ctx, db.RemoveHeldRoleParams{
		GuildID: s.GuildID, RoleID: s.RoleID, UserID: s.User,
	})
	return had, kernel.Translate(err)
}

// SetRoleTrouble stores why the role of a server cannot be given.
func (t *Tx) SetRoleTrouble(ctx context.Context, guildID, trouble string) error {
	return kernel.Translate(t.Q.SetRoleTrouble(ctx, trouble, guildID))
}

// RemoveTraderRole forgets the role of a server and who has it.
func (t *Tx) RemoveTraderRole(ctx context.Context, guildID string) error {
	return kernel.Translate(t.Q.RemoveTraderRole(ctx, guildID))
}
