package trade

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/notify"
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

// firstMeeting returns the time that is proposed to both sides of an accept: the one that they know already
// for what else is open between them, or else the soonest that suits both. It is zero for none.
func (m *offerActs) firstMeeting(
	ctx context.Context, tx Tx, h Trade, now time.Time,
) (hours.Meeting, error) {
	if !m.features.Hours {
		return hours.Meeting{}, nil
	}
	if err := tx.LockMeeting(ctx, h.Buyer.User, h.Seller.User); err != nil {
		return hours.Meeting{}, fmt.Errorf("lock when users %d and %d meet: %w", h.Buyer.User, h.Seller.User,
			err)
	}
	at, err := tx.MeetingBetween(ctx, h.Buyer.User, h.Seller.User, now)
	if err != nil {
		return hours.Meeting{}, fmt.Errorf("meeting of users %d and %d: %w", h.Buyer.User, h.Seller.User, err)
	}
	if !at.IsZero() {
		return hours.Meeting{At: at}, nil
	}
	buyer, seller, err := tx.Players(ctx, h.Buyer.User, h.Seller.User)
	if err != nil {
		return hours.Meeting{}, fmt.Errorf("hours of users %d and %d: %w", h.Buyer.User, h.Seller.User, err)
	}
	return hours.Meeting{At: hours.Next(buyer, seller, time.Time{}, now)}, nil
}

// AcceptMeeting says that the proposed time works for the actor. It holds for everything that is open between
// the two. It fails as SayHandovers, and as hours.Meeting.Accept.
func (m *handoverActs) AcceptMeeting(
	ctx context.Context, actor core.Actor, sale core.SaleID, at time.Time,
) (Trade, error) {
	return m.changeMeeting(ctx, actor, "accept meeting", sale, at.UTC(),
		func(_ Tx, _ Trade, now time.Time) (meetingChange, error) {
			return func(m hours.Meeting, buyer bool) (hours.Meeting, error) {
				return m.Accept(buyer, at, now)
			}, nil
		})
}

// ChooseMeeting proposes the time that the actor has chosen. It fails as AcceptMeeting, and as
// hours.Meeting.Choose.
func (m *handoverActs) ChooseMeeting(
	ctx context.Context, actor core.Actor, sale core.SaleID, at time.Time,
) (Trade, error) {
	return m.changeMeeting(ctx, actor, "choose meeting", sale, at.UTC(),
		func(_ Tx, _ Trade, now time.Time) (meetingChange, error) {
			return func(m hours.Meeting, buyer bool) (hours.Meeting, error) {
				return m.Choose(buyer, at, now)
			}, nil
		})
}

// ProposeMeeting proposes the next time that suits both, instead of the one at a time (zero for none), which
// does not suit the actor. It fails as AcceptMeeting, and as hours.Meeting.Propose.
func (m *handoverActs) ProposeMeeting(
	ctx context.Context, actor core.Actor, sale core.SaleID, instead time.Time,
) (Trade, error) {
	return m.changeMeeting(ctx, actor, "propose meeting", sale, instead.UTC(),
		func(tx Tx, h Trade, now time.Time) (meetingChange, error) {
			if !h.Meets.At.Equal(instead) {
				return nil, core.NewError(core.Conflict, core.NewText("meeting_changed"))
			}
			buyer, seller, err := tx.Players(ctx, h.Buyer.User, h.Seller.User)
			if err != nil {
				return nil, fmt.Errorf("hours of users %d and %d: %w", h.Buyer.User, h.Seller.User, err)
			}
			asks := h.SideOf(actor.UserID) == trust.BuyerSide
			next, err := h.Meets.Propose(asks, buyer, seller, now)
			return func(hours.Meeting, bool) (hours.Meeting, error) { return next, nil }, err
		})
}

// meetingChange is what a side's word makes of the meeting of each handover that is open between two.
type meetingChange func(m hours.Meeting, buyer bool) (hours.Meeting, error)

// changeMeeting changes when the sides of a handover meet, for all that is open between them, and tells the
// other side where the actor has said something.
func (m *handoverActs) changeMeeting(
	ctx context.Context, actor core.Actor, operation string, sale core.SaleID, at time.Time,
	decide func(tx Tx, h Trade, now time.Time) (meetingChange, error),
) (Trade, error) {
	if err := actor.MustBeUser(); err != nil {
		return Trade{}, err
	}
	if !m.features.Hours {
		return Trade{}, handoverGone()
	}
	return core.Write(ctx, m.trades, actor, operation, []any{sale, at},
		func(tx Scope, now time.Time) (Trade, error) {
			found, err := lockMeeting(ctx, tx, sale)
			if err != nil {
				return Trade{}, fmt.Errorf("%s of sale %d: %w", operation, sale, err)
			}
			i := slices.IndexFunc(found, func(h Trade) bool { return h.Sale == sale })
			if i < 0 {
				return Trade{}, handoverGone()
			}
			before := found[i]
			if err := before.MaySay(actor.UserID, now); err != nil {
				return Trade{}, err
			}
			change, err := decide(tx, before, now)
			if err != nil {
				return Trade{}, err
			}
			after, err := before.Meet(actor.UserID, now, change)
			if err != nil {
				return Trade{}, err
			}
			if after == before {
				return after, nil
			}
			for _, h := range found {
				if h.Sale == sale {
					h = after
				} else if h, err = h.meetWith(after, actor.UserID, now); err != nil {
					continue // a side has said what happened
				}
				if err := tx.SaveHandover(ctx, h); err != nil {
					return Trade{}, fmt.Errorf("save handover of sale %d: %w", h.Sale, err)
				}
			}
			owed := after.meetingNotices(before, actor.UserID, now)
			if err := notify.AddNotices(ctx, tx, owed); err != nil {
				return Trade{}, err
			}
			return after, tx.RedrawHandovers(ctx, salesOf(found), actor.ActsOn)
		})
}

// lockMeeting locks a handover and what else is open between its sides, and when they meet. An accept locks
// its order first: so the lock on when they meet comes after the handovers, and what came meanwhile is locked
// after that.
func lockMeeting(ctx context.Context, tx Scope, sale core.SaleID) ([]Trade, error) {
	var found []Trade
	for locked := false; ; locked = true {
		sales, err := tx.OpenWithSameSides(ctx, sale, MaxHandoversAtOnce)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(sales, sale) {
			sales = []core.SaleID{sale}
		}
		if !slices.Equal(sales, salesOf(found)) {
			if found, err = tx.LockHandovers(ctx, sales, false); err != nil {
				return nil, err
			}
		}
		if locked || len(found) == 0 {
			return found, nil
		}
		if err := tx.LockMeeting(ctx, found[0].Buyer.User, found[0].Seller.User); err != nil {
			return nil, err
		}
	}
}

func salesOf(trades []Trade) []core.SaleID {
	sales := make([]core.SaleID, len(trades))
	for i, t := range trades {
		sales[i] = t.Sale
	}
	return sales
}

// learnHours counts when both said that they met, for those who want that learned.
func (t Trade) learnHours(ctx context.Context, tx Tx) error {
	met := map[core.UserID]int{}
	for _, side := range trust.Sides {
		if s := t.On(side); s.User != 0 && s.Word == SaidMet {
			met[s.User] = hours.At(s.SaidAt)
		}
	}
	if len(met) == 0 {
		return nil
	}
	if err := tx.LearnPlayHours(ctx, met); err != nil {
		return fmt.Errorf("learn play hours of sale %d: %w", t.Sale, err)
	}
	return nil
}
