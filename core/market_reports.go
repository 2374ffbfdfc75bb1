package core

import (
	"context"
	"fmt"
	"time"
)

// ReportOrder tells moderators of an order that does not belong on the market. Visitors may, too. It refuses with Forbidden
// for one's own, Conflict when it was reported already, TooMany, Invalid without a reason, and NotFound.
func (m *Market) ReportOrder(ctx context.Context, actor Actor, id OrderID, reason string) (ReportID, error) {
	return once(ctx, m, actor, "report order", []any{id, reason}, func(tx Tx, now time.Time) (ReportID, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return 0, fmt.Errorf("report order %d: %w", id, err)
		}
		report, err := order.Report(actor, reason, m.forms, now)
		if err != nil {
			return 0, err
		}
		return addReport(ctx, tx, report)
	})
}

// ReportOffer tells moderators of an offer on an order of the actor's. It refuses as ReportOrder does, and with
// Unauthenticated.
func (m *Market) ReportOffer(ctx context.Context, actor Actor, id OfferID, reason string) (ReportID, error) {
	if err := actor.mustBeUser(); err != nil {
		return 0, err
	}
	return once(ctx, m, actor, "report offer", []any{id, reason}, func(tx Tx, now time.Time) (ReportID, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return 0, fmt.Errorf("report offer %d: %w", id, err)
		}
		report, err := offer.Report(order, actor, reason, m.forms, now)
		if err != nil {
			return 0, err
		}
		return addReport(ctx, tx, report)
	})
}

func addReport(ctx context.Context, tx Tx, r Report) (ReportID, error) {
	var open []Report
	if r.Reporter != 0 {
		var err error
		if open, err = tx.OpenReportsBy(ctx, r.Reporter); err != nil {
			return 0, fmt.Errorf("open reports of user %d: %w", r.Reporter, err)
		}
	}
	if err := r.mayAdd(open); err != nil {
		return 0, err
	}
	id, err := tx.AddReport(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("add report: %w", err)
	}
	return id, nil
}

// DismissReport ends a report with nothing being done. It refuses with Unauthenticated, Forbidden unless the actor is a
// moderator, Conflict when it is settled already, and NotFound.
func (m *Market) DismissReport(ctx context.Context, actor Actor, id ReportID) error {
	if err := actor.Moderates(); err != nil {
		return err
	}
	_, err := once(ctx, m, actor, "dismiss report", id, func(tx Tx, now time.Time) (struct{}, error) {
		report, err := tx.LockReport(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("dismiss report %d: %w", id, err)
		}
		report, entry, err := report.Dismiss(actor, now)
		if err != nil {
			return struct{}{}, err
		}
		if err := tx.SettleReport(ctx, report, actor.UserID, now); err != nil {
			return struct{}{}, fmt.Errorf("dismiss report %d: %w", id, err)
		}
		if err := tx.AddAuditEntry(ctx, entry); err != nil {
			return struct{}{}, fmt.Errorf("add audit entry: %w", err)
		}
		return struct{}{}, nil
	})
	return err
}

// Reports lists what waits for a moderator, newest first, below the id before (zero: from the top). It refuses with
// Unauthenticated and Forbidden.
func (m *Market) Reports(ctx context.Context, actor Actor, before ReportID, limit int) ([]Report, error) {
	if err := actor.Moderates(); err != nil {
		return nil, err
	}
	reports, err := m.store.OpenReports(ctx, before, limit)
	if err != nil {
		return nil, fmt.Errorf("open reports: %w", err)
	}
	return reports, nil
}
