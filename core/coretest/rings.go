package coretest

import (
	"context"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
)

// Propose stores a ring of users as the only proposal, as if they had traded with each other for one copper,
// and returns its ID.
func Propose[Tx trust.Tx](
	ctx context.Context, atomically func(context.Context, func(Tx) error) error, store trust.Store,
	users ...core.UserID,
) (core.ProposedRingID, error) {
	ring := trust.ProposedRing{RingFacts: trust.RingFacts{
		Accounts: len(users), Trades: 25, Inside: 24, OneCopper: 20, SameMinute: 4,
	}}
	for _, id := range users {
		ring.Members = append(ring.Members, people.User{ID: id})
	}
	if err := atomically(ctx, func(tx Tx) error {
		return tx.SaveProposedRings(ctx, []trust.ProposedRing{ring})
	}); err != nil {
		return 0, err
	}
	rings, err := store.ProposedRings(ctx, 1)
	if err != nil || len(rings) == 0 {
		return 0, err
	}
	return rings[0].ID, nil
}
