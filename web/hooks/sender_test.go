package hooks_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tradepost/core"
	"tradepost/core/webhook"
	"tradepost/web/hooks"
)

// queue is a market in memory, with the rules of the real one.
type queue struct {
	mu    sync.Mutex
	hooks map[core.WebhookID]*queued
	next  core.WebhookDeliveryID
}

type queued struct {
	webhook   webhook.Webhook
	waiting   []webhook.Delivery
	busyUntil time.Time
}

func (q *queue) add(id core.WebhookID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next++
	d := webhook.Delivery{ID: q.next, Event: webhook.Event{ID: fmt.Sprint(q.next), Type: "order.changed", Data: "{}"}, CreatedAt: time.Now(), DueAt: time.Now()}
	q.hooks[id].waiting = append(q.hooks[id].waiting, d)
}

func (q *queue) Claim(_ context.Context, most int) (batches []webhook.Batch, _ error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for _, h := range q.hooks {
		if len(batches) == most || now.Before(h.busyUntil) || now.Before(h.webhook.NotBefore) || h.webhook.State == webhook.Off {
			continue
		}
		var due []webhook.Delivery
		for _, d := range h.waiting {
			if !d.DueAt.After(now) && len(due) < webhook.BatchSize {
				due = append(due, d)
			}
		}
		if len(due) > 0 {
			h.busyUntil = now.Add(webhook.Lease)
			batches = append(batches, webhook.Batch{Webhook: h.webhook, Deliveries: due})
		}
	}
	return batches, nil
}

func (q *queue) Settle(_ context.Context, b webhook.Batch, results map[core.WebhookDeliveryID]webhook.Result) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	h := q.hooks[b.Webhook.ID]
	var left []webhook.Delivery
	for _, d := range h.waiting {
		if r, tried := results[d.ID]; tried {
			h.webhook, d = h.webhook.After(d, r, 0.5, time.Now())
		}
		if !d.DueAt.IsZero() {
			left = append(left, d)
		}
	}
	h.waiting, h.busyUntil = left, time.Time{}
	return nil
}

// receivers answer without a network.
type receivers func(*http.Request) (int, error)

func (f receivers) RoundTrip(r *http.Request) (*http.Response, error) {
	status, err := f(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("ok")), Header: http.Header{}, Request: r}, nil
}

func sender(q hooks.Market, f receivers) *hooks.Sender {
	return hooks.New(q, &http.Client{Transport: f}, "https://market.example", time.Now, slog.New(slog.DiscardHandler))
}

func hundred() *queue {
	q := &queue{hooks: map[core.WebhookID]*queued{}}
	for id := range core.WebhookID(100) {
		q.hooks[id] = &queued{webhook: webhook.Webhook{ID: id, URL: fmt.Sprintf("https://r%d.example/", id), State: webhook.On, Secret: []byte("s")}}
	}
	return q
}

// A receiver that takes ten seconds and never answers delays no other: 50 events a second, to it and to 99 that answer in 50 ms.
func TestASlowReceiverDelaysOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := hundred()
		var mu sync.Mutex
		sentAt, inFlight := map[string]time.Time{}, map[string]int{}
		most, longest, good := 0, time.Duration(0), 0
		began := time.Now()
		at := func(id string) time.Time { // the events come one each 20 ms, with ascending numbers
			var n int
			_, _ = fmt.Sscanf(id, "msg_%d", &n)
			return began.Add(time.Duration(n-1) * 20 * time.Millisecond)
		}
		s := sender(q, func(r *http.Request) (int, error) {
			host, id := r.URL.Host, r.Header.Get("webhook-id")
			mu.Lock()
			inFlight[host]++
			most = max(most, inFlight[host])
			mu.Unlock()
			defer func() { mu.Lock(); inFlight[host]--; mu.Unlock() }()
			if host == "r0.example" {
				<-r.Context().Done()
				return 0, r.Context().Err()
			}
			time.Sleep(50 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			good++
			sentAt[id] = time.Now()
			longest = max(longest, time.Since(at(id)))
			return http.StatusOK, nil
		})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); s.Run(ctx) }()
		for i := range 50 * 60 {
			q.add(core.WebhookID(i % 100))
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		stop()
		<-ended
		if good != 50*60*99/100 {
			t.Errorf("%d events were delivered, want all that go to good receivers", good)
		}
		if longest >= time.Second {
			t.Errorf("an event waited for %v", longest)
		}
		if most > 2 {
			t.Errorf("%d messages were on their way to one receiver", most)
		}
		t.Logf("the longest delay of %d events was %v", good, longest)
	})
}

// A process that ends between sending and settling leaves the event to the next one, under the same id.
func TestWhatWasNotSettledIsSentAgainWithTheSameID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := hundred()
		q.add(1)
		var mu sync.Mutex
		var ids []string
		answer := receivers(func(r *http.Request) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			body, _ := io.ReadAll(r.Body)
			ids = append(ids, r.Header.Get("webhook-id")+string(body))
			return http.StatusOK, nil
		})
		killed, kill := context.WithCancel(t.Context())
		go sender(forgetful{q}, answer).Run(killed)
		time.Sleep(time.Second)
		kill()
		ctx, stop := context.WithCancel(t.Context())
		go sender(q, answer).Run(ctx)
		time.Sleep(2 * webhook.Lease)
		stop()
		synctest.Wait()
		if len(ids) != 2 || ids[0] != ids[1] {
			t.Errorf("sent were %q, want one twice", ids)
		}
		if left := len(q.hooks[1].waiting); left != 0 {
			t.Errorf("%d events are left", left)
		}
	})
}

// forgetful is a market whose process is killed before it settles.
type forgetful struct{ *queue }

func (forgetful) Settle(context.Context, webhook.Batch, map[core.WebhookDeliveryID]webhook.Result) error {
	return fmt.Errorf("the process is gone")
}

// Stopping ends what is under way without counting it as failed.
func TestStoppingDoesNotCountAsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := hundred()
		q.add(1)
		ctx, stop := context.WithCancel(t.Context())
		s := sender(q, func(r *http.Request) (int, error) {
			<-r.Context().Done()
			return 0, r.Context().Err()
		})
		ended := make(chan struct{})
		go func() { defer close(ended); s.Run(ctx) }()
		time.Sleep(time.Second)
		stop()
		<-ended
		if h := q.hooks[1]; len(h.waiting) != 1 || h.waiting[0].Attempts != 0 || !h.webhook.FailingSince.IsZero() {
			t.Errorf("it is %+v with %+v", h.webhook, h.waiting)
		}
	})
}
