package people

import (
	"context"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/webhook"
	"tradepost/web/kernel"
)

// WebhookView is the JSON shape of a webhook, without its secret.
type WebhookView struct {
	ID           core.WebhookID `json:"id" example:"3"`
	URL          string         `json:"url" doc:"Its address" example:"https://bot.example.org/trades"`
	Types        []webhook.Type `json:"types" doc:"The types of event that it gets" example:"[\"offer.received\"]"`
	State        webhook.State  `json:"state" enum:"asked,on,off" doc:"asked until it has answered the ping"`
	Reason       webhook.Reason `json:"reason,omitempty" enum:"unanswered,failed,gone,behind" doc:"Why it is off: the ping was not answered with a 2xx, nothing could be delivered for three days, the receiver answered 410, or more than 10,000 events were waiting; left out while it is not off" example:"failed"`
	CreatedAt    time.Time      `json:"createdAt"`
	FailingSince *time.Time     `json:"failingSince" doc:"Since when nothing could be delivered; null where the last event was"`
}

// ViewWebhook returns the shape of a webhook.
func ViewWebhook(w webhook.Webhook) WebhookView {
	return WebhookView{ID: w.ID, URL: w.URL, Types: w.Types, State: w.State,
		Reason: w.Reason, CreatedAt: w.CreatedAt,
		FailingSince: kernel.TimeOrNil(w.FailingSince)}
}

type webhooksView struct {
	Webhooks []WebhookView  `json:"webhooks" doc:"The newest first"`
	Types    []webhook.Type `json:"types" doc:"The types of event that there are" example:"[\"offer.received\",\"sale.logged\"]"`
	Most     int            `json:"most" doc:"How many there can be" example:"5"`
}

func (a operations) viewWebhooks(
	of []webhook.Webhook, market bool, err error,
) (*kernel.Answer[webhooksView], error) {
	view := webhooksView{Webhooks: []WebhookView{}, Types: a.Market.Webhooks.Types(market),
		Most: core.MaxWebhooks}
	for _, w := range of {
		view.Webhooks = append(view.Webhooks, ViewWebhook(w))
	}
	return &kernel.Answer[webhooksView]{Body: view}, err
}

func (a operations) listWebhooks(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[webhooksView], error) {
	own, err := a.Market.Webhooks.Own(ctx, in.By)
	return a.viewWebhooks(own, false, err)
}

func (a operations) listMarketWebhooks(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[webhooksView], error) {
	all, err := a.Market.Webhooks.OfMarket(ctx, in.By)
	return a.viewWebhooks(all, true, err)
}

type webhookDraft struct {
	URL   string         `json:"url" maxLength:"500" doc:"Its address, with https" example:"https://bot.example.org/trades"`
	Types []webhook.Type `json:"types" doc:"The types of event that it gets" example:"[\"offer.received\"]"`
}

type makeWebhookInput struct {
	kernel.Keyed
	Body kernel.Sent[webhookDraft]
}

type madeWebhookView struct {
	Webhook WebhookView `json:"webhook" doc:"The webhook, as lists show it"`
	Secret  *string     `json:"secret" doc:"The secret that signs. It is shown only this once; null in the answer to a repeat" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
}

func viewMade(w webhook.Webhook, secret string, err error) (*kernel.Answer[madeWebhookView], error) {
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[madeWebhookView]{
		Body: madeWebhookView{ViewWebhook(w), kernel.TextOrNil(secret)}}, nil
}

func (a operations) makeWebhook(
	ctx context.Context, in *makeWebhookInput,
) (*kernel.Answer[madeWebhookView], error) {
	d := in.Body.Fields
	return viewMade(a.Market.Webhooks.Make(ctx, in.By, webhook.Draft{URL: d.URL, Types: d.Types}))
}

func (a operations) makeMarketWebhook(
	ctx context.Context, in *makeWebhookInput,
) (*kernel.Answer[madeWebhookView], error) {
	d := in.Body.Fields
	return viewMade(a.Market.Webhooks.Make(ctx, in.By,
		webhook.Draft{Market: true, URL: d.URL, Types: d.Types}))
}

// byWebhook is part of everything about one webhook.
type byWebhook struct {
	ID core.WebhookID `path:"id" doc:"The webhook" example:"3"`
}

type webhookInput struct {
	byWebhook
	kernel.Keyed
}

func (a operations) replaceWebhookSecret(
	ctx context.Context, in *webhookInput,
) (*kernel.Answer[madeWebhookView], error) {
	return viewMade(a.Market.Webhooks.ReplaceSecret(ctx, in.By, in.ID))
}

func (a operations) switchWebhookOn(ctx context.Context, in *webhookInput) error {
	return a.Market.Webhooks.SwitchOn(ctx, in.By, in.ID)
}

func (a operations) endWebhook(ctx context.Context, in *webhookInput) error {
	return a.Market.Webhooks.End(ctx, in.By, in.ID)
}

// deliveryView is the JSON shape of a delivery.
type deliveryView struct {
	ID        core.WebhookDeliveryID `json:"id" example:"812"`
	MessageID string                 `json:"messageId" doc:"The header webhook-id, the same each time it is sent" example:"msg_n141"`
	Type      webhook.Type           `json:"type" doc:"The type of the event" example:"offer.received"`
	CreatedAt time.Time              `json:"createdAt" doc:"When it happened"`
	Delivered bool                   `json:"delivered" doc:"Whether it was answered with a 2xx"`
	DueAt     *time.Time             `json:"dueAt" doc:"When it is sent next; null once it is delivered or given up"`
	Attempts  int                    `json:"attempts" doc:"How often it was sent" example:"1"`
	TriedAt   *time.Time             `json:"triedAt" doc:"When it was last sent; null for never"`
	Took      int64                  `json:"took" doc:"How long the last attempt took, in milliseconds" example:"87"`
	Status    int                    `json:"status" doc:"The status of its answer; 0 without an answer" example:"200"`
	Failure   webhook.Failure        `json:"failure,omitempty" enum:"name,private,timeout,tls,connection" doc:"Why there was no answer: the host was not found, it is in no public network, it took longer than ten seconds, its certificate is not valid, or there was no connection; left out where there was one" example:"timeout"`
	Answer    string                 `json:"answer" doc:"How its answer started" example:"ok"`
}

type deliveriesView struct {
	Deliveries []deliveryView `json:"deliveries" doc:"The newest first"`
}

type deliveriesInput struct {
	byWebhook
	kernel.Caller
}

func (a operations) listDeliveries(
	ctx context.Context, in *deliveriesInput,
) (*kernel.Answer[deliveriesView], error) {
	list, err := a.Market.Webhooks.Deliveries(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	view := deliveriesView{Deliveries: []deliveryView{}}
	for _, d := range list {
		view.Deliveries = append(view.Deliveries, deliveryView{
			ID: d.ID, MessageID: d.MessageID(), Type: d.Type, CreatedAt: d.CreatedAt,
			Delivered: d.Delivered(), DueAt: kernel.TimeOrNil(d.DueAt), Attempts: d.Attempts,
			TriedAt: kernel.TimeOrNil(d.Last.At), Took: d.Last.Took.Milliseconds(), Status: d.Last.Status,
			Failure: d.Last.Failure, Answer: d.Last.Answer,
		})
	}
	return &kernel.Answer[deliveriesView]{Body: view}, nil
}

type sendAgainInput struct {
	byWebhook
	Delivery core.WebhookDeliveryID `path:"delivery" doc:"The delivery" example:"812"`
	kernel.Keyed
}

func (a operations) sendAgain(ctx context.Context, in *sendAgainInput) error {
	return a.Market.Webhooks.SendAgain(ctx, in.By, in.ID, in.Delivery)
}

// registerWebhooks adds the operations of webhooks, which are for browsers alone. Without webhooks they, and
// what they add to other answers, are not there.
func registerWebhooks(a *kernel.API, o operations) {
	if !a.Features.Webhooks {
		a.Amend(func() {
			a.LeaveOutValues("NoticeKind",
				func(kind string) bool { return kind == string(notify.NoticeWebhookOff) })
			a.LeaveOutValues("AuditAction",
				func(action string) bool { return strings.HasPrefix(action, "webhook_") })
			a.LeaveOut("MyData", "webhooks")
			a.LeaveOutSchema("Webhook")
		})
		return
	}
	kernel.Get(a, "/api/me/webhooks", o.listWebhooks, "list-webhooks", "List your webhooks")
	kernel.Create(a, "/api/me/webhooks", o.makeWebhook, "make-webhook",
		"Add a webhook, which gets events of your trades")
	kernel.Get(a, "/api/moderation/webhooks", o.listMarketWebhooks, "list-market-webhooks",
		"List the webhooks of the market")
	kernel.Create(a, "/api/moderation/webhooks", o.makeMarketWebhook, "make-market-webhook",
		"Add a webhook of the market, which gets what changes for everybody")
	kernel.Remove(a, "/api/webhooks/{id}", o.endWebhook, "end-webhook", "End a webhook")
	kernel.Create(a, "/api/webhooks/{id}/secret", o.replaceWebhookSecret, "replace-webhook-secret",
		"Replace the secret of a webhook")
	kernel.Perform(a, "/api/webhooks/{id}/on", o.switchWebhookOn, "switch-webhook-on",
		"Switch a webhook on again")
	kernel.Get(a, "/api/webhooks/{id}/deliveries", o.listDeliveries, "list-deliveries",
		"List the last deliveries of a webhook")
	kernel.Perform(a, "/api/webhooks/{id}/deliveries/{delivery}/again", o.sendAgain, "send-again",
		"Send an event of a webhook again")
}
