package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tradepost/core/game"
	"tradepost/core/match"
)

const gzipped = "Accept-Encoding: gzip, deflate, br"

// open are the orders that everybody sees.
const open = "orders where status = 'active' and expires_at > now()"

// measurePages measures what everybody reads.
func (b *bench) measurePages(ctx context.Context) error {
	for _, part := range []func(context.Context) error{b.measureFirstPage, b.measureDeepPages,
		b.measureFilters, b.measureSearch, b.measureOneOrder} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measureFirstPage(ctx context.Context) error {
	first, err := b.fetch("/api/orders", gzipped)
	if err != nil {
		return err
	}
	firstPage := []ask{get("/api/orders", gzipped)}
	if err := b.againstLimit(ctx, contest{name: "first page", asks: firstPage, share: 0.80},
		first.body); err != nil {
		return err
	}
	known := []ask{get("/api/orders", gzipped, "If-None-Match: "+first.tag)}
	if first.tag != "" {
		if err := b.againstLimit(ctx, contest{name: "first page, known already (304)", asks: known,
			want: 304}, first.body); err != nil {
			return err
		}
	}
	counts, err := b.fetch("/api/orders/counts", gzipped)
	if err != nil {
		return err
	}
	c := contest{name: "counts of every category", asks: []ask{get("/api/orders/counts", gzipped)},
		share: 0.80}
	if err := b.againstLimit(ctx, c, counts.body); err != nil {
		return err
	}
	document, err := b.fetchAsk(get("/", gzipped))
	if err != nil {
		return err
	}
	if document.status == 200 {
		if err := b.againstLimit(ctx, contest{name: "the document", asks: []ask{get("/", gzipped)},
			costs: -1}, document.body); err != nil {
			return err
		}
	}
	return b.theOriginalsWay(ctx)
}

// theOriginalsWay compares the first page with one that asks for what was sold of each order, and for the
// offers on it, by itself, and counts each category by itself.
func (b *bench) theOriginalsWay(ctx context.Context) error {
	ids, err := b.ids(ctx, "(select id from "+open+" order by created_at desc limit 60) newest", 60)
	if err != nil {
		return err
	}
	var script strings.Builder
	fmt.Fprintf(&script, "select * from %s order by created_at desc limit 60;\n", open)
	for _, id := range ids {
		fmt.Fprintf(&script, "select sum(quantity_sold) from order_updates where order_id = %d;\nselect count(*) from offers where order_id = %d;\n", id, id)
	}
	for _, category := range game.Standard().Categories() {
		fmt.Fprintf(&script, "select count(*) from %s and category = '%s';\n", open, category)
	}
	return b.hold(ctx, contest{
		name: "first page against the original's way", asks: []ask{get("/api/orders", gzipped)},
		peer: "a call per row, pgbench",
		run:  func(ctx context.Context) (float64, error) { return b.pgbench(ctx, []string{script.String()}) },
	})
}

// sortKeys are what each sort sorts by, as stored in a cursor.
var sortKeys = map[match.Sort]string{
	match.Newest:     "(extract(epoch from created_at) * 1000000)::bigint",
	match.HighestPay: "max_price_per_unit",
	match.TotalValue: "total_value", match.EndingSoon: "(extract(epoch from expires_at) * 1000000)::bigint",
}

// measureDeepPages begins pages anywhere in the list.
func (b *bench) measureDeepPages(ctx context.Context) error {
	names := map[match.Sort]string{
		match.Newest: "any page", match.HighestPay: "any page, best pay first",
		match.TotalValue: "any page, highest total first",
		match.EndingSoon: "any page, ending soonest first",
	}
	for _, by := range match.Sorts {
		paths, err := b.pagesFrom(ctx, by, open)
		if err != nil {
			return err
		}
		if err := b.againstPostgres(ctx, contest{name: names[by], asks: repeated(paths)}); err != nil {
			return err
		}
		if by == match.Newest {
			if err := b.againstReadyTexts(ctx, paths); err != nil {
				return err
			}
		}
	}
	var paths []string
	for _, category := range game.Standard().Categories() {
		some, err := b.pagesFrom(ctx, match.Newest, fmt.Sprintf("%s and category = '%s'", open, category),
			"category", string(category))
		if err != nil {
			return err
		}
		paths = append(paths, some[:min(len(some), 8)]...)
	}
	return b.againstPostgres(ctx, contest{name: "any page of a category", asks: repeated(paths)})
}

// pagesFrom returns the paths of pages that begin at orders drawn from a list.
func (b *bench) pagesFrom(
	ctx context.Context, by match.Sort, from string, filter ...string,
) ([]string, error) {
	rows, err := b.store.Pool().Query(ctx,
		"select id, "+sortKeys[by]+" from "+from+" order by hashint8(id), id limit 128")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var paths []string
	for rows.Next() {
		at := match.Cursor{Sort: by}
		if err := rows.Scan(&at.ID, &at.Key); err != nil {
			return nil, err
		}
		sort := string(by)
		if by == match.Newest {
			sort = "" // as the page asks
		}
		paths = append(paths, query("/api/orders", append(filter, "sort", sort, "cursor", at.String())...))
	}
	return paths, rows.Err()
}

// follow returns the paths of a list's pages from the top, in the order a visitor reads them.
func (b *bench) follow(pages int, filter ...string) ([]string, error) {
	var paths []string
	cursor := ""
	for range pages {
		path := query("/api/orders", append(filter, "cursor", cursor)...)
		paths = append(paths, path)
		r, err := b.fetch(path)
		if err != nil {
			return nil, err
		}
		var page struct{ NextCursor *string }
		if err := json.Unmarshal(r.body, &page); err != nil {
			return nil, fmt.Errorf("GET %s: %w", path, err)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	return paths, nil
}

// filterRow is a row of lists that are narrowed, each with so many pages from the top.
type filterRow struct {
	name    string
	pages   int
	filters [][]string
}

func (b *bench) measureLists(ctx context.Context, rows []filterRow) error {
	for _, r := range rows {
		if !b.wanted(r.name) {
			continue
		}
		var paths []string
		for _, filter := range r.filters {
			some, err := b.follow(r.pages, filter...)
			if err != nil {
				return err
			}
			paths = append(paths, some...)
		}
		if err := b.againstPostgres(ctx, contest{name: r.name, asks: repeated(paths)}); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measureFilters(ctx context.Context) error {
	return b.measureLists(ctx, []filterRow{
		{"filter: importance", 8, [][]string{{"importance", "urgent"},
			{"importance", "high", "importance", "urgent"}, {"importance", "low"}}},
		{"filter: level", 8, [][]string{{"level", "50"}, {"level", "150"}, {"level", "400"}}},
		{"filter: price", 8, [][]string{{"minPrice", "1000000"}, {"maxPrice", "5000"},
			{"minPrice", "10000", "maxPrice", "50000"}}},
		{"filter: category, importance, price", 4, [][]string{
			{"category", "Miner", "importance", "high", "minPrice", "5000"},
			{"category", "Chef", "importance", "urgent", "maxPrice", "900000"},
		}},
		{"filter: price, best pay first", 8,
			[][]string{{"maxPrice", "5000", "sort", "price"}, {"maxPrice", "900000", "sort", "price"}}},
	})
}

func (b *bench) measureSearch(ctx context.Context) error {
	err := b.measureLists(ctx, []filterRow{
		{"search: a common word", 4, [][]string{{"q", "iron"}, {"q", "forge"}, {"q", "ore"}}},
		{"search: common words together", 4,
			[][]string{{"q", "iron ore"}, {"q", "wild mushroom"}, {"q", "guild docks"}}},
		{"search: part of a word", 4, [][]string{{"q", "ush"}, {"q", "oonli"}, {"q", "feas"}}},
		{"search: a word between", 4, [][]string{{"q", "obsidian"}, {"q", "cipher"}, {"q", "velvet"}}},
		{"search: a rare word", 1, [][]string{{"q", "kraken"}, {"q", "kraken any"}, {"q", "forgotten pie"}}},
		{"search: words that never meet", 1,
			[][]string{{"q", "kraken docks"}, {"q", "dragon"}, {"q", "iron dragon"}}},
		{"search: two letters", 2, [][]string{{"q", "ir"}, {"q", "or"}}},
		{"search: within a category, by pay", 4,
			[][]string{{"q", "iron", "category", "Forager", "sort", "price"},
				{"q", "any", "category", "Miner", "sort", "price"}}},
	})
	if err != nil {
		return err
	}
	counts := repeated([]string{"/api/orders/counts?q=iron", "/api/orders/counts?q=obsidian",
		"/api/orders/counts?importance=urgent"})
	return b.againstPostgres(ctx, contest{name: "counts of a search", asks: counts})
}

func (b *bench) measureOneOrder(ctx context.Context) error {
	ids, err := b.ids(ctx, open, 128)
	if err != nil {
		return err
	}
	var paths []string
	for _, id := range ids {
		paths = append(paths, fmt.Sprintf("/api/orders/%d", id))
	}
	return b.againstPostgres(ctx, contest{name: "one order", asks: repeated(paths)})
}
