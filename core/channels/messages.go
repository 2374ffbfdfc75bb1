package channels

import (
	"context"
	"fmt"

	"tradepost/core"
	"tradepost/core/notify"
)

// Delivery returns a direct message that was sent to the actor, with its offers that are still open. It
// returns NotFound when it was sent to another user.
func (m *Service) Delivery(ctx context.Context, actor core.Actor, id core.DeliveryID) (Delivery, error) {
	if err := actor.MustBeUser(); err != nil {
		return Delivery{}, err
	}
	delivery, err := m.store.Delivery(ctx, actor.UserID, id)
	if err != nil {
		return Delivery{}, fmt.Errorf("delivery %d: %w", id, err)
	}
	return delivery, nil
}

// NoteActed stores that the actor has pressed something on a direct message: nothing is added to it any
// more. Messages that are none of a notice are left out. It returns Unauthenticated.
func (m *Service) NoteActed(ctx context.Context, actor core.Actor, messageID string) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	now := m.now()
	if err := m.store.NoteActed(ctx, actor.UserID, messageID, now.Add(-notify.NoticeLifetime),
		now); err != nil {
		return fmt.Errorf("note that message %s was acted on: %w", messageID, err)
	}
	return nil
}
