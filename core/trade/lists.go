package trade

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// PostList posts an order for each line of a text, all of them or none. It counts as one post, and has no
// more lines than the actor has posts left. It returns Unauthenticated, Forbidden when the actor is blocked,
// Invalid with the problems of each line, also of a line that equals an open order, and TooMany when a quota
// is used up.
func (m *orderActs) PostList(ctx context.Context, actor core.Actor, draft ListDraft) (PostedList, error) {
	if !m.features.Lists {
		return PostedList{}, listNotFound()
	}
	if err := actor.MayTrade(); err != nil {
		return PostedList{}, err
	}
	items := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	asks := m.askAboutList(ctx, actor, items, draft)
	id, err := core.Write(ctx, m.trades, actor, "post list", draft,
		func(tx Scope, now time.Time) (core.ListID, error) {
			name, lines, err := NewList(draft, actor.UserID, items, m.game, m.forms, now)
			if err != nil {
				return 0, err
			}
			id, err := m.addList(ctx, tx, actor, items,
				PostedList{Owner: actor.UserID, Name: name, CreatedAt: now}, lines)
			if err == nil {
				err = asks
			}
			return id, err
		})
	if err != nil {
		return PostedList{}, err
	}
	return m.PostedList(ctx, actor, id)
}

// askAboutList is askAboutPrices for each line of a list.
func (m *orderActs) askAboutList(
	ctx context.Context, actor core.Actor, index *items.Index, draft ListDraft,
) error {
	_, lines, err := NewList(draft, actor.UserID, index, m.game, m.forms, m.now())
	if err != nil { // posting says so
		return nil
	}
	priced := make([]PricedLine, len(lines))
	for i, line := range lines {
		priced[i] = PricedLine{line.Number, game.ListedItem{Item: line.Order.ItemName,
			Price: line.Order.MaxPrice}}
	}
	return m.AskAboutLines(ctx, actor, index, priced)
}

// AskAboutLines asks about the prices of lines as AskAboutPrices does.
func (m *orderActs) AskAboutLines(
	ctx context.Context, actor core.Actor, index *items.Index, lines []PricedLine,
) error {
	typed := make([]items.PricedField, len(lines))
	for i, line := range lines {
		typed[i] = items.PricedField{Field: LineField(line.Number), ItemName: line.Item, Price: line.Price}
	}
	return m.items.AskAboutPrices(ctx, actor, index, typed...)
}

// PostPlan posts the list of a plan in a transaction of the caller's: an order for each line, which may be
// none, and room for its asks. It returns PostList's errors.
func (m *orderActs) PostPlan(
	ctx context.Context, tx Scope, actor core.Actor, draft ListDraft, lines []PricedLine, size PlanSize,
	index *items.Index, now time.Time,
) (core.ListID, error) {
	name, posted, err := newPricedList(draft, lines, actor.UserID, index, m.game, m.forms, now)
	if err != nil {
		return 0, err
	}
	buyer, err := m.lockBuyer(ctx, tx, actor, Order{Owner: actor.UserID}, now)
	if err != nil {
		return 0, err
	}
	latest, err := tx.LatestList(ctx, actor.UserID)
	if err != nil {
		return 0, fmt.Errorf("latest list of user %d: %w", actor.UserID, err)
	}
	if err := mayPostPlan(m.quotas, buyer, size, latest, now); err != nil {
		return 0, err
	}
	list := PostedList{Owner: actor.UserID, Name: name, CreatedAt: now}
	if list.ID, err = tx.AddList(ctx, list); err != nil {
		return 0, fmt.Errorf("add list: %w", err)
	}
	if len(posted) == 0 {
		return list.ID, nil
	}
	return m.addList(ctx, tx, actor, index, list, posted)
}

// OwnList returns a list of the actor's; none for 0. It returns NotFound for lists of others.
func (m *orderActs) OwnList(ctx context.Context, actor core.Actor, id core.ListID) (PostedList, error) {
	if id == 0 {
		return PostedList{}, nil
	}
	list, err := m.PostedList(ctx, actor, id)
	if err == nil && list.Owner != actor.UserID {
		err = listNotFound()
	}
	return list, err
}

// CloseList closes the requests of a list that are still open. Asks go on.
func (m *orderActs) CloseList(
	ctx context.Context, tx Scope, actor core.Actor, list PostedList, now time.Time,
) error {
	ids := make([]core.OrderID, len(list.Orders))
	for i, o := range list.Orders {
		ids[i] = o.ID
	}
	if len(ids) == 0 {
		return nil
	}
	locked, err := tx.LockList(ctx, list.ID, ids)
	if err != nil {
		return fmt.Errorf("close list %d: %w", list.ID, err)
	}
	for _, id := range ids {
		order, there := locked[id]
		if !there || order.Listing != 0 || order.Status != Active {
			continue
		}
		if order, err = order.Close(now); err != nil {
			return err
		}
		if err := m.saveOrder(ctx, tx, order, now); err != nil {
			return err
		}
		if err := tx.Closed(ctx, order, now); err != nil {
			return err
		}
		if err := m.redrawOrder(ctx, tx, actor, order, now); err != nil {
			return err
		}
	}
	return nil
}

// AddListAsk stores an order that asks for a listing, as part of a list that was just posted.
func (m *orderActs) AddListAsk(
	ctx context.Context, tx Tx, actor core.Actor, draft OrderDraft, listing core.StockID, list core.ListID,
	now time.Time,
) (Order, error) {
	order, err := NewOrder(draft, actor.UserID, m.game, m.forms, now)
	if err != nil {
		return Order{}, err
	}
	order.Hidden, order.Listing, order.ExpiresAt = true, listing, now.Add(AskLifetime)
	order.List = list
	if order.ID, err = tx.AddOrder(ctx, order); err != nil {
		return Order{}, fmt.Errorf("add order: %w", err)
	}
	return order, nil
}

// PreviewList returns the list that a draft would post, without posting it. It returns the errors of
// PostList that do not depend on open orders.
func (m *orderActs) PreviewList(ctx context.Context, actor core.Actor, draft ListDraft) (PostedList, error) {
	if !m.features.Lists {
		return PostedList{}, listNotFound()
	}
	if err := actor.MayTrade(); err != nil {
		return PostedList{}, err
	}
	now := m.now()
	name, lines, err := NewList(draft, actor.UserID, m.items.IndexOrEmpty(ctx), m.game, m.forms, now)
	list := PostedList{Owner: actor.UserID, Name: name, CreatedAt: now}
	for _, line := range lines {
		list.Orders = append(list.Orders, line.Order)
	}
	return list, err
}

// addList stores a list with its orders. A line that equals an open order is named, with all others.
func (m *orderActs) addList(
	ctx context.Context, tx Scope, actor core.Actor, items *items.Index, list PostedList,
	lines []ListLine,
) (core.ListID, error) {
	now := list.CreatedAt
	var (
		c   core.Checks
		err error
	)
	for i, line := range lines {
		order := line.Order
		order.Hidden = actor.Canary
		buyer, err := m.lockBuyer(ctx, tx, actor, order, now)
		if core.KindOf(err) == core.Conflict {
			c.AddField(core.FieldOf(LineField(line.Number), err))
			continue
		}
		if err != nil {
			return 0, err
		}
		if len(c.Fields) > 0 {
			continue
		}
		if list.ID == 0 {
			if err := mayPostList(m.quotas, buyer, len(lines), now); err != nil {
				return 0, err
			}
			if list.ID, err = tx.AddList(ctx, list); err != nil {
				return 0, fmt.Errorf("add list: %w", err)
			}
		}
		order.List = list.ID
		if order.ID, err = tx.AddOrder(ctx, order); err != nil {
			return 0, fmt.Errorf("add order: %w", err)
		}
		lines[i].Order = order
	}
	if err = c.Err(); err != nil {
		return 0, err
	}
	posted := Posting{Items: items}
	for _, line := range lines {
		posted.Orders = append(posted.Orders, line.Order)
	}
	return list.ID, tx.Posted(ctx, posted, now)
}

// PostedList returns a list with the orders that the actor may see. It returns NotFound when there is none,
// except to the owner.
func (m *orderActs) PostedList(ctx context.Context, actor core.Actor, id core.ListID) (PostedList, error) {
	if !m.features.Lists {
		return PostedList{}, listNotFound()
	}
	list, err := m.store.PostedList(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return PostedList{}, listNotFound()
	}
	if err != nil {
		return PostedList{}, core.WithMessage(core.FailedOrder, fmt.Errorf("list %d: %w", id, err))
	}
	now, own := m.now(), actor.SignedIn() && actor.UserID == list.Owner
	if own {
		return list, nil
	}
	list.Orders = slices.DeleteFunc(list.Orders, func(o Order) bool { return !o.VisibleTo(actor, now) })
	if len(list.Orders) == 0 {
		return PostedList{}, listNotFound()
	}
	if actor.MustModerate() != nil {
		for i, o := range list.Orders {
			list.Orders[i] = o.ForEverybody(now)
		}
	}
	return list, nil
}

// PostedLists lists the actor's own lists, newest first, MaxListsShown at most. It returns Unauthenticated.
func (m *orderActs) PostedLists(ctx context.Context, actor core.Actor) ([]ListSummary, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	if !m.features.Lists {
		return nil, listNotFound()
	}
	lists, err := m.store.PostedLists(ctx, actor.UserID, MaxListsShown)
	if err != nil {
		return nil, core.WithMessage(core.FailedOrder, fmt.Errorf("lists of user %d: %w", actor.UserID, err))
	}
	return lists, nil
}

// OfferOnList sends an offer on each of several orders of a list, all of them or none. An open offer of the
// seller's on one of them is replaced. It returns Unauthenticated, Invalid with the problems of each line as
// the field lines[N], counted from 1, and SendOffer's other errors.
func (m *offerActs) OfferOnList(
	ctx context.Context, actor core.Actor, id core.ListID, draft ListOffer,
) ([]SendOfferResult, error) {
	if !m.features.Lists {
		return nil, listNotFound()
	}
	if err := actor.MayTrade(); err != nil {
		return nil, err
	}
	if err := draft.Validate(); err != nil {
		return nil, err
	}
	items := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	return core.Write(ctx, m.trades, actor, "offer on list", []any{id, draft},
		func(tx Scope, now time.Time) ([]SendOfferResult, error) {
			// All orders are locked before the seller is, as a single offer does it.
			orders, err := tx.LockList(ctx, id, draft.orderIDs())
			if err != nil {
				return nil, fmt.Errorf("offer on list %d: %w", id, err)
			}
			var (
				c    core.Checks
				sent []SendOfferResult
			)
			for i, line := range draft.Lines {
				order, there := orders[line.Order]
				if !there {
					c.That(false, LineField(i+1),
						core.NewText("list_request_gone"))
					continue
				}
				one, err := m.offerOn(ctx, tx, actor, order,
					OfferDraft{SellerName: draft.SellerName, Message: draft.Message, Quantity: line.Quantity},
					items, now)
				if kind := core.KindOf(err); kind == core.Invalid || kind == core.Conflict ||
					kind == core.NotFound {
					addOfferChecks(&c, LineField(i+1), err)
					continue
				}
				if err != nil {
					return nil, err
				}
				sent = append(sent, one)
			}
			return sent, c.Err()
		})
}

// ListFixes returns the lines of a list that a press can put right. It returns Invalid for a text that is
// too long.
func (m *orderActs) ListFixes(ctx context.Context, actor core.Actor, text string) ([]items.ListFix, error) {
	if !m.features.Lists {
		return nil, listNotFound()
	}
	if err := actor.MayTrade(); err != nil {
		return nil, err
	}
	var c core.Checks
	c.That(core.Within(text, MaxListText), "text", core.TooLong("list_text_too_long", MaxListText))
	if err := c.Err(); err != nil {
		return nil, err
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return nil, err
	}
	fixes := []items.ListFix{}
	for _, fix := range items.ListFixes(text, MaxListLines, index, m.game) {
		priced, err := m.items.FillUsual(ctx, index, &fix.Fix)
		if err != nil {
			return nil, err
		}
		if priced {
			fixes = append(fixes, fix)
		}
	}
	return fixes, nil
}
