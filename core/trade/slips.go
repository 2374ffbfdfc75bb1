package trade

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

func slipGone() error {
	return core.NewError(core.NotFound, core.NewText("slip_gone"))
}

// Slip returns the open handovers between the actor and a partner. It returns Unauthenticated, and NotFound
// when there are none: only the two of them can read it.
func (m *handoverActs) Slip(ctx context.Context, actor core.Actor, partner core.UserID) (Slip, error) {
	if err := actor.MustBeUser(); err != nil {
		return Slip{}, err
	}
	if !m.features.Handover || partner == actor.UserID {
		return Slip{}, slipGone()
	}
	rows, err := m.store.Slip(ctx, actor.UserID, partner, MaxSlipLines+1)
	if core.KindOf(err) == core.NotFound {
		return Slip{}, slipGone()
	}
	if err != nil {
		return Slip{}, fmt.Errorf("slip of users %d and %d: %w", actor.UserID, partner, err)
	}
	s := m.slipOf(actor, rows)
	if len(s.Lines) == 0 {
		return Slip{}, slipGone()
	}
	m.markNames(&s)
	return s, nil
}

func (m *handoverActs) slipOf(actor core.Actor, rows SlipRows) Slip {
	s := newSlip(rows.Own, rows.Partner, rows.Lines, m.now())
	if s.CanSayPlace = !rows.Blocked && !actor.Blocked && len(s.Lines) > 0; !rows.Blocked {
		s.Place = rows.Place
	}
	return s
}

// markNames marks names in the game that look like the name of another, established trader.
func (m *handoverActs) markNames(s *Slip) {
	for _, party := range []*SlipParty{&s.Own, &s.Partner} {
		party.LookAlike = slices.ContainsFunc(party.InGameNames,
			func(name string) bool { return len(m.traders.Like(name, trust.NameUser{User: party.User})) > 0 })
	}
}

// Details returns all about one trade for one of its sides. It returns Unauthenticated, and NotFound for
// everyone else: only the two of them can read it.
func (m *handoverActs) Details(ctx context.Context, actor core.Actor, sale core.SaleID) (Details, error) {
	if err := actor.MustBeUser(); err != nil {
		return Details{}, err
	}
	if !m.features.Handover {
		return Details{}, tradeGone()
	}
	rows, err := m.store.TradeDetails(ctx, actor.UserID, sale, MaxSlipLines+1)
	if core.KindOf(err) == core.NotFound || err == nil && rows.Trade.SideOf(actor.UserID) == "" {
		return Details{}, tradeGone()
	}
	if err != nil {
		return Details{}, fmt.Errorf("trade %d of user %d: %w", sale, actor.UserID, err)
	}
	d := Details{SlipLine: rows.SlipLine, Slip: m.slipOf(actor, rows.Slip)}
	if rows.Trade.State == "" {
		d.UndoneAt = rows.ReversedAt
	}
	d.nameSides(actor.UserID)
	m.markNames(&d.Slip)
	return d, nil
}

func tradeGone() error {
	return core.NewError(core.NotFound, core.NewText("trade_gone"))
}

// SlipPartners lists the partners with open handovers, the latest handover first, MaxSlipPartners at most.
// It returns Unauthenticated.
func (m *handoverActs) SlipPartners(ctx context.Context, actor core.Actor) ([]SlipPartner, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	if !m.features.Handover {
		return nil, slipGone()
	}
	partners, err := m.store.SlipPartners(ctx, actor.UserID, MaxSlipPartners)
	if err != nil {
		return nil, fmt.Errorf("partners of user %d: %w", actor.UserID, err)
	}
	return partners, nil
}

// SetMeetingPlace stores where the actor and a partner meet, for both to see; an empty text removes it. It
// returns Unauthenticated, Forbidden when the actor may not trade or one has blocked the other, NotFound
// when nothing is open between them, and Invalid.
func (m *handoverActs) SetMeetingPlace(
	ctx context.Context, actor core.Actor, partner core.UserID, place string,
) error {
	if err := actor.MayTrade(); err != nil {
		return err
	}
	if !m.features.Handover || partner == actor.UserID {
		return slipGone()
	}
	place = m.forms.Line(place)
	_, err := core.Write(ctx, m.run, actor, "set meeting place", []any{partner, place},
		func(tx Tx, now time.Time) (struct{}, error) {
			var c core.Checks
			c.That(core.Within(place, core.MaxMeetingPlace), "place",
				core.TooLong("place_too_long", core.MaxMeetingPlace))
			c.Add(m.forms.RefuseSuspicious(core.SuspiciousMessage,
				core.SuspiciousField{Name: "place", After: place}))
			if err := c.Err(); err != nil {
				return struct{}{}, err
			}
			open, blocked, err := tx.MayMeet(ctx, actor.UserID, partner)
			switch {
			case err != nil:
				return struct{}{}, fmt.Errorf("meeting place of users %d and %d: %w", actor.UserID,
					partner, err)
			case !open:
				return struct{}{}, slipGone()
			case blocked:
				return struct{}{}, core.NewError(core.Forbidden, core.NewText("place_blocked"))
			}
			return struct{}{}, tx.SaveMeetingPlace(ctx, partner,
				MeetingPlace{Text: place, SaidBy: actor.UserID, SaidAt: now})
		})
	return err
}

// SetInGameName stores how the actor is called in the game, for their partners to find them, and returns
// the name as it is stored; an empty name removes it. It returns Unauthenticated, Forbidden when the actor
// may not trade, and Invalid.
func (m *handoverActs) SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error) {
	if err := actor.MayTrade(); err != nil {
		return "", err
	}
	if !m.features.Handover {
		return "", slipGone()
	}
	name = m.forms.Name(name)
	return core.Write(ctx, m.run, actor, "set in-game name", name, func(tx Tx, _ time.Time) (string, error) {
		var c core.Checks
		c.That(core.Within(name, core.MaxInGameName), "inGameName",
			core.TooLong("in_game_name_too_long", core.MaxInGameName))
		c.Add(m.forms.RefuseSuspicious(core.SuspiciousMessage,
			core.SuspiciousField{Name: "inGameName", After: name}))
		if err := c.Err(); err != nil {
			return "", err
		}
		return name, tx.SaveInGameName(ctx, actor.UserID, name)
	})
}
