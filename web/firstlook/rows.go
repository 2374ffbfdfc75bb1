package firstlook

import (
	"html/template"
	"strings"

	"tradepost/core"
	"tradepost/core/match"
)

// table has the rows of the list, as OrderTable.tsx and PhoneRows.tsx draw them.
type table struct {
	Columns []column
	Rows    []row
}

// column is a column of the table, as in listColumns.tsx.
type column struct {
	key, Name, Class, Address         string
	Width                             int // in px; 0 for what is left
	Right, Sorted, Descending, Unseen bool
}

func (c column) ArrowClass() string {
	if c.Sorted {
		return "size-3.5"
	}
	return "size-3.5 opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"
}

type row struct {
	card
	Key                   string
	EachSlots, TotalSlots slotted
	Age, Ends             moment
	Grouped               bool
	Requests, Wanted      template.HTML
	SearchAddress         string
}

func (d drawing) table(orders []order) table {
	var each, total []core.Copper
	grouped := false
	for _, o := range orders {
		each, total = append(each, o.price()), append(total, o.TotalValue)
		grouped = grouped || o.isGroup()
	}
	eachSlots, totalSlots := d.slotsFor(each), d.slotsFor(total)
	t := table{Columns: d.columns(widthOf(eachSlots, grouped), widthOf(totalSlots, false))}
	for _, o := range orders[:min(len(orders), Rows)] {
		r := row{
			card: d.card(o), Key: itoa(o.ID), Age: d.span(o.CreatedAt), Ends: d.span(o.ExpiresAt),
			EachSlots: d.slotted(o.price(), eachSlots), TotalSlots: d.slotted(o.TotalValue, totalSlots),
		}
		if o.isGroup() {
			r.Grouped, r.Priority, r.Key = true, "", "item:"+strings.ToLower(o.ItemName)
			r.Requests, r.Wanted = d.count("common_request_count", o.Group.Requests),
				d.number(o.Group.Wanted)
			r.SearchAddress, r.Each = d.search(o.ItemName), d.amount(o.price())
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func (d drawing) columns(each, total int) []column {
	columns := []column{
		{key: "item"},
		{key: "left", Width: 120},
		{key: "each", Width: each, Right: true, Class: "text-right"},
		{key: "total", Width: total, Right: true, Class: "text-right hidden @[40rem]:table-cell"},
		{key: "level", Width: 58, Right: true, Class: "text-right hidden @[52rem]:table-cell"},
		{key: "buyer", Width: 118, Class: "hidden @[64rem]:table-cell"},
		{key: "age", Width: 58, Right: true, Class: "text-right hidden @[46rem]:table-cell"},
		{key: "ends", Width: 60, Right: true, Class: "text-right hidden @[56rem]:table-cell"},
		{key: "action", Right: true, Class: actionClass, Unseen: true},
	}
	for i, c := range columns {
		columns[i].Name = d.say(columnTexts[c.key])
		sort, known := sortedColumns[c.key]
		if !known {
			continue
		}
		other := d
		other.Sort = sort
		columns[i].Address, columns[i].Sorted = other.address(d.Category, d.View), sort == d.Sort
		columns[i].Descending = sort == match.HighestPay || sort == match.TotalValue
	}
	return columns
}

var columnTexts = map[string]string{
	"item": "common_item", "left": "orders_column_left", "each": "orders_column_each",
	"total": "orders_column_total", "level": "common_level", "buyer": "common_buyer",
	"age": "orders_column_age", "ends": "orders_column_ends", "action": "orders_column_action",
}

var sortedColumns = map[string]match.Sort{"age": match.Newest, "each": match.HighestPay,
	"total": match.TotalValue, "ends": match.EndingSoon}

func (o order) isGroup() bool { return o.Group != nil && o.Group.Requests > 1 }

// price returns the price on a row: for a group of requests, the best price.
func (o order) price() core.Copper {
	if o.isGroup() {
		return o.Group.Best
	}
	return o.MaxPricePerUnit
}

// actionClass leaves room for one press to who is signed in, as public/theme.js says.
const actionClass = "text-right pl-0 w-22 in-[.signed-in]:@[46rem]:w-49"

// widthOf returns the width of a column with these slots, in px. Beside the best price of a group stands
// the word.
func widthOf(slots []string, grouped bool) int {
	width := max(len(slots), 1)*38 + 24
	if grouped {
		width += 32
	}
	return width
}
