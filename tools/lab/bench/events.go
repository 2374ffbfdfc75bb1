package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// measureEvents measures how long it takes from posting on one replica until another board, served
// by another replica, shows it: the event has come, and the page read then contains the order.
func (b *bench) measureEvents(ctx context.Context) error {
	const name = "posting to visible on another board"
	if !b.wanted(name) {
		return nil
	}
	other, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, nil, "--only=web")
	if err != nil {
		return err
	}
	defer other.stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events, err := listenTo(ctx, other)
	if err != nil {
		return err
	}
	poster, err := dial(b.program.address)
	if err != nil {
		return err
	}
	defer poster.close()
	reader, err := dial(other.address)
	if err != nil {
		return err
	}
	defer reader.close()

	var heard, seen []time.Duration
	for i := range 150 {
		body := fmt.Sprintf(`{"itemName":"Signal Lamp","quantity":1,"maxPricePerUnit":%d,"buyerContact":"player","confirmPrice":true}`, 1000+i)
		began := time.Now()
		posted, err := poster.do(request("POST", "/api/orders", body, []string{b.cookies[0]}), true)
		if err != nil {
			return fmt.Errorf("post: %w", err)
		}
		if posted.status != http.StatusCreated {
			return fmt.Errorf("post: status %d", posted.status)
		}
		var order struct{ ID int64 }
		if err := json.Unmarshal(posted.body, &order); err != nil {
			return err
		}
		if err := events.waitFor(ctx, order.ID); err != nil {
			return err
		}
		heard = append(heard, time.Since(began))
		for {
			page, err := reader.do(get("/api/orders"), true)
			if err != nil {
				return err
			}
			if strings.Contains(string(page.body), fmt.Sprintf(`"id":%d,`, order.ID)) {
				break
			}
			if time.Since(began) > 5*time.Second {
				return fmt.Errorf("order %d never appears on the other board", order.ID)
			}
		}
		seen = append(seen, time.Since(began))
		// so that no clockwork in the program is hit in step
		time.Sleep(time.Duration(37+i%13*7) * time.Millisecond)
	}
	p99 := percentile(seen, 0.99)
	b.add(row{
		size: b.size, name: name, figure: short(p99), value: p99.Seconds() * 1000, most: 250, queries: -1,
		ours: measured{p50: percentile(seen, 0.5), p99: p99},
	})
	p99 = percentile(heard, 0.99)
	b.add(row{
		size: b.size, name: "posting to event on another board", figure: short(p99), queries: -1,
		ours: measured{p50: percentile(heard, 0.5), p99: p99},
	})
	return nil
}

// eventStream is what a browser receives: which orders have changed, or nothing for a resync.
type eventStream struct{ orders chan []int64 }

func listenTo(ctx context.Context, p *program) (*eventStream, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/api/events", nil)
	if err != nil {
		return nil, err
	}
	//nolint:bodyclose // the stream is read until the context ends, which closes it
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	s := &eventStream{orders: make(chan []int64, 1024)}
	lines := bufio.NewScanner(resp.Body)
	welcome := make(chan struct{})
	go func() {
		defer resp.Body.Close()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), ": welcome") {
				close(welcome)
			}
			data, found := strings.CutPrefix(lines.Text(), "data: ")
			var change struct{ Orders []int64 }
			if found && json.Unmarshal([]byte(data), &change) == nil {
				s.orders <- change.Orders
			}
		}
	}()
	select {
	case <-welcome:
		return s, nil
	case <-time.After(5 * time.Second):
		return nil, fmt.Errorf("the event stream of %s does not begin", p.address)
	}
}

func (s *eventStream) waitFor(ctx context.Context, id int64) error {
	late := time.After(5 * time.Second)
	for {
		select {
		case orders := <-s.orders:
			if len(orders) == 0 || slices.Contains(orders, id) {
				return nil
			}
		case <-late:
			return fmt.Errorf("no event names order %d", id)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
