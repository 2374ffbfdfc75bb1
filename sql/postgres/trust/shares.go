package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// TrustOf returns what trust would be computed from at a time, in short.
func (s *Store) TrustOf(ctx context.Context, now time.Time) (string, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (string, error) {
		return q.TrustOf(ctx, now.UTC().Truncate(time.Hour).Format(time.RFC3339))
	})
}

// TrustComputed returns what the last computation said of the market.
func (s *Store) TrustComputed(ctx context.Context) (trust.Market, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trust.Market, error) {
		rows, err := q.TrustComputed(ctx)
		if err != nil || len(rows) == 0 {
			return trust.Market{Young: true}, err
		}
		r := rows[0]
		return trust.Market{ComputedAt: r.ComputedAt, Of: r.Of, Trusted: r.Trusted, Circles: r.Circles,
			Active: r.Active, Young: r.Young}, nil
	})
}

// Candidates returns the users moderators could vouch for by the last computation, best first.
func (s *Store) Candidates(ctx context.Context) ([]trust.Candidate, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.Candidate, error) {
		rows, err := q.Candidates(ctx)
		return kernel.Convert(rows, func(r db.CandidatesRow) trust.Candidate {
			return trust.Candidate{
				User:     people.User{ID: r.ID, Username: r.Username, DiscordID: r.DiscordID},
				Partners: r.Partners, Apart: r.Apart, Since: r.Since,
			}
		}), err
	})
}

// SaveCandidates replaces the users moderators could vouch for.
func (t *Tx) SaveCandidates(ctx context.Context, proposed []trust.Candidate) error {
	if err := t.Q.RemoveCandidates(ctx); err != nil {
		return kernel.Translate(err)
	}
	added := db.AddCandidatesParams{}
	for i, c := range proposed {
		added.Users, added.Places = append(added.Users, int64(c.User.ID)), append(added.Places, i+1)
		added.Partners, added.Aparts = append(added.Partners, c.Partners), append(added.Aparts, c.Apart)
		added.Times = append(added.Times, c.Since)
	}
	return kernel.Translate(t.Q.AddCandidates(ctx, added))
}

// SettledPairs returns who has handed over to whom, since when and how often.
func (s *Store) SettledPairs(ctx context.Context, settledBefore time.Time) ([]trust.Pair, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.Pair, error) {
		rows, err := q.SettledPairs(ctx, settledBefore)
		return kernel.Convert(rows, func(r db.SettledPairsRow) trust.Pair {
			return trust.Pair{A: core.UserID(r.A), B: core.UserID(r.B), Since: r.Since,
				Trades: r.Trades, OneCopper: r.OneCopper, SameMinute: r.SameMinute}
		}), err
	})
}

// People returns everybody who trust may flow to.
func (s *Store) People(ctx context.Context) ([]trust.Person, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.Person, error) {
		rows, err := q.TrustPeople(ctx)
		return kernel.Convert(rows, func(r db.TrustPeopleRow) trust.Person {
			return trust.Person{User: r.ID, AccountOf: people.AccountMade(r.DiscordID), Source: r.Source}
		}), err
	})
}

// CountActive returns how many people traded since a time.
func (s *Store) CountActive(ctx context.Context, since time.Time) (int, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int, error) {
		n, err := q.CountActive(ctx, since)
		return int(n), err
	})
}

// SaveTrust replaces everybody's share and what it says of the market.
func (t *Tx) SaveTrust(ctx context.Context, shares []trust.Share, m trust.Market) error {
	t.NoteWrite()
	users := kernel.Convert(shares, func(s trust.Share) int64 { return int64(s.User) })
	removed, err := t.Q.RemoveTrust(ctx, users)
	if err != nil {
		return kernel.Translate(err)
	}
	changed, err := t.Q.SaveTrust(ctx, db.SaveTrustParams{Users: users,
		Amounts: kernel.Convert(shares, func(s trust.Share) float64 { return s.Amount }),
		Circles: kernel.Convert(shares, func(s trust.Share) int64 { return int64(s.Circle) }),
	})
	if err != nil {
		return kernel.Translate(err)
	}
	var trusted []int64
	for _, s := range shares {
		if s.Trusted() {
			trusted = append(trusted, int64(s.User))
		}
	}
	ended, err := t.Q.RemoveTraders(ctx, trusted)
	if err != nil {
		return kernel.Translate(err)
	}
	if removed+changed+ended > 0 {
		t.NoteAnyTrade()
	}
	return kernel.Translate(t.Q.SaveTrustMarket(ctx, db.SaveTrustMarketParams{
		ComputedAt: m.ComputedAt, Of: m.Of,
		Trusted: m.Trusted, Circles: m.Circles, Active: m.Active, ActiveWeek: m.ActiveWeek, Young: m.Young,
	}))
}
