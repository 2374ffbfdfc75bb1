package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// MaxFillable is how many requests are listed that a seller can fill.
const MaxFillable = 60

// FillableOrder is an open order that a seller can fill, and what they would earn by it.
type FillableOrder struct {
	Order
	FromStock bool // they have it; else they can make it
	Can       int  // how many of it
	Beyond    bool // its price is far beyond what is known; see KnownPrice.Beyond
}

// Earns is what the seller would earn.
func (f FillableOrder) Earns() Copper { return Copper(f.Can) * f.MaxPrice }

// rankedBy is the key of Earnings: nothing for a price that was probably not meant.
func (f FillableOrder) rankedBy() Copper {
	if f.Beyond {
		return 0
	}
	return f.Earns()
}

// FillQuery asks for a page of the open orders that a seller can fill.
type FillQuery struct {
	OrderFilter        // besides; its Skills are empty
	Seller      UserID // zero for a visitor
	Stock       []StockOf
	Made        []MadeItem
	Skilled     []Skill   // with what the catalogue does not know: by the request's profession and level
	Sort        Sort      // one of FillSorts
	Beyond      []OrderID // that Earnings ranks last
	After       *Cursor
	Now         time.Time
	Limit       int
}

// Earnings is the sort of what a seller can fill: what they have first, then what they can make, each by what they would earn. A request
// whose price is far beyond what is known is the last of either.
const Earnings Sort = "earnings"

// FillSorts lists the sorts of what a seller can fill.
var FillSorts = append([]Sort{Earnings}, Sorts...)

// earningsMade is the sort of a cursor within what a seller can make.
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

// FillablePage is part of the list of what a seller can fill.
type FillablePage struct {
	Orders []FillableOrder
	Total  int // on all pages, from the first of them
	Next   *Cursor
}

// StockOf is what a seller has under one name of an item.
type StockOf struct {
	Key      string // folded
	Quantity int
	Price    Copper // the least for one
}

// MadeItem is one name of an item that a seller can make, with their level in a profession that makes it.
type MadeItem struct {
	Key   string // folded
	Level int
}

// NewFillQuery returns what a seller can fill with their stock and skills. An item can be made by anyone who has, in a profession that
// makes it, the level of the catalogue or more. One of which the catalogue does not say the level is left out; one that it does not
// know is made by who has the profession and level of the request.
func NewFillQuery(seller UserID, stock []Stock, skills []Skill, index *ItemIndex, forms TextForms, now time.Time) FillQuery {
	q := FillQuery{Seller: seller, Skilled: skills, Sort: Earnings, Now: now, Limit: MaxFillable}
	for _, s := range stock {
		if s.Quantity == 0 || s.Gone(now) {
			continue
		}
		for _, name := range index.Same(s.ItemName) {
			q.Stock = append(q.Stock, StockOf{Key: forms.FoldItem(name), Quantity: s.Quantity, Price: s.Price})
		}
	}
	levels := map[ItemID]int{}
	for at := range index.items {
		item := &index.items[at]
		if level := item.makerLevel(skills); level > 0 && item.Known() {
			levels[item.ID] = level
		}
	}
	for at := range index.items {
		to, known := index.target(at)
		if !known || levels[index.items[to].ID] == 0 {
			continue
		}
		for _, name := range index.items[at].Names {
			q.Made = append(q.Made, MadeItem{Key: name.Key, Level: levels[index.items[to].ID]})
		}
	}
	return q
}

// makerLevel returns the highest of the levels with which the item can be made, zero for none.
func (i Item) makerLevel(skills []Skill) (level int) {
	if i.MadeAt == nil {
		return 0
	}
	for _, s := range skills {
		if s.Level >= *i.MadeAt && slices.Contains(i.MadeBy, s.Category) {
			level = max(level, s.Level)
		}
	}
	return level
}

// Fill lists the open requests that the actor can fill: first those that their stock is for, then those whose items they can make,
// each by what they would earn. It fails with Unauthenticated.
func (m *Market) Fill(ctx context.Context, actor Actor) ([]FillableOrder, error) {
	if err := actor.mustBeUser(); err != nil {
		return nil, err
	}
	page, err := m.fillable(ctx, actor, OrderQuery{Limit: MaxFillable})
	return page.Orders, err
}

// BrowseFillable is BrowseOrders for the requests that the actor can fill with their stock and skills, sorted by Earnings or one of
// Sorts. Who has no skills in an account says them in the filter. It fails with Invalid.
func (m *Market) BrowseFillable(ctx context.Context, actor Actor, q OrderQuery) (OrderPage, error) {
	filled, err := m.fillable(ctx, actor, q)
	if err != nil {
		return OrderPage{}, err
	}
	page := OrderPage{Orders: make([]ListedOrder, len(filled.Orders)), Total: filled.Total, Next: filled.Next}
	for i, f := range filled.Orders {
		page.Orders[i] = ListedOrder{Order: f.Order}
	}
	return page, nil
}

func (m *Market) fillable(ctx context.Context, actor Actor, q OrderQuery) (FillablePage, error) {
	sort, after := q.Sort, q.After
	if sort == "" {
		sort = Earnings
	}
	if sort == Earnings {
		q.Sort = ""
	}
	q.After, q.List, q.Group = nil, OpenOrders, Ungrouped
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return FillablePage{}, err
	}
	if after != nil && after.Sort != sort && !(sort == Earnings && after.Sort == earningsMade) {
		return FillablePage{}, NewFieldError("cursor", badCursorMessage)
	}
	now := m.now()
	skills := q.Skills
	var stock []Stock
	if actor.UserID != 0 {
		if stock, err = m.store.Stock(ctx, actor.UserID); err != nil {
			return FillablePage{}, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
		}
		own, err := m.store.Skills(ctx, actor.UserID)
		if err != nil {
			return FillablePage{}, fmt.Errorf("skills of user %d: %w", actor.UserID, err)
		}
		if len(own) > 0 {
			skills = own
		}
	}
	index, err := m.catalogue(ctx)
	if err != nil {
		return FillablePage{}, err
	}
	fill := NewFillQuery(actor.UserID, stock, skills, index, m.forms, now)
	if len(fill.Stock)+len(fill.Made)+len(fill.Skilled) == 0 {
		return FillablePage{Orders: []FillableOrder{}}, nil
	}
	f := q.OrderFilter
	f.Skills = nil
	if f, err = m.ofItem(ctx, f); err == nil {
		f, err = m.understand(ctx, f, now)
	}
	if err != nil {
		return FillablePage{}, withMessage(failedOrders, err)
	}
	fill.OrderFilter, fill.Sort, fill.After, fill.Limit = f, sort, after, q.Limit
	if sort == Earnings {
		fill.Beyond = m.beyondKnown(ctx, index, now)
	}
	page, err := m.store.FillOrders(ctx, fill)
	if err != nil {
		return FillablePage{}, withMessage(failedOrders, fmt.Errorf("orders that user %d can fill: %w", actor.UserID, err))
	}
	for i := range page.Orders {
		item, _ := index.Named(page.Orders[i].ItemName)
		page.Orders[i].Item = item.ID
	}
	return page, nil
}
