package market

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Leave hides everything of the actor's at once, signs them out everywhere, and has their data deleted
// after LeavingFor. Their offers are withdrawn, and the offers on their requests lapse: cancelling does not
// bring these back. It fails with Unauthenticated, and with Forbidden for a blocked user and without a fresh
// sign-in.
func (m *Market) Leave(ctx context.Context, actor core.Actor) (people.User, error) {
	if err := actor.MustBeUser(); err != nil {
		return people.User{}, err
	}
	now := m.Now()
	if err := actor.MustBeFresh(now); err != nil {
		return people.User{}, err
	}
	user, err := core.Idempotent(ctx, m.run, "leave", func(tx Tx) (people.User, error) {
		user, err := tx.LockUser(ctx, actor.UserID)
		if err != nil || user.Leaving() {
			return user, err
		}
		if user.Blocked() {
			return people.User{}, core.NewError(core.Forbidden, core.NewText("blocked_from_deleting"))
		}
		if err := m.endTrades(ctx, tx, user.ID, true, now); err != nil {
			return people.User{}, err
		}
		user.LeavingAt = now
		if err := tx.SaveLeaving(ctx, user, now); err != nil {
			return people.User{}, err
		}
		if err := tx.EndWebhooksOf(ctx, user.ID); err != nil {
			return user, fmt.Errorf("end webhooks: %w", err)
		}
		return user, tx.EndSessions(ctx, user.ID, now)
	})
	if err != nil {
		return people.User{}, fmt.Errorf("user %d leaves: %w", actor.UserID, err)
	}
	return user, nil
}

// CancelLeaving shows the actor's requests again. It does nothing for a user who is not leaving. It fails
// with Unauthenticated.
func (m *Market) CancelLeaving(ctx context.Context, actor core.Actor) error {
	actor.LeavingAt = time.Time{} // users who are leaving may call this
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Idempotent(ctx, m.run, "cancel leaving", func(tx Tx) (struct{}, error) {
		user, err := tx.LockUser(ctx, actor.UserID)
		if err != nil || !user.Leaving() {
			return struct{}{}, err
		}
		user.LeavingAt = time.Time{}
		return struct{}{}, tx.SaveLeaving(ctx, user, m.Now())
	})
	if err != nil {
		return fmt.Errorf("user %d stays: %w", actor.UserID, err)
	}
	return nil
}

// DeleteUser deletes a user and all their data permanently: their orders with the offers on them (the
// sellers are notified); the offers they have sent; their notices and settings. Entries in another user's
// history stay without their name, and the other sides of their accepts keep their contact for RememberFor.
// Only the operator may call it. It fails with NotFound.
func (m *Market) DeleteUser(ctx context.Context, id core.UserID) error {
	now := m.Now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		user, err := tx.LockUser(ctx, id)
		if err != nil {
			return err
		}
		if err := m.endTrades(ctx, tx, id, false, now); err != nil {
			return err
		}
		// DeleteUser deletes their orders too: it finds the data that others keep of them through these.
		return tx.DeleteUser(ctx, user, now)
	})
	if err != nil {
		return fmt.Errorf("delete user %d: %w", id, err)
	}
	return nil
}

// endTrades withdraws the offers of a locked user, and lapses the offers on their orders. The notices name
// no user. Buyers are notified of a withdrawal only while the record of it stays.
func (m *Market) endTrades(ctx context.Context, tx Tx, id core.UserID, told bool, now time.Time) error {
	orders, offers, err := tx.OrdersAndOffersOf(ctx, id)
	if err != nil {
		return err
	}
	var notices []notify.Notice
	for _, offer := range offers {
		withdrawn, err := m.withdraw(ctx, tx, offer, now)
		if err != nil {
			return err
		}
		if told {
			notices = append(notices, withdrawn...)
		}
	}
	for _, id := range orders {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return err
		}
		lapsed, err := m.Trade.LapseOffers(ctx, tx, order, trade.LapsedDeleted, now)
		if err != nil {
			return err
		}
		for i := range lapsed {
			lapsed[i].OrderID = 0
		}
		notices = append(notices, lapsed...)
	}
	for i := range notices {
		notices[i].Name, notices[i].Contact = "", ""
	}
	return notify.AddNotices(ctx, tx, notices)
}

// withdraw ends an offer and returns the notice of it to the buyer, without the seller's words; none when
// the offer was just taken or declined.
func (m *Market) withdraw(
	ctx context.Context, tx Tx, id core.OfferID, now time.Time,
) ([]notify.Notice, error) {
	order, offer, err := tx.LockOffer(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	n := trade.OfferReceived(order, offer, now)
	n.Kind, n.Message = notify.NoticeOfferWithdrawn, ""
	if err := tx.EndOffer(ctx, id, trade.OfferWithdrawn, now); err != nil {
		return nil, err
	}
	return []notify.Notice{n}, m.Notify.RedrawOffers(ctx, tx, core.Actor{}, order.ID, now, id)
}
