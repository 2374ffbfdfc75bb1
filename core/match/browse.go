package match

import (
	"context"
	"fmt"
	"slices"
	"time"

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

// Fill lists the open requests that the actor can fill: first from their stock, then with items that they
// can make, each by earnings. It fails with Unauthenticated.
func (m *searchActs) Fill(ctx context.Context, actor core.Actor) ([]FillableOrder, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	page, err := m.fillable(ctx, actor, OrderQuery{Limit: MaxFillable})
	return page.Orders, err
}

// BrowseFillable is BrowseOrders for the requests that the actor can fill with their stock and skills,
// sorted by Earnings or one of Sorts. Callers without skills in an account pass them in the filter. It fails
// with Invalid.
func (m *searchActs) BrowseFillable(ctx context.Context, actor core.Actor, q OrderQuery) (OrderPage, error) {
	filled, err := m.fillable(ctx, actor, q)
	if err != nil {
		return OrderPage{}, err
	}
	page := OrderPage{Orders: make([]trade.ListedOrder, len(filled.Orders)), Total: filled.Total,
		Next: filled.Next}
	for i, f := range filled.Orders {
		page.Orders[i] = trade.ListedOrder{Order: f.Order}
	}
	return page, nil
}

func (m *searchActs) fillable(ctx context.Context, actor core.Actor, q OrderQuery) (FillablePage, error) {
	sort, after := q.Sort, q.After
	if sort == "" {
		sort = Earnings
	}
	if sort == Earnings {
		q.Sort = ""
	}
	q.After, q.List, q.Group = nil, OpenOrders, Ungrouped
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return FillablePage{}, err
	}
	if after != nil && after.Sort != sort && !(sort == Earnings && after.Sort == earningsMade) {
		return FillablePage{}, core.NewFieldError("cursor", core.BadCursorMessage)
	}
	now := m.now()
	skills := q.Skills
	var stock []Stock
	if actor.UserID != 0 {
		if stock, err = m.store.Stock(ctx, actor.UserID); err != nil {
			return FillablePage{}, fmt.Errorf("stock of user %d: %w", actor.UserID, err)
		}
		own, err := m.store.Skills(ctx, actor.UserID)
		if err != nil {
			return FillablePage{}, fmt.Errorf("skills of user %d: %w", actor.UserID, err)
		}
		if len(own) > 0 {
			skills = own
		}
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return FillablePage{}, err
	}
	fill := NewFillQuery(actor.UserID, stock, skills, index, m.forms, now)
	if len(fill.Stock)+len(fill.Made)+len(fill.Skilled) == 0 {
		return FillablePage{Orders: []FillableOrder{}}, nil
	}
	f := q.OrderFilter
	f.Skills = nil
	if f, err = m.ofItem(ctx, f); err == nil {
		f, err = m.understand(ctx, f, now)
	}
	if err != nil {
		return FillablePage{}, core.WithMessage(core.FailedOrders, err)
	}
	fill.OrderFilter, fill.Sort, fill.After, fill.Limit = f, sort, after, q.Limit
	if sort == Earnings {
		fill.Beyond = m.items.BeyondKnown(ctx, index, now)
	}
	page, err := m.store.FillOrders(ctx, fill)
	if err != nil {
		return FillablePage{}, core.WithMessage(core.FailedOrders,
			fmt.Errorf("orders that user %d can fill: %w", actor.UserID, err))
	}
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

// OpenOrders returns the orders that are open and that any visitor sees: asks are open, and hidden.
func (m *searchActs) OpenOrders(ctx context.Context, ids []core.OrderID) ([]trade.Order, error) {
	orders, err := m.store.OrdersByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("orders %v: %w", ids, err)
	}
	now := m.now()
	orders = slices.DeleteFunc(orders, func(o trade.Order) bool { return !o.Open(now) || o.Hidden })
	for i, o := range orders {
		orders[i] = m.trade.Named(ctx, o)
	}
	return orders, nil
}

// understand sets the Meaning of a clean filter's words. Where fewer than FewMatches open orders match them
// as they are written, whatever their category, it corrects one word by one letter to a word of the market's
// own with which more match.
func (m *searchActs) understand(ctx context.Context, f OrderFilter, now time.Time) (OrderFilter, error) {
	f.Means = Meaning{}
	if f.Text == "" {
		return f, nil
	}
	f.Means.Professions = m.game.Categories()
	all := f
	all.Categories = nil
	exact, err := m.store.Total(ctx, all, now)
	if err != nil || exact.Orders >= FewMatches {
		return f, err
	}
	vocabulary, err := m.store.Vocabulary(ctx, now)
	if err != nil {
		return f, err
	}
	for _, typo := range f.typos(vocabulary.With(m.game)) {
		all.Means.Typo, all.Means.Correction = typo.word, typo.correction
		more, err := m.store.Total(ctx, all, now)
		if err != nil {
			return f, err
		}
		if more.Orders > exact.Orders {
			f.Means = all.Means
			break
		}
	}
	return f, nil
}

// ofItem returns a filter with the names of the item that it asks for.
func (m *searchActs) ofItem(ctx context.Context, f OrderFilter) (OrderFilter, error) {
	f.Named = nil
	if f.ItemID == 0 {
		return f, nil
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return f, err
	}
	f.Named = []string{}
	if item, known := index.Item(f.ItemID); known && item.Known() {
		f.ItemID, f.Named = item.ID, index.NamesOf(item.ID)
	}
	return f, nil
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
