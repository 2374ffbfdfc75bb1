package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// postsASecond are posted while reading is measured.
const postsASecond = 50

// measureMixed measures what is read most while people post, beside the same on a quiet market.
func (b *bench) measureMixed(ctx context.Context) error {
	pages, err := b.pagesFrom(ctx, "newest", open)
	if err != nil {
		return err
	}
	firstAndCounts := []ask{get("/api/orders", gzipped), get("/api/orders/counts", gzipped)}
	contests := []contest{{name: "first page and counts", asks: firstAndCounts},
		{name: "any page", asks: repeated(pages)}}
	for _, filter := range []struct{ name, query string }{
		{"importance", "importance=urgent"}, {"level", "level=120"},
		{"price", "minPrice=10000&maxPrice=1000000"}, {"a common word", "q=" + url.QueryEscape("guild hall")},
		{"a word between", "q=obsidian"},
	} {
		contests = append(contests, contest{name: "filter: " + filter.name,
			asks: []ask{get("/api/orders?"+filter.query, gzipped)}})
	}
	for _, c := range contests {
		c.name += fmt.Sprintf(", %d posts a second", postsASecond)
		c.goal, c.costs, c.peer = 0.70, -1, "quiet"
		c.beside = b.post
		if err := b.hold(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// post posts until it is stopped, on time whatever the answers take.
func (b *bench) post(ctx context.Context) (stop func() error, err error) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	c, err := dial(b.program.address)
	if err != nil {
		cancel()
		return nil, err
	}
	go func() {
		defer c.close()
		done <- func() error {
			for next := time.Now(); ctx.Err() == nil; next = next.Add(time.Second / postsASecond) {
				select {
				case <-time.After(time.Until(next)):
				case <-ctx.Done():
					return nil
				}
				n := b.posted.Add(1)
				r, err := c.do(request("POST", "/api/orders",
					fmt.Sprintf(`{"itemName":"Copper Ore","quantity":50,"maxPricePerUnit":%d,`+
						`"description":"While others read.","buyerContact":"player","confirmPrice":true,"category":"Miner"}`,
						100+n), []string{b.cookies[int(n)%signedIn]}), true)
				if err != nil {
					return err
				}
				if r.status != 201 {
					return fmt.Errorf("posting was answered with %d: %.200s", r.status, r.body)
				}
			}
			return nil
		}()
	}()
	return func() error {
		cancel()
		return errors.Join(<-done)
	}, nil
}
