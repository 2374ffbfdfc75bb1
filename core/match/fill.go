package match

import (
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// MaxFillable limits the listed requests that a seller can fill.
const MaxFillable = 60

// FillableOrder is an open order that a seller can fill, with the quantity that they can fill.
type FillableOrder struct {
	trade.Order
	FromStock bool // they have it; else they can make it
	Can       int  // how many of it
	Beyond    bool // its price is far beyond the known price; see KnownPrice.Beyond
}

// Earns returns the seller's earnings from filling the order.
func (f FillableOrder) Earns() core.Copper { return core.Copper(f.Can) * f.MaxPrice }

// rankedBy is the key of Earnings: nothing for a price that was probably not meant.
func (f FillableOrder) rankedBy() core.Copper {
	if f.Beyond {
		return 0
	}
	return f.Earns()
}

// FillQuery asks for a page of the open orders that a seller can fill.
type FillQuery struct {
	OrderFilter             // besides; its Skills are empty
	Seller      core.UserID // zero for a visitor
	Stock       []StockOf
	Made        []MadeItem
	Skilled     []people.Skill // for items outside the catalogue: by the request's profession and level
	Sort        Sort           // one of FillSorts
	Beyond      []core.OrderID // that Earnings ranks last
	After       *Cursor
	Now         time.Time
	Limit       int
}

// Earnings sorts fillable orders: items that the seller has first, then items that they can make, each by
// earnings. Requests with a price far beyond the known price come last in either group.
const Earnings Sort = "earnings"

// FillSorts lists the sorts of fillable orders.
var FillSorts = append([]Sort{Earnings}, Sorts...)

// earningsMade is the sort of a cursor within the items that a seller can make.
const earningsMade Sort = "earnings-made"

// FillCursor returns the place right after an order in a list sorted by s.
func FillCursor(s Sort, f FillableOrder) Cursor {
	switch {
	case s != Earnings:
		return CursorAt(s, f.Order)
	case f.FromStock:
		return Cursor{Sort: Earnings, Key: int64(f.rankedBy()), ID: int64(f.ID)}
	}
	return Cursor{Sort: earningsMade, Key: int64(f.rankedBy()), ID: int64(f.ID)}
}

// FromStock reports whether the place is among the orders that the seller's stock is for.
func (c Cursor) FromStock() bool { return c.Sort == Earnings }

// FillablePage is a page of the orders that a seller can fill.
type FillablePage struct {
	Orders []FillableOrder
	Total  int // on all pages, from the first of them
	Next   *Cursor
}

// StockOf is a seller's stock under one name of an item.
type StockOf struct {
	Key      string // folded
	Quantity int
	Price    core.Copper // the least for one
}

// MadeItem is one name of an item that a seller can make, with their level in a profession that makes it.
type MadeItem struct {
	Key   string // folded
	Level int
}

// NewFillQuery returns the query for the orders that a seller can fill with their stock and skills. A seller
// can make an item with the catalogue's level or more in a profession that makes it. Items without a level
// in the catalogue are left out; an item outside the catalogue takes the profession and level of the
// request.
func NewFillQuery(
	seller core.UserID, stock []Stock, skills []people.Skill, index *items.Index, forms core.TextForms,
	now time.Time,
) FillQuery {
	q := FillQuery{Seller: seller, Skilled: skills, Sort: Earnings, Now: now, Limit: MaxFillable}
	for _, s := range stock {
		if s.Quantity == 0 || s.Gone(now) {
			continue
		}
		for _, name := range index.Same(s.ItemName) {
			q.Stock = append(q.Stock, StockOf{Key: forms.FoldItem(name), Quantity: s.Quantity,
				Price: s.Price})
		}
	}
	levels := map[core.ItemID]int{}
	for at := range index.Items {
		item := &index.Items[at]
		if level := item.MakerLevel(skills); level > 0 && item.Known() {
			levels[item.ID] = level
		}
	}
	for at := range index.Items {
		to, known := index.Target(at)
		if !known || levels[index.Items[to].ID] == 0 {
			continue
		}
		for _, name := range index.Items[at].Names {
			q.Made = append(q.Made, MadeItem{Key: name.Key, Level: levels[index.Items[to].ID]})
		}
	}
	return q
}
