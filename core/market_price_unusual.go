package core

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// UnusualPrice asks about a price that the actor types for what a text names: nil where it is not far from what is known, or nothing is.
// Known is, in this order: the usual price of the item, the median of what other buyers pay in open requests, and the same of items of
// its kind, else of its profession and level.
func (m *Market) UnusualPrice(ctx context.Context, actor Actor, itemName string, price Copper) (*UnusualPrice, error) {
	return m.unusualPrice(ctx, actor, m.naming(ctx), pricedField{"maxPricePerUnit", itemName, price})
}

// pricedField is a price that was typed for an item.
type pricedField struct {
	field    string
	itemName string
	price    Copper
}

// askAboutPrices returns the Conflict that asks about prices which are far from what is known; nil once the actor has confirmed them. It
// is called before the transaction, which holds a connection, and returned inside it, so that a repeat of a write gets its first answer.
// A market that cannot read prices asks nothing.
func (m *Market) askAboutPrices(ctx context.Context, actor Actor, index *ItemIndex, typed ...pricedField) error {
	if actor.PriceConfirmed || actor.Canary {
		return nil
	}
	var unusual []UnusualPrice
	for _, t := range typed {
		if u, err := m.unusualPrice(ctx, actor, index, t); err == nil && u != nil {
			unusual = append(unusual, *u)
		}
	}
	return unusualPrices(unusual, m.game)
}

// askAboutEdit is askAboutPrices for an edit that changes the price.
func (m *Market) askAboutEdit(ctx context.Context, actor Actor, id OrderID, edit OrderEdit) error {
	if edit.MaxPrice == nil || actor.PriceConfirmed {
		return nil
	}
	typed := pricedField{"maxPricePerUnit", "", *edit.MaxPrice}
	if edit.ItemName != nil {
		typed.itemName = *edit.ItemName
	} else {
		order, err := m.store.Order(ctx, id)
		if err != nil { // the edit says so
			return nil
		}
		typed.itemName = order.ItemName
	}
	return m.askAboutPrices(ctx, actor, m.naming(ctx), typed)
}

// askAboutList is askAboutPrices for each line of a list.
func (m *Market) askAboutList(ctx context.Context, actor Actor, index *ItemIndex, draft ListDraft) error {
	_, lines, err := NewList(draft, actor.UserID, index, m.game, m.forms, m.now())
	if err != nil { // posting says so
		return nil
	}
	typed := make([]pricedField, len(lines))
	for i, line := range lines {
		typed[i] = pricedField{lineField(line.Number), line.Order.ItemName, line.Order.MaxPrice}
	}
	return m.askAboutPrices(ctx, actor, index, typed...)
}

// askAboutStock is askAboutPrices for what is new in a seller's stock, or has another price.
func (m *Market) askAboutStock(ctx context.Context, actor Actor, index *ItemIndex, drafts []StockDraft) error {
	if !m.features.Prices || actor.PriceConfirmed || len(drafts) > MaxStockLines {
		return nil
	}
	present, err := m.store.Stock(ctx, actor.UserID)
	if err != nil { // saving says so
		return nil
	}
	var typed []pricedField
	for _, draft := range drafts {
		kept := slices.ContainsFunc(present, func(s Stock) bool {
			return s.Price == draft.Price && index.sameItem(s.ItemName, draft.ItemName)
		})
		if !kept {
			typed = append(typed, pricedField{"price", draft.ItemName, draft.Price})
		}
	}
	return m.askAboutPrices(ctx, actor, index, typed...)
}

func (m *Market) unusualPrice(ctx context.Context, actor Actor, index *ItemIndex, typed pricedField) (*UnusualPrice, error) {
	name := index.Meant(m.forms.line(typed.itemName))
	if !m.features.Prices || typed.price <= 0 || m.forms.FoldItem(name) == "" {
		return nil, nil
	}
	known, err := m.knownPrice(ctx, actor.UserID, 1, index, name)
	if err != nil {
		return nil, fmt.Errorf("price of %q: %w", name, err)
	}
	return known.unusual(typed.field, name, typed.price, m.game), nil
}

// knownPrice returns the known price of an item, without the requests of the user. The prices that others ask count when at least so many
// buyers ask.
func (m *Market) knownPrice(ctx context.Context, user UserID, buyers int, index *ItemIndex, name string) (KnownPrice, error) {
	now := m.now()
	keys := index.keysOf(index.Same(name))
	item, named := index.Named(name)
	var traded ItemPrices
	var err error
	if named {
		traded, err = m.pricesOf(ctx, item.ID, keys, now)
	} else {
		traded, err = m.tradedUnder(ctx, keys, now)
	}
	if err != nil {
		return KnownPrice{}, err
	}
	if usual := traded.Usual(); usual != nil {
		return KnownPrice{usual.Price.Median, PriceTraded}, nil
	}
	asked, err := m.store.Asked(ctx, keys, user, now)
	if err != nil || asked.Buyers >= buyers {
		return KnownPrice{asked.Median, PriceAsked}, err
	}
	if !named {
		return KnownPrice{}, nil
	}
	for _, names := range index.neighbours(item) {
		if len(names) == 0 {
			continue
		}
		keys := index.keysOf(names)
		if traded, err = m.tradedUnder(ctx, keys, now); err != nil {
			return KnownPrice{}, err
		}
		if usual := traded.Usual(); usual != nil {
			return KnownPrice{usual.Price.Median, PriceSimilar}, nil
		}
		if asked, err = m.store.Asked(ctx, keys, user, now); err != nil || asked.Buyers >= neighboursAsked {
			return KnownPrice{asked.Median, PriceSimilar}, err
		}
	}
	return KnownPrice{}, nil
}

// tradedUnder returns what was traded under names that are not one item of the catalogue.
func (m *Market) tradedUnder(ctx context.Context, keys []string, now time.Time) (ItemPrices, error) {
	established, err := m.store.CountEstablished(ctx)
	if err != nil {
		return ItemPrices{}, fmt.Errorf("count established traders: %w", err)
	}
	fills, err := m.store.Fills(ctx, keys, now.Add(-fillsFor))
	if err != nil {
		return ItemPrices{}, fmt.Errorf("fills: %w", err)
	}
	prices := ItemPrices{Young: established < youngMarketTraders}
	prices.Windows = priceWindows(fills, prices.Young, now)
	return prices, nil
}
