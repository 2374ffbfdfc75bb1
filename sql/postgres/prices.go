package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// maxOutcomes is how many requests odds are reckoned from, the latest.
const maxOutcomes = 1000

// Fills returns the accepts of what has one of the names, the latest first.
func (s *Store) Fills(ctx context.Context, keys []string, since time.Time) ([]core.Fill, error) {
	return readPublic(ctx, s, func(ctx context.Context, q source) ([]core.Fill, error) {
		rows, err := q.Fills(ctx, keys, since)
		return convert(rows, func(r db.FillsRow) core.Fill {
			return core.Fill{
				At: r.CreatedAt, Buyer: orZero(r.BuyerID), Seller: orZero(r.SellerID), Price: r.UnitPrice, Established: r.Established,
			}
		}), err
	})
}

// TradedSince returns which trades have changed since a mark.
func (s *Store) TradedSince(ctx context.Context, mark uint64) core.TradedSince {
	return s.feed.Cache().TradedSince(ctx, mark)
}

// CountEstablished returns how many established traders count.
func (s *Store) CountEstablished(ctx context.Context) (int, error) {
	return readPublic(ctx, s, func(ctx context.Context, q source) (int, error) {
		n, err := q.CountEstablished(ctx)
		return int(n), err
	})
}

// Asked returns what open requests for what has one of the names pay for one.
func (s *Store) Asked(ctx context.Context, keys []string, now time.Time) (core.Asked, error) {
	return readPublic(ctx, s, func(ctx context.Context, q source) (core.Asked, error) {
		row, err := q.Asked(ctx, keys, now)
		return core.Asked{Requests: row.Requests, Low: core.Copper(row.Low), Median: core.Copper(row.Median), High: core.Copper(row.High)}, err
	})
}

// Outcomes returns what happened in the latest requests for what has one of the names.
func (s *Store) Outcomes(ctx context.Context, keys []string, since, now time.Time) ([]core.Outcome, error) {
	return readPublic(ctx, s, func(ctx context.Context, q source) ([]core.Outcome, error) {
		rows, err := q.Outcomes(ctx, db.OutcomesParams{Keys: keys, Since: since, Now: now, Most: maxOutcomes})
		return convert(rows, func(r db.OutcomesRow) core.Outcome {
			o := core.Outcome{Price: r.MaxPricePerUnit, Age: now.Sub(r.CreatedAt), Over: r.Over}
			if r.Filled {
				o.Filled, o.Took = true, r.FilledAt.Sub(r.CreatedAt)
			}
			return o
		}), err
	})
}

// Rings returns the accounts that are set aside, by decision, the latest first.
func (s *Store) Rings(ctx context.Context, limit int) ([]core.Ring, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.Ring, error) {
		rows, err := q.Rings(ctx, int32(limit))
		var rings []core.Ring
		for _, r := range rows {
			if len(rings) == 0 || rings[len(rings)-1].ID != core.RingID(r.Ring) {
				rings = append(rings, core.Ring{ID: core.RingID(r.Ring), At: r.At, Reason: r.Reason})
			}
			ring := &rings[len(rings)-1]
			ring.Members = append(ring.Members, core.User{ID: r.ID, Username: r.Username})
		}
		return rings, err
	})
}

func (t *tx) UsersNamed(ctx context.Context, names, accounts []string) ([]core.User, error) {
	rows, err := t.q.UsersNamed(ctx, names, accounts)
	return convert(rows, func(r db.UsersNamedRow) core.User {
		return core.User{ID: r.ID, Username: r.Username, DiscordID: r.DiscordID}
	}), translate(err)
}

func (t *tx) SetAside(ctx context.Context, users []core.UserID, reason string, now time.Time) ([]core.UserID, error) {
	t.wrote, t.trades = true, true
	ids, err := t.q.SetAside(ctx, db.SetAsideParams{Users: raw(users), Reason: reason, Now: now})
	return convert(ids, func(id int64) core.UserID { return core.UserID(id) }), translate(err)
}

func (t *tx) CountAgain(ctx context.Context, ring core.RingID) ([]core.UserID, error) {
	t.wrote, t.trades = true, true
	ids, err := t.q.CountAgain(ctx, int64(ring))
	return convert(ids, func(id int64) core.UserID { return core.UserID(id) }), translate(err)
}
