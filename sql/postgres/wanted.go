package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// demandRead is how many rows of each kind a report of unmet demand is made of.
const demandRead = 20_000

// demandNames is of how many names the prices are compared with those of the weeks before.
const demandNames = 100

// Demand returns what a report of unmet demand is made of.
func (s *matchStore) Demand(
	ctx context.Context, without []core.OrderID, now, since, beforeSince time.Time, least int,
) (core.Demand, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) (core.Demand, error) {
		var d core.Demand
		unmet, err := q.Unmet(ctx, db.UnmetParams{Now: now, Without: raw(without), Most: demandRead})
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
		established, err := q.CountEstablished(ctx)
		if err != nil {
			return d, err
		}
		d.Established = int(established)
		fills, err := q.FillsSince(ctx, db.FillsSinceParams{
			Since: since, BeforeSince: beforeSince, Least: least, Names: demandNames, OfName: demandRead / demandNames / 2,
		})
		d.Fills = map[string][]core.Fill{}
		for _, r := range fills {
			d.Fills[r.Name] = append(d.Fills[r.Name], core.Fill{
				At: r.CreatedAt, Buyer: core.UserID(orZero(r.BuyerID)), Seller: core.UserID(orZero(r.SellerID)),
				Price: r.UnitPrice, Quantity: r.QuantitySold, Established: r.Established,
			})
		}
		return d, err
	})
}

// All of these may be repeated after a broken connection: a second time makes no difference.

func done(ctx context.Context, s *DB, do func(context.Context, *db.Queries) error) error {
	_, err := read(ctx, s, func(ctx context.Context, q *db.Queries) (struct{}, error) { return struct{}{}, do(ctx, q) })
	return err
}

// SaveWantedChannel has a channel get a report of unmet demand once a week.
func (s *channelsStore) SaveWantedChannel(ctx context.Context, c core.WantedChannel) error {
	return done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SaveWantedChannel(ctx, db.SaveWantedChannelParams{ChannelID: c.ChannelID, GuildID: c.GuildID, Locale: c.Locale, DueAt: c.DueAt})
	})
}

// RemoveWantedChannel ends that. It reports whether the channel got reports.
func (s *channelsStore) RemoveWantedChannel(ctx context.Context, channelID string) (bool, error) {
	n, err := read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) { return q.RemoveWantedChannel(ctx, channelID) })
	return n > 0, err
}

// DueWantedChannels returns the channels whose report is due.
func (s *channelsStore) DueWantedChannels(ctx context.Context, now time.Time) ([]core.WantedChannel, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.WantedChannel, error) {
		rows, err := q.DueWantedChannels(ctx, now)
		return convert(rows, func(r db.WantedChannel) core.WantedChannel {
			return core.WantedChannel{ChannelID: r.ChannelID, GuildID: r.GuildID, Locale: r.Locale, DueAt: r.DueAt, StartedAt: orZero(r.StartedAt)}
		}), err
	})
}

// StartWanted stores that a report is about to be sent, the first time only.
func (s *channelsStore) StartWanted(ctx context.Context, channelID string, now time.Time) error {
	return done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error { return q.StartWanted(ctx, now, channelID) })
}

// FinishWanted stores when the next report is due.
func (s *channelsStore) FinishWanted(ctx context.Context, channelID string, due time.Time) error {
	return done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error { return q.FinishWanted(ctx, due, channelID) })
}
