package match

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Sort says in which order a list comes.
type Sort string

// The sorts. Ties fall to the newer order.
const (
	Newest     Sort = "newest" // the default
	HighestPay Sort = "price"  // best price for one first
	TotalValue Sort = "total"  // best price for all first
	EndingSoon Sort = "ending" // soonest to expire first
)

// Sorts lists every sort.
var Sorts = []Sort{Newest, HighestPay, TotalValue, EndingSoon}

var unknownSort = core.NewText("sort_unknown")

// OrderFilter narrows a list. Its zero value selects everything; an order must match all its
// fields.
type OrderFilter struct {
	Categories []game.Category   // any of these; empty for all
	Text       string            // words that all occur: see Terms
	Means      Meaning           // further meanings of the words; set by the Market
	Texts      trade.TextFilter  // whole texts of an order
	ItemID     core.ItemID       // an item of the catalogue, by any of its names; 0 for all
	Named      []string          // the names of ItemID; the Market finds them out
	Importance []game.Importance // any of these; empty for all
	Level      int               // the reader's level: only orders that ask for no more; 0 for all
	// the same by category: orders of these categories that ask for no more; empty for all
	Skills   []people.Skill
	MinPrice core.Copper // for one; 0 for no bound
	MaxPrice core.Copper // for one; 0 for no bound
}

// OrderQuery asks for a page of orders.
type OrderQuery struct {
	OrderFilter
	List   OrderList
	Owner  core.UserID // only this buyer's; zero for all buyers'
	Sort   Sort        // empty for Newest
	After  *Cursor
	Limit  int // 1 to PageSize; 0 for PageSize
	Now    time.Time
	Offers bool // also count the offers on each order: for the eyes of its owner only
	Group  Grouping
}

// Grouping selects the unit of a list's entries.
type Grouping string

// The groupings.
const (
	Ungrouped Grouping = ""     // each order
	ByItem    Grouping = "item" // each item, in any case: the first of its orders, with its ItemGroup
)

// Groupings lists every grouping.
var Groupings = []Grouping{Ungrouped, ByItem}

// OrderList says which orders a list is about.
type OrderList string

// The lists of orders.
const (
	OpenOrders      OrderList = "active"    // active and not expired; the default
	FulfilledOrders OrderList = "fulfilled" // and not archived
	ExpiredOrders   OrderList = "expired"
	ArchivedOrders  OrderList = "archived" // fulfilled a while ago: see Retention.Closed
)

// OrderLists lists every list.
var OrderLists = []OrderList{OpenOrders, FulfilledOrders, ExpiredOrders, ArchivedOrders}

// OrderPage is part of a list of orders.
type OrderPage struct {
	Orders []trade.ListedOrder
	Total  int     // how many match in all, on every page
	Next   *Cursor // nil on the last page

	// AtLeast means that Total is as far as was counted: more match.
	AtLeast bool

	// Also is the search with one typo corrected; its matches are listed too. It is empty without a
	// correction.
	Also string

	// ValidUntil is when the next open order expires, which changes the lists without a Change. Zero is
	// never.
	ValidUntil time.Time
}

// Total says how many orders match.
type Total struct {
	Orders  int
	AtLeast bool // more match: they were counted no further
}

// MaxExactTotal is the highest total of a filter or a search. The totals of the whole board and of
// categories are always exact.
const MaxExactTotal = 1000

// CategoryCounts says how many open orders match a filter, in all and by category.
type CategoryCounts struct {
	All        int
	ByCategory map[game.Category]int // from the Market: with an entry for every category of the game
	ValidUntil time.Time             // as in OrderPage
}

// OnlyCategories reports whether a filter asks for categories at most. It looks at all of the other fields,
// so that a new one cannot be forgotten.
func (f OrderFilter) OnlyCategories() bool {
	f.Categories, f.Text, f.Means = nil, strings.Join(f.Words(), ""), Meaning{}
	return reflect.ValueOf(f).IsZero()
}

// HasCategory reports whether orders of a category may match the filter.
func (f OrderFilter) HasCategory(c game.Category) bool {
	return len(f.Categories) == 0 || slices.Contains(f.Categories, c)
}

// ByCategory returns the categories of orders that can match the filter, each with the highest level that an
// order may require, 0 for any. It is nil when the filter asks for no category; when none matches, it is
// empty.
func (f OrderFilter) ByCategory() []people.Skill {
	switch {
	case len(f.Skills) > 0:
		fit := make([]people.Skill, 0, len(f.Skills))
		for _, s := range f.Skills {
			if len(f.Categories) == 0 || slices.Contains(f.Categories, s.Category) {
				fit = append(fit, s)
			}
		}
		return fit
	case len(f.Categories) > 0:
		fit := make([]people.Skill, 0, len(f.Categories))
		for _, c := range f.Categories {
			fit = append(fit, people.Skill{Category: c})
		}
		return fit
	}
	return nil
}

// clean returns the filter with its texts cleaned, and its categories and skills sorted and each once: equal
// filters become equal queries.
func (f OrderFilter) clean(forms core.TextForms) OrderFilter {
	f.Text, f.Texts = forms.Line(f.Text), f.Texts.Clean(forms)
	f.Categories = slices.Compact(slices.Sorted(slices.Values(f.Categories)))
	f.Skills = slices.SortedFunc(slices.Values(f.Skills), people.Skill.Compare)
	return f
}

func (f OrderFilter) check(c *core.Checks, game game.Game) {
	for _, category := range f.Categories {
		c.That(game.HasCategory(category), "category", game.UnknownCategory())
	}
	people.CheckSkills(c, "skill", f.Skills, game)
	for _, i := range f.Importance {
		c.That(i.Valid(), "importance", core.NewText("importance_unknown"))
	}
	c.That(core.Within(f.Text, core.MaxItemName), "q", core.TooLong("search_too_long", core.MaxItemName))
	f.Texts.Check(c)
	c.That(f.Level >= 0 && f.Level <= core.MaxLevel, "level",
		core.NewText("level_range", "most", core.MaxLevel))
	c.That(f.MinPrice >= 0 && f.MinPrice <= core.MaxPrice, "minPrice", game.TooMuchMessage())
	c.That(f.MaxPrice >= 0 && f.MaxPrice <= core.MaxPrice, "maxPrice", game.TooMuchMessage())
	c.That(f.MaxPrice == 0 || f.MinPrice <= f.MaxPrice, "maxPrice", core.NewText("price_range"))
}

func (q OrderQuery) normal(game game.Game, forms core.TextForms) (OrderQuery, error) {
	q.OrderFilter = q.clean(forms)
	if q.Sort == "" {
		q.Sort = Newest
	}
	if q.List == "" {
		q.List = OpenOrders
	}
	if q.Limit == 0 {
		q.Limit = core.PageSize
	}
	var c core.Checks
	q.check(&c, game)
	c.That(q.Sort == Newest || q.Sort == HighestPay || q.Sort == TotalValue || q.Sort == EndingSoon,
		"sort", unknownSort)
	c.That(slices.Contains(OrderLists, q.List), "status", core.NewText("list_unknown"))
	c.That(slices.Contains(Groupings, q.Group), "group", core.NewText("group_unknown"))
	c.That(1 <= q.Limit && q.Limit <= core.PageSize, "limit",
		core.NewText("limit_range", "most", core.PageSize))
	c.That(q.After == nil || q.After.Sort == q.Sort, "cursor", core.BadCursorMessage)
	return q, c.Err()
}

// Cursor marks a place in a sorted list: right after the order with its sort key and ID.
type Cursor struct {
	Sort Sort
	Key  int64 // the sort key: microseconds since 1970 for times, copper for sums
	ID   int64
}

// String writes the cursor as a word that a door can hand out and ParseCursor reads.
func (c Cursor) String() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d:%d", c.Sort, c.Key, c.ID))
}

// ParseCursor reads a cursor that String wrote; the empty word is the top of the list. It fails with Invalid.
func ParseCursor(word string) (*Cursor, error) {
	if word == "" {
		return nil, nil
	}
	bad := core.NewFieldError("cursor", core.BadCursorMessage)
	text, err := base64.RawURLEncoding.DecodeString(word)
	if err != nil {
		return nil, bad
	}
	parts := strings.Split(string(text), ":")
	if len(parts) != 3 {
		return nil, bad
	}
	key, err1 := strconv.ParseInt(parts[1], 10, 64)
	id, err2 := strconv.ParseInt(parts[2], 10, 64)
	if err1 != nil || err2 != nil {
		return nil, bad
	}
	return &Cursor{Sort: Sort(parts[0]), Key: key, ID: id}, nil
}

// CursorAt returns the place right after o in a list sorted by s.
func CursorAt(s Sort, o trade.Order) Cursor {
	c := Cursor{Sort: s, ID: int64(o.ID)}
	switch s {
	case HighestPay:
		c.Key = int64(o.MaxPrice)
	case TotalValue:
		c.Key = int64(o.TotalValue())
	case EndingSoon:
		c.Key = o.ExpiresAt.UnixMicro()
	case Newest, Earnings, earningsMade, "":
		c.Key = o.CreatedAt.UnixMicro()
	}
	return c
}
