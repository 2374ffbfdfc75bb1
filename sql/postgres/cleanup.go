package postgres

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// deletedOrderLife is longer than the longest quota counts.
const deletedOrderLife = 48 * time.Hour

// Cleanup deletes expired rows, and inserts jobs for pending notices without one.
func (s *Store) Cleanup(ctx context.Context) error {
	if _, err := s.queries.PruneDeletedOrders(ctx, s.now().Add(-deletedOrderLife)); err != nil {
		return fmt.Errorf("prune deleted orders: %w", err)
	}
	if _, err := s.queries.PruneLists(ctx, s.now().Add(-deletedOrderLife)); err != nil {
		return fmt.Errorf("prune lists: %w", err)
	}
	if _, err := s.queries.PruneEndedOffers(ctx, s.now().Add(-core.UndoWindow)); err != nil {
		return fmt.Errorf("prune ended offers: %w", err)
	}
	if _, err := s.queries.PruneSessions(ctx, s.now()); err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	if _, err := s.queries.PruneLookAlikes(ctx, s.now().Add(-lookAlikeLife)); err != nil {
		return fmt.Errorf("prune look-alikes: %w", err)
	}
	if _, err := s.queries.PruneLimitUses(ctx, s.now().Add(-limitUseLife)); err != nil {
		return fmt.Errorf("prune uses of limits: %w", err)
	}
	if _, err := s.queries.PruneEndedServers(ctx, s.now().Add(-core.BoardsReturnFor)); err != nil {
		return fmt.Errorf("prune ended servers: %w", err)
	}
	if err := s.pruneMemberships(ctx); err != nil {
		return fmt.Errorf("prune memberships: %w", err)
	}
	if _, err := s.queries.PruneMeetingPlaces(ctx, s.now().Add(-placeLife)); err != nil {
		return fmt.Errorf("prune meeting places: %w", err)
	}
	found, err := s.requeueNotices(ctx, s.now().Add(-time.Minute))
	if found > 0 {
		s.log.Warn("cleanup: gave jobs to notices without one", "count", found)
	}
	return err
}

// requeueNotices gives a job to pending notices from before a time that have none. A notice and its job are stored together,
// so this finds nothing unless an operator has deleted jobs, or one was discarded after too many panics.
func (s *Store) requeueNotices(ctx context.Context, before time.Time) (found int, err error) {
	err = s.Atomically(ctx, func(ct core.Tx) error {
		t := ct.(*tx)
		ids, err := t.q.NoticesWithoutJob(ctx, before)
		if err != nil {
			return fmt.Errorf("find notices without a job: %w", err)
		}
		found = len(ids)
		return t.jobs.DeliverNotices(ctx, t.pipeline, ids)
	})
	return found, err
}
