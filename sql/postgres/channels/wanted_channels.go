package channels

import (
	"context"
	"time"

	"tradepost/core/channels"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// SaveWantedChannel has a channel get a report of unmet demand once a week.
func (s *Store) SaveWantedChannel(ctx context.Context, c channels.WantedChannel) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.SaveWantedChannel(ctx, db.SaveWantedChannelParams{
			ChannelID: c.ChannelID, GuildID: c.GuildID, Locale: c.Locale, DueAt: c.DueAt,
		})
	})
}

// RemoveWantedChannel ends that. It reports whether the channel got reports.
func (s *Store) RemoveWantedChannel(ctx context.Context, channelID string) (bool, error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.RemoveWantedChannel(ctx, channelID)
	})
	return n > 0, err
}

// DueWantedChannels returns the channels that are due for a report.
func (s *Store) DueWantedChannels(ctx context.Context, now time.Time) ([]channels.WantedChannel, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.WantedChannel, error) {
		rows, err := q.DueWantedChannels(ctx, now)
		return kernel.Convert(rows, func(r db.WantedChannel) channels.WantedChannel {
			return channels.WantedChannel{
				ChannelID: r.ChannelID, GuildID: r.GuildID, Locale: r.Locale, DueAt: r.DueAt,
				StartedAt: kernel.OrZero(r.StartedAt),
			}
		}), err
	})
}

// StartWanted stores that a report is about to be sent, the first time only.
func (s *Store) StartWanted(ctx context.Context, channelID string, now time.Time) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.StartWanted(ctx, now, channelID)
	})
}

// FinishWanted stores when the next report is due.
func (s *Store) FinishWanted(ctx context.Context, channelID string, due time.Time) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.FinishWanted(ctx, due, channelID)
	})
}
