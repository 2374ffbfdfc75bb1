package postgres_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// BenchmarkItemPrices reads the prices of items, as their pages do, in a market with a million fills of the last 90 days among a
// thousand traders. Every tenth fill is of the most traded item.
func BenchmarkItemPrices(b *testing.B) {
	const fills = 1_000_000
	dsn := pgtest.New(b)
	store, err := postgres.Open(b.Context(), dsn, postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	listening := make(chan struct{}, 1)
	go store.Feed().Listen(b.Context(), func(core.Change) {
		select {
		case listening <- struct{}{}:
		default:
		}
	})
	<-listening
	market := market.New(store, market.Options{Forms: coretest.Forms, Features: core.AllFeatures()})
	if _, err := market.Items.Seed(b.Context()); err != nil {
		b.Fatal(err)
	}
	owner, err := pgx.Connect(b.Context(), dsn) // without the time limit of the store's statements
	if err != nil {
		b.Fatal(err)
	}
	for _, statement := range []string{
		`insert into users (discord_id, username, display_name, created_at, updated_at)
			select 'p' || n, 'p' || n, 'P', now() - interval '1 year', now() from generate_series(1, 1000) n`,
		`insert into traders (user_id, established_at, origin) select id, now() - interval '1 year', 'moderator' from users`,
		`insert into order_updates (item_name, quantity_sold, unit_price, updated_by, buyer_id, seller_id, seller_name, created_at)
			select i.name, 100, 500 + n * 7919 % 500, 1, 1 + n % 1000, 1 + (n % 1000 + 1 + (n * 31) % 998) % 1000, 'P',
				now() - interval '90 days' * ((n * 104729) % 1000003) / 1000003
			from generate_series(1::bigint, 1000000) n join catalogue_items i on i.id = case when n % 10 = 0 then 1 else 1 + n % 1600 end`,
		`vacuum analyze order_updates`,
	} {
		if _, err := owner.Exec(b.Context(), statement); err != nil {
			b.Fatal(err)
		}
	}
	if err := owner.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		id := core.ItemID(1 + i%1600)
		if i%10 == 0 {
			id = 1
		}
		start := time.Now()
		prices, err := market.Items.Prices(b.Context(), id, true)
		took = append(took, time.Since(start))
		if err != nil || prices.Windows[2].Price == nil {
			b.Fatalf("item %d: %+v, %v", id, prices.Windows, err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(fills, "fills")
}
