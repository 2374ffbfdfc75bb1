package market

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// Counts returns the counts beside the actor's tabs. It fails with Unauthenticated.
func (m *Market) Counts(ctx context.Context, actor core.Actor) (Counts, error) {
	if err := actor.MustBeUser(); err != nil {
		return Counts{}, err
	}
	now := m.Now()
	counts, err := m.store.Counts(ctx, CountsQuery{
		User: actor.UserID, Now: now, EndingBefore: now.Add(trade.ExpiryWarning),
		Trades: m.Features.Handover, Cases: actor.MustModerate() == nil, Listings: m.Features.Listings,
	})
	if err != nil {
		return Counts{}, fmt.Errorf("counts of user %d: %w", actor.UserID, err)
	}
	return counts, nil
}

// CountsQuery says what to count for a user.
type CountsQuery struct {
	User         core.UserID
	Now          time.Time
	EndingBefore time.Time // orders that end before it are counted as ending
	Trades       bool      // whether there are handovers
	Cases        bool      // whether the user is a moderator
	Listings     bool      // whether stock can be listed for sale
}

// Counts are the numbers shown on a user's tabs, and what else waits for the user.
type Counts struct {
	Active    int // orders that are open and not expired
	Fulfilled int // and not archived
	Archived  int
	Expired   int
	Unread    int // notices
	Received  int // offers that wait for the user's answer
	Asks      int // asks for the user's listings that wait for an answer

	Confirm int         // trades that wait for the user's word
	Partner core.UserID // the partner in all of those trades; zero for several partners

	Ending      int          // active orders that end soon
	EndsAt      time.Time    // when the first of them ends; zero for none
	EndingOrder core.OrderID // that ends first; zero for none

	Cases int // reports and disputes that wait for a moderator
}

// TodoKind is a kind of thing that waits for a user.
type TodoKind string

// The kinds, in the order in which they are shown: other users wait for the first three.
const (
	TodoAnswerOffers  TodoKind = "answer_offers"
	TodoAnswerAsks    TodoKind = "answer_asks"
	TodoConfirmTrades TodoKind = "confirm_trades"
	TodoRenewRequests TodoKind = "renew_requests"
)

// TodoKinds lists every kind.
var TodoKinds = []TodoKind{TodoAnswerOffers, TodoAnswerAsks, TodoConfirmTrades, TodoRenewRequests}

// Todo is something that waits for a user.
type Todo struct {
	Kind  TodoKind
	Count int // at least 1
	// Of TodoConfirmTrades: the partner in all of the trades; zero for several partners.
	Partner core.UserID
	// Of TodoRenewRequests: the only request; zero for several.
	Order core.OrderID
	// Of TodoRenewRequests: when the first of them ends.
	EndsAt time.Time
}

// Todos returns the things that wait for the user, at most one of each kind. It returns none when nothing
// waits.
func (c Counts) Todos() []Todo {
	todos := []Todo{}
	if c.Received > 0 {
		todos = append(todos, Todo{Kind: TodoAnswerOffers, Count: c.Received})
	}
	if c.Asks > 0 {
		todos = append(todos, Todo{Kind: TodoAnswerAsks, Count: c.Asks})
	}
	if c.Confirm > 0 {
		todos = append(todos, Todo{Kind: TodoConfirmTrades, Count: c.Confirm, Partner: c.Partner})
	}
	if c.Ending > 0 {
		todo := Todo{Kind: TodoRenewRequests, Count: c.Ending, EndsAt: c.EndsAt}
		if c.Ending == 1 {
			todo.Order = c.EndingOrder
		}
		todos = append(todos, todo)
	}
	return todos
}
