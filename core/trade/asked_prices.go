package trade

import (
	"context"

	"tradepost/core"
	"tradepost/core/items"
)

// askAboutEdit is askAboutPrices for an edit that changes the price.
func (m *orderActs) askAboutEdit(
	ctx context.Context, actor core.Actor, id core.OrderID, edit OrderEdit,
) error {
	if edit.MaxPrice == nil || actor.PriceConfirmed {
		return nil
	}
	typed := items.PricedField{Field: "maxPricePerUnit", ItemName: "", Price: *edit.MaxPrice}
	if edit.ItemName != nil {
		typed.ItemName = *edit.ItemName
	} else {
		order, err := m.store.Order(ctx, id)
		if err != nil { // the edit says so
			return nil
		}
		typed.ItemName = order.ItemName
	}
	return m.items.AskAboutPrices(ctx, actor, m.items.IndexOrEmpty(ctx), typed)
}

// askAboutList is askAboutPrices for each line of a list.
func (m *orderActs) askAboutList(
	ctx context.Context, actor core.Actor, index *items.ItemIndex, draft ListDraft,
) error {
	_, lines, err := NewList(draft, actor.UserID, index, m.game, m.forms, m.now())
	if err != nil { // posting says so
		return nil
	}
	typed := make([]items.PricedField, len(lines))
	for i, line := range lines {
		typed[i] = items.PricedField{Field: lineField(line.Number), ItemName: line.Order.ItemName,
			Price: line.Order.MaxPrice}
	}
	return m.items.AskAboutPrices(ctx, actor, index, typed...)
}
