package core

import (
	"context"
	"fmt"
	"time"
)

// Notices lists the actor's notices, newest first, below the id before (zero: from the top). It fails with
// Unauthenticated.
func (m *Market) Notices(ctx context.Context, actor Actor, before NoticeID, limit int) (NoticePage, error) {
	if err := actor.mustBeUser(); err != nil {
		return NoticePage{}, err
	}
	page, err := m.store.Notices(ctx, actor.UserID, before, limit)
	if err != nil {
		return NoticePage{}, fmt.Errorf("notices of user %d: %w", actor.UserID, err)
	}
	return page, nil
}

// ReadNotices marks the actor's notices up to an id as read. It fails with Unauthenticated.
func (m *Market) ReadNotices(ctx context.Context, actor Actor, upTo NoticeID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	if err := m.store.ReadNotices(ctx, actor.UserID, upTo, m.now()); err != nil {
		return fmt.Errorf("read notices of user %d: %w", actor.UserID, err)
	}
	return nil
}

// NoticeSettings returns the actor's wishes about direct messages, and why none arrive at present (empty: they do). It
// fails with Unauthenticated.
func (m *Market) NoticeSettings(ctx context.Context, actor Actor) (NoticeSettings, string, error) {
	if err := actor.mustBeUser(); err != nil {
		return NoticeSettings{}, "", err
	}
	box, err := m.store.Mailbox(ctx, actor.UserID)
	if err != nil {
		return NoticeSettings{}, "", fmt.Errorf("mailbox of user %d: %w", actor.UserID, err)
	}
	return box.Settings, box.Closed, nil
}

// SetNoticeSettings sets which direct messages the actor gets. It fails with Unauthenticated and Invalid.
func (m *Market) SetNoticeSettings(ctx context.Context, actor Actor, s NoticeSettings) (NoticeSettings, error) {
	if err := actor.mustBeUser(); err != nil {
		return NoticeSettings{}, err
	}
	if err := s.Validate(); err != nil {
		return NoticeSettings{}, err
	}
	return Write(ctx, m.run, actor, "notice settings", s, func(tx Tx, now time.Time) (NoticeSettings, error) {
		if err := tx.SaveNoticeSettings(ctx, actor.UserID, s); err != nil {
			return NoticeSettings{}, fmt.Errorf("save notice settings: %w", err)
		}
		return s, nil
	})
}

// SendTestNotice sends the actor a direct message that says nothing but that it arrived. A mailbox that was given up is
// tried again. It fails with Unauthenticated.
func (m *Market) SendTestNotice(ctx context.Context, actor Actor) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := Write(ctx, m.run, actor, "test notice", nil, func(tx Tx, now time.Time) (struct{}, error) {
		return struct{}{}, addNotices(ctx, tx, []Notice{{User: actor.UserID, Kind: NoticeTest, State: NoticePending, CreatedAt: now}})
	})
	return err
}

// ExpireOrders marks offers on expired orders as lapsed and warns buyers whose orders expire soon.
// It is run now and then, by one replica; it returns how many orders it dealt with, fewer than
// limit of each sort when nothing is left to do.
func (m *Market) ExpireOrders(ctx context.Context, limit int) (expired, warned int, err error) {
	err = m.run.Atomically(ctx, func(tx Tx) error {
		expired, warned = 0, 0
		now := m.now()
		orders, err := tx.LockExpired(ctx, now, limit)
		if err != nil {
			return fmt.Errorf("lock expired orders: %w", err)
		}
		var notices []Notice
		for _, order := range orders {
			lapsed, err := m.lapseOffers(ctx, tx, order, lapsedExpired, now)
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
			n := noticeAbout(order, order.Owner, NoticeOrderExpiring, now)
			n.Quantity = order.Remaining()
			notices = append(notices, n)
		}
		warned = len(orders)
		return addNotices(ctx, tx, notices)
	})
	return expired, warned, err
}
