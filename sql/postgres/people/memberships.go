package people

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Membership returns the known membership of an account in servers, without times where none is known.
func (s *Store) Membership(ctx context.Context, discordID, servers string) (people.Membership, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (people.Membership, error) {
		found, err := q.Membership(ctx, discordID, servers)
		if errors.Is(err, pgx.ErrNoRows) {
			return people.Membership{DiscordID: discordID, Servers: servers}, nil
		}
		return membership(found), err
	})
}

// SaveMembership stores Discord's answer, or that it gave none. It may be repeated after a broken connection.
func (s *Store) SaveMembership(ctx context.Context, m people.Membership) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SaveMembership(ctx, db.SaveMembershipParams{
			DiscordID: m.DiscordID, Servers: m.Servers, Member: m.Member,
			AnsweredAt: kernel.TimeOrNull(m.AnsweredAt), TriedAt: m.TriedAt,
		})
	})
}

func membership(r db.Membership) people.Membership {
	return people.Membership{
		DiscordID: r.DiscordID, Servers: r.Servers, Member: r.Member, AnsweredAt: kernel.OrZero(r.AnsweredAt),
		TriedAt: r.TriedAt,
	}
}

// ExportedMemberships returns the stored memberships of a user.
func ExportedMemberships(ctx context.Context, q *db.Queries, id core.UserID) ([]people.Membership, error) {
	user, err := q.User(ctx, id)
	if err != nil {
		return nil, err
	}
	found, err := q.MembershipsOf(ctx, user.DiscordID)
	return kernel.Convert(found, membership), err
}
