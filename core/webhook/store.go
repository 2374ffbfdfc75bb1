package webhook

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	// WebhooksOf returns the webhooks of a person's own trades, the newest first.
	WebhooksOf(ctx context.Context, user core.UserID) ([]Webhook, error)
	// MarketWebhooks returns the webhooks of the whole market, the newest first.
	MarketWebhooks(ctx context.Context) ([]Webhook, error)
	Webhook(ctx context.Context, id core.WebhookID) (Webhook, error)
	// WebhookDeliveries returns the last deliveries of a webhook, the newest first.
	WebhookDeliveries(ctx context.Context, id core.WebhookID, limit int) ([]Delivery, error)
}

// Tx is the part of a transaction that this package reads and saves. Events of notices and of public changes
// are stored by those who store these.
type Tx interface {
	notify.Tx

	// LockUser locks a user against trading at the same time.
	LockUser(ctx context.Context, id core.UserID) (people.User, error)
	// AddAuditEntry appends an entry to the log of moderation.
	AddAuditEntry(ctx context.Context, e core.AuditEntry) error
	// CountWebhooks returns how many webhooks a person has of their own trades, and how many the market has.
	CountWebhooks(ctx context.Context, user core.UserID) (own, market int, err error)
	// AddWebhook stores a webhook and returns its number.
	AddWebhook(ctx context.Context, w Webhook) (core.WebhookID, error)
	LockWebhook(ctx context.Context, id core.WebhookID) (Webhook, error)
	// SaveWebhook stores what of a locked webhook can change, and may release it from the process that has
	// claimed it. While it is off, no event waits.
	SaveWebhook(ctx context.Context, w Webhook, release bool) error
	// EndWebhook removes a webhook with its deliveries.
	EndWebhook(ctx context.Context, id core.WebhookID) error
	// EndWebhooksOf removes all that a user has made.
	EndWebhooksOf(ctx context.Context, user core.UserID) error
	// AddPing has a ping sent.
	AddPing(ctx context.Context, id core.WebhookID, now time.Time) error
	// SendAgain has a delivery of a webhook sent, and returns whether it is there.
	SendAgain(ctx context.Context, id core.WebhookID, d core.WebhookDeliveryID, now time.Time) (bool, error)
	// ClaimWebhooks reserves up to most webhooks with due deliveries that no process has reserved, in the
	// order in which they became due.
	ClaimWebhooks(ctx context.Context, most int, now, until time.Time) ([]Webhook, error)
	// DueDeliveries returns up to each due deliveries of every webhook, the first due first.
	DueDeliveries(
		ctx context.Context, ids []core.WebhookID, each int, now time.Time,
	) (map[core.WebhookID][]Delivery, error)
	SaveDelivery(ctx context.Context, d Delivery) error
	// CountWaiting counts the events that wait, up to one more than MaxWaiting.
	CountWaiting(ctx context.Context, id core.WebhookID) (int, error)
}
