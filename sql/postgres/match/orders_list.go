package match

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// The lists of orders are composed here and not written down for sqlc: four sorts, three lists and seven
// filters in any combination are some thousand statements. One statement with every filter made optional ("$1
// is null or ...") would be a single text but would be planned as if no filter were there, and walk the whole
// table. All values are parameters.

// lead chooses how PostgreSQL is led to the rows.
type lead int

const (
	byFilter lead = iota // the filter: few orders match, so they are found and then sorted
	bySort               // the index of the sort: everything else is asked of each row in turn
)

// conditions collects conditions with their parameters.
type conditions struct {
	led   lead
	text  []string
	asked []string // of each row in turn
	args  []any
	finds bool // an index finds the rows of one of the conditions, when the filter leads

	// branches lists a condition for each category; a row has one category. Nil means any.
	branches []string
}

// that adds a condition with a ? for each value. An index may serve it.
func (c *conditions) that(condition string, values ...any) {
	c.text = append(c.text, c.numbered(condition, values...))
}

// ask adds a condition by which no index is entered when the sort leads.
func (c *conditions) ask(condition string, values ...any) {
	if c.led == bySort {
		c.asked = append(c.asked, c.numbered(condition, values...))
	} else {
		c.that(condition, values...)
	}
}

// find is ask for a condition that an index finds the rows of, when the filter leads.
func (c *conditions) find(condition string, values ...any) {
	c.finds = true
	c.ask(condition, values...)
}

func (c *conditions) numbered(condition string, values ...any) string {
	var b strings.Builder
	for _, value := range values {
		before, after, _ := strings.Cut(condition, "?")
		c.args = append(c.args, value)
		b.WriteString(before + "$" + strconv.Itoa(len(c.args)))
		condition = after
	}
	return b.String() + condition
}

// where writes the conditions. Conditions that are asked of each row in turn are wrapped in a case: no index
// is on a case, and PostgreSQL estimates that half of the rows pass instead of next to none.
func (c *conditions) where() string {
	switch len(c.branches) {
	case 0:
		return c.whereAnd()
	case 1:
		return c.whereAnd(c.branches[0])
	}
	return c.whereAnd("(" + strings.Join(c.branches, " or ") + ")")
}

func (c *conditions) whereAnd(more ...string) string {
	all := slices.Concat(more, c.text)
	if len(c.asked) > 0 {
		all = append(all, "case when "+strings.Join(c.asked, " and ")+" then true else false end")
	}
	return " where " + strings.Join(all, " and ")
}

// walked returns the table expression that a walk along the index of a sort reads. With several categories it
// is a walk for each of them, none longer than the page, which PostgreSQL merges.
func (c *conditions) walked(columns, page string) string {
	if len(c.branches) < 2 {
		return "orders" + c.where()
	}
	walks := make([]string, len(c.branches))
	for i, branch := range c.branches {
		walks[i] = "(select " + columns + " from orders" + c.whereAnd(branch) + page + ")"
	}
	return "(" + strings.Join(walks, " union all ") + ") orders"
}

// byCategory adds which categories match, each with the highest level that it may require.
func (c *conditions) byCategory(skills []people.Skill) {
	for _, s := range skills {
		if s.Level == 0 {
			c.branches = append(c.branches, c.numbered("category = ?", s.Category))
		} else {
			c.finds = true
			c.branches = append(
				c.branches,
				c.numbered(
					"category = ? and (level_requirement is null or level_requirement <= ?)", s.Category,
					s.Level,
				),
			)
		}
	}
	if skills != nil && len(skills) == 0 {
		c.that("false")
	}
}

// filter adds the conditions of a filter.
func (c *conditions) filter(f match.OrderFilter, sort match.Sort) {
	c.byCategory(f.ByCategory())
	for field, text := range f.Texts.Each() {
		c.finds = true
		c.that("lower("+field.Column+") = lower(?::text)", text)
	}
	if f.ItemID != 0 {
		c.finds = true
		c.that("item_key(item_name) = any(array(select item_key(n) from unnest(?::text[]) n))", f.Named)
	}
	for _, term := range f.Terms() {
		c.term(term)
	}
	if len(f.Importance) > 0 {
		c.ask("importance = any(?)", kernel.Texts(f.Importance))
	}
	if f.Level > 0 {
		c.ask("(level_requirement is null or level_requirement <= ?)", f.Level)
	}
	atLeast, atMost, bound := "max_price_per_unit >= ?", "max_price_per_unit <= ?", c.find
	if c.led == bySort && sort == match.HighestPay {
		// These are where the walk begins and ends. As comparisons of rows they are not taken for a narrow
		// range.
		atLeast, bound = "(max_price_per_unit, id) >= (?, 0)", c.that
		atMost = "(max_price_per_unit, id) <= (?, 9223372036854775807)"
	}
	if f.MinPrice > 0 {
		bound(atLeast, f.MinPrice)
	}
	if f.MaxPrice > 0 {
		bound(atMost, f.MaxPrice)
	}
}

// buyer is the buyer's text on a card. The index orders_buyer is on this expression.
const buyer = "lower(buyer_contact || ' ' || coalesce(ign, ''))"

// term adds that an order has a word in a text that its card shows, or belongs to a profession that the word
// names.
func (c *conditions) term(t match.Term) {
	var either []string
	var values []any
	byTrigram := c.led == byFilter && !slices.ContainsFunc(t.Spellings, func(word string) bool {
		return !hasTrigram(word)
	})
	for _, text := range []string{"search", buyer} {
		for _, word := range t.Spellings {
			// The database lowers both sides by the same rules. LIKE finds parts of words by their trigrams;
			// where there are none it would read the whole index.
			if byTrigram {
				either, values = append(either, text+" like lower(?::text)"), append(values, contains(word))
			} else {
				// selected: lowered once, not for each row
				either = append(either, "strpos("+text+", (select lower(?::text))) > 0")
				values = append(values, word)
			}
		}
	}
	if len(t.Categories) > 0 {
		either, values = append(either, "category = any(?)"), append(values, kernel.Texts(t.Categories))
	}
	c.find("("+strings.Join(either, " or ")+")", values...)
}

// hasTrigram reports whether the word contains three letters or digits in a row.
func hasTrigram(word string) bool {
	run := 0
	for _, r := range word {
		if run++; !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			run = 0
		}
		if run == 3 {
			return true
		}
	}
	return false
}

func (c *conditions) list(which match.OrderList, owner core.UserID, sort match.Sort, now time.Time) {
	switch which {
	case match.FulfilledOrders:
		c.that("status = 'fulfilled'")
		c.that("archived_at is null")
	case match.ArchivedOrders:
		c.that("archived_at is not null")
	case match.ExpiredOrders:
		c.that("status = 'active'")
		c.that("expires_at <= ?", now)
	case match.OpenOrders, "":
		c.that("status = 'active'")
		if sort == match.EndingSoon {
			c.that("expires_at > ?", now) // where the walk begins
		} else {
			c.ask("expires_at > ?", now)
		}
	}
	if owner != 0 {
		c.that("user_id = ?", owner)
	}
}

// sorting is how a list is sorted: by a column, then the newer order first.
type sorting struct {
	column    string
	ascending bool
	key       func(match.Cursor) any
}

func sortingBy(s match.Sort) sorting {
	copper := func(c match.Cursor) any { return c.Key }
	instant := func(c match.Cursor) any { return time.UnixMicro(c.Key).UTC() }
	switch s {
	case match.HighestPay:
		return sorting{column: "max_price_per_unit", key: copper}
	case match.TotalValue:
		return sorting{column: "total_value", key: copper}
	case match.EndingSoon:
		return sorting{column: "expires_at", ascending: true, key: instant}
	case match.Newest, match.Earnings, "":
	}
	return sorting{column: "created_at", key: instant}
}

func (s sorting) orderBy() string {
	if s.ascending {
		return " order by " + s.column + ", id desc"
	}
	return " order by " + s.column + " desc, id desc"
}

// after adds that an order comes after the cursor. Each form starts the index scan at the cursor.
func (s sorting) after(c *conditions, at match.Cursor) {
	key := s.key(at)
	if s.ascending {
		c.that(s.column+" >= ?", key)
		c.ask("("+s.column+" > ? or id < ?)", key, at.ID)
		return
	}
	c.that("("+s.column+", id) < (?, ?)", key, at.ID)
}

// Orders returns a page of a list and how many orders are on all its pages.
//
// A page of open orders is had in one of two ways, and PostgreSQL cannot be trusted to choose: its guess of
// how many orders hold a word is often far off, and the wrong way takes a thousand times as long. Walking
// along the index of the sort until the page is full is right when many match; finding all that match and
// sorting them is right when few do. How many there are is known, so the choice is made here.
func (s *Store) Orders(ctx context.Context, q match.OrderQuery) (match.OrderPage, error) {
	if q.Limit <= 0 {
		q.Limit = core.PageSize
	}
	if q.List != match.OpenOrders || q.Owner != 0 {
		return s.shortList(ctx, q)
	}
	matching, err := s.matching(ctx, q.OrderFilter, q.Now)
	if err != nil || matching.n == 0 {
		return match.OrderPage{}, err
	}
	led := bySort
	if shown(q, byFilter).finds {
		open, err := s.matching(ctx, match.OrderFilter{Categories: categoriesOf(q.OrderFilter)}, q.Now)
		if err != nil {
			return match.OrderPage{}, err
		}
		// Walking meets a match every open/matching rows.
		rowsWalked, rowsFound := (q.Limit+1)*open.n/matching.n, matching.n
		if !matching.more && rowsFound < rowsWalked {
			led = byFilter
		}
	}
	total := matching.total()
	if led == byFilter && q.Group == match.Ungrouped && matching.n <= mostFound {
		page, err := s.foundPage(ctx, q, matching.validUntil)
		page.Total, page.AtLeast, page.ValidUntil = total.Orders, total.AtLeast, matching.validUntil
		return page, err
	}
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (match.OrderPage, error) {
		page, err := readOrders(ctx, from, q, led)
		page.Total, page.AtLeast, page.ValidUntil = total.Orders, total.AtLeast, matching.validUntil
		return page, err
	})
}

func readOrders(
	ctx context.Context, from kernel.Source, q match.OrderQuery, led lead,
) (page match.OrderPage, err error) {
	sql, args := pageQuery(q, led)
	if led == byFilter {
		err := kernel.ForValues(ctx, from, sql, args, func(rows pgx.Rows) (err error) {
			page, err = readPage(rows, q)
			return err
		})
		return page, err
	}
	rows, err := from.Pool.Query(ctx, sql, args...)
	if err != nil {
		return match.OrderPage{}, fmt.Errorf("page of orders: %w", err)
	}
	return readPage(rows, q)
}

// categoriesOf returns the categories of orders that match a filter; nil for all.
func categoriesOf(f match.OrderFilter) []game.Category {
	return kernel.Convert(f.ByCategory(), func(s people.Skill) game.Category { return s.Category })
}

// shortList is Orders for lists of one buyer, and for others that are rarely read.
func (s *Store) shortList(ctx context.Context, q match.OrderQuery) (match.OrderPage, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, _ *db.Queries) (match.OrderPage, error) {
		var page match.OrderPage
		batch := &pgx.Batch{}
		sql, args := pageQuery(q, byFilter)
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
			page, err = readPage(rows, q)
			return err
		})
		all := shown(q, byFilter)
		batch.Queue("select count(*) from orders"+all.where(), all.args...).QueryRow(func(row pgx.Row) error {
			return row.Scan(&page.Total)
		})
		if err := s.Pool().SendBatch(ctx, batch).Close(); err != nil {
			return match.OrderPage{}, fmt.Errorf("page of orders: %w", err)
		}
		return page, nil
	})
}

func matching(q match.OrderQuery, led lead) conditions {
	c := conditions{led: led}
	c.list(q.List, q.Owner, q.Sort, q.Now)
	c.filter(q.OrderFilter, q.Sort)
	return c
}

// shown returns the conditions of the orders that a list shows: to their buyer all, to others those not
// hidden.
func shown(q match.OrderQuery, led lead) conditions {
	c := matching(q, led)
	if q.Owner == 0 {
		c.ask("not hidden")
	}
	return c
}

// pageQuery reads one order more than the page has, which shows whether there is another page.
func pageQuery(q match.OrderQuery, led lead) (string, []any) {
	c := shown(q, led)
	sort := sortingBy(q.Sort)
	matching := c.where()
	if q.Group == match.ByItem {
		c.asked = append(c.asked, sort.first(matching))
	}
	if q.After != nil {
		sort.after(&c, *q.After)
	}
	columns := pageColumns
	ofPage := sort.orderBy() + " limit " + strconv.Itoa(q.Limit+1)
	from := c.walked(columns, ofPage)
	if led == byFilter {
		// offset 0 keeps what is outside from looking in
		from = "(select * from orders" + c.where() + " offset 0) orders"
	}
	offers := "0"
	if q.Offers {
		offers = "(select count(*) from offers where offers.order_id = orders.id)"
	}
	sums := "null"
	if q.Offers && (q.List == match.FulfilledOrders || q.List == match.ArchivedOrders) {
		sums = tradestore.PurchasesOf
	}
	columns += ", " + offers + "::integer, " + sums + "::jsonb"
	page := "select " + columns + " from " + from + ofPage
	if q.Group == match.ByItem {
		page = sort.withGroups(page, matching)
	}
	return page, c.args
}

// pageOf is a page of the orders that were read for it: one more than it shows, where there is another page.
func pageOf(orders []trade.ListedOrder, q match.OrderQuery) match.OrderPage {
	page := match.OrderPage{Orders: orders}
	if len(orders) > q.Limit {
		page.Orders = orders[:q.Limit]
		next := match.CursorAt(q.Sort, page.Orders[q.Limit-1].Order)
		page.Next = &next
	}
	return page
}
