package trust

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// Vouch makes a user an established trader, on the word of a moderator. It is logged. It returns
// Unauthenticated, Forbidden unless the actor is a moderator and the user another, Conflict when they are
// an established trader already or blocked, and NotFound.
func (m *Service) Vouch(ctx context.Context, actor core.Actor, id core.UserID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "vouch", id, func(tx Tx, now time.Time) (struct{}, error) {
		user, err := tx.LockUser(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("vouch for user %d: %w", id, err)
		}
		entry, err := vouchFor(user, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		added, err := tx.AddTraders(ctx, OriginVouched, NewTrader{id, now})
		if err != nil {
			return struct{}{}, fmt.Errorf("vouch for user %d: %w", id, err)
		}
		if added == 0 {
			return struct{}{}, core.NewError(core.Conflict, core.NewText("established_already"))
		}
		return struct{}{}, tx.AddAuditEntry(ctx, entry)
	})
	return err
}

func vouchFor(u people.User, by core.Actor, now time.Time) (core.AuditEntry, error) {
	if u.ID == by.UserID {
		return core.AuditEntry{}, core.NewError(core.Forbidden, core.NewText("vouch_for_yourself"))
	}
	if u.Blocked() {
		return core.AuditEntry{}, core.NewError(core.Conflict, core.NewText("vouch_for_blocked"))
	}
	return core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditUserVouched, Subject: u.ID}, nil
}

// FindTraders computes trust again where what it comes from has changed, or an hour has passed: pairs grow
// older. Those who are trusted are the established traders, and it stores by which names they are known now.
// It proposes rings and candidates to moderators.
// It is a periodic job. It reads and computes outside of a transaction, so that no write waits for it.
func (m *Service) FindTraders(ctx context.Context) error {
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		return tx.AddModeratorTraders(ctx, m.moderators, now.Add(-people.ModeratorRoleRetention))
	})
	if err != nil {
		return fmt.Errorf("add moderators: %w", err)
	}
	if err := m.computeTrust(ctx, now); err != nil {
		return fmt.Errorf("compute trust: %w", err)
	}
	if err := m.nameTraders(ctx, now); err != nil {
		return fmt.Errorf("name established traders: %w", err)
	}
	return nil
}

// computeTrust replaces everybody's share, unless it was computed from the same before.
func (m *Service) computeTrust(ctx context.Context, now time.Time) error {
	of, err := m.store.TrustOf(ctx, now)
	if err != nil {
		return fmt.Errorf("what it comes from: %w", err)
	}
	if before, err := m.store.TrustComputed(ctx); err != nil || before.Of == of {
		return err
	}
	pairs, err := m.store.SettledPairs(ctx, settledBefore(now))
	if err != nil {
		return fmt.Errorf("settled pairs: %w", err)
	}
	persons, err := m.store.People(ctx)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	active, err := m.store.CountActive(ctx, now.Add(-ActiveFor))
	if err != nil {
		return fmt.Errorf("active people: %w", err)
	}
	activeWeek, err := m.store.CountActive(ctx, now.Add(-7*core.Day))
	if err != nil {
		return fmt.Errorf("people active this week: %w", err)
	}
	shares := Flow(persons, pairs, now)
	market := marketOf(shares, active, of, now)
	market.ActiveWeek = activeWeek
	var proposed []Candidate
	if market.Young {
		proposed = candidates(persons, shares, pairs, now)
	}
	rings := proposeRings(persons, pairs, now)
	return m.run.Atomically(ctx, func(tx Tx) error {
		if err := tx.SaveTrust(ctx, shares, market); err != nil {
			return fmt.Errorf("save: %w", err)
		}
		if err := tx.SaveCandidates(ctx, proposed); err != nil {
			return fmt.Errorf("save candidates: %w", err)
		}
		if err := tx.SaveProposedRings(ctx, rings); err != nil {
			return fmt.Errorf("save proposed rings: %w", err)
		}
		if _, err := tx.AddTraders(ctx, OriginTrades, newTraders(shares, now)...); err != nil {
			return fmt.Errorf("add established traders: %w", err)
		}
		return nil
	})
}

// LearnTraders reads the names of the established traders, by which this Market marks names that look like
// them, and who may use them. It reports whether they have changed.
func (m *Service) LearnTraders(ctx context.Context) (changed bool, err error) {
	names, err := m.store.TraderNames(ctx)
	if err != nil {
		return false, fmt.Errorf("read the names of established traders: %w", err)
	}
	allowed, err := m.store.AllowedNames(ctx)
	if err != nil {
		return false, fmt.Errorf("read who may use names of established traders: %w", err)
	}
	if changed = m.traders.learn(names, allowed); changed {
		m.namesChanged()
	}
	return changed, nil
}

// NotifyTraders notifies established traders of names that look like theirs: once about each name, within
// LimitLookAlikes, and in the inbox alone beyond the reach of who typed the name.
func (m *Service) NotifyTraders(ctx context.Context, tx Tx, about notify.Notice, names ...TypedName) error {
	var notices []notify.Notice
	var told []core.UserID
	for _, name := range names {
		if name.Now == name.Before {
			continue
		}
		for _, trader := range m.traders.Like(name.Now, NameUser{User: about.CausedBy}) {
			first, err := tx.AddLookAlike(ctx, trader, strings.TrimPrefix(name.Now, "@"), about.CreatedAt,
				about.CreatedAt.Add(-core.LimitLookAlikes.Per), core.LimitLookAlikes.Limit)
			if err != nil {
				return fmt.Errorf("name like that of trader %d: %w", trader, err)
			}
			if !first || slices.Contains(told, trader) { // notified about the post's other name
				continue
			}
			n := about
			n.User, n.Name = trader, name.Now
			notices, told = append(notices, n), append(told, trader)
		}
	}
	if len(notices) == 0 || about.CausedBy == 0 {
		return notify.AddNotices(ctx, tx, notices)
	}
	reach, err := tx.ReachOf(ctx, about.CausedBy, about.CreatedAt.Add(-core.LimitReach.Per))
	if err != nil {
		return fmt.Errorf("reach of user %d: %w", about.CausedBy, err)
	}
	for i, n := range notices {
		if !reach.Covers(n.User, m.quotas.Reach, about.CreatedAt) {
			notices[i] = n.ForInbox(notify.BeyondReach)
			continue
		}
		reach.Reached = append(reach.Reached, n.User)
	}
	return notify.AddNotices(ctx, tx, notices)
}
