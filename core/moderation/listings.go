package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
)

// ReportListing reports a listing to the moderators. Visitors may report, too. It returns ReportOrder's
// errors.
func (m *Service) ReportListing(
	ctx context.Context, actor core.Actor, id core.StockID, reason string,
) (core.ReportID, error) {
	if !m.features.Listings {
		return 0, match.ListingGone()
	}
	return core.Write(ctx, m.run, actor, "report listing", []any{id, reason},
		func(tx Tx, now time.Time) (core.ReportID, error) {
			listing, err := lockListing(ctx, tx, actor, id, now)
			if err != nil {
				return 0, err
			}
			report, err := ReportListing(listing, actor, reason, m.forms, now)
			if err != nil {
				return 0, err
			}
			return m.addReport(ctx, tx, report, now)
		})
}

// RemoveListing takes a listing off sale. Its stock stays with its seller, who is notified with the reason,
// and open asks for it stay, too. UndoRemoval shows it again. It returns RemoveOrder's errors.
func (m *Service) RemoveListing(ctx context.Context, actor core.Actor, id core.StockID, reason string) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	if !m.features.Listings {
		return match.ListingGone()
	}
	_, err := core.Write(ctx, m.run, actor, "remove listing", []any{id, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			listing, err := lockListing(ctx, tx, actor, id, now)
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, m.removeListing(ctx, tx, actor, listing, reason, now)
		})
	return err
}

// lockListing locks the actor and the seller before the listing, as an ask does.
func lockListing(
	ctx context.Context, tx Tx, actor core.Actor, id core.StockID, now time.Time,
) (match.LockedListing, error) {
	if err := tx.LockPlanned(ctx, actor.UserID, []core.StockID{id}); err != nil {
		return match.LockedListing{}, fmt.Errorf("lock listing %d: %w", id, err)
	}
	listing, err := tx.LockListing(ctx, id, actor.UserID, now)
	if err != nil {
		return match.LockedListing{}, fmt.Errorf("listing %d: %w", id, err)
	}
	return listing, nil
}

func (m *Service) removeListing(
	ctx context.Context, tx Tx, actor core.Actor, l match.LockedListing, reason string, now time.Time,
) error {
	if err := mustNotTrade(ctx, tx, actor, AboutListing(l.ID)); err != nil {
		return err
	}
	done, err := RemoveListing(l, actor, reason, m.forms, now)
	if err != nil {
		return err
	}
	if err := saveRemoval(ctx, tx, done, AboutListing(l.ID)); err != nil {
		return err
	}
	if err := tx.SaveRemovedListing(ctx, l.ID, now); err != nil {
		return fmt.Errorf("keep listing %d: %w", l.ID, err)
	}
	if err := tx.ShowListing(ctx, NotForSale(l.Stock)); err != nil {
		return fmt.Errorf("take listing %d off sale: %w", l.ID, err)
	}
	return m.alertModerators(ctx, tx, actor, now)
}
