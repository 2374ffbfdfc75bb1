package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
)

// SetStanding has offers on the actor's order accepted automatically, in place of an earlier setting. It
// returns Conflict when the order takes no offers, Forbidden, Invalid and NotFound.
func (m *offerActs) SetStanding(
	ctx context.Context, actor core.Actor, id core.OrderID, draft StandingDraft,
) (StandingAcceptance, error) {
	draft.Until = draft.Until.UTC().Truncate(time.Microsecond)
	usual, err := m.usual(ctx, draft.Sellers)
	if err != nil {
		return StandingAcceptance{}, err
	}
	draft.Sellers = usual
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	return changeTerms(ctx, m, actor, id, "set standing acceptance", draft, index,
		func(tx Scope, o Order, now time.Time) (StandingAcceptance, error) {
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
			crossed, err := tx.Stands(ctx, actor, o, index, now)
			if err == nil && crossed.Standing.ID == s.ID {
				s.TakenFromPartners = crossed.Standing.TakenFromPartners
				s.TakenFromOthers = crossed.Standing.TakenFromOthers
			}
			return s, err
		})
}

// EndStanding has offers on the actor's order wait for an answer again. It returns NotFound when they do
// already.
func (m *offerActs) EndStanding(ctx context.Context, actor core.Actor, id core.OrderID) error {
	_, err := changeTerms(ctx, m, actor, id, "end standing acceptance", nil, nil,
		func(tx Scope, _ Order, now time.Time) (struct{}, error) {
			ended, err := tx.EndStanding(ctx, id, now)
			if err == nil && !ended {
				err = core.NewError(core.NotFound, core.NewText("standing_none"))
			}
			return struct{}{}, err
		})
	return err
}

// SetLeastRecord sets the actor's requirement for sellers on their order; the zero value removes it. Open
// offers stay.
func (m *offerActs) SetLeastRecord(
	ctx context.Context, actor core.Actor, id core.OrderID, least LeastRecord,
) (err error) {
	if least != (LeastRecord{}) {
		if least.Sellers, err = m.usual(ctx, least.Sellers); err != nil {
			return err
		}
	}
	index := m.items.IndexOrEmpty(ctx)
	_, err = changeTerms(ctx, m, actor, id, "set least record", least, index,
		func(tx Scope, o Order, now time.Time) (struct{}, error) {
			if least != (LeastRecord{}) {
				if err := o.mustBeOpen(now); err != nil {
					return struct{}{}, err
				}
				if err := least.Validate(o); err != nil {
					return struct{}{}, err
				}
			}
			if err := tx.SaveLeastRecord(ctx, id, least); err != nil {
				return struct{}{}, err
			}
			_, err := tx.Stands(ctx, actor, o, index, now)
			return struct{}{}, err
		})
	return err
}

// usual returns the sellers that a buyer has chosen, or the usual ones.
func (m *orderActs) usual(ctx context.Context, sellers Sellers) (Sellers, error) {
	if sellers != "" {
		return sellers, nil
	}
	young, err := m.store.Young(ctx)
	if err != nil {
		return "", fmt.Errorf("whether the market is young: %w", err)
	}
	sellers, _ = UsualSellers(young, 0)
	return sellers, nil
}

// changeTerms locks an order of the actor's and changes its terms. index is nil where nothing can be traded
// by the change.
func changeTerms[T any](
	ctx context.Context, m *offerActs, actor core.Actor, id core.OrderID, operation string, input any,
	index *items.Index, do func(Scope, Order, time.Time) (T, error),
) (T, error) {
	if err := actor.MayTrade(); err != nil {
		return *new(T), err
	}
	if !m.features.Records {
		return *new(T), OrderNotFound()
	}
	write := func(tx Scope, now time.Time) (T, error) {
		if index != nil {
			if err := m.lockForOrder(ctx, tx, id, ToCross{Stands: true}, index, now); err != nil {
				return *new(T), err
			}
		}
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return *new(T), fmt.Errorf("%s %d: %w", operation, id, err)
		}
		if err := actor.MustBe(order.Owner); err != nil {
			return *new(T), err
		}
		return do(tx, order, now)
	}
	return core.Write(ctx, m.trades, actor, operation, []any{id, input}, write)
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
	if err == nil {
		terms.Young, err = m.store.Young(ctx)
	}
	if err != nil {
		return Terms{}, core.WithMessage(core.FailedOrder, fmt.Errorf("terms of order %d: %w", id, err))
	}
	if actor.MustBe(listed.Order.Owner) != nil {
		terms.Standing = nil
	}
	return terms, nil
}

// MarketRules returns the moderators' settings for the whole market.
func (m *orderActs) MarketRules(ctx context.Context) (MarketRules, error) {
	rules, err := m.store.MarketRules(ctx)
	if err != nil {
		return MarketRules{}, fmt.Errorf("market rules: %w", err)
	}
	return rules, nil
}

// SetSignedInOnly has only signed-in sellers offer on every request, or visitors again, too. It applies to
// every replica from its commit on; offers that visitors have sent stay open. It returns the same errors as
// MarketRules.SetSignedInOnly, and Forbidden without a fresh sign-in.
func (m *orderActs) SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	if err := actor.MustBeFresh(m.now()); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set signed-in only", []any{on, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			rules, err := tx.LockMarketRules(ctx)
			if err != nil {
				return struct{}{}, fmt.Errorf("lock market rules: %w", err)
			}
			rules, entry, err := rules.SetSignedInOnly(actor, on, reason, m.forms, now)
			if err != nil {
				return struct{}{}, err
			}
			if err := tx.SaveMarketRules(ctx, rules); err != nil {
				return struct{}{}, fmt.Errorf("save market rules: %w", err)
			}
			return struct{}{}, tx.AddAuditEntry(ctx, entry)
		})
	return err
}

// SetProgramsTrade lets programs trade for those who let them, or no longer. It applies to every replica from
// its commit on. It returns the same errors as MarketRules.SetProgramsTrade, and Forbidden without a fresh
// sign-in.
func (m *orderActs) SetProgramsTrade(ctx context.Context, actor core.Actor, on bool) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	if err := actor.MustBeFresh(m.now()); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set programs trade", on,
		func(tx Tx, now time.Time) (struct{}, error) {
			rules, err := tx.LockMarketRules(ctx)
			if err != nil {
				return struct{}{}, fmt.Errorf("lock market rules: %w", err)
			}
			rules, entry, err := rules.SetProgramsTrade(actor, on, now)
			if err != nil {
				return struct{}{}, err
			}
			if err := tx.SaveMarketRules(ctx, rules); err != nil {
				return struct{}{}, fmt.Errorf("save market rules: %w", err)
			}
			return struct{}{}, tx.AddAuditEntry(ctx, entry)
		})
	return err
}

// BlockSeller blocks the sender of an offer from offering to the buyer; their open offers are declined. It
// fails with Unauthenticated, Forbidden, Invalid for a visitor's offer, and NotFound.
func (m *offerActs) BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "block seller", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("block the seller of offer %d: %w", id, err)
		}
		if err := offer.mayBlockSeller(order, actor); err != nil {
			return struct{}{}, err
		}
		if _, err := tx.LockUser(ctx, offer.Seller); err != nil {
			return struct{}{}, fmt.Errorf("seller %d: %w", offer.Seller, err)
		}
		if err := tx.AddBlockedSeller(ctx, actor.UserID, offer.Seller, now); err != nil {
			return struct{}{}, fmt.Errorf("block seller %d: %w", offer.Seller, err)
		}
		ended, err := tx.EndOffersBy(ctx, offer.Seller, actor.UserID, OfferDeclined, now)
		if err != nil {
			return struct{}{}, fmt.Errorf("decline offers of seller %d: %w", offer.Seller, err)
		}
		var notices []notify.Notice
		for _, l := range ended {
			notices = append(notices, ToSeller(l.Order, l.Offer, notify.NoticeOfferDeclined, l.Offer.Quantity,
				"", now)...)
			if err := m.notify.RedrawOffers(ctx, tx, actor, l.Order.ID, now, l.Offer.ID); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	return err
}

// sellerOf returns the facts that decide whether an ended offer may be reopened on a locked order.
func (m *offerActs) sellerOf(
	ctx context.Context, tx Tx, order Order, offer Offer,
) (seller Seller, err error) {
	if offer.Verified() {
		seller, err = tx.LockSeller(ctx, order, offer.Seller, m.quotas, m.now())
	} else {
		seller.Visitors, err = tx.CountVisitorOffers(ctx, order.ID)
	}
	if err != nil {
		return Seller{}, fmt.Errorf("seller of offer %d: %w", offer.ID, err)
	}
	return seller, nil
}
