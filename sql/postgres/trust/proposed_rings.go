package trust

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// ProposedRings returns the proposed rings that are not dismissed, the most suspicious first.
func (s *Store) ProposedRings(ctx context.Context, limit int) ([]trust.ProposedRing, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.ProposedRing, error) {
		rows, err := q.ProposedRings(ctx, int32(limit))
		var rings []trust.ProposedRing
		for _, r := range rows {
			if len(rings) == 0 || rings[len(rings)-1].ID != core.ProposedRingID(r.ID) {
				rings = append(rings, trust.ProposedRing{
					ID: core.ProposedRingID(r.ID), RingFacts: trust.RingFacts{
						Accounts: r.Accounts, Trades: r.Trades, Inside: r.Inside, OneCopper: r.OneCopper,
						SameMinute: r.SameMinute, Young: r.YoungAccounts,
					}})
			}
			ring := &rings[len(rings)-1]
			ring.Members = append(ring.Members, people.User{ID: r.UserID, Username: r.Username})
		}
		return rings, err
	})
}

// SaveProposedRings replaces the proposed rings. Those with the same members stay the same.
func (t *Tx) SaveProposedRings(ctx context.Context, rings []trust.ProposedRing) error {
	keys := make([]string, len(rings))
	var saved db.SaveProposedRingsParams
	var ofMember []string
	var members []int64
	for i, r := range rings {
		keys[i] = r.Key()
		saved.Places, saved.Accounts = append(saved.Places, i+1), append(saved.Accounts, r.Accounts)
		saved.Trades, saved.Insides = append(saved.Trades, r.Trades), append(saved.Insides, r.Inside)
		saved.OneCoppers = append(saved.OneCoppers, r.OneCopper)
		saved.SameMinutes = append(saved.SameMinutes, r.SameMinute)
		saved.Youngs = append(saved.Youngs, r.Young)
		for _, u := range r.Members {
			ofMember, members = append(ofMember, keys[i]), append(members, int64(u.ID))
		}
	}
	if err := t.Q.RemoveProposedRings(ctx, keys); err != nil {
		return kernel.Translate(err)
	}
	saved.Keys = keys
	if err := t.Q.SaveProposedRings(ctx, saved); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.AddProposedRingMembers(ctx, ofMember, members))
}

// LockProposedRing returns a proposed ring that is not dismissed. Neither it nor any of its members can be
// deleted until the transaction ends.
func (t *Tx) LockProposedRing(ctx context.Context, id core.ProposedRingID) (trust.ProposedRing, error) {
	rows, err := t.Q.LockProposedRing(ctx, int64(id))
	if err != nil {
		return trust.ProposedRing{}, kernel.Translate(err)
	}
	if len(rows) == 0 {
		return trust.ProposedRing{}, kernel.Translate(pgx.ErrNoRows)
	}
	r := rows[0]
	ring := trust.ProposedRing{ID: id, RingFacts: trust.RingFacts{
		Accounts: r.Accounts, Trades: r.Trades, Inside: r.Inside, OneCopper: r.OneCopper,
		SameMinute: r.SameMinute, Young: r.YoungAccounts,
	}}
	for _, r := range rows {
		ring.Members = append(ring.Members,
			people.User{ID: r.UserID, Username: r.Username, DiscordID: r.DiscordID})
	}
	return ring, nil
}

// RemoveProposedRing removes a proposal.
func (t *Tx) RemoveProposedRing(ctx context.Context, id core.ProposedRingID) error {
	t.NoteWrite()
	return kernel.Translate(t.Q.RemoveProposedRing(ctx, int64(id)))
}

// DismissProposedRing has a proposal never listed again.
func (t *Tx) DismissProposedRing(ctx context.Context, id core.ProposedRingID, now time.Time) error {
	t.NoteWrite()
	return kernel.Translate(t.Q.DismissProposedRing(ctx, now, int64(id)))
}
