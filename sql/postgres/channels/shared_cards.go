package channels

import (
	"context"
	"time"

	"tradepost/core/channels"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// All of these may be repeated after a broken connection: a second time makes no difference.

// AddSharedCard stores a card that was shared.
func (s *Store) AddSharedCard(ctx context.Context, c channels.SharedCard) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.AddSharedCard(ctx, db.AddSharedCardParams{
			MessageID: c.MessageID, ChannelID: c.ChannelID, OrderID: c.OrderID, ItemName: c.ItemName,
			Locale:       c.Locale,
			ShownVersion: c.ShownVersion, ShownOpen: c.ShownOpen, SharedAt: c.SharedAt,
		})
	})
	return err
}

// StaleSharedCards returns cards that do not show their order as it is, and cards of orders that were closed
// before a time: first the cards that show a closed order as open or an open one as closed, the oldest first.
// It leaves out messages that are not edited now.
func (s *Store) StaleSharedCards(
	ctx context.Context, held channels.HeldEdits, now, closedBefore time.Time, most int,
) ([]channels.SharedCard, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.SharedCard, error) {
		rows, err := q.StaleSharedCards(ctx, db.StaleSharedCardsParams{
			Now: now, ClosedBefore: closedBefore, Held: listed(held.All), Gathered: listed(held.Counting),
			Most: int32(most),
		})
		return kernel.Convert(rows, func(r db.StaleSharedCardsRow) channels.SharedCard {
			c := r.SharedCard
			return channels.SharedCard{
				MessageID: c.MessageID, ChannelID: c.ChannelID, OrderID: c.OrderID, ItemName: c.ItemName,
				Locale:       c.Locale,
				ShownVersion: c.ShownVersion, ShownOpen: c.ShownOpen, SharedAt: c.SharedAt,
			}
		}), err
	})
}

// SaveSharedCard stores the state that a card shows.
func (s *Store) SaveSharedCard(ctx context.Context, c channels.SharedCard) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveSharedCard(ctx, db.SaveSharedCardParams{
			ShownVersion: c.ShownVersion, ShownOpen: c.ShownOpen, ItemName: c.ItemName,
			MessageID: c.MessageID,
		})
	})
	return err
}

// RemoveSharedCard forgets a card: nothing about it changes any more, or it can't be edited.
func (s *Store) RemoveSharedCard(ctx context.Context, messageID string) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.RemoveSharedCard(ctx, messageID)
	})
	return err
}
