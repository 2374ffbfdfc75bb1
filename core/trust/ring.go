package trust

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	MaxRingMembers = 100
	MaxRings       = 200 // that are listed
)

// SetAside sets accounts aside, by their usernames or the IDs of their Discord accounts: none of their
// trades counts for a price or towards establishing a trader, until CountAgain. It is logged for each. It
// returns Unauthenticated, Forbidden unless the actor is a moderator and none of the accounts, Invalid
// without a reason or for an unknown name, and Conflict when all are set aside already.
func (m *Service) SetAside(
	ctx context.Context, actor core.Actor, names []string, reason string,
) ([]people.User, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	wanted := ringNames(names)
	reason, err := m.forms.Reason(reason)
	if err != nil {
		return nil, err
	}
	if len(wanted) == 0 || len(wanted) > MaxRingMembers {
		return nil, core.NewFieldError("users",
			core.NewText("ring_size", "Name 1 to %d accounts", MaxRingMembers))
	}
	aside, err := core.Write(ctx, m.run, actor, "set aside", []any{names, reason},
		func(tx Tx, now time.Time) ([]people.User, error) {
			users, err := tx.KeepUsersNamed(ctx, wanted, wanted)
			if err != nil {
				return nil, fmt.Errorf("find accounts: %w", err)
			}
			var ids []core.UserID
			for _, name := range wanted {
				at := slices.IndexFunc(users,
					func(u people.User) bool {
						return strings.EqualFold(u.Username, name) ||
							u.DiscordID == name
					})
				if at < 0 {
					return nil, core.NewFieldError("users",
						core.NewText("ring_unknown", "No user is called %s", name))
				}
			}
			for _, u := range users {
				if u.ID == actor.UserID {
					return nil, core.NewError(core.Forbidden,
						core.NewText("ring_of_your_own", "You can't set yourself aside"))
				}
				ids = append(ids, u.ID)
			}
			added, err := tx.SetAside(ctx, ids, reason, now)
			if err != nil {
				return nil, fmt.Errorf("set aside: %w", err)
			}
			if len(added) == 0 {
				return nil, core.NewError(core.Conflict,
					core.NewText("ring_already", "These accounts are set aside already"))
			}
			if err := logRing(ctx, tx, actor, core.AuditUserSetAside, added, reason, now); err != nil {
				return nil, err
			}
			return slices.DeleteFunc(users,
				func(u people.User) bool { return !slices.Contains(added, u.ID) }), nil
		})
	m.ringsChanged()
	return aside, err
}

// ringNames returns names in small letters without an @ or the signs of a mention, each once.
func ringNames(names []string) (wanted []string) {
	for _, name := range names {
		name = strings.ToLower(strings.Trim(name, "<@!> "))
		if name != "" && !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted
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
			return struct{}{}, core.NewError(core.NotFound,
				core.NewText("ring_not_found", "These accounts are not set aside any more"))
		}
		if slices.Contains(users, actor.UserID) {
			return struct{}{}, core.NewError(core.Forbidden,
				core.NewText("ring_with_yourself",
					"Another moderator has to decide on this: you are one of the accounts"))
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
