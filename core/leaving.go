package core

import (
	"context"
	"fmt"
	"time"
)

const (
	// LeavingFor is how long after a user has left their data are deleted. Until then they can cancel it.
	LeavingFor = 14 * day
	// RememberFor is for how long a keyed hash of a deleted account remembers what others have decided about it, and for how
	// long the other sides of its accepts keep how to reach it.
	RememberFor = 90 * day
)

// CodeLeaving is the code of the Error that a user gets who is leaving, whatever they do but cancel it.
const CodeLeaving = "leaving"

// Leaving reports whether the user has asked for the deletion of their account.
func (u User) Leaving() bool { return !u.LeavingAt.IsZero() }

// DeletionAt returns when the account of a user who leaves is deleted; zero for others.
func (u User) DeletionAt() time.Time {
	if !u.Leaving() {
		return time.Time{}
	}
	return u.LeavingAt.Add(LeavingFor)
}

func leavingError() *Error {
	err := NewError(Forbidden, NewText("leaving", "You are leaving this market. Cancel leaving to use it again."))
	err.Code = CodeLeaving
	return err
}

// Leave hides everything of the actor's at once, signs them out everywhere, and has their data deleted after LeavingFor. Their
// offers are withdrawn, and the offers on their requests lapse: cancelling does not bring these back. It fails with
// Unauthenticated, and with Forbidden for a blocked user.
func (m *Market) Leave(ctx context.Context, actor Actor) (User, error) {
	if err := actor.mustBeUser(); err != nil {
		return User{}, err
	}
	now := m.now()
	user, err := Idempotent(ctx, m.run, "leave", func(tx Tx) (User, error) {
		user, err := tx.LockUser(ctx, actor.UserID)
		if err != nil || user.Leaving() {
			return user, err
		}
		if user.Blocked() {
			return User{}, NewError(Forbidden, NewText("blocked_from_deleting", "A moderator has blocked you: ask them to have your data deleted"))
		}
		if err := m.endTrades(ctx, tx, user.ID, true, now); err != nil {
			return User{}, err
		}
		user.LeavingAt = now
		if err := tx.SaveLeaving(ctx, user, now); err != nil {
			return User{}, err
		}
		return user, tx.EndSessions(ctx, user.ID, now)
	})
	if err != nil {
		return User{}, fmt.Errorf("user %d leaves: %w", actor.UserID, err)
	}
	return user, nil
}

// CancelLeaving shows the actor's requests again. It does nothing for a user who is not leaving. It fails with Unauthenticated.
func (m *Market) CancelLeaving(ctx context.Context, actor Actor) error {
	actor.LeavingAt = time.Time{} // it is what they may do
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := Idempotent(ctx, m.run, "cancel leaving", func(tx Tx) (struct{}, error) {
		user, err := tx.LockUser(ctx, actor.UserID)
		if err != nil || !user.Leaving() {
			return struct{}{}, err
		}
		user.LeavingAt = time.Time{}
		return struct{}{}, tx.SaveLeaving(ctx, user, m.now())
	})
	if err != nil {
		return fmt.Errorf("user %d stays: %w", actor.UserID, err)
	}
	return nil
}

// DeleteUser deletes a user and all their data permanently: their orders with the offers on them, whose sellers are notified;
// the offers they have sent; their notices and settings. What belongs to another's history stays without their name, and the
// other sides of their accepts keep how to reach them for RememberFor. Nobody but the operator may call it. It fails with
// NotFound.
func (m *Market) DeleteUser(ctx context.Context, id UserID) error {
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		user, err := tx.LockUser(ctx, id)
		if err != nil {
			return err
		}
		if err := m.endTrades(ctx, tx, id, false, now); err != nil {
			return err
		}
		// With their orders: what others keep of them is found by those.
		return tx.DeleteUser(ctx, user, now)
	})
	if err != nil {
		return fmt.Errorf("delete user %d: %w", id, err)
	}
	return nil
}

// endTrades withdraws the offers of a locked user, and lapses those on their orders. The notices of that name nobody. Buyers are
// notified of a withdrawal only while the record of it stays.
func (m *Market) endTrades(ctx context.Context, tx Tx, id UserID, told bool, now time.Time) error {
	orders, offers, err := tx.OrdersAndOffersOf(ctx, id)
	if err != nil {
		return err
	}
	var notices []Notice
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
		lapsed, err := m.lapseOffers(ctx, tx, order, lapsedDeleted, now)
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
	return addNotices(ctx, tx, notices)
}

// withdraw ends an offer and returns the notice of it to the buyer, without the seller's words; none when the offer was just taken
// or declined.
func (m *Market) withdraw(ctx context.Context, tx Tx, id OfferID, now time.Time) ([]Notice, error) {
	order, offer, err := tx.LockOffer(ctx, id)
	if KindOf(err) == NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	n := offerReceived(order, offer, now)
	n.Kind, n.Message = NoticeOfferWithdrawn, ""
	if err := tx.EndOffer(ctx, id, OfferWithdrawn, now); err != nil {
		return nil, err
	}
	return []Notice{n}, m.redrawOffers(ctx, tx, Actor{}, order.ID, now, id)
}
