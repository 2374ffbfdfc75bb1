package core

import (
	"context"
	"fmt"
	"time"
)

// OwnData is everything that the market keeps about a user: what they are given when they ask for it. What others have
// written to them is in their notices.
type OwnData struct {
	TakenAt  time.Time
	User     User
	Settings NoticeSettings
	Orders   []OwnOrder
	Offers   []SentOffer
	Notices  []Notice
	Reports  []Report // they have sent, whatever became of them
	Blocked  []BlockedSeller
}

// OwnOrder is an order of the user's with what was bought of it.
type OwnOrder struct {
	Order
	Sales []Sale
}

// allSales is more than an order can have: every sale takes at least one of its items.
const allSales = MaxQuantity

// OwnData returns everything that is kept about the actor. It refuses with Unauthenticated.
func (m *Market) OwnData(ctx context.Context, actor Actor) (OwnData, error) {
	if err := actor.mustBeUser(); err != nil {
		return OwnData{}, err
	}
	data := OwnData{TakenAt: m.now()}
	for _, part := range []func(context.Context, *OwnData, UserID) error{m.ownAccount, m.ownOrders, m.ownOffers, m.ownNotices, m.ownReports} {
		if err := part(ctx, &data, actor.UserID); err != nil {
			return OwnData{}, fmt.Errorf("data of user %d: %w", actor.UserID, err)
		}
	}
	return data, nil
}

func (m *Market) ownAccount(ctx context.Context, data *OwnData, id UserID) (err error) {
	if data.User, err = m.store.User(ctx, id); err != nil {
		return err
	}
	box, err := m.store.Mailbox(ctx, id)
	data.Settings = box.Settings
	return err
}

func (m *Market) ownOrders(ctx context.Context, data *OwnData, id UserID) error {
	for _, which := range []Which{OpenOrders, ExpiredOrders, FulfilledOrders} {
		for q := (OrderQuery{Which: which, Owner: id, Sort: Newest, Now: data.TakenAt, Limit: PageSize}); ; {
			page, err := m.store.Orders(ctx, q)
			if err != nil {
				return err
			}
			for _, listed := range page.Orders {
				own := OwnOrder{Order: listed.Order}
				if own.Sold > 0 {
					if own.Sales, _, err = m.store.Sales(ctx, own.ID, allSales); err != nil {
						return err
					}
				}
				data.Orders = append(data.Orders, own)
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	return nil
}

func (m *Market) ownOffers(ctx context.Context, data *OwnData, id UserID) error {
	for before := OfferID(0); ; {
		offers, err := m.store.SentOffers(ctx, id, before, PageSize)
		if err != nil {
			return err
		}
		data.Offers = append(data.Offers, offers...)
		if len(offers) < PageSize {
			return nil
		}
		before = offers[len(offers)-1].ID
	}
}

func (m *Market) ownReports(ctx context.Context, data *OwnData, id UserID) (err error) {
	if data.Blocked, err = m.store.BlockedSellers(ctx, id, MaxBlockedSellers); err != nil {
		return err
	}
	data.Reports, err = m.store.ReportsBy(ctx, id)
	return err
}

func (m *Market) ownNotices(ctx context.Context, data *OwnData, id UserID) error {
	for before := NoticeID(0); ; {
		page, err := m.store.Notices(ctx, id, before, PageSize)
		if err != nil {
			return err
		}
		data.Notices = append(data.Notices, page.Notices...)
		if before = page.Next; before == 0 {
			return nil
		}
	}
}

// Leave deletes the actor and everything that is theirs, at once and for good: their orders with the offers on them, whose
// sellers are told; the offers they have sent; their notices and settings. What belongs to another's history stays
// without their name. It refuses with Unauthenticated, and with
// Forbidden whoever is blocked.
func (m *Market) Leave(ctx context.Context, actor Actor) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	now := m.now()
	err := m.store.Atomically(ctx, func(tx Tx) error {
		user, err := tx.LockUser(ctx, actor.UserID)
		if err != nil {
			return err
		}
		if err := user.mayLeave(); err != nil {
			return err
		}
		orders, offers, err := tx.Traded(ctx, actor.UserID)
		if err != nil {
			return err
		}
		for _, id := range offers {
			if err := withdrawUntold(ctx, tx, id, now); err != nil {
				return err
			}
		}
		var notices []Notice
		for _, id := range orders {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return err
			}
			lapsed, err := m.lapseOffers(ctx, tx, order, "The request was deleted", now)
			if err != nil {
				return err
			}
			notices = append(notices, lapsed...)
		}
		for i := range notices {
			n := &notices[i]
			n.OrderID, n.Name, n.Contact = 0, "", ""
		}
		if err := addNotices(ctx, tx, notices); err != nil {
			return err
		}
		// With their orders: what others keep of them is found by those.
		return tx.DeleteUser(ctx, actor.UserID)
	})
	if err != nil {
		return fmt.Errorf("delete user %d: %w", actor.UserID, err)
	}
	return nil
}

// mayLeave refuses with Forbidden where leaving and coming back would undo what a moderator has decided.
func (u User) mayLeave() error {
	if u.Blocked() {
		return &Error{Kind: Forbidden, Message: "A moderator has blocked you: ask them to have your data deleted"}
	}
	return nil
}

// withdrawUntold takes an offer away without a word to the buyer: there would be nobody to name.
func withdrawUntold(ctx context.Context, tx Tx, id OfferID, now time.Time) error {
	_, _, err := tx.LockOffer(ctx, id)
	if KindOf(err) == NotFound {
		return nil // just taken or declined
	}
	if err != nil {
		return err
	}
	return tx.EndOffer(ctx, id, OfferWithdrawn, now)
}
