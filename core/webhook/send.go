package webhook

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tradepost/core"
	"tradepost/core/notify"
)

// Batch is a webhook with events that are due, for one process to send.
type Batch struct {
	Webhook    Webhook
	Deliveries []Delivery
}

// Claim plans: it reserves up to most webhooks with due events for Lease. When the process ends before it
// settles them, they are claimed again after that.
func (s *Service) Claim(ctx context.Context, most int) (batches []Batch, err error) {
	err = s.run.Atomically(ctx, func(tx Tx) error {
		now := s.now()
		batches = nil
		claimed, err := tx.ClaimWebhooks(ctx, most, now, now.Add(Lease))
		if err != nil || len(claimed) == 0 {
			return err
		}
		ids := make([]core.WebhookID, len(claimed))
		for i, w := range claimed {
			ids[i] = w.ID
		}
		due, err := tx.DueDeliveries(ctx, ids, BatchSize, now)
		if err != nil {
			return err
		}
		for _, w := range claimed {
			batches = append(batches, Batch{w, due[w.ID]})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim webhooks: %w", err)
	}
	return batches, nil
}

// Settle stores what came of the attempts of a batch, by number, and releases the webhook. An event without a
// result stays due.
func (s *Service) Settle(ctx context.Context, b Batch, results map[core.WebhookDeliveryID]Result) error {
	share := rand.Float64()
	err := s.run.Atomically(ctx, func(tx Tx) error {
		now := s.now()
		w, err := tx.LockWebhook(ctx, b.Webhook.ID)
		if core.KindOf(err) == core.NotFound {
			return nil // it ended meanwhile, with its deliveries
		}
		if err != nil {
			return err
		}
		before := w.State
		for _, d := range b.Deliveries {
			r, tried := results[d.ID]
			if !tried {
				continue
			}
			w, d = w.After(d, r, share, now)
			if err := tx.SaveDelivery(ctx, d); err != nil {
				return err
			}
		}
		if !w.FailingSince.IsZero() {
			waiting, err := tx.CountWaiting(ctx, w.ID)
			if err != nil {
				return err
			}
			w = w.Fallen(waiting)
		}
		if err := tx.SaveWebhook(ctx, w, true); err != nil {
			return err
		}
		return notify.AddNotices(ctx, tx, w.OffNotice(before, now))
	})
	if err != nil {
		return fmt.Errorf("settle webhook %d: %w", b.Webhook.ID, err)
	}
	return nil
}
