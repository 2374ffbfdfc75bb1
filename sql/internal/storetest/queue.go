package storetest

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// DMSender is a core.DMSender that records what it is given.
type DMSender struct {
	Came chan channels.Delivery

	Mu     sync.Mutex // guards Sent and Answer
	Sent   []channels.Delivery
	Answer func(channels.Delivery) error // nil accepts everything; it is called with Mu locked
}

// NewDMSender returns an empty DMSender, which accepts everything.
func NewDMSender() *DMSender { return &DMSender{Came: make(chan channels.Delivery, 1000)} }

// SendDM implements core.DMSender.
func (l *DMSender) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	l.Sent = append(l.Sent, d)
	l.Came <- d
	if l.Answer != nil {
		if err := l.Answer(d); err != nil {
			return notify.SentDM{}, err
		}
	}
	return notify.SentDM{ChannelID: "c" + d.To.DiscordID, MessageID: "m" + d.Nonce()}, nil
}

// Next waits for the next delivery.
func (l *DMSender) Next(t *testing.T) channels.Delivery {
	t.Helper()
	select {
	case d := <-l.Came:
		return d
	case <-time.After(coretest.Patience(10 * time.Second)):
		t.Fatal("no message came for 10 s")
		return channels.Delivery{}
	}
}

// StartQueue delivers the market's notices through sender, on a store of its own, until the test ends.
func (w *World) StartQueue(sender channels.DMSender, opts ...postgres.Options) *queue.Queue {
	w.T.Helper()
	opts = append(opts, postgres.Options{})
	store := w.Another(opts[0])
	market := market.New(store, market.Options{Now: w.Clock.Now})
	jobs := NewQueue(w.T, store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return market.Channels.DeliverNotice(ctx, sender, id)
		},
		Redraw: func(ctx context.Context, id core.NoticeID, except string) error {
			return market.Channels.RedrawNotice(ctx, sender, id, except)
		},
		Expire: market.Trade.ExpireOrders, Closings: market.Trade.NotifyClosings,
	})
	ctx := context.WithoutCancel(w.T.Context())
	Must(w.T, jobs.Start(ctx))
	w.T.Cleanup(func() { Must(w.T, jobs.Stop(ctx)) })
	return jobs
}

// NewQueue returns a queue that is not started, and logs nothing unless opts say where.
func NewQueue(t *testing.T, store *postgres.Store, opts queue.Options) *queue.Queue {
	t.Helper()
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	jobs, err := queue.New(store, opts)
	Must(t, err)
	return jobs
}
