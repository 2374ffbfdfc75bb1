package match

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// BrowseOrders lists the open orders that any visitor may see. Where few match the words of the filter, it
// forgives one typo. It fails with Invalid.
func (m *searchActs) BrowseOrders(ctx context.Context, q OrderQuery) (OrderPage, error) {
	q.List, q.Owner, q.Offers = OpenOrders, 0, false
	return m.orders(ctx, q, core.FailedOrders)
}

// OwnOrders lists the actor's own orders, with the offers on each counted. It fails with Unauthenticated
// and Invalid.
func (m *searchActs) OwnOrders(ctx context.Context, actor core.Actor, q OrderQuery) (OrderPage, error) {
	if err := actor.MustBeUser(); err != nil {
		return OrderPage{}, err
	}
	q.Owner, q.Offers, q.Group = actor.UserID, true, Ungrouped
	return m.orders(ctx, q, core.FailedOwnOrders)
}

func (m *searchActs) orders(ctx context.Context, q OrderQuery, failed string) (OrderPage, error) {
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return OrderPage{}, err
	}
	q.Now = m.now()
	if q.OrderFilter, err = m.ofItem(ctx, q.OrderFilter); err != nil {
		return OrderPage{}, core.WithMessage(failed, err)
	}
	if q.Owner == 0 {
		if q.OrderFilter, err = m.understand(ctx, q.OrderFilter, q.Now); err != nil {
			return OrderPage{}, core.WithMessage(failed, fmt.Errorf("understand %q: %w", q.Text, err))
		}
	}
	page, err := m.store.Orders(ctx, q)
	if err != nil {
		return OrderPage{}, core.WithMessage(failed, fmt.Errorf("list orders: %w", err))
	}
	page.Also = q.corrected()
	index := m.items.IndexOrEmpty(ctx)
	for i := range page.Orders {
		item, _ := index.Named(page.Orders[i].ItemName)
		page.Orders[i].Item = item.ID
	}
	return page, nil
}

// CountOrders counts the open orders that match a filter, by category; the filter's own categories are left
// out of account. It fails with Invalid.
func (m *searchActs) CountOrders(ctx context.Context, f OrderFilter) (CategoryCounts, error) {
	f = f.clean(m.forms)
	f.Categories = nil
	var c core.Checks
	f.check(&c, m.game)
	if err := c.Err(); err != nil {
		return CategoryCounts{}, err
	}
	now := m.now()
	f, err := m.ofItem(ctx, f)
	if err != nil {
		return CategoryCounts{}, core.WithMessage(core.FailedOrders, err)
	}
	f, err = m.understand(ctx, f, now)
	if err != nil {
		return CategoryCounts{}, core.WithMessage(core.FailedOrders,
			fmt.Errorf("understand %q: %w", f.Text, err))
	}
	counts, err := m.store.CategoryCounts(ctx, f, now)
	if err != nil {
		return CategoryCounts{}, core.WithMessage(core.FailedOrders, fmt.Errorf("count orders: %w", err))
	}
	// Orders of a category that the game no longer has are among all of them only.
	all := CategoryCounts{
		All: counts.All, ByCategory: make(map[game.Category]int, len(m.game.Professions)),
		ValidUntil: counts.ValidUntil,
	}
	for _, category := range m.game.Categories() {
		all.ByCategory[category] = counts.ByCategory[category]
	}
	return all, nil
}

// OpenOrders returns the orders that are open, as any visitor sees them.
func (m *searchActs) OpenOrders(ctx context.Context, ids []core.OrderID) ([]trade.Order, error) {
	orders, err := m.store.OrdersByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("orders %v: %w", ids, err)
	}
	now := m.now()
	orders = slices.DeleteFunc(orders, func(o trade.Order) bool { return !o.Open(now) })
	for i, o := range orders {
		orders[i] = m.trade.Named(ctx, o)
	}
	return orders, nil
}

// ItemNames suggests items that contain the words of text: items that begin with it, and then the others. Of
// each, the operator's items and the catalogue's come before items from requests, the most ordered first. It
// never suggests a name that only one other user has typed.
func (m *searchActs) ItemNames(
	ctx context.Context, actor core.Actor, text string, limit int,
) ([]string, error) {
	text = m.forms.Line(text)
	ordered, err := m.store.ItemNames(ctx, actor.UserID, text, limit, m.now())
	if err != nil {
		return nil, fmt.Errorf("suggest items: %w", err)
	}
	named := slices.Clone(m.suggested)
	completed := m.items.IndexOrEmpty(ctx).Complete(text, limit)
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
		return !slices.ContainsFunc(words,
			func(word string) bool { return !strings.Contains(strings.ToLower(name), word) })
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
