package postgres_test

import (
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// BenchmarkOutcomes reads what odds, and the counts of filled requests, are made of, in a market with a million
// requests of a thousand buyers in 300 days. Every tenth is for the most wanted item, one of eight is filled.
// EXPLAIN names a file for the plan of the most wanted item.
func BenchmarkOutcomes(b *testing.B) {
	dsn := pgtest.New(b)
	store, err := postgres.Open(b.Context(), dsn, postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	owner, err := pgx.Connect(b.Context(), dsn) // without the time limit of the store's statements
	if err != nil {
		b.Fatal(err)
	}
	for _, statement := range []string{
		`set session_replication_role = replica`, // no triggers: nothing else reads this market
		`do $$ declare unused regclass; begin
			for unused in select indexrelid from pg_index where indrelid = 'orders'::regclass and not indisunique
				and indexrelid not in ('orders_item_key'::regclass, 'orders_outcomes'::regclass) loop execute 'drop index ' || unused; end loop; end $$`, // they take minutes to fill
		`insert into users (id, discord_id, username, display_name, created_at, updated_at)
			select n, 'p' || n, 'p' || n, 'P', now() - interval '1 year', now() from generate_series(1, 1000) n`,
		`insert into traders (user_id, established_at, origin) select id, now() - interval '1 year', 'moderator' from users`,
		`insert into orders (id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, category, importance,
				status, sold, progress, close_reason, created_at, updated_at, expires_at, closed_at, warned_for)
			select n, 1 + n * 7919 % 1000, 1, 'Item ' || case when n % 10 = 0 then 1 else 1 + n % 1600 end, 100, 500 + n * 104729 % 500, '', 'p', 'Miner',
				'medium', case when n * 31 % 8 = 0 then 'fulfilled' else 'active' end, case when n * 31 % 8 = 0 then 100 else 0 end,
				case when n * 31 % 8 = 0 then 100 else 0 end, case when n * 31 % 8 = 0 then 'filled' end, at, at, at + interval '1 year',
				case when n * 31 % 8 = 0 then at end, at + interval '1 year'
			from generate_series(1::bigint, 1000000) n, lateral (select now() - interval '300 days' * (1000000 - n) / 1000000 as at) posted`,
		`insert into order_updates (order_id, item_name, quantity_sold, unit_price, updated_by, buyer_id, seller_id, seller_name, created_at)
			select id, item_name, 100, max_price_per_unit, user_id, user_id, 1 + user_id % 1000, 'P', created_at + interval '1 hour'
			from orders where sold > 0`,
		`vacuum analyze orders, order_updates, traders`,
	} {
		if _, err := owner.Exec(b.Context(), statement); err != nil {
			b.Fatal(statement, err)
		}
	}
	since, until := time.Now().Add(-90*24*time.Hour), time.Now().Add(-7*24*time.Hour)
	for name, key := range map[string]string{"most": "item1", "usual": "item33"} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				outcomes, err := store.Outcomes(b.Context(), [][]string{{key}}, since, until)
				took = append(took, time.Since(start))
				if err != nil || len(outcomes[0]) == 0 {
					b.Fatal(outcomes, err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
	if file := os.Getenv("EXPLAIN"); file != "" {
		queries, err := os.ReadFile("../queries/prices.sql")
		if err != nil {
			b.Fatal(err)
		}
		_, query, _ := strings.Cut(string(queries), "-- name: Outcomes :many")
		_, query, _ = strings.Cut(query, "with named")
		query, _, _ = strings.Cut(query, ";")
		query = strings.NewReplacer("@keys::text[]", "array['item1']", "@places::integer[]", "array[0]", "@since", "now() - interval '90 days'",
			"@until", "now() - interval '7 days'", "@of_buyer::integer", "10", "@most::integer", "2000").Replace(query)
		rows, err := owner.Query(b.Context(), "explain (analyze, buffers, costs off) "+"with named"+query)
		if err != nil {
			b.Fatal(err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Join(plan, "\n")), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}
