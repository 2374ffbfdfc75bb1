package trust

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

const (
	// inGameNames is how many of the requests and offers a trader's in-game names are taken from, the latest
	// of each.
	inGameNames = 10
	// LookAlikeLife is for how long a trader is not notified of the same name again.
	LookAlikeLife = 90 * 24 * time.Hour
)

// TraderNames returns the names of established traders.
func (s *Store) TraderNames(ctx context.Context) ([]trust.TraderName, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.TraderName, error) {
		rows, err := q.TraderNames(ctx)
		return kernel.Convert(rows, func(r db.TraderName) trust.TraderName {
			return trust.TraderName{Skeleton: r.Skeleton, User: core.UserID(r.UserID),
				Since: kernel.OrZero(r.Since)}
		}), err
	})
}

// Established returns the stored data of a user as an established trader.
func Established(ctx context.Context, q *db.Queries, id core.UserID) (market.Established, error) {
	row, err := q.TraderOf(ctx, int64(id))
	if errors.Is(err, pgx.ErrNoRows) {
		return market.Established{}, nil
	}
	return market.Established{
		Since: row.EstablishedAt, Origin: trust.TraderOrigin(row.Origin), Names: row.Names,
		LookAlikes: row.LookAlikes,
	}, err
}

// AddTraders stores established traders and returns how many of them were none before.
func (t *Tx) AddTraders(
	ctx context.Context, origin trust.TraderOrigin, established ...trust.NewTrader,
) (int, error) {
	if len(established) == 0 {
		return 0, nil
	}
	added, err := t.Q.AddTraders(ctx, db.AddTradersParams{
		Users:  kernel.Convert(established, func(n trust.NewTrader) int64 { return int64(n.User) }),
		Times:  kernel.Convert(established, func(n trust.NewTrader) time.Time { return n.At }),
		Origin: string(origin),
	})
	if added > 0 {
		t.NoteAnyTrade()
	}
	return int(added), kernel.Translate(err)
}

// AddModeratorTraders makes the moderators established traders: the accounts that are users, and users with
// a role that was seen after roleSince.
func (t *Tx) AddModeratorTraders(ctx context.Context, m people.Moderators, roleSince time.Time) error {
	added, err := t.Q.AddModeratorTraders(ctx, db.AddModeratorTradersParams{
		Accounts: m.Accounts, Roles: m.Roles, RoleSince: roleSince,
	})
	if added > 0 {
		t.NoteAnyTrade()
	}
	return kernel.Translate(err)
}

// Traders returns the established traders who are neither blocked nor leaving.
func (t *Tx) Traders(ctx context.Context) ([]trust.Trader, error) {
	rows, err := t.Q.Traders(ctx, inGameNames)
	return kernel.Convert(rows, func(r db.TradersRow) trust.Trader {
		return trust.Trader{User: r.ID, Username: r.Username, DisplayName: r.DisplayName, InGame: r.InGame}
	}), kernel.Translate(err)
}

// SaveTraderNames replaces the names of all established traders. A stored Since stays.
func (t *Tx) SaveTraderNames(ctx context.Context, names []trust.TraderName) error {
	skeletons := kernel.Convert(names, func(n trust.TraderName) string { return n.Skeleton })
	users := kernel.Convert(names, func(n trust.TraderName) int64 { return int64(n.User) })
	if err := t.Q.RemoveTraderNames(ctx, skeletons, users); err != nil {
		return kernel.Translate(err)
	}
	times := kernel.Convert(names, func(n trust.TraderName) time.Time { return n.Since })
	return kernel.Translate(t.Q.AddTraderNames(ctx, db.AddTraderNamesParams{
		Skeletons: skeletons, Users: users, Times: times,
	}))
}

// AddLookAlike stores that a trader is notified of a name.
func (t *Tx) AddLookAlike(
	ctx context.Context, trader core.UserID, name string, now, since time.Time, most int,
) (bool, error) {
	added, err := t.Q.AddLookAlike(ctx, db.AddLookAlikeParams{
		Trader: int64(trader), Name: name, Now: now, Since: since, Most: int64(most),
	})
	return added > 0, kernel.Translate(err)
}
