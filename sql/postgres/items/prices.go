package items

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Odds are estimated from so many requests of an item and its kind, and of the market, the latest.
const (
	maxOutcomes       = 2000
	maxMarketOutcomes = 5000
	outcomesOfBuyer   = 10 // of one buyer and name
)

// Unusual prices are looked for among so many names, and compared with so many trades of each before they are
// compared exactly.
const (
	maxNamesAskedFor = 5000
	latestTrades     = 20
)

// Fills returns the accepts of items with one of the names, the latest first.
func (s *Store) Fills(ctx context.Context, keys []string, since time.Time) ([]items.NamedFill, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([]items.NamedFill, error) {
		rows, err := q.Fills(ctx, keys, since)
		return kernel.Convert(rows, namedFill), err
	})
}

func namedFill(r db.Fill) items.NamedFill { return items.NamedFill{Key: r.ItemKey, Fill: fill(r)} }

func fill(r db.Fill) items.Fill {
	return items.Fill{
		At: r.CreatedAt, Buyer: kernel.OrZero(r.BuyerID), Seller: kernel.OrZero(r.SellerID),
		Price: r.UnitPrice, Quantity: r.QuantitySold,
		SettledAt: settledAt(r), Trust: known(r.Trust, r.Unknown),
		NewAccount: people.NewAccount(r.BuyerAccount, r.CreatedAt) ||
			people.NewAccount(r.SellerAccount, r.CreatedAt),
		BuyerCircle: core.UserID(r.BuyerCircle), SellerCircle: core.UserID(r.SellerCircle),
	}
}

// LatestFills returns the fills among so many of the latest accepts of the market, the latest first.
func (s *Store) LatestFills(
	ctx context.Context, since time.Time, limit int,
) ([]items.NamedFill, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([]items.NamedFill, error) {
		rows, err := q.LatestFills(ctx, since, int32(limit))
		return kernel.Convert(rows, namedFill), err
	})
}

// FillsOf returns the fills of a time, the latest first, and from when on they are complete.
func (s *Store) FillsOf(
	ctx context.Context, since, until time.Time, limit int,
) (fills []items.NamedFill, from time.Time, err error) {
	from = since
	fills, err = kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([]items.NamedFill, error) {
		rows, err := q.FillsOf(ctx, db.FillsOfParams{Since: since, Until: until, Most: limit})
		return kernel.Convert(rows, func(r db.FillsOfRow) items.NamedFill {
			if r.Cut.After(from) {
				from = r.Cut
			}
			return namedFill(r.Fill)
		}), err
	})
	return fills, from, err
}

// OpenByName counts the open requests of each name, of the names that have most.
func (s *Store) OpenByName(ctx context.Context, now time.Time, limit int) (map[string]int, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (map[string]int, error) {
		rows, err := q.OpenByName(ctx, now, int32(limit))
		open := make(map[string]int, len(rows))
		for _, row := range rows {
			open[row.Name] = row.Open
		}
		return open, err
	})
}

// settledAt returns when an accept counts; zero while that is not known.
func settledAt(r db.Fill) time.Time {
	if r.NoHandover {
		return r.CreatedAt.Add(core.SettledAfter)
	}
	return kernel.OrZero(r.SettledAt)
}

// known returns how far both sides are trusted; not at all where one is not known.
func known(trust float64, unknown bool) float64 {
	if unknown {
		return 0
	}
	return trust
}

// Young reports whether the market is young.
func (s *Store) Young(ctx context.Context) (bool, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (bool, error) {
		return q.MarketIsYoung(ctx)
	})
}

// Asked returns the unit prices of open requests for items with one of the names.
func (s *Store) Asked(
	ctx context.Context, keys []string, notOf core.UserID, now time.Time,
) (items.Asked, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (items.Asked, error) {
		row, err := q.Asked(ctx, db.AskedParams{Keys: keys, Now: now, NotOf: notOf})
		return items.Asked{
			Buyers: row.Buyers, Low: core.Copper(row.Low), Median: core.Copper(row.Median),
			High: core.Copper(row.High),
		}, err
	})
}

// NamesAskedFor returns the names in open requests with their prices, the highest paying ones.
func (s *Store) NamesAskedFor(ctx context.Context, now, since time.Time) ([]items.NameAskedFor, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([]items.NameAskedFor, error) {
		rows, err := q.NamesAskedFor(ctx, db.NamesAskedForParams{
			Now: now, Since: since, Most: maxNamesAskedFor, OfName: latestTrades,
		})
		return kernel.Convert(rows, func(r db.NamesAskedForRow) items.NameAskedFor {
			return items.NameAskedFor{
				Name: r.Name, High: core.Copper(r.High), Low: core.Copper(r.Low), Paid: core.Copper(r.Paid),
			}
		}), err
	})
}

// AskedFrom returns the open requests for what has one of the names that pay so much for one or more.
func (s *Store) AskedFrom(
	ctx context.Context, keys []string, price core.Copper, now time.Time, limit int,
) ([]items.PricedOrder, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([]items.PricedOrder, error) {
		rows, err := q.AskedFrom(ctx, db.AskedFromParams{
			Keys: keys, Now: now, Price: price, Most: int32(limit),
		})
		return kernel.Convert(rows, func(r db.AskedFromRow) items.PricedOrder {
			return items.PricedOrder{ID: r.ID, Owner: r.UserID, ItemName: r.ItemName,
				Price: r.MaxPricePerUnit}
		}), err
	})
}

// Outcomes returns the outcomes of the latest requests of a time, for each group of names.
func (s *Store) Outcomes(
	ctx context.Context, groups [][]string, since, until time.Time,
) ([][]items.Outcome, error) {
	query := db.OutcomesParams{Since: since, Until: until, OfBuyer: outcomesOfBuyer, Most: maxOutcomes}
	for place, keys := range groups {
		for _, key := range keys {
			query.Places, query.Keys = append(query.Places, place), append(query.Keys, key)
		}
	}
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) ([][]items.Outcome, error) {
		rows, err := q.Outcomes(ctx, query)
		outcomes := make([][]items.Outcome, len(groups))
		for _, r := range rows {
			outcomes[r.Place] = append(outcomes[r.Place], outcome(db.MarketOutcomesRow{
				Key: r.Key, UserID: r.UserID, MaxPricePerUnit: r.MaxPricePerUnit, CreatedAt: r.CreatedAt,
				Filled: r.Filled, FilledAt: r.FilledAt, Trust: r.Trust}))
		}
		return outcomes, err
	})
}

// MarketOutcomes returns the outcomes of the latest requests of a time for any item.
func (s *Store) MarketOutcomes(ctx context.Context, since, until time.Time) ([]items.Outcome, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) ([]items.Outcome, error) {
		rows, err := q.MarketOutcomes(ctx, db.MarketOutcomesParams{
			Since: since, Until: until, Most: maxMarketOutcomes,
		})
		return kernel.Convert(rows, outcome), err
	})
}

func outcome(r db.MarketOutcomesRow) items.Outcome {
	return items.Outcome{
		Key: r.Key, Buyer: r.UserID, Price: r.MaxPricePerUnit, Filled: r.Filled,
		Took: r.FilledAt.Sub(r.CreatedAt), Trust: r.Trust,
	}
}
