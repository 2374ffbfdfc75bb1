package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// splitBrain writes to a primary at its own machine, past everything that is in front of it, before and
// after that is cut off.
type splitBrain struct {
	cut     atomic.Bool
	end     chan struct{}
	stopped chan struct{}

	asked, acknowledged int // while it was cut off, of all rounds
	before              int // acknowledged before that: the writes are such that it takes them
}

// write begins to write to a node.
func (b *splitBrain) write(ctx context.Context, n *clusterNode) {
	b.cut.Store(false)
	b.end, b.stopped = make(chan struct{}), make(chan struct{})
	dsn := fmt.Sprintf("postgres:///postgres?host=%s&port=5432&user=postgres&sslmode=disable", n.folder)
	for range 3 {
		if writeOnce(ctx, dsn) == nil {
			b.before++
		}
	}
	go func() {
		defer close(b.stopped)
		for {
			select {
			case <-b.end:
				return
			case <-time.After(50 * time.Millisecond):
			}
			cut := b.cut.Load()
			err := writeOnce(ctx, dsn)
			if cut {
				b.asked++
				if err == nil {
					b.acknowledged++
				}
			}
		}
	}()
}

// begin says that the node is cut off from now on.
func (b *splitBrain) begin() { b.cut.Store(true) }

// stop ends the writing.
func (b *splitBrain) stop() {
	close(b.end)
	<-b.stopped
}

// writeOnce writes a row on a connection of its own. It gives up by closing the connection: a cancelled
// COMMIT would be answered.
func writeOnce(ctx context.Context, dsn string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, "insert into proof values (1, now())")
	return err
}
