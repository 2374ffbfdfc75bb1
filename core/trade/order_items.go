package trade

import (
	"context"

	"tradepost/core/game"
	"tradepost/core/items"
)

// withCategory fills in the category of a draft that has none.
func (d OrderDraft) withCategory(index *items.ItemIndex, game game.Game) OrderDraft {
	if d.Category == "" {
		d.Category = index.CategoryOf(d.ItemName, game)
	}
	return d
}

// Named returns an order with the item that it names.
func (m *orderActs) Named(ctx context.Context, o Order) Order {
	item, _ := m.items.IndexOrEmpty(ctx).Named(o.ItemName)
	o.Item = item.ID
	return o
}

// MarkItem returns the order with the item that it names. Orders that a Market reads have it.
func (m *orderActs) MarkItem(o Order) Order { return m.Named(context.Background(), o) }
