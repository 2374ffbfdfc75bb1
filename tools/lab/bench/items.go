package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/market"
)

// Of the catalogue and the trades that items are measured with.
const (
	manyItems  = 10_000
	itemTrades = 1_000_000
	shownItems = 1_600 // items of which there are trades; every tenth trade is of the first
)

// measureItems measures what items and prices cost, on the largest market, last: it replaces the catalogue
// and adds trades.
func (b *bench) measureItems(ctx context.Context) error {
	const completing, page, posting = "completing an item of 10,000", "item page, a million trades",
		"posting with items and prices"
	if b.size != slices.Max(b.sizes) || !b.wanted(completing) && !b.wanted(page) && !b.wanted(posting) {
		return nil
	}
	if err := b.postingWith(ctx, posting, "items,prices"); err != nil {
		return err
	}
	var rows []items.Row
	for i := range manyItems {
		rows = append(rows, items.Row{Line: i + 2,
			Item: items.Item{Name: itemName(i), Kind: "Kind " + fmt.Sprint(i%700), FromFile: true,
				MadeBy: []game.Category{"Miner"}}})
	}
	if _, err := market.New(b.store, market.Options{Features: core.AllFeatures()}).Items.Import(ctx,
		rows, false); err != nil {
		return fmt.Errorf("import %d items: %w", manyItems, err)
	}
	var typed []ask
	for i := range 512 {
		name := itemName(i * 7919 % manyItems)
		typed = append(typed, get("/api/catalogue/completions?q="+url.QueryEscape(name[:2+i%(len(name)-2)])))
	}
	if err := b.within(ctx, completing, typed, 15*time.Millisecond); err != nil {
		return err
	}
	if !b.wanted(page) {
		return nil
	}
	if err := b.addTrades(ctx); err != nil {
		return fmt.Errorf("add trades: %w", err)
	}
	ids, err := b.tradedItems(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids { // the first time, the trades of an item are read
		if _, err := b.fetch(fmt.Sprintf("/api/catalogue/%d/prices", id)); err != nil {
			return err
		}
	}
	var pages []ask
	for i := range 10 * len(ids) {
		id := ids[i%len(ids)]
		if i%10 == 0 {
			id = ids[0]
		}
		pages = append(pages, get(fmt.Sprintf("/api/catalogue/%d/prices?step=day", id), gzipped))
	}
	return b.within(ctx, page, pages, 10*time.Millisecond)
}

// itemName is one of many names of three words.
func itemName(i int) string {
	first := strings.Fields("Amber Ashen Bright Carved Dusky Elder Faded Gilded Hollow Ivory Jagged Kindled Lunar Mossy Narrow Ochre Plain Quiet Rusty Silver")
	second := strings.Fields("Adathril Birch Caric Dwarven Elven Fen Granite Hickory Iron Juniper Kelp Linen Masic Nettle Oak Pearl Quartz Raven Sable Tin Umber Velvet Willow Yarrow Zinc")
	third := strings.Fields("Axe Bow Cloak Dagger Elixir Flask Glove Helm Ingot Jerkin Kettle Log Mace Needle Ore Plate Quiver Ring Shield Torch")
	return first[i%20] + " " + second[i/20%25] + " " + third[i/500%20]
}

// within measures what is asked, and that it takes at most a time for 99 of 100.
func (b *bench) within(ctx context.Context, name string, asks []ask, most time.Duration) error {
	if !b.wanted(name) {
		return nil
	}
	statements, err := b.statementsWith(asks[0], core.AllFeatures())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := b.hold(ctx, contest{name: name, asks: asks, costs: len(statements)}); err != nil {
		return err
	}
	took := b.rows[len(b.rows)-1].ours
	b.add(row{
		size: b.size, name: name + ", ms at p99", figure: short(took.p99),
		value: float64(took.p99) / float64(time.Millisecond),
		most:  float64(most) / float64(time.Millisecond), queries: -1,
		ours: measured{p50: took.p50, p99: took.p99},
	})
	return nil
}

// addTrades adds trades of the last 90 days among a thousand established traders.
func (b *bench) addTrades(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, b.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, statement := range []string{
		`insert into users (discord_id, username, display_name, created_at, updated_at)
			select 'bench-trader-' || n, 'bench-trader-' || n, 'Trader', now() - interval '1 year', now() from generate_series(1, 1000) n`,
		`insert into traders (user_id, established_at, origin) select id, now() - interval '1 year', 'moderator' from users where discord_id like 'bench-trader-%'`,
		fmt.Sprintf(`with who as (select array_agg(id order by id) as ids from users where discord_id like 'bench-trader-%%'),
			items as (select array_agg(name order by id) as names from (select id, name from catalogue_items where from_file and gone_at is null order by id limit %d) shown)
			insert into order_updates (item_name, quantity_sold, unit_price, updated_by, buyer_id, seller_id, seller_name, created_at)
			select names[case when n %% 10 = 0 then 1 else 1 + n %% %d end], 100, 500 + n * 7919 %% 500, ids[1], ids[1 + n %% 1000],
				ids[1 + (n %% 1000 + 1 + (n * 31) %% 998) %% 1000], 'Trader', now() - interval '90 days' * ((n * 104729) %% 1000003) / 1000003
			from generate_series(1::bigint, %d) n, who, items`, shownItems, shownItems, itemTrades),
		// every price may have changed
		`insert into changes (orders, users, lists) values ('{}', '{}', false)`,
		`vacuum analyze order_updates`,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.40s: %w", statement, err)
		}
	}
	return nil
}

func (b *bench) tradedItems(ctx context.Context) ([]int64, error) {
	rows, err := b.store.Pool().Query(ctx,
		"select id from catalogue_items where from_file and gone_at is null order by id limit $1", shownItems)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// postingWith measures posting where features are on beside posting where they are off, in turns.
func (b *bench) postingWith(ctx context.Context, name, features string) error {
	if !b.wanted(name) {
		return nil
	}
	const others = "watches,handover,records,lists"
	on, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, []string{"FEATURES=" + features + "," + others},
		"--only=web")
	if err != nil {
		return err
	}
	defer on.stop()
	off, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, []string{"FEATURES=" + others}, "--only=web")
	if err != nil {
		return err
	}
	defer off.stop()
	c := contest{want: 201, own: func(client, _ int) ask {
		return request("POST", "/api/orders",
			fmt.Sprintf(`{"itemName":"Iron Ore","quantity":50,"maxPricePerUnit":%d,"buyerContact":"player","confirmPrice":true,"category":"Miner"}`,
				100+b.posted.Add(1)), []string{b.cookies[client]})
	}}
	var sides [2]turns
	for turn := range b.turns + 1 {
		for side, p := range []*program{on, off} {
			measured := &sides[side]
			if turn == 0 { // what is learnt by the first posts is not what is measured
				measured = &turns{}
			}
			if err := b.ask(ctx, measured, p.address, p.pid(), c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	with, without := sides[0].measured(), sides[1].measured()
	b.add(row{
		size: b.size, name: name + ", by without", value: with.rate / without.rate, least: 0.95, queries: -1,
		figure: fmt.Sprintf("%.2f of the rate, %.2f times the processor time", with.rate/without.rate,
			float64(with.cost.both())/float64(without.cost.both())),
		ours: measured{p50: with.p50, p99: with.p99},
	})
	return nil
}
