package match

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	tradestore "tradepost/sql/postgres/trade"
)

// notOnPages are the columns of an order that no list shows and none is sorted by. Leaving them out saves
// writing, sending and reading them for each of sixty rows.
var notOnPages = []string{"search", "progress", "warned_for", "lapsed_for", "archived_at"}

// pageColumns lists the other columns.
var pageColumns = func() string {
	var columns []string
	for field := range reflect.TypeFor[db.Order]().Fields() {
		if column := field.Tag.Get("db"); !slices.Contains(notOnPages, column) {
			columns = append(columns, column)
		}
	}
	return strings.Join(columns, ", ")
}()

// listedRow reads rows of a page one after the other into one place: what a row is read into is found once
// for the page.
type listedRow struct {
	db.Order
	offers    int
	purchases []byte
	group     struct {
		orders, wanted int
		best           core.Copper
	}
	targets []any
}

// orderRow reads rows of the page's columns.
func orderRow() *listedRow {
	r := &listedRow{}
	row := reflect.ValueOf(&r.Order).Elem()
	for i := range row.NumField() {
		if !slices.Contains(notOnPages, row.Type().Field(i).Tag.Get("db")) {
			r.targets = append(r.targets, row.Field(i).Addr().Interface())
		}
	}
	return r
}

// rowOf reads rows of a page as pageQuery asks for them.
func rowOf(q match.OrderQuery) *listedRow {
	r := orderRow()
	r.targets = append(r.targets, &r.offers, &r.purchases)
	if q.Group == match.ByItem {
		r.targets = append(r.targets, &r.group.orders, &r.group.wanted, &r.group.best)
	}
	return r
}

func (r *listedRow) read(row pgx.CollectableRow) (trade.ListedOrder, error) {
	if err := row.Scan(r.targets...); err != nil {
		return trade.ListedOrder{}, err
	}
	sums, err := tradestore.Purchases(r.purchases)
	return trade.ListedOrder{
		Order: tradestore.Order(r.Order), Offers: r.offers, Purchases: sums,
		Group: trade.ItemGroup{Orders: r.group.orders, Wanted: r.group.wanted, Best: r.group.best},
	}, err
}

func readPage(rows pgx.Rows, q match.OrderQuery) (match.OrderPage, error) {
	orders, err := pgx.AppendRows(make([]trade.ListedOrder, 0, q.Limit+1), rows, rowOf(q).read)
	if err != nil {
		return match.OrderPage{}, fmt.Errorf("page of orders: %w", err)
	}
	return pageOf(orders, q), nil
}
