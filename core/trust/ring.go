package trust

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// Ring is accounts that a moderator set aside with one decision: their trades count for nothing.
type Ring struct {
	ID      core.RingID
	At      time.Time
	Reason  string
	Members []people.User // with ID and Username only
}

// Limits of rings.
const (
	MaxRingMembers = 100 // that a proposal names
	MaxRings       = 200 // that are listed
)

// ProposedRings lists the rings that FindTraders proposes and moderators have not decided about, the most
// suspicious first. It returns Unauthenticated and Forbidden.
func (m *Service) ProposedRings(ctx context.Context, actor core.Actor) ([]ProposedRing, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	rings, err := m.store.ProposedRings(ctx, MaxProposedRings)
	if err != nil {
		return nil, fmt.Errorf("proposed rings: %w", err)
	}
	return rings, nil
}

// SetAside sets the accounts of a proposed ring aside: none of their trades counts for a price or towards
// establishing a trader, until CountAgain. It is logged for each, with the facts as the reason. It returns
// Unauthenticated, Forbidden unless the actor is a moderator and none of the accounts, NotFound when they are
// not proposed any more, and Conflict when all are set aside already.
func (m *Service) SetAside(
	ctx context.Context, actor core.Actor, id core.ProposedRingID,
) ([]people.User, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	aside, err := core.Write(ctx, m.run, actor, "set aside", id,
		func(tx Tx, now time.Time) ([]people.User, error) {
			ring, ids, err := lockProposed(ctx, tx, id)
			if err != nil {
				return nil, err
			}
			if slices.Contains(ids, actor.UserID) {
				return nil, core.NewError(core.Forbidden, core.NewText("ring_of_your_own"))
			}
			reason := ring.text()
			added, err := tx.SetAside(ctx, ids, reason, now)
			if err != nil {
				return nil, fmt.Errorf("set aside: %w", err)
			}
			if len(added) == 0 {
				return nil, core.NewError(core.Conflict, core.NewText("ring_already"))
			}
			if err := tx.RemoveProposedRing(ctx, id); err != nil {
				return nil, fmt.Errorf("remove proposal: %w", err)
			}
			if err := logRing(ctx, tx, actor, core.AuditUserSetAside, added, reason, now); err != nil {
				return nil, err
			}
			return slices.DeleteFunc(ring.Members,
				func(u people.User) bool { return !slices.Contains(added, u.ID) }), nil
		})
	m.ringsChanged()
	return aside, err
}

// DismissRing decides that a proposed ring is none: the same accounts are not proposed together again. It is
// logged for each. It returns Unauthenticated, Forbidden unless the actor is a moderator who is none of the
// accounts, and NotFound when they are not proposed any more.
func (m *Service) DismissRing(ctx context.Context, actor core.Actor, id core.ProposedRingID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "dismiss ring", id, func(tx Tx, now time.Time) (struct{}, error) {
		_, ids, err := lockProposed(ctx, tx, id)
		if err != nil {
			return struct{}{}, err
		}
		if slices.Contains(ids, actor.UserID) {
			return struct{}{}, decidesOnThemselves()
		}
		if err := tx.DismissProposedRing(ctx, id, now); err != nil {
			return struct{}{}, fmt.Errorf("dismiss ring: %w", err)
		}
		return struct{}{}, logRing(ctx, tx, actor, core.AuditUserNotInRing, ids, "", now)
	})
	return err
}

// lockProposed returns a proposed ring and the IDs of its members.
func lockProposed(
	ctx context.Context, tx Tx, id core.ProposedRingID,
) (ring ProposedRing, ids []core.UserID, err error) {
	ring, err = tx.LockProposedRing(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return ring, nil, core.NewError(core.NotFound, core.NewText("ring_not_proposed"))
	}
	if err != nil {
		return ring, nil, fmt.Errorf("proposed ring %d: %w", id, err)
	}
	for _, u := range ring.Members {
		ids = append(ids, u.ID)
	}
	return ring, ids, nil
}

func decidesOnThemselves() error {
	return core.NewError(core.Forbidden, core.NewText("ring_with_yourself"))
}

func logRing(
	ctx context.Context, tx Tx, by core.Actor, action core.AuditAction, users []core.UserID, reason string,
	now time.Time,
) error {
	for _, id := range users {
		if err := tx.AddAuditEntry(ctx, core.AuditEntry{At: now, Moderator: by.UserID, Action: action,
			Subject: id, Reason: reason}); err != nil {
			return fmt.Errorf("log: %w", err)
		}
	}
	return nil
}

// CountAgain has the trades of a ring count again. It is logged for each account. It returns
// Unauthenticated, Forbidden unless the actor is a moderator who is none of the accounts, and NotFound.
func (m *Service) CountAgain(ctx context.Context, actor core.Actor, id core.RingID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "count again", id, func(tx Tx, now time.Time) (struct{}, error) {
		users, err := tx.CountAgain(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("count again: %w", err)
		}
		if len(users) == 0 {
			return struct{}{}, core.NewError(core.NotFound, core.NewText("ring_not_found"))
		}
		if slices.Contains(users, actor.UserID) {
			return struct{}{}, decidesOnThemselves()
		}
		return struct{}{}, logRing(ctx, tx, actor, core.AuditUserCountedAgain, users, "", now)
	})
	m.ringsChanged()
	return err
}

// Rings lists the accounts that are set aside, the latest first. It returns Unauthenticated and Forbidden.
func (m *Service) Rings(ctx context.Context, actor core.Actor) ([]Ring, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	rings, err := m.store.Rings(ctx, MaxRings)
	if err != nil {
		return nil, fmt.Errorf("rings: %w", err)
	}
	return rings, nil
}
