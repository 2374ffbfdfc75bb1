package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
	"tradepost/sql/postgres"
)

// figures are asked for whenever metrics are read: how full the board and the pool of connections are.
type figures struct {
	rules *core.Market
	store *postgres.Store
	log   *slog.Logger

	orders, connections *prometheus.Desc
}

func newFigures(rules *core.Market, store *postgres.Store, log *slog.Logger) *figures {
	return &figures{
		rules: rules, store: store, log: log,
		orders:      prometheus.NewDesc("board_orders", "Orders on the public board, by category.", []string{"category"}, nil),
		connections: prometheus.NewDesc("database_connections", "Connections to PostgreSQL, by state; max is how many there may be.", []string{"state"}, nil),
	}
}

// Describe tells what there is to collect.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	out <- f.orders
	out <- f.connections
}

// Collect asks the market and the pool.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	gauge := func(what *prometheus.Desc, value float64, label string) {
		out <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, label)
	}
	pool := f.store.Connections()
	gauge(f.connections, float64(pool.Busy), "busy")
	gauge(f.connections, float64(pool.Idle), "idle")
	gauge(f.connections, float64(pool.Max), "max")

	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := f.rules.CountOrders(ctx, core.OrderFilter{})
	if err != nil {
		f.log.Warn("metrics without the size of the board", "error", err)
		return
	}
	for _, category := range core.Categories {
		gauge(f.orders, float64(counts.ByCategory[category]), string(category))
	}
}
