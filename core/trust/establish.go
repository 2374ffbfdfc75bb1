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

// settledBefore is the time before which accepts cannot be undone any more.
func settledBefore(now time.Time) time.Time { return now.Add(-core.UndoWindow) }

// establish stores the users who have become established traders since the last call. A new one may be the
// third partner of another.
func (m *Service) establish(ctx context.Context, tx Tx, now time.Time) error {
	if err := tx.AddModeratorTraders(ctx, m.moderators, now.Add(-people.ModeratorRoleRetention)); err != nil {
		return fmt.Errorf("add moderators: %w", err)
	}
	for {
		trades, err := tx.NewTrades(ctx, settledBefore(now), EstablishedPartners)
		if err != nil {
			return fmt.Errorf("find who has traded: %w", err)
		}
		var established []NewTrader
		for _, t := range trades {
			if at, is := t.Established(); is {
				established = append(established, NewTrader{t.User, at})
			}
		}
		added, err := tx.AddTraders(ctx, OriginTrades, established...)
		if err != nil {
			return fmt.Errorf("add established traders: %w", err)
		}
		if added == 0 {
			return tx.EndTraderSearch(ctx, settledBefore(now))
		}
	}
}

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
			return struct{}{}, core.NewError(core.Conflict,
				core.NewText("established_already", "This user is an established trader already"))
		}
		return struct{}{}, tx.AddAuditEntry(ctx, entry)
	})
	return err
}

func vouchFor(u people.User, by core.Actor, now time.Time) (core.AuditEntry, error) {
	if u.ID == by.UserID {
		return core.AuditEntry{}, core.NewError(core.Forbidden,
			core.NewText("vouch_for_yourself", "You can't vouch for yourself"))
	}
	if u.Blocked() {
		return core.AuditEntry{}, core.NewError(core.Conflict,
			core.NewText("vouch_for_blocked", "This user is blocked. Unblock them first."))
	}
	return core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditUserVouched, Subject: u.ID}, nil
}

// FindTraders finds who has become an established trader, and stores by which names the established traders
// are known now. It is a periodic job.
func (m *Service) FindTraders(ctx context.Context) error {
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		if err := m.establish(ctx, tx, now); err != nil {
			return err
		}
		all, err := tx.Traders(ctx)
		if err != nil {
			return fmt.Errorf("read established traders: %w", err)
		}
		return tx.SaveTraderNames(ctx, namesOf(m.forms, all))
	})
	if err != nil {
		return fmt.Errorf("find established traders: %w", err)
	}
	return nil
}

// LearnTraders reads the names of the established traders, by which this Market marks names that look like
// them. It reports whether they have changed.
func (m *Service) LearnTraders(ctx context.Context) (changed bool, err error) {
	names, err := m.store.TraderNames(ctx)
	if err != nil {
		return false, fmt.Errorf("read the names of established traders: %w", err)
	}
	return m.traders.learn(names), nil
}

// NotifyTraders notifies established traders of names that look like theirs: once about each name, within
// LimitLookAlikes.
func (m *Service) NotifyTraders(ctx context.Context, tx Tx, about notify.Notice, names ...TypedName) error {
	var notices []notify.Notice
	var told []core.UserID
	for _, name := range names {
		if name.Now == name.Before {
			continue
		}
		for _, trader := range m.traders.Like(name.Now, about.CausedBy) {
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
	return notify.AddNotices(ctx, tx, notices)
}
