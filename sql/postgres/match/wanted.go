package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// demandRead is how many rows of each kind a report of unmet demand is made of.
const demandRead = 20_000

// demandNames limits the names for which prices are compared with the prices of the weeks before.
const demandNames = 100

// Demand returns the data of a report of unmet demand.
func (s *Store) Demand(
	ctx context.Context, without []core.OrderID, now, since, beforeSince time.Time, least int,
) (match.Demand, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (match.Demand, error) {
		var d match.Demand
		unmet, err := q.Unmet(ctx, db.UnmetParams{Now: now, Without: kernel.Raw(without), Most: demandRead})
		if err != nil {
			return d, err
		}
		d.Unmet = kernel.Convert(unmet, func(r db.UnmetRow) match.Unmet {
			return match.Unmet{
				ItemName: r.ItemName, Category: r.Category, Level: r.LevelRequirement, Requests: r.Requests,
				Quantity: int(r.Quantity), Value: core.Copper(r.Value),
			}
		})
		filled, err := q.FilledSince(ctx, db.FilledSinceParams{Since: &since, Least: least, Most: demandRead})
		if err != nil {
			return d, err
		}
		d.Filled = kernel.Convert(filled, func(r db.FilledSinceRow) match.FilledItem {
			return match.FilledItem{
				Name: r.Name, Requests: r.Requests, Median: time.Duration(r.Seconds * float64(time.Second)),
			}
		})
		if d.Young, err = q.MarketIsYoung(ctx); err != nil {
			return d, err
		}
		fills, err := q.FillsSince(ctx, db.FillsSinceParams{
			Since: since, BeforeSince: beforeSince, SettledBefore: now.Add(-core.SettledAfter),
			Least: least, Names: demandNames, OfName: demandRead / demandNames / 2,
		})
		d.Fills = map[string][]items.Fill{}
		for _, r := range fills {
			trust := r.Trust
			if r.Unknown {
				trust = 0
			}
			d.Fills[r.Name] = append(d.Fills[r.Name], items.Fill{
				At: r.CreatedAt, Buyer: core.UserID(kernel.OrZero(r.BuyerID)),
				Seller: core.UserID(kernel.OrZero(r.SellerID)),
				Price:  r.UnitPrice, Quantity: r.QuantitySold, Trust: trust,
				BuyerCircle: core.UserID(r.BuyerCircle), SellerCircle: core.UserID(r.SellerCircle),
			})
		}
		return d, err
	})
}
