package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// ReportDecision is a moderator's decision on a report.
type ReportDecision string

// The decisions.
const (
	DecideRemove  ReportDecision = "remove"  // remove the reported order, offer or listing
	DecideBlock   ReportDecision = "block"   // block its owner
	DecideDismiss ReportDecision = "dismiss" // do nothing
)

// ReportDecisions lists every decision.
var ReportDecisions = []ReportDecision{DecideRemove, DecideBlock, DecideDismiss}

// DecideReport decides on a report and on all open ones about the same, once: of several moderators at the
// same time one decides. It returns Unauthenticated, Forbidden unless the actor is a moderator and not a
// side of the case, and for a block without a fresh sign-in, Conflict when it is decided already, Invalid
// without a reason where there must be one, and NotFound.
func (m *Service) DecideReport(
	ctx context.Context, actor core.Actor, id core.ReportID, decision ReportDecision, reason string,
) error {
	if err := mayDecide(actor, decision, m.now()); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "decide report", []any{id, decision, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			report, err := tx.Report(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("decide report %d: %w", id, err)
			}
			switch decision {
			case DecideRemove:
				return struct{}{}, m.removeReported(ctx, tx, actor, report, reason, now)
			case DecideBlock:
				return struct{}{}, m.blockReported(ctx, tx, actor, report, reason, now)
			case DecideDismiss:
				return struct{}{}, dismissReport(ctx, tx, actor, id, now)
			}
			return struct{}{}, fmt.Errorf("decide report %d: no such decision %q", id, decision)
		})
	return err
}

// lockOpenReport locks a report and decides whether the actor may settle it. The reported order, offer or
// listing must be locked before.
func lockOpenReport(ctx context.Context, tx Tx, actor core.Actor, id core.ReportID) (Report, error) {
	report, err := tx.LockReport(ctx, id)
	if err != nil {
		return Report{}, fmt.Errorf("lock report %d: %w", id, err)
	}
	if err := report.CheckSettledBy(actor); err != nil {
		return Report{}, err
	}
	if report.OfferID == 0 {
		about := ReportTarget{Order: report.OrderID, Listing: report.ListingID}
		if err := mustNotTrade(ctx, tx, actor, about); err != nil {
			return Report{}, err
		}
	}
	return report, report.mustBeOpen()
}

func (m *Service) removeReported(
	ctx context.Context, tx Tx, actor core.Actor, r Report, reason string, now time.Time,
) error {
	if r.OfferID != 0 {
		order, offer, err := tx.LockOffer(ctx, r.OfferID)
		if err != nil {
			return fmt.Errorf("remove offer %d: %w", r.OfferID, err)
		}
		if _, err := lockOpenReport(ctx, tx, actor, r.ID); err != nil {
			return err
		}
		return m.removeOffer(ctx, tx, actor, order, offer, reason, now)
	}
	if r.ListingID != 0 {
		listing, err := lockListing(ctx, tx, actor, r.ListingID, now)
		if err != nil {
			return err
		}
		if _, err := lockOpenReport(ctx, tx, actor, r.ID); err != nil {
			return err
		}
		return m.removeListing(ctx, tx, actor, listing, reason, now)
	}
	order, err := tx.LockOrder(ctx, r.OrderID)
	if err != nil {
		return fmt.Errorf("remove order %d: %w", r.OrderID, err)
	}
	if _, err := lockOpenReport(ctx, tx, actor, r.ID); err != nil {
		return err
	}
	return m.removeOrder(ctx, tx, actor, order, reason, now)
}

func (m *Service) blockReported(
	ctx context.Context, tx Tx, actor core.Actor, r Report, reason string, now time.Time,
) error {
	if r.Subject == 0 {
		return core.NewError(core.Conflict, core.NewText("report_of_no_user"))
	}
	user, err := tx.LockUser(ctx, r.Subject)
	if err != nil {
		return fmt.Errorf("block user %d: %w", r.Subject, err)
	}
	if _, err := lockOpenReport(ctx, tx, actor, r.ID); err != nil {
		return err
	}
	return m.saveBlock(ctx, tx, user, now,
		func(u people.User) (Block, error) { return m.blockUser(ctx, tx, actor, u, reason, now) })
}
