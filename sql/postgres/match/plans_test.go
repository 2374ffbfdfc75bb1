package match_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	corematch "tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
	"tradepost/sql/postgres/match"
)

// explain runs a page's statement as the store does after a while: prepared, with a plan that knows no values.
func explain(t *testing.T, conn *pgx.Conn, q corematch.OrderQuery, byFilter bool, mode string) storetest.Plan {
	t.Helper()
	sql, args := match.PageQuery(q, byFilter)
	must(t, storetest.Exec(t, conn, "set plan_cache_mode = "+mode))
	must(t, storetest.Exec(t, conn, "deallocate all"))
	must(t, storetest.Exec(t, conn, "prepare page as "+sql))
	values := make([]string, len(args))
	for i, arg := range args {
		must(t, conn.QueryRow(t.Context(), "select quote_literal($1::text)", pgx.QueryExecModeSimpleProtocol, fmt.Sprint(text(arg))).Scan(&values[i]))
	}
	execute := "execute page"
	if len(values) > 0 {
		execute += "(" + strings.Join(values, ", ") + ")"
	}
	return storetest.PlanOf(t, conn, execute)
}

func text(arg any) string {
	switch v := arg.(type) {
	case interface{ Format(string) string }:
		return v.Format("2006-01-02 15:04:05.999999Z07:00")
	case core.Copper:
		return fmt.Sprint(int64(v))
	case []string:
		return "{" + strings.Join(v, ",") + "}"
	}
	return fmt.Sprint(arg)
}

func TestAPageOfItemsUsesTheirIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	conn := connect(t, w.DSN)
	for _, sort := range corematch.Sorts {
		q := corematch.OrderQuery{Sort: sort, List: corematch.OpenOrders, Group: corematch.ByItem, Limit: core.PageSize, Now: w.Clock.Now()}
		p := explain(t, conn, q, false, "force_generic_plan")
		if plan := p.String(); !strings.Contains(plan, "orders_item") || strings.Contains(plan, "Seq Scan") {
			t.Errorf("sorted by %s a page of items is found by %s", sort, plan)
		}
	}
}

func TestAPageReadsLittleMoreThanItShows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	conn := connect(t, w.DSN)
	filtered := func(f corematch.OrderFilter, sort corematch.Sort) corematch.OrderQuery {
		return corematch.OrderQuery{OrderFilter: f, Sort: sort, List: corematch.OpenOrders, Limit: core.PageSize, Now: w.Clock.Now()}
	}
	indexes := map[corematch.Sort]string{
		corematch.Newest: "newest", corematch.HighestPay: "price", corematch.TotalValue: "total", corematch.EndingSoon: "ending",
	}
	for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
		for sort, index := range indexes {
			for name, tt := range map[string]struct {
				q        corematch.OrderQuery
				byFilter bool
				index    string
				most     float64
			}{
				"everything":            {q: filtered(corematch.OrderFilter{}, sort), index: "orders_" + index, most: 80},
				"a category":            {q: filtered(corematch.OrderFilter{Categories: []game.Category{"Chef"}}, sort), index: index, most: 400},
				"three categories":      {q: filtered(corematch.OrderFilter{Categories: []game.Category{"Chef", "Forager", "Miner"}}, sort), index: index, most: 400},
				"high skills":           {q: filtered(corematch.OrderFilter{Skills: []people.Skill{{Category: "Chef", Level: 400}, {Category: "Miner", Level: 300}}}, sort), index: index, most: 400},
				"a low skill":           {q: filtered(corematch.OrderFilter{Skills: []people.Skill{{Category: "Forager", Level: 5}}}, sort), byFilter: true, index: "orders_level", most: 400},
				"a common word":         {q: filtered(corematch.OrderFilter{Text: "common"}, sort), index: "orders_" + index, most: 80},
				"a wide price range":    {q: filtered(corematch.OrderFilter{MinPrice: 1, MaxPrice: 900_000}, sort), index: "orders_" + index, most: 400},
				"urgent, any level":     {q: filtered(corematch.OrderFilter{Importance: []game.Importance{game.Urgent}}, sort), index: "orders_" + index, most: 500},
				"a rare word":           {q: filtered(corematch.OrderFilter{Text: "rare"}, sort), byFilter: true, index: "orders_search", most: 40},
				"a rare and a common":   {q: filtered(corematch.OrderFilter{Text: "common rare"}, sort), byFilter: true, index: "orders_search", most: 40},
				"a narrow price range":  {q: filtered(corematch.OrderFilter{MinPrice: 1000, MaxPrice: 2000}, sort), byFilter: true, index: "orders_price", most: 200},
				"a rare word, category": {q: filtered(corematch.OrderFilter{Text: "rare", Categories: []game.Category{"Forager"}}, sort), byFilter: true, index: "orders_search", most: 60},
			} {
				if tt.byFilter && mode == "force_generic_plan" {
					continue // the store sends these to be planned for their values
				}
				if !tt.byFilter {
					// The same far down the list.
					deep := corematch.CursorAt(sort, trade.Order{
						ID: 10_000, OrderDraft: trade.OrderDraft{MaxPrice: 500_000, Quantity: 300},
						CreatedAt: w.Clock.Now().Add(-10_000 * 60e9), ExpiresAt: w.Clock.Now().Add(trade.OrderLifetime / 2),
					})
					at := tt
					at.q.After = &deep
					if got := explain(t, conn, at.q, false, mode); got.Read() > tt.most+30 || !strings.Contains(got.String(), tt.index) || strings.Contains(got.String(), "Sort") {
						t.Errorf("%s, %s, deep, by %s: reads %.0f rows by %s", mode, name, sort, got.Read(), got)
					}
				}
				got := explain(t, conn, tt.q, tt.byFilter, mode)
				if got.Read() > tt.most || !strings.Contains(got.String(), tt.index) || strings.Contains(got.String(), "Sort") != tt.byFilter {
					t.Errorf("%s, %s by %s: reads %.0f rows by %s", mode, name, sort, got.Read(), got)
				}
			}
		}
	}
}

func TestTheWayToAPageIsChosenByHowManyMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	seen := &storetest.LastPage{}
	market := market.New(w.Another(postgres.Options{Tracer: seen}), market.Options{Now: w.Clock.Now})
	for words, byFilter := range map[string]bool{"common": false, "rare": true, "iron": false, "common rare": true, "ra": true, "mo": false} {
		_, err := market.Match.BrowseOrders(t.Context(), corematch.OrderQuery{OrderFilter: corematch.OrderFilter{Text: words}})
		must(t, err)
		if got := strings.Contains(seen.SQL, "offset 0"); got != byFilter {
			t.Errorf("%q: found first and then sorted is %v, want %v", words, got, byFilter)
		}
	}
}

// Changes are written faster than the planner hears of them, and are there for a minute or two.
func TestChangesAreReadWithoutKnownOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn, err := pgconnect.OpenListener(t.Context(), w.Store.Direct(), "tradepost changes", time.Minute)
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	must(t, w.SQL("insert into changes (xid, orders, users, lists) select (1 + i % 500)::text::xid8, '{1}', '{1}', false from generate_series(1, 20000) i"))
	must(t, w.SQL("analyze changes"))
	must(t, storetest.Exec(t, conn, "prepare news(text, bigint) as "+statement(t, "changes", "ReadChanges", "seen", "most")))
	var now string
	must(t, conn.QueryRow(t.Context(), "select pg_current_snapshot()::text").Scan(&now))
	w.Post(w.Ann)
	p := storetest.PlanOf(t, conn, "execute news('"+now+"', 5000)")
	if n := p.Read(); n > 10 {
		t.Errorf("one change among 20,000 is found by reading %.0f rows: %s", n, p)
	}
	once := 0
	p.Each(func(p storetest.Plan) {
		if strings.HasPrefix(p.Subplan, "InitPlan") {
			once++
		}
	})
	if once != 2 {
		t.Errorf("the snapshot is to be read from its text once for each of two uses, not for each row: %s", p)
	}
}

// statement is a generated query with its parameters in the given order.
func statement(t *testing.T, file, name string, params ...string) string {
	t.Helper()
	queries, err := os.ReadFile("../../queries/" + file + ".sql")
	must(t, err)
	_, text, found := strings.Cut(string(queries), "-- name: "+name+" :")
	if !found {
		t.Fatalf("there is no query %s", name)
	}
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, ";")
	for i, param := range params {
		text = strings.NewReplacer("@"+param, fmt.Sprint("$", i+1), "sqlc.arg("+param+")", fmt.Sprint("$", i+1)).Replace(text)
	}
	return text
}

func TestExpiryReadsOnlyPendingOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	must(t, w.SQL("update orders set lapsed_for = expires_at, warned_for = expires_at"))
	must(t, w.SQL("analyze orders"))
	conn := connect(t, w.DSN)
	must(t, storetest.Exec(t, conn, "set plan_cache_mode = force_generic_plan"))
	now := w.Clock.Now().Format(time.RFC3339)
	for name, values := range map[string]string{
		"LockExpiredOrders":  "'" + now + "', '" + now + "', 100",
		"LockExpiringOrders": "'" + now + "', '" + w.Clock.Now().AddDate(1, 0, 0).Format(time.RFC3339) + "', 100",
	} {
		must(t, storetest.Exec(t, conn, "prepare "+name+"(timestamptz, timestamptz, integer) as "+statement(t, "orders", name, "now", "before", "most")))
		if p := storetest.PlanOf(t, conn, "execute "+name+"("+values+")"); p.Read() > 10 {
			t.Errorf("%s finds nothing among 20,000 orders by reading %.0f rows: %s", name, p.Read(), p)
		}
	}
}

func TestTheAudienceIsCountedFromTheIndexAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.SQL(`with added as (
		insert into watches (user_id, name, items, way, created_at, updated_at)
		select $1, 'w' || n, array[n % 2000], 'inbox', now(), now() from generate_series(1, 50000) n returning id, items
	) insert into watch_keys (key, watch_id) select 'item:' || items[1], id from added`, w.Bob.UserID))
	must(t, w.SQL("vacuum analyze watches, watch_keys"))
	conn := connect(t, w.DSN)
	must(t, storetest.Exec(t, conn, "set plan_cache_mode = force_generic_plan"))
	must(t, storetest.Exec(t, conn, "prepare heard(text[], bigint, text, text, text, integer, bigint, integer, text, text, text[], text[], timestamptz, integer) as "+
		statement(t, "alerts", "CountWatchers", "keys", "buyer_id", "kind", "category", "importance", "level_required", "price", "quantity",
			"texts", "content", "names", "stocked", "touched_after", "most")))
	p := storetest.PlanOf(t, conn, "execute heard('{item:7}', 0, '', 'Miner', 'low', 0, 1, 1, '{}', 'iron ore', '{}', '{}', now(), 1000)")
	if !strings.Contains(p.String(), "Index Only Scan searches_compared") {
		t.Errorf("the plan is %s", p)
	}
}

func TestAFilterThatWasNotCountedToTheEndIsNotFoundAsAWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	seen := &storetest.LastPage{}
	store := w.Another(postgres.Options{Tracer: seen})
	storetest.Listen(t, store)
	market := market.New(store, market.Options{Now: w.Clock.Now})
	q := corematch.OrderQuery{OrderFilter: corematch.OrderFilter{MinPrice: 1}}
	if _, err := market.Match.BrowseOrders(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	// As many are open as would make it right to find and sort no more than were counted.
	must(t, w.SQL(`insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, created_at, updated_at,
		expires_at) select user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, created_at, updated_at, expires_at
		from orders where status = 'active' and not hidden`))
	must(t, w.SQL("insert into changes (orders, users, lists) values ('{1}', '{}', true)"))
	w.Post(w.Ann)
	_, err := market.Match.BrowseOrders(t.Context(), q)
	must(t, err)
	if strings.Contains(seen.SQL, "offset 0") {
		t.Error("all that match were found and sorted, of which only some were counted")
	}
}

func TestEachFilterSaysWhetherAnIndexFindsItsRows(t *testing.T) {
	t.Parallel()
	set := map[string]struct {
		filter corematch.OrderFilter
		finds  bool
	}{
		"Categories": {corematch.OrderFilter{Categories: []game.Category{"Miner"}}, false}, // whose sort has an index
		"Skills":     {corematch.OrderFilter{Skills: []people.Skill{{Category: "Miner", Level: 12}}}, true},
		"Text":       {corematch.OrderFilter{Text: "iron"}, true},
		"Means":      {corematch.OrderFilter{Text: "iron", Means: corematch.Meaning{Typo: "iron", Correction: "irons"}}, true},
		"Texts":      {corematch.OrderFilter{Texts: trade.TextFilter{Item: "Iron Ore"}}, true},
		"ItemID":     {corematch.OrderFilter{ItemID: 3, Named: []string{"Iron Ore"}}, true},
		"Named":      {corematch.OrderFilter{ItemID: 3, Named: []string{"Iron Ore"}}, true},
		"MinPrice":   {corematch.OrderFilter{MinPrice: 1}, true},
		"MaxPrice":   {corematch.OrderFilter{MaxPrice: 1}, true},
		"Importance": {corematch.OrderFilter{Importance: []game.Importance{game.Urgent}}, false},
		"Level":      {corematch.OrderFilter{Level: 12}, false},
	}
	for i := range reflect.TypeFor[corematch.OrderFilter]().NumField() {
		name := reflect.TypeFor[corematch.OrderFilter]().Field(i).Name
		if tt, ok := set[name]; !ok {
			t.Errorf("it is not said whether an index finds the rows of %s", name)
		} else if got := match.Finds(tt.filter); got != tt.finds {
			t.Errorf("%s: an index finds its rows: %t, want %t", name, got, tt.finds)
		}
	}
}
