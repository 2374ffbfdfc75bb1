package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Odds are estimated from so many requests of an item and its kind, and of the market, the latest.
const (
	maxOutcomes       = 2000
	maxMarketOutcomes = 5000
	outcomesOfBuyer   = 10 // of one buyer and name
)

// Unusual prices are looked for among so many names, and compared with so many trades of each before they are compared exactly.
const (
	maxNamesAskedFor = 5000
	latestTrades     = 20
)

// Fills returns the accepts of what has one of the names, the latest first.
func (s *itemsStore) Fills(ctx context.Context, keys []string, since time.Time) ([]core.Fill, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]core.Fill, error) {
		rows, err := q.Fills(ctx, keys, since)
		return convert(rows, func(r db.FillsRow) core.Fill {
			return core.Fill{
				At: r.CreatedAt, Buyer: orZero(r.BuyerID), Seller: orZero(r.SellerID), Price: r.UnitPrice, Quantity: r.QuantitySold,
				Established: r.Established,
			}
		}), err
	})
}

// TradedSince returns which trades have changed since a mark.
func (s *itemsStore) TradedSince(ctx context.Context, mark uint64) core.TradedSince {
	return s.Feed().Cache().TradedSince(ctx, mark)
}

// CountEstablished returns how many established traders count.
func (s *itemsStore) CountEstablished(ctx context.Context) (int, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) (int, error) {
		n, err := q.CountEstablished(ctx)
		return int(n), err
	})
}

// Asked returns what open requests for what has one of the names pay for one.
func (s *itemsStore) Asked(ctx context.Context, keys []string, notOf core.UserID, now time.Time) (core.Asked, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) (core.Asked, error) {
		row, err := q.Asked(ctx, db.AskedParams{Keys: keys, Now: now, NotOf: notOf})
		return core.Asked{Buyers: row.Buyers, Low: core.Copper(row.Low), Median: core.Copper(row.Median), High: core.Copper(row.High)}, err
	})
}

// NamesAskedFor returns the names in open requests with their prices, those that pay most.
func (s *itemsStore) NamesAskedFor(ctx context.Context, now, since time.Time) ([]core.NameAskedFor, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]core.NameAskedFor, error) {
		rows, err := q.NamesAskedFor(ctx, db.NamesAskedForParams{Now: now, Since: since, Most: maxNamesAskedFor, OfName: latestTrades})
		return convert(rows, func(r db.NamesAskedForRow) core.NameAskedFor {
			return core.NameAskedFor{Name: r.Name, High: core.Copper(r.High), Low: core.Copper(r.Low), Paid: core.Copper(r.Paid)}
		}), err
	})
}

// AskedFrom returns the open requests for what has one of the names that pay so much for one or more.
func (s *itemsStore) AskedFrom(ctx context.Context, keys []string, price core.Copper, now time.Time, limit int) ([]core.PricedOrder, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]core.PricedOrder, error) {
		rows, err := q.AskedFrom(ctx, db.AskedFromParams{Keys: keys, Now: now, Price: price, Most: int32(limit)})
		return convert(rows, func(r db.AskedFromRow) core.PricedOrder {
			return core.PricedOrder{ID: r.ID, Owner: r.UserID, ItemName: r.ItemName, Price: r.MaxPricePerUnit}
		}), err
	})
}

// Outcomes returns what happened in the latest requests of a time for what has one of the names, without names for anything.
func (s *itemsStore) Outcomes(ctx context.Context, keys []string, since, until time.Time) ([]core.Outcome, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]core.Outcome, error) {
		if keys == nil {
			rows, err := q.MarketOutcomes(ctx, db.MarketOutcomesParams{Since: since, Until: until, Most: maxMarketOutcomes})
			return convert(rows, func(r db.MarketOutcomesRow) core.Outcome { return outcome(db.OutcomesRow(r)) }), err
		}
		rows, err := q.Outcomes(ctx, db.OutcomesParams{Keys: keys, Since: since, Until: until, OfBuyer: outcomesOfBuyer, Most: maxOutcomes})
		return convert(rows, outcome), err
	})
}

func outcome(r db.OutcomesRow) core.Outcome {
	return core.Outcome{Key: r.Key, Buyer: r.UserID, Price: r.MaxPricePerUnit, Filled: r.Filled, Took: r.FilledAt.Sub(r.CreatedAt)}
}

// Rings returns the accounts that are set aside, by decision, the latest first.
func (s *trustStore) Rings(ctx context.Context, limit int) ([]core.Ring, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Ring, error) {
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

func (t *trustTx) UsersNamed(ctx context.Context, names, accounts []string) ([]core.User, error) {
	rows, err := t.Q.UsersNamed(ctx, names, accounts)
	return convert(rows, func(r db.UsersNamedRow) core.User {
		return core.User{ID: r.ID, Username: r.Username, DiscordID: r.DiscordID}
	}), translate(err)
}

func (t *trustTx) SetAside(ctx context.Context, users []core.UserID, reason string, now time.Time) ([]core.UserID, error) {
	t.NoteWrite()
	t.NoteAnyTrade()
	ids, err := t.Q.SetAside(ctx, db.SetAsideParams{Users: raw(users), Reason: reason, Now: now})
	return convert(ids, func(id int64) core.UserID { return core.UserID(id) }), translate(err)
}

func (t *trustTx) CountAgain(ctx context.Context, ring core.RingID) ([]core.UserID, error) {
	t.NoteWrite()
	t.NoteAnyTrade()
	ids, err := t.Q.CountAgain(ctx, int64(ring))
	return convert(ids, func(id int64) core.UserID { return core.UserID(id) }), translate(err)
}
