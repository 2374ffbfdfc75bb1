package core

import "tradepost/core/items"

// Offer answers an order.
type Offer struct {
	Item items.Item
	On   *Order
}
