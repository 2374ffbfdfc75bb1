// Package hooks sends events to webhooks. It plans, sends and settles as the delivery of notices does: what a
// process had not settled when it ended is sent again, with the same id.
package hooks

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/core"
	"tradepost/core/webhook"
)

const (
	// inFlight limits the messages to one webhook at once: a slow receiver delays its own.
	inFlight = 2
	// mostBatches limits the webhooks that are sent to at once.
	mostBatches = 256
	// claimed limits the webhooks that one look takes.
	claimed = 64
	// idleWait and busyWait are the longest and the shortest pause between two looks.
	idleWait, busyWait = time.Second, 100 * time.Millisecond
	// settleTime limits the storing of results, which goes on when the program stops.
	settleTime = 15 * time.Second
)

// Market plans and settles; *webhook.Service is one.
type Market interface {
	Claim(ctx context.Context, most int) ([]webhook.Batch, error)
	Settle(ctx context.Context, b webhook.Batch, results map[core.WebhookDeliveryID]webhook.Result) error
}

// Sender sends what is due.
type Sender struct {
	// Attempted hears of each attempt that has ended; nil for nobody.
	Attempted func(webhook.Delivery, webhook.Result)

	market Market
	client *http.Client
	now    func() time.Time
	log    *slog.Logger
	agent  string

	slots chan struct{}
	more  chan struct{} // a webhook may have more that is due
}

// New returns a sender. site is the address of the market, which
// messages name as their sender; empty for none.
func New(market Market, client *http.Client, site string, now func() time.Time, log *slog.Logger) *Sender {
	agent := "Tradepost-Webhooks/1"
	if site != "" {
		agent += " (+" + site + ")"
	}
	return &Sender{
		market: market, client: client, now: now, log: log, agent: agent,
		slots: make(chan struct{}, mostBatches), more: make(chan struct{}, 1),
	}
}

// Run sends until ctx ends, and waits for the results of what is under way.
func (s *Sender) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	failing := false
	for wait := busyWait; ctx.Err() == nil; {
		most := min(cap(s.slots)-len(s.slots), claimed)
		batches, err := []webhook.Batch(nil), error(nil)
		if most > 0 {
			batches, err = s.market.Claim(ctx, most)
		}
		for _, b := range batches {
			s.slots <- struct{}{}
			work.Go(func() {
				defer func() { <-s.slots }()
				s.send(ctx, b)
			})
		}
		if err != nil && !failing && ctx.Err() == nil {
			s.log.Warn("webhooks: not looked for events, trying again", "error", err)
		}
		failing = err != nil
		if wait = min(2*wait, idleWait); len(batches) > 0 {
			wait = busyWait
		}
		if len(batches) > 0 && len(batches) == most {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.more:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// send sends the events of one webhook, a few at once, for webhook.StartFor at most or until one fails. What
// is left stays due.
func (s *Sender) send(ctx context.Context, b webhook.Batch) {
	var (
		until   = time.Now().Add(webhook.StartFor)
		results = map[core.WebhookDeliveryID]webhook.Result{}
		mu      sync.Mutex
		next    atomic.Int64
		failed  atomic.Bool
		work    sync.WaitGroup
	)
	for range inFlight {
		work.Go(func() {
			for !failed.Load() && ctx.Err() == nil && time.Now().Before(until) {
				i := int(next.Add(1)) - 1
				if i >= len(b.Deliveries) {
					return
				}
				r := s.attempt(ctx, b.Webhook, b.Deliveries[i])
				if ctx.Err() != nil && r.Status == 0 {
					return // it was the program that stopped
				}
				if s.Attempted != nil {
					s.Attempted(b.Deliveries[i], r)
				}
				if !r.OK() {
					failed.Store(true)
				}
				mu.Lock()
				results[b.Deliveries[i].ID] = r
				mu.Unlock()
			}
		})
	}
	work.Wait()
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := s.market.Settle(settling, b, results); err != nil {
		s.log.Warn("webhooks: results not stored, the events will be sent again", "webhook", b.Webhook.ID,
			"events", len(results), "error", err)
		return
	}
	if len(results) == len(b.Deliveries) && len(results) >= webhook.BatchSize {
		select {
		case s.more <- struct{}{}:
		default:
		}
	}
}

// attempt sends one event.
func (s *Sender) attempt(ctx context.Context, w webhook.Webhook, d webhook.Delivery) webhook.Result {
	ctx, cancel := context.WithTimeout(ctx, webhook.AttemptTime)
	defer cancel()
	now, began := s.now(), time.Now()
	r := webhook.Result{At: now}
	body := d.Body()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		r.Failure = webhook.NoConnection
		return r
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", s.agent)
	id := d.MessageID()
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", timestamp(now))
	request.Header.Set("Webhook-Signature", webhook.Sign(w.Secrets(now), id, now, body))
	answer, err := s.client.Do(request)
	if err != nil {
		r.Failure, r.Took = failureOf(err), time.Since(began)
		return r
	}
	defer answer.Body.Close()
	r.Status = answer.StatusCode
	r.Answer, err = readAnswer(answer.Body)
	if r.Took = time.Since(began); err != nil && !r.OK() && ctx.Err() != nil {
		r.Failure = webhook.TooSlow
	}
	r.RetryAfter = retryAfter(answer.Header, now)
	return r
}
