package upkeep

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/moderation"
	"tradepost/core/people"
	"tradepost/core/webhook"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
	truststore "tradepost/sql/postgres/trust"
)

// deletedOrderLife is longer than the longest quota counts.
const deletedOrderLife = 48 * time.Hour

// Cleanup deletes expired rows, and inserts jobs for pending notices without one.
func (s *Store) Cleanup(ctx context.Context) error {
	if _, err := s.Primary().PruneDeletedOrders(ctx, s.Now().Add(-deletedOrderLife)); err != nil {
		return fmt.Errorf("prune deleted orders: %w", err)
	}
	if _, err := s.Primary().PruneLists(ctx, s.Now().Add(-deletedOrderLife)); err != nil {
		return fmt.Errorf("prune lists: %w", err)
	}
	if _, err := s.Primary().PruneEndedOffers(ctx, s.Now().Add(-core.UndoWindow)); err != nil {
		return fmt.Errorf("prune ended offers: %w", err)
	}
	if _, err := s.Primary().PruneItems(ctx); err != nil {
		return fmt.Errorf("prune names of items: %w", err)
	}
	if err := s.InTx(ctx, func(t *kernel.Tx) error { return pruneProvisional(ctx, t) }); err != nil {
		return fmt.Errorf("prune provisional items: %w", err)
	}
	if _, err := s.Primary().PruneSessions(ctx, s.Now()); err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	if err := s.Primary().PruneTokens(ctx, s.Now()); err != nil {
		return fmt.Errorf("prune tokens: %w", err)
	}
	if err := s.Primary().PruneWebhookDeliveries(ctx, s.Now().Add(-webhook.DeliveriesFor)); err != nil {
		return fmt.Errorf("prune deliveries of webhooks: %w", err)
	}
	if _, err := s.Primary().PruneLookAlikes(ctx, s.Now().Add(-truststore.LookAlikeLife)); err != nil {
		return fmt.Errorf("prune look-alikes: %w", err)
	}
	if _, err := s.Primary().PruneAllowedNames(ctx, s.Now().Add(-moderation.RemovalRetention)); err != nil {
		return fmt.Errorf("prune allowed names: %w", err)
	}
	if _, err := s.Primary().PruneLimitUses(ctx, s.Now().Add(-limitUseLife)); err != nil {
		return fmt.Errorf("prune uses of limits: %w", err)
	}
	if err := s.Primary().PrunePublicChanges(ctx, core.PublicChangesBefore(s.Now())); err != nil {
		return fmt.Errorf("prune public changes: %w", err)
	}
	if _, err := s.Primary().PruneEndedServers(ctx, s.Now().Add(-channels.BoardsReturnFor)); err != nil {
		return fmt.Errorf("prune ended servers: %w", err)
	}
	if _, err := s.Primary().PruneMemberships(ctx, s.Now().Add(-people.MembershipLife)); err != nil {
		return fmt.Errorf("prune memberships: %w", err)
	}
	if _, err := s.Primary().PruneMeetingPlaces(ctx, s.Now().Add(-tradestore.PlaceLife)); err != nil {
		return fmt.Errorf("prune meeting places: %w", err)
	}
	found, err := s.requeueNotices(ctx, s.Now().Add(-time.Minute))
	if found > 0 {
		s.Log().Warn("cleanup: gave jobs to notices without one", "count", found)
	}
	return err
}

// pruneProvisional deletes provisional items that no visible request names. It waits for who changes items:
// one that is merged into another, or decided on, is not deleted meanwhile.
func pruneProvisional(ctx context.Context, t *kernel.Tx) error {
	if err := t.Q.LockItems(ctx); err != nil {
		return err
	}
	gone, err := t.Q.PruneProvisionalItems(ctx)
	if gone > 0 {
		t.NoteItems()
	}
	return err
}

// requeueNotices gives a job to pending notices from before a time that have none. A notice and its job are
// stored together, so this finds nothing unless an operator has deleted jobs, or one was discarded after too
// many panics.
func (s *Store) requeueNotices(ctx context.Context, before time.Time) (found int, err error) {
	err = s.InTx(ctx, func(t *kernel.Tx) error {
		ids, err := t.Q.NoticesWithoutJob(ctx, before)
		if err != nil {
			return fmt.Errorf("find notices without a job: %w", err)
		}
		found = len(ids)
		return t.Jobs.DeliverNotices(ctx, t, ids)
	})
	return found, err
}
