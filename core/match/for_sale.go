package match

import (
	"context"
	"fmt"

	"tradepost/core"
)

// ForSale sums up the listings of an item: the quantity to ask for, and the lowest price for one.
type ForSale struct {
	Quantity int
	Lowest   core.Copper
}

// ForSaleLine sums up the listings of the item of one request of a list.
type ForSaleLine struct {
	ForSale
	Order core.OrderID
}

// ForSaleOnList returns what others have for sale of the items of a list's requests, in their order. Requests
// without any are left out. It returns NotFound as PostedList does.
func (m *stockActs) ForSaleOnList(
	ctx context.Context, actor core.Actor, id core.ListID,
) ([]ForSaleLine, error) {
	list, err := m.trade.PostedList(ctx, actor, id)
	if err != nil {
		return nil, err
	}
	index := m.items.IndexOrEmpty(ctx)
	names := make([][]string, len(list.Orders))
	for i, o := range list.Orders {
		names[i] = index.Same(o.ItemName)
	}
	found, err := m.store.ForSale(ctx, names, actor.UserID, m.now())
	if err != nil {
		return nil, fmt.Errorf("for sale of list %d: %w", id, err)
	}
	lines := []ForSaleLine{}
	for i, o := range list.Orders {
		if sale, there := found[i]; there {
			lines = append(lines, ForSaleLine{ForSale: sale, Order: o.ID})
		}
	}
	return lines, nil
}
