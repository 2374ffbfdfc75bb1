package match_test

import (
	"fmt"
	"log/slog"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// manyWatches adds a million watches of 40,000 users: of one of 2,000 items each, and one in a hundred of a profession with a word.
const manyWatches = `
with people as (
    insert into users (discord_id, username, display_name, created_at, updated_at)
    select 'w' || n, 'w' || n, 'w' || n, now(), now() from generate_series(1, 40000) n returning id
), boxes as (insert into mailboxes (user_id) select id from people on conflict do nothing), numbered as (
    select id, row_number() over () as n from people
), added as (
    insert into watches (user_id, name, items, categories, words, terms, min_price, way, created_at, updated_at)
    select p.id, 'w', case when k = 7 and p.n % 4 = 0 then '{}'::bigint[] else array[1 + (p.n * 25 + k) % 2000] end,
        case when k = 7 and p.n % 4 = 0 then array['Miner'] else '{}'::text[] end, case when k = 7 and p.n % 4 = 0 then 'ore' else '' end,
        case when k = 7 and p.n % 4 = 0 then array['ore'] else '{}'::text[] end, p.n % 400, 'direct', now() - interval '1 day', now() - interval '1 day'
    from numbered p, generate_series(1, 25) k returning id, items
)
insert into watch_keys (key, watch_id) select case when items = '{}' then 'word:ore' else 'item:' || items[1] end, id from added`

// BenchmarkAudience counts the watchers of a request among a million watches, as matching one after it is posted does.
func BenchmarkAudience(b *testing.B) {
	store, err := postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 4, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	market := market.New(store, market.Options{Forms: coretest.Forms, Features: core.AllFeatures()})
	if _, err := market.Items.Seed(b.Context()); err != nil {
		b.Fatal(err)
	}
	if _, err := store.Pool().Exec(b.Context(), manyWatches); err != nil {
		b.Fatal(err)
	}
	if _, err := store.Pool().Exec(b.Context(), "analyze"); err != nil {
		b.Fatal(err)
	}
	user, err := market.People.SignIn(b.Context(), people.Profile{DiscordID: "buyer", Username: "buyer", DisplayName: "buyer"})
	if err != nil {
		b.Fatal(err)
	}
	page, err := market.Items.Catalogue(b.Context(), items.CatalogueQuery{})
	if err != nil {
		b.Fatal(err)
	}
	people := 0
	b.ResetTimer()
	for i := range b.N {
		draft := coretest.OrderDraft(func(d *trade.OrderDraft) {
			d.ItemName, d.Description = page.Items[i%len(page.Items)].Name, fmt.Sprint("Any grade, lot ", i)
		})
		n, err := market.Match.Audience(b.Context(), user.Actor(), draft)
		if err != nil {
			b.Fatal(err)
		}
		people += n
	}
	b.ReportMetric(float64(people)/float64(b.N), "people/request")
}
