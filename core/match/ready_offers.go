package match

import (
	"context"
	"fmt"
	"slices"

	"tradepost/core"
	"tradepost/core/trade"
)

// Ready returns what the actor offers with one press, on which orders, and what would be refused. Orders with
// an open offer of that seller are left out. It fails with Unauthenticated.
func (m *searchActs) Ready(ctx context.Context, actor core.Actor) (Ready, error) {
	if err := actor.MustBeUser(); err != nil {
		return Ready{}, err
	}
	messages, err := m.store.LatestMessages(ctx, actor.UserID, messagesRead)
	if err != nil {
		return Ready{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("messages of user %d: %w", actor.UserID, err))
	}
	ready := Ready{Message: Remembered(messages)}
	if ready.Offers, err = m.readyOffers(ctx, actor); err != nil {
		return Ready{}, core.WithMessage(core.FailedOrders,
			fmt.Errorf("offers that user %d can send: %w", actor.UserID, err))
	}
	return ready, nil
}

func (m *searchActs) readyOffers(ctx context.Context, actor core.Actor) ([]ReadyOffer, error) {
	if !m.features.Stock {
		return nil, nil
	}
	stock, err := m.store.Stock(ctx, actor.UserID)
	if err != nil || len(stock) == 0 {
		return nil, err
	}
	open, err := m.store.OpenSentOffers(ctx, actor.UserID, trade.MaxOpenOffers)
	if err != nil {
		return nil, err
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return nil, err
	}
	now := m.now()
	fill := NewFillQuery(actor.UserID, FreeStock(stock, open, index), nil, index, m.forms, now)
	if len(fill.Stock) == 0 {
		return nil, nil
	}
	fill.Limit = MaxReady
	page, err := m.store.FillOrders(ctx, fill)
	if err != nil {
		return nil, err
	}
	page.Orders = slices.DeleteFunc(page.Orders, func(f FillableOrder) bool {
		return slices.ContainsFunc(open, func(o trade.SentOffer) bool { return o.OrderID == f.ID })
	})
	ids := make([]core.OrderID, len(page.Orders))
	for i, f := range page.Orders {
		ids[i] = f.ID
	}
	sellers, err := m.store.SellerOn(ctx, actor.UserID, ids, m.quotas, now)
	if err != nil {
		return nil, err
	}
	offers := make([]ReadyOffer, len(page.Orders))
	for i, f := range page.Orders {
		offers[i] = ReadyOffer{Order: f.Order, Quantity: f.Can, Refused: actor.MayTrade()}
		if offers[i].Refused == nil {
			offers[i].Refused = m.trade.MayOffer(sellers[f.ID], f.Can, now)
		}
	}
	return offers, nil
}
