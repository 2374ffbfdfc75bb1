package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tradepost/core/match"
	"tradepost/sql/postgres"
)

// measureCounting measures what counting costs when nothing is cached, as after each change of the lists.
// It asks a store that does not read the change feed, and so caches nothing.
func (b *bench) measureCounting(ctx context.Context) error {
	filters := []struct {
		name string
		match.OrderFilter
	}{
		{"counting: all", match.OrderFilter{}},
		{"counting: a common word", match.OrderFilter{Text: "iron"}},
	}
	for _, f := range filters {
		if !b.wanted(f.name) {
			continue
		}
		deaf, err := postgres.Open(ctx, b.dsn,
			postgres.Options{Log: slog.New(slog.DiscardHandler), MaxConns: 1})
		if err != nil {
			return err
		}
		var took []time.Duration
		for range 21 {
			began := time.Now()
			if _, err := deaf.CategoryCounts(ctx, f.OrderFilter, began); err != nil {
				deaf.Close()
				return fmt.Errorf("%s: %w", f.name, err)
			}
			took = append(took, time.Since(began))
		}
		deaf.Close()
		p50 := percentile(took, 0.5)
		b.add(row{size: b.size, name: f.name, figure: short(p50), queries: 1,
			ours: measured{p50: p50, p99: percentile(took, 0.99)}})
	}
	return nil
}
