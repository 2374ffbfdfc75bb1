package trade

import (
	"context"
	"fmt"

	"tradepost/core"
)

// Order returns one order. For its owner its offers are counted, or its sales summed up once it is
// fulfilled; when that fails the order is returned without them. Readers other than its two sides and
// moderators get an order that is over without the contacts. It fails with NotFound, also when the order is
// expired or hidden and not for this reader.
func (m *orderActs) Order(ctx context.Context, actor core.Actor, id core.OrderID) (ListedOrder, error) {
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return ListedOrder{}, core.WithMessage(core.FailedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	order = m.Named(ctx, order)
	if !order.VisibleTo(actor, m.now()) {
		return ListedOrder{}, OrderNotFound()
	}
	if actor.MustBe(order.Owner) != nil {
		return ListedOrder{Order: m.forReader(ctx, actor, order)}, nil
	}
	if order.Status == Fulfilled { // it has no offers
		purchases, err := m.store.Purchases(ctx, id)
		if err != nil {
			purchases = nil
		}
		return ListedOrder{Order: order, Purchases: purchases}, nil
	}
	offers, err := m.store.CountOffers(ctx, id)
	if err != nil {
		offers = 0
	}
	return ListedOrder{Order: order, Offers: offers}, nil
}

// forReader returns the order as the actor sees it. Contacts of an order that is over are for its buyer,
// the sellers of accepts that stand, and moderators. They are left out when it cannot be found out whether
// the actor is such a seller.
func (m *orderActs) forReader(ctx context.Context, actor core.Actor, o Order) Order {
	if o.ContactsShown(m.now()) || actor.MustBe(o.Owner) == nil || actor.MustModerate() == nil {
		return o
	}
	if actor.SignedIn() {
		receipts, err := m.store.Receipts(ctx, actor.UserID,
			Query{Orders: []core.OrderID{o.ID}, Limit: 1})
		if err == nil && len(receipts) > 0 {
			return o
		}
	}
	return o.ForEverybody(m.now())
}

// Named returns an order with the item that it names.
func (m *orderActs) Named(ctx context.Context, o Order) Order {
	item, _ := m.items.IndexOrEmpty(ctx).Named(o.ItemName)
	o.Item = item.ID
	return o
}

// MarkItem returns the order with the item that it names. Orders that a Market reads have it.
func (m *orderActs) MarkItem(o Order) Order { return m.Named(context.Background(), o) }

func (m *offerActs) ownOrder(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	if err := actor.MustBeUser(); err != nil {
		return Order{}, err
	}
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return Order{}, core.WithMessage(core.FailedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	return order, actor.MustBe(order.Owner)
}

// Sales lists the newest sales of one of the actor's orders, and returns how many there are in all. It
// fails with Forbidden and NotFound.
func (m *offerActs) Sales(
	ctx context.Context, actor core.Actor, id core.OrderID, limit int,
) (Order, []Sale, int, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, 0, err
	}
	sales, total, err := m.store.Sales(ctx, id, limit)
	if err != nil {
		return Order{}, nil, 0, core.WithMessage(core.FailedSales,
			fmt.Errorf("sales of order %d: %w", id, err))
	}
	return order, sales, total, nil
}
