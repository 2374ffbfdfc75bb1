package channels

import (
	"context"
	"time"

	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// All of these may be repeated after a broken connection: a second time makes no difference.

// PingServers returns the servers in which pings are on or being ended, the oldest first.
func (s *Store) PingServers(ctx context.Context) ([]channels.PingServer, error) {
	return kernel.Read(ctx, s.DB, pingServers)
}

func pingServers(ctx context.Context, q *db.Queries) ([]channels.PingServer, error) {
	rows, err := q.PingServers(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	roles, err := q.PingRoles(ctx)
	if err != nil {
		return nil, err
	}
	of := map[string][]channels.PingRole{}
	for _, r := range roles {
		of[r.GuildID] = append(of[r.GuildID], channels.PingRole{
			Category: r.Category, RoleID: r.RoleID, Made: r.Made, Gone: r.Gone,
			StartedAt: kernel.OrZero(r.StartedAt),
		})
	}
	return kernel.Convert(rows, func(r db.PingServer) channels.PingServer {
		return channels.PingServer{
			GuildID: r.GuildID, Locale: r.Locale, CreatedAt: r.CreatedAt,
			Pause:   time.Duration(r.PauseSeconds) * time.Second,
			Problem: r.Trouble, Ended: r.Ended, Roles: of[r.GuildID],
			Message: channels.PingMessage{
				ChannelID: r.ChannelID, MessageID: r.MessageID, StartedAt: kernel.OrZero(r.StartedAt),
				Shown: r.Shown, Gone: r.MessageGone,
			},
		}
	}), nil
}

// SavePingServer turns pings on in a server. Where they are on already, its roles stay, roles that were
// deleted by hand are made again, and its message is sent again.
func (s *Store) SavePingServer(ctx context.Context, p channels.PingServer) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		err := q.SavePingServer(ctx, db.SavePingServerParams{
			GuildID: p.GuildID, Locale: p.Locale, CreatedAt: p.CreatedAt,
			PauseSeconds: int(p.Pause.Seconds()), ChannelID: p.Message.ChannelID,
		})
		if err != nil {
			return err
		}
		return q.ReturnPingRoles(ctx, p.GuildID)
	})
}

// EndPings begins to turn pings off in a server. It reports whether they were on.
func (s *Store) EndPings(ctx context.Context, guildID string) (bool, error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.EndPingServer(ctx, guildID)
	})
	return n > 0, err
}

// RemovePingServer forgets a server and its roles.
func (s *Store) RemovePingServer(ctx context.Context, guildID string) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.RemovePingServer(ctx, guildID)
	})
}

// SetPingTrouble stores why roles cannot be given or pinged in a server; an empty text clears it. It reports
// whether that is news.
func (s *Store) SetPingTrouble(ctx context.Context, guildID, trouble string) (news bool, err error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.SetPingTrouble(ctx, trouble, guildID)
	})
	return n > 0, err
}

// StartPingMessage stores that the message of a server is about to be sent, the first time only.
func (s *Store) StartPingMessage(ctx context.Context, p channels.PingServer, now time.Time) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.StartPingMessage(ctx, db.StartPingMessageParams{
			StartedAt: now, GuildID: p.GuildID, ChannelID: p.Message.ChannelID,
		})
	})
}

// SavePingMessage stores where the message of a server is and what it shows.
func (s *Store) SavePingMessage(ctx context.Context, p channels.PingServer) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SavePingMessage(ctx, db.SavePingMessageParams{
			MessageID: p.Message.MessageID, Shown: p.Message.Shown, MessageGone: p.Message.Gone,
			GuildID: p.GuildID, ChannelID: p.Message.ChannelID,
		})
	})
}

// StartPingRole stores that a role is about to be made, the first time only.
func (s *Store) StartPingRole(ctx context.Context, guildID string, c game.Category, now time.Time) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.StartPingRole(ctx, db.StartPingRoleParams{GuildID: guildID, Category: c, StartedAt: &now})
	})
}

// SavePingRole stores which role new orders of a profession ping.
func (s *Store) SavePingRole(ctx context.Context, guildID string, r channels.PingRole) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SavePingRole(ctx, db.SavePingRoleParams{
			RoleID: r.RoleID, Made: r.Made, GuildID: guildID, Category: r.Category,
		})
	})
}

// LosePingRole stores that a role was deleted by hand. It reports whether that is news.
func (s *Store) LosePingRole(ctx context.Context, guildID, roleID string) (news bool, err error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.LosePingRole(ctx, guildID, roleID)
	})
	return n > 0, err
}
