package match

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Plan returns the cheapest way to get the items of a text from what is for sale and by requests. It posts
// nothing, and holds nothing: what it found may be gone when it is posted. It fails with Unauthenticated,
// Forbidden and Invalid.
func (m *stockActs) Plan(ctx context.Context, actor core.Actor, q PlanQuery) (Planned, error) {
	if err := actor.MayTrade(); err != nil {
		return Planned{}, err
	}
	if err := q.check(); err != nil {
		return Planned{}, err
	}
	index := m.items.IndexOrEmpty(ctx)
	summaries := map[core.ItemID]items.Summary{}
	if m.features.Prices {
		summaries = m.items.Summaries(ctx)
	}
	lines := q.planLines(index, m.game, m.forms, func(id core.ItemID) (price, high core.Copper) {
		if usual := summaries[id].Usual; usual != nil && usual.Price != nil {
			return usual.Price.Median, max(usual.Price.Median, usual.Price.High)
		}
		return 0, 0
	})
	names := make([][]string, len(lines))
	for i, line := range lines {
		if line.Why == nil {
			names[i] = index.Same(line.ItemName)
		}
	}
	found, err := m.store.ListingsOfLines(ctx, names, actor.UserID, MaxPlanListings, m.now())
	if err != nil {
		return Planned{}, fmt.Errorf("listings for a plan: %w", err)
	}
	for _, listings := range found {
		for i := range listings {
			if !m.features.Crossing {
				listings[i].Unasked = Unasked{}
			}
		}
	}
	planned := q.decide(lines, found)
	var priced []core.ItemID
	for _, line := range planned.Lines {
		if line.Price > 0 && line.Item != 0 {
			priced = append(priced, line.Item)
		}
	}
	odds, err := m.items.OddsOfItems(ctx, priced)
	if err != nil {
		return Planned{}, fmt.Errorf("odds for a plan: %w", err)
	}
	for i, line := range planned.Lines {
		if line.Price > 0 {
			planned.Lines[i].Odds = odds[line.Item].At(line.Price)
		}
	}
	return planned, nil
}

// PostPlan posts a plan that its buyer has seen: an ask for each listing and a request for each other line,
// all of them or none, as one list. Listings are locked and looked at again: an ask is agreed at once where
// the listing sells so many without asking, and else waits for its seller. It returns Invalid with each line
// whose listing is gone, dearer or has fewer left, as the field lines[N], counted from 1, and PostList's
// other errors. The open requests of a list that it replaces are closed, as CloseOrder does it.
func (m *stockActs) PostPlan(ctx context.Context, actor core.Actor, draft PlanDraft) (PlanPosted, error) {
	if err := actor.MayTrade(); err != nil {
		return PlanPosted{}, err
	}
	if err := draft.check(); err != nil {
		return PlanPosted{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	unusual := m.trade.AskAboutLines(ctx, actor, index, draft.requested())
	places, listings := draft.asked()
	replaced, err := m.trade.OwnList(ctx, actor, draft.Replaces)
	if err != nil {
		return PlanPosted{}, err
	}
	return core.Write(ctx, m.asks, actor, "post plan", draft,
		func(tx AskTx, now time.Time) (PlanPosted, error) {
			if unusual != nil {
				return PlanPosted{}, unusual
			}
			// Orders are locked before users, and listings last.
			err := m.trade.CloseList(ctx, trade.Scope{Tx: tx, Happened: tx.Happened}, actor, replaced, now)
			if err != nil {
				return PlanPosted{}, err
			}
			if len(listings) > 0 {
				if err := tx.LockPlanned(ctx, actor.UserID, listings); err != nil {
					return PlanPosted{}, fmt.Errorf("lock %d listings: %w", len(listings), err)
				}
			}
			var c core.Checks
			asks := make([]planAsk, 0, len(places))
			for _, i := range places {
				line := draft.Lines[i]
				listing, err := tx.LockListing(ctx, line.Listing, actor.UserID, now)
				if err == nil {
					var order trade.OrderDraft
					order, err = listing.wanted(line, actor, draft.InGameName, m.forms, now)
					asks = append(asks, planAsk{listing: listing.Listing, order: order})
				}
				if kind := core.KindOf(err); err != nil && kind != core.NotFound &&
					kind != core.Conflict && kind != core.Invalid && kind != core.Forbidden {
					return PlanPosted{}, fmt.Errorf("listing %d: %w", line.Listing, err)
				}
				if err != nil {
					c.AddField(core.FieldOf(trade.LineField(i+1), err))
				}
			}
			if err := c.Err(); err != nil {
				return PlanPosted{}, err
			}
			return m.addPlan(ctx, tx, actor, draft, asks, index, now)
		})
}

// planAsk is a locked listing and the request that asks for it.
type planAsk struct {
	listing Listing
	order   trade.OrderDraft
	sale    *cross.Trade // what is agreed at once; nil where the seller is asked
}

// sizeOf returns how many requests, people and open asks a plan comes to.
func sizeOf(requests []trade.PricedLine, asks []planAsk) trade.PlanSize {
	size := trade.PlanSize{Requests: len(requests)}
	sellers := map[core.UserID]bool{}
	for _, a := range asks {
		sellers[a.listing.User] = true
		if a.sale == nil {
			size.Waiting++
		}
	}
	size.Sellers = len(sellers)
	return size
}

// addPlan stores a list with its requests and asks, whose listings are locked.
func (m *stockActs) addPlan(
	ctx context.Context, tx AskTx, actor core.Actor, draft PlanDraft, asks []planAsk, index *items.Index,
	now time.Time,
) (PlanPosted, error) {
	scope := trade.Scope{Tx: tx, Happened: tx.Happened}
	requests := draft.requested()
	for i := range asks {
		sale, err := m.unasked(ctx, tx, actor, asks[i], now)
		if err != nil {
			return PlanPosted{}, err
		}
		asks[i].sale = sale
	}
	size := sizeOf(requests, asks)
	list, err := m.trade.PostPlan(ctx, scope, actor, draft.ListDraft, requests, size, index, now)
	if err != nil {
		return PlanPosted{}, err
	}
	posted := PlanPosted{List: list, Requested: len(requests)}
	for _, a := range asks {
		order, err := m.trade.AddListAsk(ctx, scope, actor, a.order, a.listing.ID, list, now)
		if err != nil {
			return PlanPosted{}, err
		}
		if a.sale != nil {
			posted.Agreed++
			_, err = m.trade.Cross(ctx, scope, actor, order, trade.Crossing{Trade: *a.sale}, index, now)
		} else {
			posted.Asked++
			err = m.tellOfAsk(ctx, tx, actor, order, a.listing.User, now)
		}
		if err != nil {
			return PlanPosted{}, err
		}
	}
	return posted, nil
}

// unasked returns the sale of an ask that its listing agrees to at once; nil where its seller is asked.
func (m *stockActs) unasked(
	ctx context.Context, tx AskTx, actor core.Actor, a planAsk, now time.Time,
) (*cross.Trade, error) {
	if !m.features.Crossing || a.listing.SellsDaily == 0 {
		return nil, nil
	}
	facts, err := tx.Unasked(ctx, a.listing.ID, actor.UserID, now)
	if err != nil {
		return nil, fmt.Errorf("listing %d unasked: %w", a.listing.ID, err)
	}
	if sale, unasked := facts.trade(a.listing, a.order.Quantity); unasked {
		return &sale, nil
	}
	return nil, nil
}

// tellOfAsk notifies a seller of an ask that was just stored: beyond the buyer's reach without a message of
// its own.
func (m *stockActs) tellOfAsk(
	ctx context.Context, tx AskTx, actor core.Actor, order trade.Order, seller core.UserID, now time.Time,
) error {
	sender, err := tx.LockSender(ctx, order, now.Add(-core.LimitReach.Per))
	if err != nil {
		return fmt.Errorf("reach of user %d: %w", actor.UserID, err)
	}
	n := trade.NoticeAbout(order, seller, notify.NoticeAskReceived, now)
	n.Quantity, n.CausedBy = order.Quantity, actor.UserID
	n.Name, n.Contact = cmp.Or(actor.DisplayName, actor.Username), actor.Username
	if !sender.Covers(seller, m.quotas.Reach, now) {
		n = n.ForInbox(notify.BeyondReach)
	}
	return notify.AddNotices(ctx, tx, []notify.Notice{n})
}
