package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// ExpireOrders marks offers on expired orders as lapsed and warns the buyers of orders that expire soon. One
// replica runs it periodically; it returns how many orders it processed, fewer than limit of each sort when
// nothing is left to do.
func (m *orderActs) ExpireOrders(ctx context.Context, limit int) (expired, warned int, err error) {
	err = m.run.Atomically(ctx, func(tx Tx) error {
		expired, warned = 0, 0
		now := m.now()
		orders, err := tx.LockExpired(ctx, now, limit)
		if err != nil {
			return fmt.Errorf("lock expired orders: %w", err)
		}
		var notices []notify.Notice
		for _, order := range orders {
			if order.Listing != 0 {
				if err := m.EndAsk(ctx, tx, order, askUnanswered, now); err != nil {
					return err
				}
				continue
			}
			lapsed, err := m.LapseOffers(ctx, tx, order, lapsedExpired, now)
			if err != nil {
				return err
			}
			notices = append(notices, lapsed...)
		}
		expired = len(orders)
		if orders, err = tx.LockExpiring(ctx, now, now.Add(ExpiryWarning), limit); err != nil {
			return fmt.Errorf("lock expiring orders: %w", err)
		}
		for _, order := range orders {
			n := NoticeAbout(order, order.Owner, notify.NoticeOrderExpiring, now)
			n.Quantity = order.Remaining()
			notices = append(notices, n)
		}
		warned = len(orders)
		return notify.AddNotices(ctx, tx, notices)
	})
	return expired, warned, err
}

// NotifyClosings ends closings that can no longer be undone, and notifies the sellers of lapsed offers. One
// replica runs it periodically; it returns how many it processed, fewer than limit when nothing is left to
// do or another replica does it.
func (m *offerActs) NotifyClosings(ctx context.Context, limit int) (ended int, err error) {
	err = m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		closings, err := tx.TakeClosings(ctx, now.Add(-core.UndoWindow), limit)
		if err != nil {
			return fmt.Errorf("take closings: %w", err)
		}
		ended = len(closings)
		var notices []notify.Notice
		for _, c := range closings {
			notices = append(notices, c.notices(now)...)
		}
		return notify.AddNotices(ctx, tx, notices)
	})
	return ended, err
}

// ProcessHandovers asks the sides of handovers for their word, settles handovers by silence, adds handovers
// that an older program left out, and lapses overdue offers. One replica runs it periodically; it returns
// how many it processed, fewer than limit of each sort when nothing is left to do.
func (m *handoverActs) ProcessHandovers(ctx context.Context, limit int) (done int, err error) {
	if !m.features.Handover {
		return 0, nil
	}
	for _, step := range []func(context.Context, Scope, time.Time, int) (int, error){m.addMissingHandovers,
		m.processDue, m.lapseOverdue} {
		var n int
		err := m.trades.Atomically(ctx, func(tx Scope) (err error) {
			n, err = step(ctx, tx, m.now(), limit)
			return err
		})
		if err != nil {
			return done, err
		}
		done = max(done, n)
	}
	return done, nil
}

// missingHandovers is how far back accepts of an older program are looked for.
const missingHandovers = core.Day

func (m *handoverActs) addMissingHandovers(
	ctx context.Context, tx Scope, now time.Time, limit int,
) (int, error) {
	added, err := tx.AddMissingHandovers(ctx, now.Add(-missingHandovers), limit)
	if err != nil {
		return 0, fmt.Errorf("add missing handovers: %w", err)
	}
	return added, nil
}

func (m *handoverActs) processDue(ctx context.Context, tx Scope, now time.Time, limit int) (int, error) {
	due, err := tx.LockDueHandovers(ctx, now, limit)
	if err != nil {
		return 0, fmt.Errorf("lock due handovers: %w", err)
	}
	var notices []notify.Notice
	var settled []core.SaleID
	for _, before := range due {
		h := before
		if state, _ := h.Outcome(now); state == trust.HandoverAgreed {
			var prompts []notify.Notice
			h, prompts = h.prompted(now)
			notices = append(notices, prompts...)
			h, prompts = h.reminded(now)
			notices = append(notices, prompts...)
		} else {
			settled = append(settled, h.Sale)
		}
		owed, err := m.saveHandover(ctx, tx, before, &h, 0, now)
		if err != nil {
			return 0, err
		}
		notices = append(notices, owed...)
	}
	if err := notify.AddNotices(ctx, tx, notices); err != nil {
		return 0, err
	}
	if len(settled) > 0 {
		err = tx.RedrawHandovers(ctx, settled, "")
	}
	return len(due), err
}

// lapseOverdue lapses overdue offers, and notifies both sides.
func (m *handoverActs) lapseOverdue(ctx context.Context, tx Scope, now time.Time, limit int) (int, error) {
	lapsing, err := tx.LockLapsing(ctx, now, now.Add(UnansweredFor), limit)
	if err != nil {
		return 0, fmt.Errorf("lock offers that lapse: %w", err)
	}
	var notices []notify.Notice
	for _, l := range lapsing {
		why := lapsedAnswer
		if !l.Offer.GoodUntil.IsZero() {
			why = lapsedUntil
		}
		if err := tx.EndOffer(ctx, l.Offer.ID, OfferLapsed, now); err != nil {
			return 0, fmt.Errorf("lapse offer %d: %w", l.Offer.ID, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, core.Actor{}, l.Order.ID, now, l.Offer.ID); err != nil {
			return 0, err
		}
		notices = append(notices, ToSeller(l.Order, l.Offer, notify.NoticeOfferLapsed, l.Offer.Quantity,
			why.String(), now)...)
		n := OfferReceived(l.Order, l.Offer, now)
		n.Kind, n.Message = notify.NoticeOfferTimedOut, why.String()
		notices = append(notices, n)
	}
	return len(lapsing), notify.AddNotices(ctx, tx, notices)
}
