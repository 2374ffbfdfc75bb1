package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/web/hooks"
)

// BenchmarkWebhooksBesideASlowReceiver sends 50 events a second for 20 seconds, to one receiver that never answers and 99 that do,
// over HTTP and from the database. Its figures are the delays from the event to its arrival at the good ones.
func BenchmarkWebhooksBesideASlowReceiver(b *testing.B) {
	const receivers, perSecond, seconds = 100, 50, 20
	store, err := postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 8, Log: silence})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	rules := market.New(store, market.Options{Features: core.EveryFeature(), WebhooksAnywhere: true})
	var mu sync.Mutex
	began, arrived := map[string]time.Time{}, map[string]time.Time{}
	good := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		arrived[r.Header.Get("webhook-id")] = time.Now()
	}))
	defer good.Close()
	stopped := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-stopped:
		}
	}))
	defer slow.Close()
	defer close(stopped)
	for id := range receivers {
		url := good.URL
		if id == 0 {
			url = slow.URL
		}
		if _, err := store.Pool().Exec(b.Context(), `insert into webhooks (user_id, market, url, types, state, secret, created_at)
			values ($1, false, $2, '{order.filled}', 'on', 's', now())`, id, url); err != nil {
			b.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan struct{})
	sender := hooks.New(rules.Webhooks, hooks.NewClient(true, nil), "", time.Now, silence)
	go func() { defer close(ended); sender.Run(ctx) }()
	for b.Loop() {
		tick := time.NewTicker(time.Second / perSecond)
		for i := range perSecond * seconds {
			<-tick.C
			event := fmt.Sprintf("n%d.%d", b.N, i)
			mu.Lock()
			began["msg_"+event] = time.Now()
			mu.Unlock()
			if _, err := store.Pool().Exec(b.Context(), `insert into webhook_deliveries (webhook_id, event, type, data, created_at, due_at)
				select min(id) + $1, $2, 'order.filled', '{}', clock_timestamp(), clock_timestamp() from webhooks`, i%receivers, event); err != nil {
				b.Fatal(err)
			}
		}
		tick.Stop()
		time.Sleep(2 * time.Second)
	}
	stop()
	<-ended
	var delays []time.Duration
	for id, at := range arrived {
		delays = append(delays, at.Sub(began[id]))
	}
	slices.Sort(delays)
	if len(delays) != len(began)*(receivers-1)/receivers {
		b.Errorf("%d of %d events arrived", len(delays), len(began))
	}
	b.ReportMetric(delays[len(delays)/2].Seconds()*1000, "ms-median")
	b.ReportMetric(delays[len(delays)*99/100].Seconds()*1000, "ms-p99")
	b.ReportMetric(delays[len(delays)-1].Seconds()*1000, "ms-longest")
	b.ReportMetric(float64(len(delays)), "events")
}
