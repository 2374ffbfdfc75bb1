package trust

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// EstablishedPartners is the number of different established traders that a user must have traded with to
// become one.
const EstablishedPartners = 3

// TraderOrigin says how a user became an established trader. It is empty for users who did before it was
// stored.
type TraderOrigin string

// The origins. Moderators and users they vouch for are the first; all others become established by trading
// with established traders.
const (
	OriginModerator TraderOrigin = "moderator"
	OriginVouched   TraderOrigin = "vouched"
	OriginTrades    TraderOrigin = "trades"
)

// TraderOrigins lists every origin.
var TraderOrigins = []TraderOrigin{OriginModerator, OriginVouched, OriginTrades}

// Trades lists when a user first traded with each of their established partners, in accepts that can no
// longer be undone.
type Trades struct {
	User     core.UserID
	Partners []time.Time // the earliest, EstablishedPartners at most
}

// Established returns the time of the accept with which they became an established trader: the one with the
// third different partner who was established by then. They stay one.
func (t Trades) Established() (time.Time, bool) {
	if len(t.Partners) < EstablishedPartners {
		return time.Time{}, false
	}
	return t.Partners[EstablishedPartners-1], true
}

// NewTrader is a user who became an established trader at a time.
type NewTrader struct {
	User core.UserID
	At   time.Time
}

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
