package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// PostOrder puts a buyer's request on the market. It returns Unauthenticated, Forbidden when the actor is blocked, Invalid,
// Conflict when the actor has an equal request open, TooMany when a quota is used up, and CodePriceUnusual.
func (m *Market) PostOrder(ctx context.Context, actor Actor, draft OrderDraft) (Order, error) {
	return m.PostOrderAsking(ctx, actor, draft, 0)
}

// PostOrderAsking is PostOrder for a buyer who asks for the public stock of one seller (zero for nobody's): that seller is alerted to
// the request in the transaction that posts it, before anybody else. Stock that is no longer there asks nobody.
func (m *Market) PostOrderAsking(ctx context.Context, actor Actor, draft OrderDraft, ask StockID) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	items := m.naming(ctx) // before the transaction, which holds a connection
	asks := m.askAboutPrices(ctx, actor, items, pricedField{"maxPricePerUnit", draft.ItemName, draft.MaxPrice})
	order, err := Write(ctx, m.trades, actor, "post order", postInput(draft, ask), func(tx Scope, now time.Time) (Order, error) {
		order, err := NewOrder(draft.withCategory(items, m.game), actor.UserID, m.game, m.forms, now)
		if err != nil {
			return Order{}, err
		}
		order.Hidden = actor.Canary
		buyer, err := m.lockBuyer(ctx, tx, actor, order, now)
		if err != nil {
			return Order{}, err
		}
		missing, err := m.missing(ctx, tx, order)
		if err != nil {
			return Order{}, err
		}
		if missing == 0 {
			err = mayPost(m.quotas, buyer, now)
		}
		if err == nil {
			err = asks
		}
		if err != nil {
			return Order{}, err
		}
		if order.ID, err = tx.AddOrder(ctx, order); err != nil {
			return Order{}, fmt.Errorf("add order: %w", err)
		}
		if missing != 0 {
			if err := tx.PostAgain(ctx, missing, order.ID); err != nil {
				return Order{}, fmt.Errorf("post again what sale %d gave back: %w", missing, err)
			}
		}
		return order, tx.Posted(ctx, Posting{Orders: []Order{order}, Asked: ask, Items: items}, now)
	})
	return m.named(ctx, order), err
}

// postInput is what identifies a post: as it was before one could ask for stock, for a post that does not.
func postInput(draft OrderDraft, ask StockID) any {
	if ask == 0 {
		return draft
	}
	return []any{draft, ask}
}

// lockBuyer returns what is known of the actor as the buyer of an order. It returns Forbidden when they are blocked, and
// Conflict when they have an equal order open.
func (m *Market) lockBuyer(ctx context.Context, tx Tx, actor Actor, order Order, now time.Time) (Buyer, error) {
	buyer, err := tx.LockBuyer(ctx, order, m.quotas, now)
	if err != nil {
		return Buyer{}, fmt.Errorf("buyer %d: %w", actor.UserID, err)
	}
	actor.Blocked, actor.LeavingAt = buyer.Blocked, buyer.Leaving
	if err := actor.mayTrade(); err != nil {
		return Buyer{}, err
	}
	return buyer, buyer.mayHave(order)
}

// PreviewOrder returns the order that a draft would make, without posting it. It returns
// PostOrder's errors.
func (m *Market) PreviewOrder(actor Actor, draft OrderDraft) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	draft = draft.withCategory(m.naming(context.Background()), m.game)
	return NewOrder(draft, actor.UserID, m.game, m.forms, m.now())
}

// EditOrder changes an order of the actor's. It returns Conflict, carrying the present order, when the order is closed or
// has changed since edit.Version, Conflict when it would equal another open one, Forbidden, Invalid and NotFound, and CodePriceUnusual
// about another price.
func (m *Market) EditOrder(ctx context.Context, actor Actor, id OrderID, edit OrderEdit) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	asks := m.askAboutEdit(ctx, actor, id, edit)
	return m.changeOrder(ctx, actor, id, "edit order", edit, func(tx Scope, o Order, now time.Time) (Order, error) {
		edited, err := o.Edit(edit, m.game, m.forms, now)
		if err == nil && edited.Open(now) {
			_, err = m.lockBuyer(ctx, tx, actor, edited, now)
		}
		if err == nil && edited.MaxPrice != o.MaxPrice {
			err = asks
		}
		return edited, err
	}, Happened.Edited)
}

// CloseOrder closes one of the actor's orders before it is filled. Its offers lapse. UndoClose undoes it. It fails with Conflict when
// it is closed already, and with Forbidden and NotFound.
func (m *Market) CloseOrder(ctx context.Context, actor Actor, id OrderID) (Order, error) {
	return m.changeOrder(ctx, actor, id, "close order", nil, func(_ Scope, o Order, now time.Time) (Order, error) { return o.Close(now) }, nil)
}

// RenewOrder shows an order of the actor's for another OrderLifetime. It returns Conflict when it is closed, Forbidden and
// NotFound; for one that has expired also Conflict when an equal one is open, and TooMany when a quota is used up.
func (m *Market) RenewOrder(ctx context.Context, actor Actor, id OrderID) (Order, error) {
	if err := actor.mayTrade(); err != nil {
		return Order{}, err
	}
	return m.changeOrder(ctx, actor, id, "renew order", nil, func(tx Scope, o Order, now time.Time) (Order, error) {
		renewed, err := o.Renew(now)
		if err != nil || !o.Expired(now) {
			return renewed, err
		}
		buyer, err := m.lockBuyer(ctx, tx, actor, renewed, now)
		if err != nil {
			return Order{}, err
		}
		return renewed, mayOpen(m.quotas, buyer)
	}, func(then Happened, ctx context.Context, before, renewed Order, now time.Time) error {
		if !before.Expired(now) {
			return nil
		}
		return then.Renewed(ctx, renewed, now)
	})
}

// changeOrder locks an order of the actor's, decides, saves the result and says what happened to it; then may be nil.
func (m *Market) changeOrder(ctx context.Context, actor Actor, id OrderID, operation string, input any,
	decide func(Scope, Order, time.Time) (Order, error), then func(h Happened, ctx context.Context, before, after Order, now time.Time) error,
) (Order, error) {
	if err := actor.mustBeUser(); err != nil {
		return Order{}, err
	}
	order, err := Write(ctx, m.trades, actor, operation, []any{id, input}, func(tx Scope, now time.Time) (Order, error) {
		before, err := tx.LockOrder(ctx, id)
		if err != nil {
			return Order{}, fmt.Errorf("%s %d: %w", operation, id, err)
		}
		if err := actor.MustBe(before.Owner); err != nil {
			return Order{}, err
		}
		order, err := decide(tx, before, now)
		if err != nil {
			return Order{}, err
		}
		if err := m.saveOrder(ctx, tx, order, now); err != nil {
			return Order{}, err
		}
		if then != nil {
			if err := then(tx, ctx, before, order, now); err != nil {
				return Order{}, err
			}
		}
		return order, m.redrawOrder(ctx, tx, actor, order, now)
	})
	return m.named(ctx, order), err
}

// saveOrder saves a changed order. When it was just fulfilled, its offers lapse; their sellers are
// notified once that cannot be undone any more.
func (m *Market) saveOrder(ctx context.Context, tx Tx, order Order, now time.Time) error {
	if err := tx.SaveOrder(ctx, order); err != nil {
		return fmt.Errorf("save order %d: %w", order.ID, err)
	}
	if order.Status != Fulfilled {
		return nil
	}
	if err := tx.AddClosing(ctx, order, now); err != nil {
		return fmt.Errorf("close order %d: %w", order.ID, err)
	}
	return nil
}

// lapseOffers ends the offers on an order that expires or goes, and returns the notices for their sellers; for a closed one, those
// that wait.
func (m *Market) lapseOffers(ctx context.Context, tx Tx, order Order, why Text, now time.Time) ([]Notice, error) {
	notices, err := endClosing(ctx, tx, order, now)
	if err != nil {
		return nil, err
	}
	offers, err := tx.LapseOffers(ctx, order.ID, now)
	if err != nil {
		return nil, fmt.Errorf("lapse offers on order %d: %w", order.ID, err)
	}
	for _, offer := range offers {
		notices = append(notices, toSeller(order, offer, NoticeOfferLapsed, offer.Quantity, why.English, now)...)
	}
	return notices, nil
}

func addNotices(ctx context.Context, tx Tx, notices []Notice) error {
	if len(notices) == 0 {
		return nil
	}
	for i, n := range notices {
		// Some kinds are for the inbox alone.
		if state, reason := (Mailbox{}).endsUnsent(n, n.CreatedAt); n.State == NoticePending && state != NoticePending {
			notices[i].State, notices[i].Reason, notices[i].SettledAt = state, reason, n.CreatedAt
		}
	}
	if err := tx.AddNotices(ctx, notices); err != nil {
		return fmt.Errorf("add notices: %w", err)
	}
	return nil
}

// DeleteOrder permanently removes an order of the actor's, with its offers. Its sales stay in the
// history of both sides, without the owner's texts and contacts. It fails with Forbidden and
// NotFound.
func (m *Market) DeleteOrder(ctx context.Context, actor Actor, id OrderID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := Write(ctx, m.run, actor, "delete order", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete order %d: %w", id, err)
		}
		if err := actor.MustBe(order.Owner); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, m.deleteOrder(ctx, tx, order, lapsedDeleted, now)
	})
	return err
}

// deleteOrder deletes a locked order and notifies the sellers whose offers lapse.
func (m *Market) deleteOrder(ctx context.Context, tx Tx, order Order, why Text, now time.Time) error {
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

// BrowseOrders lists open orders for everybody. Where few match the words of the filter, it forgives one typo. It fails with
// Invalid.
func (m *Market) BrowseOrders(ctx context.Context, q OrderQuery) (OrderPage, error) {
	q.List, q.Owner, q.Offers = OpenOrders, 0, false
	return m.orders(ctx, q, failedOrders)
}

// OwnOrders lists the actor's own orders, with the offers on each counted. It fails with Unauthenticated and Invalid.
func (m *Market) OwnOrders(ctx context.Context, actor Actor, q OrderQuery) (OrderPage, error) {
	if err := actor.mustBeUser(); err != nil {
		return OrderPage{}, err
	}
	q.Owner, q.Offers, q.Group = actor.UserID, true, Ungrouped
	return m.orders(ctx, q, failedOwnOrders)
}

func (m *Market) orders(ctx context.Context, q OrderQuery, failed string) (OrderPage, error) {
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return OrderPage{}, err
	}
	q.Now = m.now()
	if q.OrderFilter, err = m.ofItem(ctx, q.OrderFilter); err != nil {
		return OrderPage{}, withMessage(failed, err)
	}
	if q.Owner == 0 {
		if q.OrderFilter, err = m.understand(ctx, q.OrderFilter, q.Now); err != nil {
			return OrderPage{}, withMessage(failed, fmt.Errorf("understand %q: %w", q.Text, err))
		}
	}
	page, err := m.store.Orders(ctx, q)
	if err != nil {
		return OrderPage{}, withMessage(failed, fmt.Errorf("list orders: %w", err))
	}
	page.Also = q.corrected()
	index := m.naming(ctx)
	for i := range page.Orders {
		item, _ := index.Named(page.Orders[i].ItemName)
		page.Orders[i].Item = item.ID
	}
	return page, nil
}

// CountOrders counts the open orders that match a filter, by category; the filter's own categories are left out of account.
// It fails with Invalid.
func (m *Market) CountOrders(ctx context.Context, f OrderFilter) (CategoryCounts, error) {
	f = f.clean(m.forms)
	f.Categories = nil
	var c Checks
	f.check(&c, m.game)
	if err := c.Err(); err != nil {
		return CategoryCounts{}, err
	}
	now := m.now()
	f, err := m.ofItem(ctx, f)
	if err != nil {
		return CategoryCounts{}, withMessage(failedOrders, err)
	}
	f, err = m.understand(ctx, f, now)
	if err != nil {
		return CategoryCounts{}, withMessage(failedOrders, fmt.Errorf("understand %q: %w", f.Text, err))
	}
	counts, err := m.store.CategoryCounts(ctx, f, now)
	if err != nil {
		return CategoryCounts{}, withMessage(failedOrders, fmt.Errorf("count orders: %w", err))
	}
	// Orders of a category that the game no longer has are among all of them only.
	all := CategoryCounts{
		All: counts.All, ByCategory: make(map[Category]int, len(m.game.Professions)), ValidUntil: counts.ValidUntil,
	}
	for _, category := range m.game.Categories() {
		all.ByCategory[category] = counts.ByCategory[category]
	}
	return all, nil
}

// Order returns one order. For its owner its offers are counted, or its sales summed up once it is fulfilled; when that
// fails there are none: the order is worth showing without. Others than its two sides and moderators get one that is over without
// the contacts. It fails with NotFound, also when the order is expired or hidden and not for this reader.
func (m *Market) Order(ctx context.Context, actor Actor, id OrderID) (ListedOrder, error) {
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return ListedOrder{}, withMessage(failedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	order = m.named(ctx, order)
	if !order.VisibleTo(actor, m.now()) {
		return ListedOrder{}, orderNotFound()
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

// OpenOrders returns those of the orders that are open, as everybody sees them.
func (m *Market) OpenOrders(ctx context.Context, ids []OrderID) ([]Order, error) {
	orders, err := m.store.OrdersByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("orders %v: %w", ids, err)
	}
	now := m.now()
	orders = slices.DeleteFunc(orders, func(o Order) bool { return !o.Open(now) })
	for i, o := range orders {
		orders[i] = m.named(ctx, o)
	}
	return orders, nil
}

// ItemNames suggests items that contain the words of text: those that begin with it, and then the
// others. Of each, those that the host has named and those of the catalogue come before those that people ask for, the most ordered first. Nobody is suggested
// what only one other person has written.
func (m *Market) ItemNames(ctx context.Context, actor Actor, text string, limit int) ([]string, error) {
	text = m.forms.line(text)
	ordered, err := m.store.ItemNames(ctx, actor.UserID, text, limit, m.now())
	if err != nil {
		return nil, fmt.Errorf("suggest items: %w", err)
	}
	named := slices.Clone(m.suggested)
	completed := m.naming(ctx).Complete(text, limit)
	for _, item := range completed {
		named = append(named, item.Name)
	}
	suggested := SuggestItems(named, ordered, text, limit)
	for _, item := range completed { // also those with a typo in the text
		if len(suggested) < limit && !slices.Contains(suggested, item.Name) {
			suggested = append(suggested, item.Name)
		}
	}
	return suggested, nil
}

func beginsWith(name string, words []string) bool {
	return strings.HasPrefix(strings.ToLower(name), strings.Join(words, " "))
}

// SuggestItems merges the named items that contain the words of text with the ordered ones, each
// once.
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
	holdsAll := func(name string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(strings.ToLower(name), word) })
	}
	for _, first := range []bool{true, false} {
		for _, name := range named {
			if beginsWith(name, words) == first && holdsAll(name) {
				add(name)
			}
		}
		for _, name := range ordered {
			if beginsWith(name, words) == first {
				add(name)
			}
		}
	}
	return suggested
}
