package postgres

import (
	"context"
	"math"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/queue"
)

// Notices returns a user's notices, newest first, below the id before (zero: from the top).
func (s *notifyStore) Notices(ctx context.Context, user core.UserID, before core.NoticeID, limit int) (core.NoticePage, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.NoticePage, error) {
		rows, err := q.Notices(ctx, db.NoticesParams{UserID: user, Before: before, Most: int32(limit) + 1})
		if err != nil {
			return core.NoticePage{}, err
		}
		page := core.NoticePage{Notices: convert(rows, listedNotice)}
		if len(rows) > limit {
			page.Notices = page.Notices[:limit]
			page.Next = page.Notices[limit-1].ID
		}
		unread, err := q.CountUnread(ctx, user)
		page.Unread = int(unread)
		return page, err
	})
}

func listedNotice(r db.NoticesRow) core.Notice {
	n := notice(r.Notice)
	if n.Kind == core.NoticeOfferReceived {
		n.Offer = &core.OfferNow{Open: r.OfferOpen, Accepted: r.OfferAccepted}
	}
	return n
}

// ReadNotices marks a user's notices up to an id as read.
func (s *notifyStore) ReadNotices(ctx context.Context, user core.UserID, upTo core.NoticeID, now time.Time) error {
	return s.InTx(ctx, func(t *Tx) error {
		t.NoteUsers(user)
		return t.Q.ReadNotices(ctx, db.ReadNoticesParams{Now: &now, UserID: user, UpTo: upTo})
	})
}

func (t *notifyTx) AddNotices(ctx context.Context, notices []core.Notice) error {
	ids, err := t.noticeNumbers(ctx, len(notices))
	if err != nil {
		return translate(err)
	}
	for i, n := range notices {
		t.NoteUsers(n.User)
		err := t.Q.AddNotice(ctx, db.AddNoticeParams{
			ID: ids[i], UserID: n.User, Kind: n.Kind, OrderID: orNull(n.OrderID), OfferID: orNull(n.OfferID),
			ItemName: n.ItemName, Quantity: n.Quantity, PricePerUnit: n.Price, Name: n.Name, Contact: n.Contact,
			Message: n.Message, State: string(n.State), Reason: n.Reason, CreatedAt: n.CreatedAt, SettledAt: timeOrNull(n.SettledAt),
			CausedBy: orNull(int64(n.CausedBy)), SaleID: orNull(n.Sale), ThreadOf: int64(n.Sale),
			WatchID: orNull(n.Watch), HoldUntil: timeOrNull(n.HoldUntil),
			IfMuted: core.NoticeMuted, SentWhileClosed: n.Kind.SentWhileClosed(),
			MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
		})
		if err != nil {
			return err
		}
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}

func (t *notifyTx) noticeNumbers(ctx context.Context, many int) ([]core.NoticeID, error) {
	var ids []core.NoticeID
	if number := take(&t.Spare.Notice); number != 0 && many > 0 {
		ids = append(ids, core.NoticeID(number))
	}
	if missing := many - len(ids); missing > 0 {
		numbers, err := t.Q.NoticeNumbers(ctx, missing)
		if err != nil {
			return nil, err
		}
		ids = append(ids, convert(numbers, func(n int64) core.NoticeID { return core.NoticeID(n) })...)
	}
	return ids, nil
}

func (t *channelsTx) SettleNotices(ctx context.Context, ids []core.NoticeID, state core.NoticeState, reason string, now time.Time) error {
	t.NoteUsers(t.reader)
	return t.Q.SettleNotices(ctx, db.SettleNoticesParams{Ids: raw(ids), State: state, Reason: reason, Now: &now})
}
