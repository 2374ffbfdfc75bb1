package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// RemoveOrder takes an order off the market, with its offers and sales. Its buyer is notified with the
// reason. UndoRemoval restores it. It fails with Unauthenticated, Forbidden unless the actor is a
// moderator, Invalid without a reason, and NotFound.
func (m *Service) RemoveOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "remove order", []any{id, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("remove order %d: %w", id, err)
			}
			return struct{}{}, m.removeOrder(ctx, tx, actor, order, reason, now)
		})
	return err
}

func (m *Service) removeOrder(
	ctx context.Context, tx Tx, actor core.Actor, order trade.Order, reason string, now time.Time,
) error {
	if err := mustNotTrade(ctx, tx, actor, AboutOrder(order.ID)); err != nil {
		return err
	}
	done, err := RemoveOrder(order, actor, reason, m.forms, now)
	if err != nil {
		return err
	}
	if err := saveRemoval(ctx, tx, done, AboutOrder(order.ID)); err != nil {
		return err
	}
	if err := tx.SaveRemovedOrder(ctx, order.ID, now); err != nil {
		return fmt.Errorf("keep order %d: %w", order.ID, err)
	}
	if err := m.trade.DeleteLocked(ctx, tx, order, trade.LapsedRemoved, now); err != nil {
		return err
	}
	return m.alertModerators(ctx, tx, actor, now)
}

// RemoveOffer removes an offer from an order and notifies a signed-in seller. It returns the same
// errors as RemoveOrder.
func (m *Service) RemoveOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "remove offer", []any{id, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			order, offer, err := tx.LockOffer(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("remove offer %d: %w", id, err)
			}
			return struct{}{}, m.removeOffer(ctx, tx, actor, order, offer, reason, now)
		})
	return err
}

func (m *Service) removeOffer(
	ctx context.Context, tx Tx, actor core.Actor, order trade.Order, offer trade.Offer, reason string,
	now time.Time,
) error {
	done, err := RemoveOffer(offer, order, actor, reason, m.forms, now)
	if err != nil {
		return err
	}
	if err := saveRemoval(ctx, tx, done, AboutOffer(offer.ID)); err != nil {
		return err
	}
	if err := tx.SaveRemovedOffer(ctx, offer.ID, now); err != nil {
		return fmt.Errorf("keep offer %d: %w", offer.ID, err)
	}
	if err := tx.EndOffer(ctx, offer.ID, trade.OfferRemoved, now); err != nil {
		return fmt.Errorf("remove offer %d: %w", offer.ID, err)
	}
	if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, offer.ID); err != nil {
		return err
	}
	return m.alertModerators(ctx, tx, actor, now)
}

// saveRemoval records a removal, notifies the users concerned and closes the reports that led to
// it.
func saveRemoval(ctx context.Context, tx Tx, done Removal, reports ReportTarget) error {
	if err := tx.AddAuditEntry(ctx, done.Entry); err != nil {
		return fmt.Errorf("add audit entry: %w", err)
	}
	if err := tx.ActOnReports(ctx, reports, done.Entry.Moderator, done.Entry.At); err != nil {
		return fmt.Errorf("act on reports: %w", err)
	}
	return notify.AddNotices(ctx, tx, done.Notices)
}

// BlockUser blocks a user from trading: their orders are hidden and their offers lapse. It fails with
// Unauthenticated, Forbidden unless the actor is a moderator with a fresh sign-in and the user is none,
// Conflict when they are blocked already, Invalid without a reason, and NotFound.
func (m *Service) BlockUser(ctx context.Context, actor core.Actor, id core.UserID, reason string) error {
	return m.changeBlock(ctx, actor, id, "block user", reason,
		func(tx Tx, u people.User, now time.Time) (Block, error) {
			return m.blockUser(ctx, tx, actor, u, reason, now)
		})
}

func (m *Service) blockUser(
	ctx context.Context, tx Tx, actor core.Actor, u people.User, reason string, now time.Time,
) (Block, error) {
	done, err := BlockUser(u, actor, reason, m.forms, now)
	if err != nil {
		return Block{}, err
	}
	lapsed, err := tx.EndOffersBy(ctx, u.ID, 0, trade.OfferLapsed, now)
	if err != nil {
		return Block{}, fmt.Errorf("end offers of user %d: %w", u.ID, err)
	}
	for _, l := range lapsed {
		done.Notices = append(done.Notices,
			trade.ToSeller(l.Order, l.Offer, notify.NoticeOfferLapsed, l.Offer.Quantity,
				trade.LapsedBlocked.String(), now)...)
	}
	return done, nil
}

// UnblockUser ends a user's block and shows their hidden orders again. It fails with Unauthenticated,
// Forbidden unless the actor is a moderator with a fresh sign-in, Conflict when they are not blocked, and
// NotFound.
func (m *Service) UnblockUser(ctx context.Context, actor core.Actor, id core.UserID) error {
	return m.changeBlock(ctx, actor, id, "unblock user", "",
		func(_ Tx, u people.User, now time.Time) (Block, error) { return UnblockUser(u, actor, now) })
}

func (m *Service) changeBlock(
	ctx context.Context, actor core.Actor, id core.UserID, operation, reason string,
	decide func(Tx, people.User, time.Time) (Block, error),
) error {
	if err := mayBlock(actor, m.now()); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, operation, []any{id, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			user, err := tx.LockUser(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("%s %d: %w", operation, id, err)
			}
			return struct{}{}, m.saveBlock(ctx, tx, user, now,
				func(u people.User) (Block, error) { return decide(tx, u, now) })
		})
	return err
}

// saveBlock stores a decision about blocking a locked user.
func (m *Service) saveBlock(
	ctx context.Context, tx Tx, user people.User, now time.Time, decide func(people.User) (Block, error),
) error {
	user.Moderator = m.moderators.Includes(people.Profile{DiscordID: user.DiscordID})
	done, err := decide(user)
	if err != nil {
		return err
	}
	if err := tx.SaveBlock(ctx, done.User, now); err != nil {
		return fmt.Errorf("block of user %d: %w", user.ID, err)
	}
	return saveRemoval(ctx, tx, Removal{Entry: done.Entry, Notices: done.Notices}, aboutBlocked(done.User))
}

// AuditEntries lists the moderators' actions, newest first, below the id before (zero: from the top). It
// fails with Unauthenticated and Forbidden.
func (m *Service) AuditEntries(
	ctx context.Context, actor core.Actor, before core.AuditID, limit int,
) ([]core.AuditEntry, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	entries, err := m.store.AuditEntries(ctx, before, limit)
	if err != nil {
		return nil, fmt.Errorf("audit entries: %w", err)
	}
	now := m.now()
	for i, e := range entries {
		entries[i].Undoable = e.Undoable && Undo(e).May(actor, now) == nil &&
			(m.features.Items || undoOf[e.Action] != core.AuditItemReopened) &&
			(m.features.Listings || e.ListingID == 0) &&
			(m.features.Handover || undoOf[e.Action] != core.AuditDisputeReopened)
	}
	return entries, nil
}

// BlockedUsers lists blocked users, the latest first. It fails with Unauthenticated and Forbidden.
func (m *Service) BlockedUsers(ctx context.Context, actor core.Actor, limit int) ([]people.User, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	users, err := m.store.BlockedUsers(ctx, limit)
	if err != nil {
		return nil, fmt.Errorf("blocked users: %w", err)
	}
	return users, nil
}
