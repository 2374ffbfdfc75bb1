package queue_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// seen closes once something with its text is written.
type seen struct {
	text   []byte
	closed chan struct{}
}

func (s *seen) Write(line []byte) (int, error) {
	select {
	case <-s.closed:
	default:
		if bytes.Contains(line, s.text) {
			close(s.closed)
		}
	}
	return len(line), nil
}

func TestTheQueueStartsOnceItsDatabaseIsBack(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	w := storetest.On(t, server.New(), postgres.Options{})
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	letters := storetest.NewDMSender()
	store := w.Another(postgres.Options{})
	market := market.New(store, market.Options{Now: w.Clock.Now})
	failed := &seen{text: []byte("start failed"), closed: make(chan struct{})}
	jobs := storetest.NewQueue(t, store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return market.Channels.DeliverNotice(ctx, letters, id)
		},
		Expire: market.Trade.ExpireOrders,
		Log:    slog.New(slog.NewTextHandler(failed, nil)),
	})
	server.Down()
	started := make(chan error, 1)
	ctx := context.WithoutCancel(t.Context())
	go func() { started <- jobs.Start(ctx) }()
	select {
	case <-failed.closed:
	case err := <-started:
		t.Fatalf("the queue has started without a database: %v", err)
	}
	server.Up()
	server.Ready()
	storetest.Must(t, <-started)
	t.Cleanup(func() { storetest.Must(t, jobs.Stop(ctx)) })
	if d := letters.Next(t); d.To.User != w.Ann.UserID {
		t.Errorf("delivered %+v", d)
	}
}
