package match

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// Listings returns a page of the stock for sale. It fails with Invalid.
func (m *stockActs) Listings(ctx context.Context, actor core.Actor, q ListingQuery) (ListingPage, error) {
	q.For, q.Now = actor.UserID, m.now()
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return ListingPage{}, err
	}
	index := m.items.IndexOrEmpty(ctx)
	if q.ItemID != 0 {
		q.Named = index.NamesOf(q.ItemID)
	}
	page, err := m.store.Listings(ctx, q)
	if err != nil {
		return ListingPage{}, fmt.Errorf("listings: %w", err)
	}
	for i, l := range page.Listings {
		item, _ := index.Named(l.ItemName)
		page.Listings[i].Item = item.ID
		page.Listings[i].Category = cmp.Or(index.CategoryOf(l.ItemName, m.game), l.Category)
	}
	return page, nil
}

// OwnListings returns what the actor has for sale, with the open asks for it, and their stock that is not
// shown only where there are asks for it. It fails with Unauthenticated.
func (m *stockActs) OwnListings(ctx context.Context, actor core.Actor) ([]OwnListing, error) {
	stock, err := m.Stock(ctx, actor)
	if err != nil {
		return nil, err
	}
	now := m.now()
	asks, err := m.store.Asks(ctx, actor.UserID, now)
	if err != nil {
		return nil, fmt.Errorf("asks for listings of user %d: %w", actor.UserID, err)
	}
	var own []OwnListing
	for _, s := range stock {
		l := OwnListing{Stock: s}
		for _, a := range asks {
			if a.Listing == s.ID {
				l.Asks = append(l.Asks, a)
			}
		}
		if s.Listed(now) || len(l.Asks) > 0 {
			own = append(own, l)
		}
	}
	return own, nil
}

// Asks returns the open asks that the actor has made, the oldest first. It fails with Unauthenticated.
func (m *stockActs) Asks(ctx context.Context, actor core.Actor) ([]Ask, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	all, err := m.store.Asks(ctx, actor.UserID, m.now())
	if err != nil {
		return nil, fmt.Errorf("asks of user %d: %w", actor.UserID, err)
	}
	var made []Ask
	for _, a := range all {
		if a.Owner == actor.UserID {
			made = append(made, a)
		}
	}
	return made, nil
}

// Ask asks the seller of a listing for some of it: it posts a request that they alone see, and which ends
// after trade.AskLifetime. What the listing sells without asking is a trade at once: the request returned is
// fulfilled. Beyond the buyer's reach the seller finds it without a message of its own. It
// returns the errors of LockedListing.Ask, and TooMany when a quota is used up.
func (m *stockActs) Ask(
	ctx context.Context, actor core.Actor, id core.StockID, draft AskDraft,
) (trade.Order, error) {
	if err := actor.MayTrade(); err != nil {
		return trade.Order{}, err
	}
	known, err := m.store.Listing(ctx, id, actor.UserID, m.now())
	if err != nil {
		return trade.Order{}, fmt.Errorf("listing %d: %w", id, err)
	}
	unasked := m.features.Crossing && known.SellsDaily > 0
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	order, err := core.Write(ctx, m.asks, actor, "ask for listing", []any{id, draft},
		func(tx AskTx, now time.Time) (trade.Order, error) {
			if unasked {
				if err := tx.LockPlanned(ctx, actor.UserID, []core.StockID{id}); err != nil {
					return trade.Order{}, fmt.Errorf("lock listing %d: %w", id, err)
				}
			}
			var listing LockedListing
			may := func() (err error) {
				if listing, err = tx.LockListing(ctx, id, actor.UserID, now); err != nil {
					return fmt.Errorf("listing %d: %w", id, err)
				}
				if draft.PriceSeen == 0 { // the request has the price that was just read
					draft.PriceSeen = known.Price
				}
				_, err = listing.Ask(draft, actor, m.forms, now)
				return err
			}
			asked := known.request(draft, actor, m.forms)
			order, err := m.trade.PostAsk(ctx, tx, actor, asked, id, may, now)
			if err != nil {
				return trade.Order{}, err
			}
			if unasked {
				sale, err := m.unasked(ctx, tx, actor, planAsk{listing: listing.Listing, order: asked}, now)
				if err != nil {
					return trade.Order{}, err
				}
				if sale != nil {
					scope := trade.Scope{Tx: tx, Happened: tx.Happened}
					return m.trade.Cross(ctx, scope, actor, order, trade.Crossing{Trade: *sale}, index, now)
				}
			}
			return order, m.tellOfAsk(ctx, tx, actor, order, listing.User, now)
		})
	return m.trade.Named(ctx, order), err
}

// AskAnswer is a seller's answer to an ask.
type AskAnswer struct {
	Accept  int    // how many of it; zero for no
	Message string // to the buyer, with a yes; empty for the usual one
}

// AnswerAsk is the seller's answer to an ask for their listing: a yes to all of it or fewer trades them at
// the listing's price, a no ends it. It returns the acceptance, with a no an empty one. It fails with
// NotFound when the ask or the listing is gone, Conflict when the ask is over, Forbidden and Invalid.
func (m *stockActs) AnswerAsk(
	ctx context.Context, actor core.Actor, id core.OrderID, answer AskAnswer,
) (trade.Acceptance, error) {
	if err := actor.MayTrade(); err != nil {
		return trade.Acceptance{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	return core.Write(ctx, m.asks, actor, "answer ask", []any{id, answer},
		func(tx AskTx, now time.Time) (trade.Acceptance, error) {
			ask, err := tx.LockOrder(ctx, id)
			if err != nil {
				return trade.Acceptance{}, fmt.Errorf("answer ask %d: %w", id, err)
			}
			if ask.Listing == 0 {
				return trade.Acceptance{}, trade.OrderNotFound()
			}
			may := func() error {
				listing, err := tx.LockListing(ctx, ask.Listing, ask.Owner, now)
				if err != nil {
					return fmt.Errorf("listing %d: %w", ask.Listing, err)
				}
				return listing.mayAnswer(ask, actor, answer.Accept, now)
			}
			if answer.Accept == 0 {
				if err := may(); err != nil {
					return trade.Acceptance{}, err
				}
				return trade.Acceptance{}, m.trade.EndAsk(ctx, tx, ask, trade.AskRefused, now)
			}
			draft := trade.OfferDraft{
				SellerName: cmp.Or(actor.DisplayName, actor.Username), Quantity: answer.Accept,
				Message: cmp.Or(m.forms.Prose(answer.Message), text.For("").Sprint(text.OfferReady)),
			}
			scope := trade.Scope{Tx: tx, Happened: tx.Happened}
			return m.trade.AcceptAsk(ctx, scope, actor, ask, draft, index, may, now)
		})
}
