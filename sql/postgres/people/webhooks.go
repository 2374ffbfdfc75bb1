package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/webhook"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// WebhooksOf returns the webhooks of a person's own trades, the newest first.
func (s *Store) WebhooksOf(ctx context.Context, user core.UserID) ([]webhook.Webhook, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]webhook.Webhook, error) {
		rows, err := q.WebhooksOf(ctx, user)
		return kernel.Convert(rows, webhookOf), err
	})
}

// MarketWebhooks returns the webhooks of the whole market, the newest first.
func (s *Store) MarketWebhooks(ctx context.Context) ([]webhook.Webhook, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]webhook.Webhook, error) {
		rows, err := q.MarketWebhooks(ctx)
		return kernel.Convert(rows, webhookOf), err
	})
}

// Webhook returns a webhook. It returns NotFound.
func (s *Store) Webhook(ctx context.Context, id core.WebhookID) (webhook.Webhook, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (webhook.Webhook, error) {
		row, err := q.Webhook(ctx, id)
		return webhookOf(row), err
	})
}

// WebhookDeliveries returns the last deliveries of a webhook, the newest first.
func (s *Store) WebhookDeliveries(
	ctx context.Context, id core.WebhookID, limit int,
) ([]webhook.Delivery, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]webhook.Delivery, error) {
		rows, err := q.WebhookDeliveries(ctx, id, int32(limit))
		return kernel.Convert(rows, deliveryOf), err
	})
}

func webhookOf(r db.Webhook) webhook.Webhook {
	return webhook.Webhook{
		ID: r.ID, Owner: r.UserID, Market: r.Market, URL: r.Url,
		Types: kernel.Convert(r.Types, func(t string) webhook.Type { return webhook.Type(t) }),
		State: webhook.State(r.State), Reason: webhook.Reason(r.Reason), CreatedAt: r.CreatedAt,
		FailingSince: kernel.OrZero(r.FailingSince), NotBefore: kernel.OrZero(r.NotBefore),
		Secret: r.Secret, OldSecret: r.OldSecret, OldUntil: kernel.OrZero(r.OldUntil),
	}
}

func deliveryOf(r db.WebhookDelivery) webhook.Delivery {
	return webhook.Delivery{
		Event: webhook.Event{ID: r.Event, Type: webhook.Type(r.Type), Data: r.Data},
		ID:    r.ID, CreatedAt: r.CreatedAt, DueAt: kernel.OrZero(r.DueAt), Attempts: r.Attempts,
		Last: webhook.Result{
			At: kernel.OrZero(r.TriedAt), Took: time.Duration(r.TookMs) * time.Millisecond,
			Status: r.Status, Failure: webhook.Failure(r.Failure), Answer: r.Answer,
		},
	}
}

// CountWebhooks returns how many webhooks a person has of their own trades, and how many the market has.
func (t *Tx) CountWebhooks(ctx context.Context, user core.UserID) (own, market int, err error) {
	row, err := t.Q.CountWebhooks(ctx, user)
	return int(row.Own), int(row.Market), kernel.Translate(err)
}

// AddWebhook stores a webhook and returns its number.
func (t *Tx) AddWebhook(ctx context.Context, w webhook.Webhook) (core.WebhookID, error) {
	id, err := t.Q.AddWebhook(ctx, db.AddWebhookParams{
		UserID: w.Owner, Market: w.Market, Url: w.URL, Types: kernel.Texts(w.Types), State: string(w.State),
		Secret: w.Secret, CreatedAt: w.CreatedAt,
	})
	return id, kernel.Translate(err)
}

// LockWebhook locks a webhook. It returns NotFound.
func (t *Tx) LockWebhook(ctx context.Context, id core.WebhookID) (webhook.Webhook, error) {
	row, err := t.Q.LockWebhook(ctx, id)
	return webhookOf(row), kernel.Translate(err)
}

// SaveWebhook stores what of a locked webhook can change, and may release it from the process that has
// claimed it. While it is off, no event waits.
func (t *Tx) SaveWebhook(ctx context.Context, w webhook.Webhook, release bool) error {
	return kernel.Translate(t.Q.SaveWebhook(ctx, db.SaveWebhookParams{
		ID: int64(w.ID), State: string(w.State), Reason: string(w.Reason), Secret: w.Secret,
		OldSecret: w.OldSecret, OldUntil: kernel.TimeOrNull(w.OldUntil),
		FailingSince: kernel.TimeOrNull(w.FailingSince), NotBefore: kernel.TimeOrNull(w.NotBefore),
		Release: release,
	}))
}

// EndWebhook removes a webhook with its deliveries.
func (t *Tx) EndWebhook(ctx context.Context, id core.WebhookID) error {
	return kernel.Translate(t.Q.EndWebhook(ctx, int64(id)))
}

// EndWebhooksOf removes all webhooks that a user has made.
func (t *Tx) EndWebhooksOf(ctx context.Context, user core.UserID) error {
	return kernel.Translate(t.Q.EndWebhooksOf(ctx, int64(user)))
}

// AddPing has a ping sent.
func (t *Tx) AddPing(ctx context.Context, id core.WebhookID, now time.Time) error {
	return kernel.Translate(t.Q.AddPing(ctx, id, now))
}

// SendAgain has a delivery of a webhook sent, and returns whether it is there.
func (t *Tx) SendAgain(
	ctx context.Context, id core.WebhookID, d core.WebhookDeliveryID, now time.Time,
) (bool, error) {
	found, err := t.Q.SendAgain(ctx, db.SendAgainParams{Now: &now, ID: d, WebhookID: id})
	return found > 0, kernel.Translate(err)
}

// ClaimWebhooks reserves up to most webhooks with due deliveries that no process has reserved, those first
// that have been due for longest.
func (t *Tx) ClaimWebhooks(
	ctx context.Context, most int, now, until time.Time,
) ([]webhook.Webhook, error) {
	rows, err := t.Q.ClaimWebhooks(ctx, db.ClaimWebhooksParams{Now: now, Until: until, Most: int32(most)})
	return kernel.Convert(rows, webhookOf), kernel.Translate(err)
}

// DueDeliveries returns up to each due deliveries of every webhook, the first due first.
func (t *Tx) DueDeliveries(
	ctx context.Context, ids []core.WebhookID, each int, now time.Time,
) (map[core.WebhookID][]webhook.Delivery, error) {
	rows, err := t.Q.DueDeliveries(ctx,
		db.DueDeliveriesParams{Ids: kernel.Raw(ids), Now: now, Each: int32(each)})
	due := map[core.WebhookID][]webhook.Delivery{}
	for _, row := range rows {
		due[row.WebhookID] = append(due[row.WebhookID], deliveryOf(row))
	}
	return due, kernel.Translate(err)
}

// SaveDelivery stores how a delivery is after an attempt.
func (t *Tx) SaveDelivery(ctx context.Context, d webhook.Delivery) error {
	return kernel.Translate(t.Q.SaveDelivery(ctx, db.SaveDeliveryParams{
		ID: d.ID, DueAt: kernel.TimeOrNull(d.DueAt), Attempts: d.Attempts,
		TriedAt: kernel.TimeOrNull(d.Last.At), TookMs: int(d.Last.Took.Milliseconds()), Status: d.Last.Status,
		Failure: string(d.Last.Failure), Answer: d.Last.Answer,
	}))
}

// CountWaiting counts the events that wait, up to one more than webhook.MaxWaiting.
func (t *Tx) CountWaiting(ctx context.Context, id core.WebhookID) (int, error) {
	n, err := t.Q.CountWaiting(ctx, id, webhook.MaxWaiting+1)
	return int(n), kernel.Translate(err)
}
