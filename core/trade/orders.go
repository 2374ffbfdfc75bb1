package trade

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
	"tradepost/core/items"
	"tradepost/core/notify"
)

// PostOrder puts a buyer's request on the market. It returns Unauthenticated, Forbidden when the actor is
// blocked, Invalid, Conflict when the actor has an equal request open, TooMany when a quota is used up, and
// CodePriceUnusual.
func (m *orderActs) PostOrder(ctx context.Context, actor core.Actor, draft OrderDraft) (Order, error) {
	return m.PostOrderAsking(ctx, actor, draft, 0)
}

// PostOrderAsking is PostOrder for a buyer who asks for the public stock of one seller (zero for none): that
// seller is alerted to the request in the transaction that posts it, before all others. Stock that no longer
// exists alerts no seller.
func (m *orderActs) PostOrderAsking(
	ctx context.Context, actor core.Actor, draft OrderDraft, ask core.StockID,
) (Order, error) {
	return m.PostOrderWith(ctx, actor, draft, PostTerms{Ask: ask})
}

// PostTerms is what a buyer says with a post besides the request.
type PostTerms struct {
	Ask core.StockID // of the public stock that they ask for, see PostOrderAsking

	// Standing has offers taken as they come from the post on, in the transaction of which the request trades
	// with listings that sell without asking. Nil for none, and where crossing is off.
	Standing *StandingDraft
}

// PostOrderWith is PostOrder for a buyer who says more with it. It also returns the errors of SetStanding.
func (m *orderActs) PostOrderWith(
	ctx context.Context, actor core.Actor, draft OrderDraft, terms PostTerms,
) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	asks := m.items.AskAboutPrices(ctx, actor, index,
		items.PricedField{Field: "maxPricePerUnit", ItemName: draft.ItemName, Price: draft.MaxPrice})
	standing, err := m.standingOf(ctx, terms)
	if err != nil {
		return Order{}, err
	}
	order, err := core.Write(ctx, m.trades, actor, "post order", postInput(draft, terms.Ask, standing),
		func(tx Scope, now time.Time) (Order, error) {
			order, err := NewOrder(draft.withCategory(index, m.game), actor.UserID, m.game, m.forms, now)
			if err != nil {
				return Order{}, err
			}
			order.Hidden = actor.Canary
			if err := m.lockForPost(ctx, tx, order, standing, index, now); err != nil {
				return Order{}, err
			}
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
			posting := Posting{Orders: []Order{order}, Asked: terms.Ask, Items: index}
			if err := tx.Posted(ctx, posting, now); err != nil || standing == nil {
				return order, err
			}
			return m.postStanding(ctx, tx, actor, order, *standing, index, now)
		})
	return m.Named(ctx, order), err
}

// postInput returns the input that identifies a post. Posts that ask for no stock, or do not stand, keep the
// form from before that existed.
func postInput(draft OrderDraft, ask core.StockID, standing *StandingDraft) any {
	switch {
	case standing != nil:
		return []any{draft, ask, *standing}
	case ask != 0:
		return []any{draft, ask}
	}
	return draft
}

// standingOf returns how a post stands, with the usual sellers where it names none; nil for not at all.
func (m *orderActs) standingOf(ctx context.Context, terms PostTerms) (*StandingDraft, error) {
	if terms.Standing == nil || !m.features.Crossing {
		return nil, nil
	}
	d := *terms.Standing
	if d.Sellers != "" && !slices.Contains(AllSellers, d.Sellers) {
		return nil, core.NewFieldError("standing", core.NewText("sellers_unknown"))
	}
	var err error
	d.Sellers, err = m.usual(ctx, d.Sellers)
	return &d, err
}

// lockForPost checks how a new order stands, and locks what it may trade with.
func (m *orderActs) lockForPost(
	ctx context.Context, tx Tx, o Order, standing *StandingDraft, index *items.Index, now time.Time,
) error {
	if standing == nil {
		return nil
	}
	if err := standing.forPost(o, now).Validate(o, now); err != nil {
		return err
	}
	if err := tx.LockForPost(ctx, o, index.Same(o.ItemName), now, MostToCross); err != nil {
		return fmt.Errorf("listings for a new order: %w", err)
	}
	return nil
}

// postStanding has offers on an order that was just posted taken as they come, and the order trade.
func (m *orderActs) postStanding(
	ctx context.Context, tx Scope, actor core.Actor, o Order, d StandingDraft, index *items.Index,
	now time.Time,
) (Order, error) {
	s := StandingAcceptance{StandingDraft: d.forPost(o, now), Order: o.ID, SetAt: now}
	if _, err := tx.AddStanding(ctx, s); err != nil {
		return Order{}, fmt.Errorf("set standing acceptance: %w", err)
	}
	crossed, err := tx.Stands(ctx, actor, o, index, now)
	return crossed.Order, err
}

// lockBuyer locks the actor as the buyer of an order and returns the facts about them. It returns Forbidden
// when they are blocked, and Conflict when they have an equal order open.
func (m *orderActs) lockBuyer(
	ctx context.Context, tx Tx, actor core.Actor, order Order, now time.Time,
) (Buyer, error) {
	buyer, err := tx.LockBuyer(ctx, order, m.quotas, now)
	if err != nil {
		return Buyer{}, fmt.Errorf("buyer %d: %w", actor.UserID, err)
	}
	actor.Blocked, actor.LeavingAt = buyer.Blocked, buyer.Leaving
	if err := actor.MayTrade(); err != nil {
		return Buyer{}, err
	}
	return buyer, buyer.mayHave(order)
}

// AskLifetime is how long an order that asks for a listing waits for its seller's answer.
const AskLifetime = 2 * core.Day

// PostAsk posts an order that asks for a listing: for its buyer and the listing's seller alone. may decides
// once the buyer is locked. It returns Forbidden when they are blocked, Invalid, and TooMany when a quota is
// used up.
func (m *orderActs) PostAsk(
	ctx context.Context, tx Tx, actor core.Actor, draft OrderDraft, listing core.StockID,
	may func() error, now time.Time,
) (Order, error) {
	order, err := NewOrder(draft, actor.UserID, m.game, m.forms, now)
	if err != nil {
		return Order{}, err
	}
	order.Hidden, order.Listing, order.ExpiresAt = true, listing, now.Add(AskLifetime)
	buyer, err := tx.LockBuyer(ctx, order, m.quotas, now)
	if err != nil {
		return Order{}, fmt.Errorf("buyer %d: %w", actor.UserID, err)
	}
	actor.Blocked, actor.LeavingAt = buyer.Blocked, buyer.Leaving
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	if err := mayPost(m.quotas, buyer, now); err != nil {
		return Order{}, err
	}
	if err := may(); err != nil {
		return Order{}, err
	}
	if order.ID, err = tx.AddOrder(ctx, order); err != nil {
		return Order{}, fmt.Errorf("add order: %w", err)
	}
	return order, nil
}

// askFixed returns the error of a change to an order that asks for a listing.
func askFixed(o Order) *core.Error { return conflict(core.NewText("ask_fixed"), o) }

// EndAsk deletes a locked order that asks for a listing and was not answered with a yes, and tells its buyer.
// No side has a mark of it.
func (m *orderActs) EndAsk(ctx context.Context, tx Tx, ask Order, why core.Text, now time.Time) error {
	if err := m.DeleteLocked(ctx, tx, ask, why, now); err != nil {
		return err
	}
	n := NoticeAbout(ask, ask.Owner, notify.NoticeAskEnded, now)
	n.OrderID, n.Quantity, n.Message = 0, ask.Remaining(), why.String()
	return notify.AddNotices(ctx, tx, []notify.Notice{n})
}

// PreviewOrder returns the order that a draft would make, without posting it. It returns
// PostOrder's errors.
func (m *orderActs) PreviewOrder(actor core.Actor, draft OrderDraft) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	draft = draft.withCategory(m.items.IndexOrEmpty(context.Background()), m.game)
	return NewOrder(draft, actor.UserID, m.game, m.forms, m.now())
}

// EditOrder changes an order of the actor's. It returns Conflict, carrying the present order, when the
// order is closed or has changed since edit.Version, Conflict when it would equal another open one,
// Forbidden, Invalid and NotFound, and CodePriceUnusual about another price.
func (m *orderActs) EditOrder(
	ctx context.Context, actor core.Actor, id core.OrderID, edit OrderEdit,
) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	asks := m.askAboutEdit(ctx, actor, id, edit)
	var alerts bool
	change := ToCross{Item: edit.ItemName, MaxPrice: edit.MaxPrice}
	return m.changeOrder(ctx, actor, id, "edit order", edit, change,
		func(tx Scope, o Order, now time.Time) (Order, error) {
			edited, err := o.Edit(edit, m.game, m.forms, now)
			if err == nil && edited.Open(now) {
				alerts, err = m.countEdit(ctx, tx, actor, o, edited, now)
			}
			if err == nil && edited.MaxPrice != o.MaxPrice {
				err = asks
			}
			return edited, err
		}, func(h Happened, ctx context.Context, before, after Order, now time.Time) error {
			return h.Edited(ctx, before, after, alerts, now)
		})
}

// countEdit locks the buyer and counts an edit that others may be alerted to as a post. It reports whether
// they are: an edit beyond the buyer's quota of posts is saved and alerts nobody.
func (m *orderActs) countEdit(
	ctx context.Context, tx Tx, actor core.Actor, before, edited Order, now time.Time,
) (alerts bool, err error) {
	buyer, err := m.lockBuyer(ctx, tx, actor, edited, now)
	if err != nil || !edited.mayFitOthers(before.OrderDraft) || buyer.postsLeft(m.quotas, now) == 0 {
		return false, err
	}
	if m.quotas.NewRequests.Limit > 0 {
		err = tx.CountPost(ctx, edited.Owner, now)
	}
	return true, err
}

// askAboutEdit is askAboutPrices for an edit that changes the price.
func (m *orderActs) askAboutEdit(
	ctx context.Context, actor core.Actor, id core.OrderID, edit OrderEdit,
) error {
	if edit.MaxPrice == nil || actor.PriceConfirmed {
		return nil
	}
	typed := items.PricedField{Field: "maxPricePerUnit", ItemName: "", Price: *edit.MaxPrice}
	if edit.ItemName != nil {
		typed.ItemName = *edit.ItemName
	} else {
		order, err := m.store.Order(ctx, id)
		if err != nil { // the edit says so
			return nil
		}
		typed.ItemName = order.ItemName
	}
	return m.items.AskAboutPrices(ctx, actor, m.items.IndexOrEmpty(ctx), typed)
}

// CloseOrder closes one of the actor's orders before it is filled. Its offers lapse. UndoClose undoes it.
// It fails with Conflict when it is closed already, and with Forbidden and NotFound.
func (m *orderActs) CloseOrder(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	return m.changeOrder(ctx, actor, id, "close order", nil, ToCross{},
		func(_ Scope, o Order, now time.Time) (Order, error) { return o.Close(now) }, nil)
}

// RenewOrder shows an order of the actor's for another OrderLifetime. It returns Conflict when it is closed,
// Forbidden and NotFound; for an expired order also Conflict when an equal one is open, and TooMany when a
// quota is used up.
func (m *orderActs) RenewOrder(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	return m.changeOrder(ctx, actor, id, "renew order", nil, ToCross{},
		func(tx Scope, o Order, now time.Time) (Order, error) {
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

// MostToCross is how many rows of the other side are considered for one that may cross.
const MostToCross = 2 * cross.MaxTrades

// lockForOrder locks what an order may trade with without asking.
func (m *orderActs) lockForOrder(
	ctx context.Context, tx Tx, id core.OrderID, change ToCross, index *items.Index, now time.Time,
) error {
	if !m.features.Crossing {
		return nil
	}
	if err := tx.LockForOrder(ctx, id, change, index.Same, now, MostToCross); err != nil {
		return fmt.Errorf("listings for order %d: %w", id, err)
	}
	return nil
}

// changeOrder locks an order of the actor's, decides, saves the result and reports the event through then,
// which may be nil.
func (m *orderActs) changeOrder(
	ctx context.Context, actor core.Actor, id core.OrderID, operation string, input any, change ToCross,
	decide func(Scope, Order, time.Time) (Order, error),
	then func(h Happened, ctx context.Context, before, after Order, now time.Time) error,
) (Order, error) {
	if err := actor.MustBeUser(); err != nil {
		return Order{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	order, err := core.Write(ctx, m.trades, actor, operation, []any{id, input},
		func(tx Scope, now time.Time) (Order, error) {
			if err := m.lockForOrder(ctx, tx, id, change, index, now); err != nil {
				return Order{}, err
			}
			before, err := tx.LockOrder(ctx, id)
			if err != nil {
				return Order{}, fmt.Errorf("%s %d: %w", operation, id, err)
			}
			if err := actor.MustBe(before.Owner); err != nil {
				return Order{}, err
			}
			if before.Listing != 0 {
				return Order{}, askFixed(before)
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
			if order.Status == Fulfilled { // an edit may leave nothing to buy
				if err := tx.Closed(ctx, order, now); err != nil {
					return Order{}, err
				}
			}
			crossed, err := tx.Stands(ctx, actor, order, index, now)
			if err != nil {
				return Order{}, err
			}
			order = crossed.Order
			return order, m.redrawOrder(ctx, tx, actor, order, now)
		})
	return m.Named(ctx, order), err
}

// saveOrder saves a changed order. When it was just fulfilled, its offers lapse; their sellers are
// notified once that cannot be undone any more.
func (m *orderActs) saveOrder(ctx context.Context, tx Tx, order Order, now time.Time) error {
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

// LapseOffers ends the offers on an order that expires or goes, and returns the notices for their sellers;
// for a closed order, the pending ones.
func (m *orderActs) LapseOffers(
	ctx context.Context, tx Tx, order Order, why core.Text, now time.Time,
) ([]notify.Notice, error) {
	notices, err := endClosing(ctx, tx, order, now)
	if err != nil {
		return nil, err
	}
	offers, err := tx.LapseOffers(ctx, order.ID, now)
	if err != nil {
		return nil, fmt.Errorf("lapse offers on order %d: %w", order.ID, err)
	}
	for _, offer := range offers {
		notices = append(notices, ToSeller(order, offer, notify.NoticeOfferLapsed, offer.Quantity,
			why.String(), now)...)
	}
	return notices, nil
}

// DeleteOrder permanently removes an order of the actor's, with its offers. Its sales stay in the
// history of both sides, without the owner's texts and contacts. It fails with Forbidden and
// NotFound.
func (m *orderActs) DeleteOrder(ctx context.Context, actor core.Actor, id core.OrderID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete order", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete order %d: %w", id, err)
		}
		if err := actor.MustBe(order.Owner); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, m.DeleteLocked(ctx, tx, order, LapsedDeleted, now)
	})
	return err
}

// DeleteLocked deletes a locked order and notifies the sellers of offers that lapse.
func (m *orderActs) DeleteLocked(
	ctx context.Context, tx Tx, order Order, why core.Text, now time.Time,
) error {
	lapsed, err := m.LapseOffers(ctx, tx, order, why, now)
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
	return notify.AddNotices(ctx, tx, lapsed)
}

// redrawOrder has the buyer's messages about offers on an order that was changed drawn again: later, and at
// once when it has ended.
func (m *orderActs) redrawOrder(
	ctx context.Context, tx Tx, actor core.Actor, order Order, now time.Time,
) error {
	if order.Status == Fulfilled {
		return m.notify.RedrawOffers(ctx, tx, actor, order.ID, now)
	}
	return m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, notify.NoOffer)
}
