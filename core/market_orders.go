package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// PostOrder puts a buyer's request on the market. It refuses with Unauthenticated, Forbidden when the actor is blocked, and
// Invalid.
func (m *Market) PostOrder(ctx context.Context, actor Actor, draft OrderDraft) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	return once(ctx, m, actor, "post order", draft, func(tx Tx, now time.Time) (Order, error) {
		var err error
		if actor.Blocked, err = tx.LockBuyer(ctx, actor.UserID); err != nil {
			return Order{}, fmt.Errorf("buyer %d: %w", actor.UserID, err)
		}
		if err := actor.mayTrade(); err != nil {
			return Order{}, err
		}
		order, err := NewOrder(draft, actor.UserID, m.forms, now)
		if err != nil {
			return Order{}, err
		}
		order.ID, err = tx.AddOrder(ctx, order)
		return order, err
	})
}

// PreviewOrder returns the order that a draft would make, without posting it. It refuses as PostOrder does.
func (m *Market) PreviewOrder(actor Actor, draft OrderDraft) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	return NewOrder(draft, actor.UserID, m.forms, m.now())
}

// EditOrder changes an order of the actor's. It refuses with Conflict, carrying the present order, when the order is
// closed or has changed since edit.Version, and with Forbidden, Invalid and NotFound.
func (m *Market) EditOrder(ctx context.Context, actor Actor, id OrderID, edit OrderEdit) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	return m.changeOrder(ctx, actor, id, "edit order", edit, func(o Order, now time.Time) (Order, error) {
		return o.Edit(edit, m.forms, now)
	})
}

// CloseOrder ends an order of the actor's before it is filled. Its offers lapse. It refuses with Conflict when it is closed
// already, and with Forbidden and NotFound.
func (m *Market) CloseOrder(ctx context.Context, actor Actor, id OrderID) (Order, error) {
	return m.changeOrder(ctx, actor, id, "close order", nil, Order.Close)
}

// RenewOrder shows an order of the actor's for another OrderLife. It refuses with Conflict when it is closed, and with
// Forbidden and NotFound.
func (m *Market) RenewOrder(ctx context.Context, actor Actor, id OrderID) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	return m.changeOrder(ctx, actor, id, "renew order", nil, Order.Renew)
}

// changeOrder locks an order of the actor's, decides, and saves what came of it.
func (m *Market) changeOrder(ctx context.Context, actor Actor, id OrderID, operation string, input any,
	decide func(Order, time.Time) (Order, error),
) (Order, error) {
	if err := actor.mustBeUser(); err != nil {
		return Order{}, err
	}
	return once(ctx, m, actor, operation, []any{id, input}, func(tx Tx, now time.Time) (Order, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return Order{}, fmt.Errorf("%s %d: %w", operation, id, err)
		}
		if err := actor.Owns(order); err != nil {
			return Order{}, err
		}
		if order, err = decide(order, now); err != nil {
			return Order{}, err
		}
		return order, m.saveOrder(ctx, tx, order, now)
	})
}

// saveOrder saves a changed order. One that has just been fulfilled lets its offers lapse and tells whom it concerns.
func (m *Market) saveOrder(ctx context.Context, tx Tx, order Order, now time.Time) error {
	if err := tx.SaveOrder(ctx, order); err != nil {
		return fmt.Errorf("save order %d: %w", order.ID, err)
	}
	if order.Status != Fulfilled {
		return nil
	}
	why := "The request was closed"
	if order.CloseReason == Filled {
		why = "The request was filled"
	}
	lapsed, err := m.lapseOffers(ctx, tx, order, why, now)
	if err != nil {
		return err
	}
	return addNotices(ctx, tx, append(orderFilled(order, now), lapsed...))
}

func (m *Market) lapseOffers(ctx context.Context, tx Tx, order Order, why string, now time.Time) ([]Notice, error) {
	offers, err := tx.LapseOffers(ctx, order.ID, now)
	if err != nil {
		return nil, fmt.Errorf("lapse offers on order %d: %w", order.ID, err)
	}
	var notices []Notice
	for _, offer := range offers {
		notices = append(notices, toSeller(order, offer, OfferHasLapsed, offer.Quantity, why, now)...)
	}
	return notices, nil
}

func addNotices(ctx context.Context, tx Tx, notices []Notice) error {
	if len(notices) == 0 {
		return nil
	}
	if err := tx.AddNotices(ctx, notices); err != nil {
		return fmt.Errorf("add notices: %w", err)
	}
	return nil
}

// DeleteOrder removes an order of the actor's for good, with its offers and sales. It refuses with Forbidden and NotFound.
func (m *Market) DeleteOrder(ctx context.Context, actor Actor, id OrderID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := once(ctx, m, actor, "delete order", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete order %d: %w", id, err)
		}
		if err := actor.Owns(order); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, m.deleteOrder(ctx, tx, order, "The request was deleted", now)
	})
	return err
}

// deleteOrder deletes a locked order and tells whose offers lapse.
func (m *Market) deleteOrder(ctx context.Context, tx Tx, order Order, why string, now time.Time) error {
	lapsed, err := m.lapseOffers(ctx, tx, order, why, now)
	if err != nil {
		return err
	}
	// The order is gone when the notice is read: it leads nowhere.
	for i := range lapsed {
		lapsed[i].OrderID = 0
	}
	if err := tx.DeleteOrder(ctx, order.ID); err != nil {
		return fmt.Errorf("delete order %d: %w", order.ID, err)
	}
	return addNotices(ctx, tx, lapsed)
}

// BrowseOrders lists open orders for everybody. It refuses with Invalid.
func (m *Market) BrowseOrders(ctx context.Context, q OrderQuery) (OrderPage, error) {
	q.Which, q.Owner, q.Offers = OpenOrders, 0, false
	return m.orders(ctx, q, failedOrders)
}

// OwnOrders lists the actor's own orders, with the offers on each counted. It refuses with Unauthenticated and Invalid.
func (m *Market) OwnOrders(ctx context.Context, actor Actor, q OrderQuery) (OrderPage, error) {
	if err := actor.mustBeUser(); err != nil {
		return OrderPage{}, err
	}
	q.Owner, q.Offers = actor.UserID, true
	return m.orders(ctx, q, failedOwnOrders)
}

func (m *Market) orders(ctx context.Context, q OrderQuery, failed string) (OrderPage, error) {
	q, err := q.normal(m.forms)
	if err != nil {
		return OrderPage{}, err
	}
	q.Now = m.now()
	page, err := m.store.Orders(ctx, q)
	if err != nil {
		return OrderPage{}, failing(failed, fmt.Errorf("list orders: %w", err))
	}
	return page, nil
}

// CountOrders counts the open orders that match a filter, by category; the filter's own category is left out of account.
// It refuses with Invalid.
func (m *Market) CountOrders(ctx context.Context, f OrderFilter) (CategoryCounts, error) {
	f = f.clean(m.forms)
	f.Category = ""
	var c Checks
	f.check(&c)
	if err := c.Err(); err != nil {
		return CategoryCounts{}, err
	}
	counts, err := m.store.CategoryCounts(ctx, f, m.now())
	if err != nil {
		return CategoryCounts{}, failing(failedOrders, fmt.Errorf("count orders: %w", err))
	}
	return counts, nil
}

// Order returns one order; its offers are counted for its owner, and are none when they cannot be counted: the order is
// worth showing without. It refuses with NotFound, also when the order is expired or
// hidden and not for this reader.
func (m *Market) Order(ctx context.Context, actor Actor, id OrderID) (ListedOrder, error) {
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return ListedOrder{}, failing(failedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	if !order.ShownTo(actor, m.now()) {
		return ListedOrder{}, orderNotFound()
	}
	if actor.Owns(order) != nil {
		return ListedOrder{Order: order}, nil
	}
	offers, err := m.store.CountOffers(ctx, id)
	if err != nil {
		offers = 0
	}
	return ListedOrder{Order: order, Offers: offers}, nil
}

// ItemNames suggests items that hold the words of text: those that the host has named, and then those that were ordered
// before, the most ordered first.
func (m *Market) ItemNames(ctx context.Context, text string, limit int) ([]string, error) {
	text = m.forms.line(text)
	ordered, err := m.store.ItemNames(ctx, text, limit)
	if err != nil {
		return nil, fmt.Errorf("suggest items: %w", err)
	}
	return SuggestItems(m.items, ordered, text, limit), nil
}

// SuggestItems joins the named items that hold the words of text with the ordered ones, each once.
func SuggestItems(named, ordered []string, text string, limit int) []string {
	words := OrderFilter{Text: text}.Words()
	suggested := []string{}
	seen := map[string]bool{}
	add := func(name string) {
		if key := strings.ToLower(name); !seen[key] && len(suggested) < limit {
			seen[key] = true
			suggested = append(suggested, name)
		}
	}
	for _, name := range named {
		if lower := strings.ToLower(name); !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(lower, word) }) {
			add(name)
		}
	}
	for _, name := range ordered {
		add(name)
	}
	return suggested
}
