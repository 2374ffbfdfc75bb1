package match

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// MaxAudience limits the count of users who would be alerted to a request.
const MaxAudience = 1000

// MutedBuyer is a buyer that a user has muted: their requests cause no alerts.
type MutedBuyer struct {
	Buyer    core.UserID
	Username string
	Since    time.Time
}

// AudienceQuery asks how many people would be alerted to a request.
type AudienceQuery struct {
	WatchedOrder
	Keys         []string // by which saved searches are found; empty for none
	Stocked      []string // names of its item under which stock counts; empty for none
	TouchedAfter time.Time
	Limit        int
}

// Audience returns roughly how many people would be alerted to a request that the actor is about to post; see
// roughly. It returns PostOrder's errors.
func (m *alertActs) Audience(ctx context.Context, actor core.Actor, draft trade.OrderDraft) (int, error) {
	order, err := m.trade.PreviewOrder(actor, draft)
	if err != nil || !m.features.Alerts() {
		return 0, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return 0, err
	}
	watched := asWatched(items, order)
	q := AudienceQuery{WatchedOrder: watched, TouchedAfter: m.now().Add(-StockLifetime), Limit: MaxAudience}
	if m.features.Watches {
		q.Keys = watched.Keys(m.forms)
	}
	if m.features.Stock {
		q.Stocked = items.Same(order.ItemName)
	}
	people, err := m.store.CountWatchers(ctx, q)
	if err != nil {
		return 0, fmt.Errorf("count watchers: %w", err)
	}
	return roughly(people), nil
}

// roughly returns the highest of 0, 1, 10, 100 and MaxAudience that is not above the number of people. With
// the exact number, a buyer who asks for one item after another learns who looks for what.
func roughly(people int) int {
	for _, most := range []int{MaxAudience, 100, 10, 1} {
		if people >= most {
			return most
		}
	}
	return 0
}

// MutedBuyers returns the buyers that the actor has muted, the latest first. It fails with Unauthenticated.
func (m *alertActs) MutedBuyers(ctx context.Context, actor core.Actor) ([]MutedBuyer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	muted, err := m.store.MutedBuyers(ctx, actor.UserID, trust.MaxBlockedSellers)
	if err != nil {
		return nil, fmt.Errorf("muted buyers of user %d: %w", actor.UserID, err)
	}
	return muted, nil
}

// MuteBuyer has the actor hear no more of the requests of the buyer that one of their alerts is about. It
// fails with Unauthenticated and NotFound.
func (m *alertActs) MuteBuyer(ctx context.Context, actor core.Actor, id core.NoticeID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "mute buyer", id, func(tx Tx, now time.Time) (struct{}, error) {
		if _, err := tx.LockUser(ctx, actor.UserID); err != nil {
			return struct{}{}, fmt.Errorf("user %d: %w", actor.UserID, err)
		}
		n, err := tx.AlertNotice(ctx, actor.UserID, id)
		if err != nil || n.CausedBy == 0 { // the buyer has left
			return struct{}{}, err
		}
		if err := tx.MuteBuyer(ctx, actor.UserID, n.CausedBy, now); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, tx.EndAlerts(ctx, actor.UserID, 0, n.CausedBy, alertStopped, now)
	})
	return err
}

// UnmuteBuyer has the actor hear of a buyer's requests again. It fails with Unauthenticated.
func (m *alertActs) UnmuteBuyer(ctx context.Context, actor core.Actor, buyer core.UserID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "unmute buyer", buyer,
		func(tx Tx, _ time.Time) (struct{}, error) {
			return struct{}{}, tx.UnmuteBuyer(ctx, actor.UserID, buyer)
		})
	return err
}
