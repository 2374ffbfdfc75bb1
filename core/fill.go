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
}

// Earns is what the seller would earn.
func (f FillableOrder) Earns() Copper { return Copper(f.Can) * f.MaxPrice }

// FillQuery asks for the open orders that a seller can fill.
type FillQuery struct {
	Seller UserID
	Stock  []StockOf
	Made   []MadeItem
	Now    time.Time
	Limit  int
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
// makes it, the level of the catalogue or more. One of which the catalogue does not say the level is left out.
func NewFillQuery(seller UserID, stock []Stock, skills []Skill, index *ItemIndex, forms TextForms, now time.Time) FillQuery {
	q := FillQuery{Seller: seller, Now: now, Limit: MaxFillable}
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
	stock, err := m.store.Stock(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
	}
	skills, err := m.store.Skills(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("skills of user %d: %w", actor.UserID, err)
	}
	index, err := m.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	q := NewFillQuery(actor.UserID, stock, skills, index, m.forms, m.now())
	if len(q.Stock)+len(q.Made) == 0 {
		return []FillableOrder{}, nil
	}
	orders, err := m.store.FillOrders(ctx, q)
	if err != nil {
		return nil, withMessage(failedOrders, fmt.Errorf("orders that user %d can fill: %w", actor.UserID, err))
	}
	for i := range orders {
		item, _ := index.Named(orders[i].ItemName)
		orders[i].Item = item.ID
	}
	return orders, nil
}
