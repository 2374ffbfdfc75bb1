package notify

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// Notices lists the actor's notices, newest first, below the id before (zero: from the top). It fails with
// Unauthenticated.
func (m *Service) Notices(
	ctx context.Context, actor core.Actor, before core.NoticeID, limit int,
) (Page, error) {
	if err := actor.MustBeUser(); err != nil {
		return Page{}, err
	}
	page, err := m.store.Notices(ctx, actor.UserID, before, limit)
	if err != nil {
		return Page{}, fmt.Errorf("notices of user %d: %w", actor.UserID, err)
	}
	return page, nil
}

// ReadNotices marks the actor's notices up to an id as read. It fails with Unauthenticated.
func (m *Service) ReadNotices(ctx context.Context, actor core.Actor, upTo core.NoticeID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	if err := m.store.ReadNotices(ctx, actor.UserID, upTo, m.now()); err != nil {
		return fmt.Errorf("read notices of user %d: %w", actor.UserID, err)
	}
	return nil
}

// Settings returns the actor's wishes about direct messages, and why none arrive at present (empty:
// they do). It fails with Unauthenticated.
func (m *Service) Settings(ctx context.Context, actor core.Actor) (Settings, string, error) {
	if err := actor.MustBeUser(); err != nil {
		return Settings{}, "", err
	}
	box, err := m.store.Mailbox(ctx, actor.UserID)
	if err != nil {
		return Settings{}, "", fmt.Errorf("mailbox of user %d: %w", actor.UserID, err)
	}
	return box.Settings, box.Closed, nil
}

// SetSettings sets which direct messages the actor gets. It fails with Unauthenticated and Invalid.
func (m *Service) SetSettings(
	ctx context.Context, actor core.Actor, s Settings,
) (Settings, error) {
	if err := actor.MustBeUser(); err != nil {
		return Settings{}, err
	}
	if err := s.Validate(); err != nil {
		return Settings{}, err
	}
	return core.Write(ctx, m.run, actor, "notice settings", s,
		func(tx Tx, now time.Time) (Settings, error) {
			if err := tx.SaveNoticeSettings(ctx, actor.UserID, s); err != nil {
				return Settings{}, fmt.Errorf("save notice settings: %w", err)
			}
			return s, nil
		})
}

// SendTest sends the actor a direct message that says nothing but that it arrived. A mailbox that was
// given up is tried again. It fails with Unauthenticated.
func (m *Service) SendTest(ctx context.Context, actor core.Actor) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "test notice", nil, func(tx Tx, now time.Time) (struct{}, error) {
		return struct{}{}, AddNotices(ctx, tx,
			[]Notice{{User: actor.UserID, Kind: NoticeTest, State: NoticePending, CreatedAt: now}})
	})
	return err
}
