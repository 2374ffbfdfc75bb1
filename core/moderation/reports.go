package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// ReportOrder reports an order to the moderators. Visitors may report, too. It fails with
// Forbidden for one's own, Conflict when it was reported already, TooMany, Invalid without a
// reason, and NotFound.
func (m *Service) ReportOrder(
	ctx context.Context, actor core.Actor, id core.OrderID, reason string,
) (core.ReportID, error) {
	return core.Write(ctx, m.run, actor, "report order", []any{id, reason},
		func(tx Tx, now time.Time) (core.ReportID, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return 0, fmt.Errorf("report order %d: %w", id, err)
			}
			report, err := ReportOrder(order, actor, reason, m.forms, now)
			if err != nil {
				return 0, err
			}
			return m.addReport(ctx, tx, report, now)
		})
}

// ReportOffer reports an offer on the actor's order to the moderators. It returns ReportOrder's
// errors, and Unauthenticated.
func (m *Service) ReportOffer(
	ctx context.Context, actor core.Actor, id core.OfferID, reason string,
) (core.ReportID, error) {
	if err := actor.MustBeUser(); err != nil {
		return 0, err
	}
	return core.Write(ctx, m.run, actor, "report offer", []any{id, reason},
		func(tx Tx, now time.Time) (core.ReportID, error) {
			order, offer, err := tx.LockOffer(ctx, id)
			if err != nil {
				return 0, fmt.Errorf("report offer %d: %w", id, err)
			}
			report, err := ReportOffer(offer, order, actor, reason, m.forms, now)
			if err != nil {
				return 0, err
			}
			return m.addReport(ctx, tx, report, now)
		})
}

func (m *Service) addReport(ctx context.Context, tx Tx, r Report, now time.Time) (core.ReportID, error) {
	var open, latest []Report
	if r.Reporter != 0 {
		var err error
		if open, latest, err = tx.OpenReportsBy(ctx, r.Reporter, m.quotas); err != nil {
			return 0, fmt.Errorf("open reports of user %d: %w", r.Reporter, err)
		}
	}
	if err := r.mayAdd(open); err != nil {
		return 0, err
	}
	if err := mayReport(m.quotas, latest, now); err != nil {
		return 0, err
	}
	known, err := tx.IsReported(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("other reports: %w", err)
	}
	id, err := tx.AddReport(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("add report: %w", err)
	}
	if known {
		return id, nil
	}
	return id, m.tellModerators(ctx, tx, r, now)
}

// tellModerators notifies the moderators of a report, except those who are a side of it or have written it.
// Notices that come close together share a message.
func (m *Service) tellModerators(ctx context.Context, tx Tx, r Report, now time.Time) error {
	if len(m.moderators.Accounts)+len(m.moderators.Roles) == 0 {
		return nil
	}
	moderators, err := tx.ModeratorsToTell(ctx, m.moderators, []core.UserID{r.Reporter, r.Subject},
		now.Add(-people.ModeratorRoleRetention))
	if err != nil {
		return fmt.Errorf("find moderators to notify of a report: %w", err)
	}
	notices := make([]notify.Notice, len(moderators))
	for i, id := range moderators {
		notices[i] = notify.Notice{
			User: id, Kind: notify.NoticeReportReceived, OrderID: r.OrderID, OfferID: r.OfferID,
			ItemName: r.ItemName, Message: r.Reason,
			State: notify.NoticePending, CreatedAt: now,
		}
	}
	return notify.AddNotices(ctx, tx, notices)
}

// DismissReport ends a report, and all open ones about the same, with nothing being done. It fails with
// Unauthenticated, Forbidden unless the actor is a moderator, Conflict when it is settled already, and
// NotFound.
func (m *Service) DismissReport(ctx context.Context, actor core.Actor, id core.ReportID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "dismiss report", id,
		func(tx Tx, now time.Time) (struct{}, error) {
			return struct{}{}, dismissReport(ctx, tx, actor, id, now)
		})
	return err
}

func dismissReport(ctx context.Context, tx Tx, actor core.Actor, id core.ReportID, now time.Time) error {
	report, err := lockOpenReport(ctx, tx, actor, id)
	if err != nil {
		return err
	}
	report, entry, err := report.Dismiss(actor, now)
	if err != nil {
		return err
	}
	if err := tx.SettleReport(ctx, report, actor.UserID, now); err != nil {
		return fmt.Errorf("dismiss report %d: %w", id, err)
	}
	if err := tx.AddAuditEntry(ctx, entry); err != nil {
		return fmt.Errorf("add audit entry: %w", err)
	}
	return nil
}

// Report returns the open reports about a report's target, as Reports lists them. It returns
// Unauthenticated, Forbidden, and NotFound when they are settled.
func (m *Service) Report(ctx context.Context, actor core.Actor, id core.ReportID) (Report, error) {
	if err := actor.MustModerate(); err != nil {
		return Report{}, err
	}
	report, err := m.store.OpenReport(ctx, id)
	if err != nil {
		return Report{}, fmt.Errorf("open report %d: %w", id, err)
	}
	return report, nil
}

// Reports lists the reports that wait for a moderator, newest first, below the id before (zero: from the
// top). It fails with Unauthenticated and Forbidden.
func (m *Service) Reports(
	ctx context.Context, actor core.Actor, before core.ReportID, limit int,
) ([]Report, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	reports, err := m.store.OpenReports(ctx, before, limit)
	if err != nil {
		return nil, fmt.Errorf("open reports: %w", err)
	}
	return reports, nil
}
