package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// demandRead is how many rows of each kind a report of unmet demand is made of.
const demandRead = 20_000

// Demand returns what a report of unmet demand is made of.
func (s *Store) Demand(ctx context.Context, now, since, beforeSince time.Time, least int) (core.Demand, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.Demand, error) {
		var d core.Demand
		unmet, err := q.Unmet(ctx, now, demandRead)
		if err != nil {
			return d, err
		}
		d.Unmet = convert(unmet, func(r db.UnmetRow) core.Unmet {
			return core.Unmet{
				ItemName: r.ItemName, Category: r.Category, Level: r.LevelRequirement, Requests: r.Requests, Quantity: int(r.Quantity), Value: core.Copper(r.Value),
			}
		})
		filled, err := q.FilledSince(ctx, db.FilledSinceParams{Since: &since, Least: least, Most: demandRead})
		if err != nil {
			return d, err
		}
		d.Filled = convert(filled, func(r db.FilledSinceRow) core.FilledItem {
			return core.FilledItem{Name: r.Name, Requests: r.Requests, Median: time.Duration(r.Seconds * float64(time.Second))}
		})
		traded, err := q.TradedSince(ctx, db.TradedSinceParams{Since: since, BeforeSince: beforeSince, Least: least})
		d.Traded = convert(traded, func(r db.TradedSinceRow) core.MovedPrice {
			return core.MovedPrice{Name: r.Name, Before: core.Copper(r.Before), Now: core.Copper(r.Now)}
		})
		return d, err
	})
}
