package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// SetStanding has offers on the actor's order accepted automatically, in place of an earlier setting. It
// returns Conflict when the order takes no offers, Forbidden, Invalid and NotFound.
func (m *offerActs) SetStanding(
	ctx context.Context, actor core.Actor, id core.OrderID, draft StandingDraft,
) (StandingAcceptance, error) {
	draft.Until = draft.Until.UTC().Truncate(time.Microsecond)
	return changeTerms(ctx, m, actor, id, "set standing acceptance", draft,
		func(tx Tx, o Order, now time.Time) (StandingAcceptance, error) {
			if err := o.mustBeOpen(now); err != nil {
				return StandingAcceptance{}, err
			}
			if err := draft.Validate(o, now); err != nil {
				return StandingAcceptance{}, err
			}
			if _, err := tx.EndStanding(ctx, id, now); err != nil {
				return StandingAcceptance{}, fmt.Errorf("end standing acceptance: %w", err)
			}
			s := StandingAcceptance{StandingDraft: draft, Order: id, SetAt: now}
			var err error
			if s.ID, err = tx.AddStanding(ctx, s); err != nil {
				return StandingAcceptance{}, fmt.Errorf("set standing acceptance: %w", err)
			}
			return s, nil
		})
}

// EndStanding has offers on the actor's order wait for an answer again. It returns NotFound when they do
// already.
func (m *offerActs) EndStanding(ctx context.Context, actor core.Actor, id core.OrderID) error {
	_, err := changeTerms(ctx, m, actor, id, "end standing acceptance", nil,
		func(tx Tx, _ Order, now time.Time) (struct{}, error) {
			ended, err := tx.EndStanding(ctx, id, now)
			if err == nil && !ended {
				err = core.NewError(core.NotFound,
					core.NewText("standing_none", "No offers are accepted by themselves here"))
			}
			return struct{}{}, err
		})
	return err
}

// SetLeastRecord sets the actor's requirement for sellers on their order; the zero value removes it. Open
// offers stay.
func (m *offerActs) SetLeastRecord(
	ctx context.Context, actor core.Actor, id core.OrderID, least LeastRecord,
) error {
	_, err := changeTerms(ctx, m, actor, id, "set least record", least,
		func(tx Tx, o Order, now time.Time) (struct{}, error) {
			if least != (LeastRecord{}) {
				if err := o.mustBeOpen(now); err != nil {
					return struct{}{}, err
				}
				if err := least.Validate(o); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, tx.SaveLeastRecord(ctx, id, least)
		})
	return err
}

// changeTerms locks an order of the actor's and changes its terms.
func changeTerms[T any](
	ctx context.Context, m *offerActs, actor core.Actor, id core.OrderID, operation string, input any,
	do func(Tx, Order, time.Time) (T, error),
) (T, error) {
	if err := actor.MayTrade(); err != nil {
		return *new(T), err
	}
	if !m.features.Records {
		return *new(T), OrderNotFound()
	}
	return core.Write(ctx, m.run, actor, operation, []any{id, input}, func(tx Tx, now time.Time) (T, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return *new(T), fmt.Errorf("%s %d: %w", operation, id, err)
		}
		if err := actor.MustBe(order.Owner); err != nil {
			return *new(T), err
		}
		return do(tx, order, now)
	})
}

// Terms returns the requirements of an order's buyer for sellers; for the buyer also the present and earlier
// standing acceptances. It returns NotFound.
func (m *offerActs) Terms(ctx context.Context, actor core.Actor, id core.OrderID) (Terms, error) {
	if !m.features.Records {
		return Terms{}, OrderNotFound()
	}
	listed, err := m.Order(ctx, actor, id)
	if err != nil {
		return Terms{}, err
	}
	terms, err := m.store.Terms(ctx, id)
	if err != nil {
		return Terms{}, core.WithMessage(core.FailedOrder, fmt.Errorf("terms of order %d: %w", id, err))
	}
	if actor.MustBe(listed.Order.Owner) != nil {
		terms.Standing = nil
	}
	return terms, nil
}

// recordFor returns the record of a seller where an order asks for it, in a transaction.
func (m *offerActs) recordFor(
	ctx context.Context, tx Tx, actor core.Actor, seller Seller, now time.Time,
) (trust.Record, error) {
	if !m.features.Records || !actor.SignedIn() || seller.Least.Partners == 0 &&
		!seller.Standing.Stands(now) {
		return trust.Record{}, nil
	}
	handovers, err := tx.SettledHandovers(ctx, actor.UserID)
	if err != nil {
		return trust.Record{}, fmt.Errorf("record of seller %d: %w", actor.UserID, err)
	}
	return trust.RecordOf(handovers, now), nil
}

// acceptStanding accepts an offer that was just sent when the buyer takes such offers as they come, and
// notifies them of it.
func (m *offerActs) acceptStanding(
	ctx context.Context, tx Scope, actor core.Actor, sent *SendOfferResult, standing StandingAcceptance,
	record trust.Record, items *items.ItemIndex, now time.Time,
) error {
	standing, fits := standing.takes(sent.Offer, sent.Order, record, now)
	if !fits {
		return nil
	}
	done, err := sent.Order.Accept(sent.Offer, sent.Offer.Quantity, sent.Order.Owner, now)
	if err != nil {
		return err
	}
	if done.Sale.ID, err = m.saveAcceptance(ctx, tx, done, items, now); err != nil {
		return err
	}
	n := OfferReceived(sent.Order, sent.Offer, now)
	n.Kind, n.Sale, n.Quantity = notify.NoticeStandingAccepted, done.Sale.ID, done.Sale.Quantity
	if err := notify.AddNotices(ctx, tx, []notify.Notice{n}); err != nil {
		return err
	}
	if err := m.addHandover(ctx, tx, actor, done.Sale, time.Time{}, now); err != nil {
		return err
	}
	if err := tx.SaveStanding(ctx, standing); err != nil {
		return fmt.Errorf("save standing acceptance: %w", err)
	}
	sent.Order, sent.Accepted = done.Order, done.Sale.Quantity
	return nil
}
