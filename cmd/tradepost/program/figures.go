package program

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tradepost/cmd/tradepost/disk"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/sql/backup"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
)

// figures are collected whenever metrics are read: how full the board and the pool of connections
// are.
type figures struct {
	rules      *market.Market
	categories []game.Category
	store      *postgres.Store
	log        *slog.Logger

	orders, connections, reads, backup *prometheus.Desc
}

func newFigures(rules *market.Market, game game.Game, store *postgres.Store, log *slog.Logger) *figures {
	return &figures{
		rules: rules, categories: game.Categories(), store: store, log: log,
		orders: prometheus.NewDesc("board_orders", "Orders on the public board, by category.",
			[]string{"category"}, nil),
		connections: prometheus.NewDesc("database_connections",
			"Connections to PostgreSQL, by state; max is how many there may be.", []string{"state"}, nil),
		reads: prometheus.NewDesc("database_public_reads_total",
			"Reads of what is public that were answered by a replica and by the primary, "+
				"with DATABASE_REPLICAS.", []string{"from"}, nil),
		backup: prometheus.NewDesc("backup_last_success_timestamp_seconds",
			"When the last backup was made, in Unix time; 0 when none was.", nil, nil),
	}
}

// newClockOffset returns the offset of the host's clock.
func newClockOffset(clock *pgconnect.Clock) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "clock_offset_seconds", Help: "How far the database's clock is ahead of the host's; " +
			"negative when it is behind.",
	}, func() float64 { return clock.Offset().Seconds() })
}

// newClockSteps counts the steps of the database's clock.
func newClockSteps(clock *pgconnect.Clock) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "clock_steps_total", Help: "How often the database's clock has stepped by more than a second.",
	}, func() float64 { return float64(clock.Steps()) })
}

// newDiskFree returns the free space on the disk of the market's folder, or of its nearest existing parent.
func newDiskFree(folder string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "disk_free_bytes", Help: "Space that is left on the disk of the market's folder; " +
			"-1 when it is not known.",
	}, func() float64 {
		space, err := disk.At(folder, disk.Of)
		if err != nil {
			return -1
		}
		return float64(space.Free)
	})
}

// Describe sends the descriptions of the metrics.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	out <- f.orders
	out <- f.connections
	out <- f.reads
	out <- f.backup
}

// readTime is how long the reads of a collector may take: collectors run side by side, and Prometheus waits
// ten seconds for an answer unless it is told otherwise.
const readTime = 8 * time.Second

// Collect asks the market and the pool.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	gauge := func(what *prometheus.Desc, value float64, label string) {
		out <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, label)
	}
	pool := f.store.Connections()
	gauge(f.connections, float64(pool.Busy), "busy")
	gauge(f.connections, float64(pool.Idle), "idle")
	gauge(f.connections, float64(pool.Max), "max")

	replica, primary := f.store.Reads()
	out <- prometheus.MustNewConstMetric(f.reads, prometheus.CounterValue, float64(replica), "replica")
	out <- prometheus.MustNewConstMetric(f.reads, prometheus.CounterValue, float64(primary), "primary")

	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	if age, there, err := backup.Age(ctx, f.store.Pool()); err != nil {
		f.log.Warn("metrics without the age of the last backup", "error", err)
	} else {
		made := 0.0
		if there {
			made = float64(time.Now().Add(-age).Unix())
		}
		out <- prometheus.MustNewConstMetric(f.backup, prometheus.GaugeValue, made)
	}
	counts, err := f.rules.Match.CountOrders(ctx, match.OrderFilter{})
	if err != nil {
		f.log.Warn("metrics without the size of the board", "error", err)
		return
	}
	for _, category := range f.categories {
		gauge(f.orders, float64(counts.ByCategory[category]), string(category))
	}
}
