package match_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tradepost/sql/internal/storetest"
)

// listingsOfLines is the statement that a plan reads its listings with, with names for its values.
func listingsOfLines(t *testing.T) string {
	t.Helper()
	queries, err := os.ReadFile(filepath.Join("..", "..", "queries", "listings.sql"))
	must(t, err)
	_, sql, _ := strings.Cut(string(queries), "-- name: ListingsOfLines :many\n")
	sql, _, _ = strings.Cut(sql, ";")
	return regexp.MustCompile(`sqlc\.embed\((\w+)\)`).ReplaceAllString(sql, "$1.*")
}

func TestAPlanReadsTheListingsOfItsItemsAlone(t *testing.T) {
	t.Parallel()
	w := withListings(t)
	buyer := w.SignUp("maple")
	must(t, w.SQL(`insert into users (discord_id, username, display_name, avatar, created_at, updated_at)
		select 'many' || n, 'seller' || n, '', '', now(), now() from generate_series(1, 100) n`))
	must(t, w.SQL(`insert into stock (user_id, item_name, quantity, price, public, sells_daily, created_at, touched_at)
		select u.id, 'Hall Thing ' || k, 10, 1 + (u.id * 104729 + k * 7919) % 1000, true, 10, $1, $1
		from users u cross join generate_series(1, 300) k where u.discord_id like 'many%'`, w.Clock.Now()))
	must(t, w.SQL("analyze"))
	conn := connect(t, w.DSN)
	var lines, names []string
	for i := range 30 {
		lines, names = append(lines, fmt.Sprint(i)), append(names, fmt.Sprintf("Hall Thing %d", 1+7*i))
	}
	now := "'" + w.Clock.Now().Format("2006-01-02 15:04:05Z07:00") + "'::timestamptz"
	sql := listingsOfLines(t)
	values := []string{now + " - interval '1 day'", fmt.Sprint(int64(buyer.UserID)), "'{" + strings.Join(lines, ",") + "}'",
		"'{" + strings.Join(names, ",") + "}'", now, now + " - interval '14 days'", "20"}
	types := []string{"timestamptz", "bigint", "integer[]", "text[]", "timestamptz", "timestamptz", "integer"}
	for i, name := range []string{"day_ago", "for_user", "lines", "names", "now", "since", "most"} {
		sql = strings.ReplaceAll(sql, "@"+name, fmt.Sprintf("$%d", i+1))
	}
	for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
		must(t, storetest.Exec(t, conn, "set plan_cache_mode = "+mode))
		must(t, storetest.Exec(t, conn, "deallocate all"))
		must(t, storetest.Exec(t, conn, "prepare plan ("+strings.Join(types, ", ")+") as "+sql))
		p := storetest.PlanOf(t, conn, "execute plan("+strings.Join(values, ", ")+")")
		// Of each line the 20 cheapest of 100 are read, each with what is known of it. It were 187,000 by price.
		if read := p.Read(); read > 6_000 || strings.Contains(p.String(), "stock_listed") {
			t.Errorf("with %s a plan of 30 lines reads %.0f rows, by %s", mode, read, p)
		}
	}
}
