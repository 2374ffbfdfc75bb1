package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trust"
)

// Disputes lists the disputed handovers, newest first, below the number before (zero: from the top). It
// fails with Unauthenticated and Forbidden.
func (m *handoverActs) Disputes(
	ctx context.Context, actor core.Actor, before core.SaleID, limit int,
) ([]Dispute, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	if !m.features.Handover {
		return nil, nil
	}
	found, err := m.store.Disputes(ctx, before, limit)
	if err != nil {
		return nil, fmt.Errorf("disputes: %w", err)
	}
	return m.disputesOf(ctx, found)
}

// Dispute returns one. It fails as Disputes, and with NotFound when it is settled.
func (m *handoverActs) Dispute(ctx context.Context, actor core.Actor, id core.SaleID) (Dispute, error) {
	if err := actor.MustModerate(); err != nil {
		return Dispute{}, err
	}
	if !m.features.Handover {
		return Dispute{}, handoverGone()
	}
	h, err := m.store.Dispute(ctx, id)
	if err != nil {
		return Dispute{}, fmt.Errorf("dispute %d: %w", id, err)
	}
	found, err := m.disputesOf(ctx, []Trade{h})
	if err != nil {
		return Dispute{}, err
	}
	return found[0], nil
}

// disputesOf adds to each handover the records of its sides and the others between the same two.
func (m *handoverActs) disputesOf(ctx context.Context, disputed []Trade) ([]Dispute, error) {
	disputes := make([]Dispute, len(disputed))
	ids := make([]core.SaleID, len(disputed))
	var sides []core.UserID
	for i, h := range disputed {
		disputes[i].Trade, ids[i] = h, h.Sale
		sides = append(sides, h.Buyer.User, h.Seller.User)
	}
	if len(ids) == 0 {
		return disputes, nil
	}
	records, err := m.trust.Records(ctx, sides...)
	if err != nil {
		return nil, err
	}
	others, err := m.store.HandoversBetween(ctx, ids, MaxBetween*len(ids))
	if err != nil {
		return nil, fmt.Errorf("handovers between the sides of disputes: %w", err)
	}
	for i, d := range disputes {
		disputes[i].Records = records
		for _, h := range others {
			if h.Sale != d.Trade.Sale && h.sameTwo(d.Trade) && len(disputes[i].Before) < MaxBetween {
				disputes[i].Before = append(disputes[i].Before, h)
			}
		}
	}
	return disputes, nil
}

// LookAtDispute has a moderator look at a dispute, with an entry in the log. It fails as Trade.Look and
// with NotFound. Of several moderators at once, one does.
func (m *handoverActs) LookAtDispute(
	ctx context.Context, actor core.Actor, id core.SaleID,
) (Trade, error) {
	if err := actor.MustModerate(); err != nil {
		return Trade{}, err
	}
	if !m.features.Handover {
		return Trade{}, handoverGone()
	}
	return core.Write(ctx, m.run, actor, "look at dispute", id, func(tx Tx, now time.Time) (Trade, error) {
		found, err := tx.LockHandovers(ctx, []core.SaleID{id}, false)
		if err == nil && len(found) == 0 {
			err = handoverGone()
		}
		if err != nil {
			return Trade{}, fmt.Errorf("look at dispute %d: %w", id, err)
		}
		h, entry, err := found[0].Look(actor, now)
		if err != nil {
			return Trade{}, err
		}
		if err := tx.AddAuditEntry(ctx, entry); err != nil {
			return Trade{}, fmt.Errorf("add audit entry: %w", err)
		}
		if err := tx.SaveHandover(ctx, h); err != nil {
			return Trade{}, fmt.Errorf("save handover of sale %d: %w", id, err)
		}
		return h, tx.RedrawHandovers(ctx, []core.SaleID{id}, actor.ActsOn)
	})
}

// RuleDispute settles a dispute, with its entry in the log, and notifies both sides. It fails as
// Trade.Rule and with NotFound. Of several moderators at once, one settles it.
func (m *handoverActs) RuleDispute(
	ctx context.Context, actor core.Actor, id core.SaleID, ruling DisputeRuling,
) (Trade, error) {
	if err := actor.MustModerate(); err != nil {
		return Trade{}, err
	}
	if !m.features.Handover {
		return Trade{}, handoverGone()
	}
	return core.Write(ctx, m.trades, actor, "rule dispute", []any{id, ruling},
		func(tx Scope, now time.Time) (Trade, error) {
			found, err := tx.LockHandovers(ctx, []core.SaleID{id}, true)
			if err == nil && len(found) == 0 {
				err = handoverGone()
			}
			if err != nil {
				return Trade{}, fmt.Errorf("rule dispute %d: %w", id, err)
			}
			h, entry, err := found[0].Rule(ruling, actor, m.forms, now)
			if err != nil {
				return Trade{}, err
			}
			if err := tx.AddAuditEntry(ctx, entry); err != nil {
				return Trade{}, fmt.Errorf("add audit entry: %w", err)
			}
			notices := h.tell(notify.NoticeHandoverSettled, 0, now)
			for i := range notices {
				notices[i].Message = entry.Reason
			}
			if err := tx.SaveHandover(ctx, h); err != nil {
				return Trade{}, fmt.Errorf("save handover of sale %d: %w", id, err)
			}
			if err := tx.SaveRuling(ctx, h); err != nil {
				return Trade{}, fmt.Errorf("save ruling on sale %d: %w", h.Sale, err)
			}
			if h.State == trust.HandoverCancelled { // the handover knows, or its reversal would delete it
				if err := giveBack(ctx, tx, h, actor.UserID, now); err != nil {
					return Trade{}, err
				}
			}
			if err := notify.AddNotices(ctx, tx, notices); err != nil {
				return Trade{}, err
			}
			return h, tx.RedrawHandovers(ctx, []core.SaleID{id}, actor.ActsOn)
		})
}

// ReopenDispute undoes the ruling of a log entry in the caller's transaction, and returns the notices for
// both sides. A sale that the ruling has reversed counts again. It fails as Trade.Reopen, and with Conflict
// when the ruling was undone already or the quantity was sold otherwise.
func (m *handoverActs) ReopenDispute(
	ctx context.Context, tx Tx, actor core.Actor, entry core.AuditID, now time.Time,
) ([]notify.Notice, error) {
	if !m.features.Handover {
		return nil, handoverGone()
	}
	before, err := tx.LockRuling(ctx, entry)
	if err != nil {
		if core.KindOf(err) == core.NotFound {
			err = core.NewError(core.Conflict, core.NewText("undo_gone"))
		}
		return nil, err
	}
	h, err := before.Reopen(actor, now)
	if err != nil {
		return nil, err
	}
	notices := h.tell(notify.NoticeHandoverSettled, 0, now) // without a reason
	if before.State == trust.HandoverCancelled {
		closed, err := m.takeAgain(ctx, tx, h, now)
		if err != nil {
			return nil, err
		}
		notices = append(notices, closed...)
	}
	if err := tx.SaveHandover(ctx, h); err != nil {
		return nil, fmt.Errorf("save handover of sale %d: %w", h.Sale, err)
	}
	if err := tx.EndRuling(ctx, h); err != nil {
		return nil, fmt.Errorf("end ruling on sale %d: %w", h.Sale, err)
	}
	return notices, tx.RedrawHandovers(ctx, []core.SaleID{h.Sale}, actor.ActsOn)
}

// takeAgain has the reversed sale of a handover count again, and returns the notices about its order when
// that fills it.
func (m *handoverActs) takeAgain(
	ctx context.Context, tx Tx, h Trade, now time.Time,
) ([]notify.Notice, error) {
	order, sale, err := tx.LockSale(ctx, h.Sale)
	if err != nil && core.KindOf(err) != core.NotFound {
		return nil, fmt.Errorf("sale %d: %w", h.Sale, err)
	}
	gone := err != nil // its order was deleted
	if err := tx.EndReversal(ctx, h); err != nil {
		return nil, fmt.Errorf("end reversal of sale %d: %w", h.Sale, err)
	}
	if gone {
		return nil, nil
	}
	taken, err := order.takeAgain(sale.Quantity, now)
	if err != nil {
		return nil, err
	}
	if order.Status == taken.Status {
		if err := tx.SaveOrder(ctx, taken); err != nil {
			return nil, fmt.Errorf("save order %d: %w", order.ID, err)
		}
		return nil, nil
	}
	return OrderFilled(taken, 0, now), m.saveOrder(ctx, tx, taken, now)
}
