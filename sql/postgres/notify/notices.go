package notify

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/webhook"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	"tradepost/sql/queue"
)

// Notices returns a user's notices, newest first, below the id before (zero: from the top).
func (s *Store) Notices(
	ctx context.Context, user core.UserID, before core.NoticeID, limit int,
) (notify.Page, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (notify.Page, error) {
		rows, err := q.Notices(ctx, db.NoticesParams{UserID: user, Before: before, Most: int32(limit) + 1})
		if err != nil {
			return notify.Page{}, err
		}
		page := notify.Page{Notices: kernel.Convert(rows, listedNotice)}
		if len(rows) > limit {
			page.Notices = page.Notices[:limit]
			page.Next = page.Notices[limit-1].ID
		}
		unread, err := q.CountUnread(ctx, user)
		page.Unread = int(unread)
		return page, err
	})
}

func listedNotice(r db.NoticesRow) notify.Notice {
	n := Notice(r.Notice)
	if n.Kind == notify.NoticeOfferReceived {
		n.Offer = &notify.OfferNow{Open: r.OfferOpen, Accepted: r.OfferAccepted}
	}
	return n
}

// ReadNotices marks a user's notices up to an id as read.
func (s *Store) ReadNotices(ctx context.Context, user core.UserID, upTo core.NoticeID, now time.Time) error {
	return s.InTx(ctx, func(t *kernel.Tx) error {
		t.NoteUsers(user)
		return t.Q.ReadNotices(ctx, db.ReadNoticesParams{Now: &now, UserID: user, UpTo: upTo})
	})
}

// AddNotices stores notices, and with each the job that delivers it.
func (t *Tx) AddNotices(ctx context.Context, notices []notify.Notice) error {
	ids, err := t.noticeNumbers(ctx, len(notices))
	if err != nil {
		return kernel.Translate(err)
	}
	for i, n := range notices {
		t.NoteUsers(n.User)
		event := webhook.OfNotice(n, ids[i])
		err := t.Q.AddNotice(ctx, db.AddNoticeParams{
			ID: ids[i], UserID: n.User, Kind: n.Kind, OrderID: kernel.OrNull(n.OrderID),
			OfferID:  kernel.OrNull(n.OfferID),
			ItemName: n.ItemName, Quantity: n.Quantity, PricePerUnit: n.Price, Name: n.Name,
			Contact: n.Contact,
			Message: n.Message, State: string(n.State), Reason: n.Reason, CreatedAt: n.CreatedAt,
			SettledAt: kernel.TimeOrNull(n.SettledAt),
			CausedBy:  kernel.OrNull(int64(n.CausedBy)), SaleID: kernel.OrNull(n.Sale),
			ThreadOf: int64(n.Sale),
			WatchID:  kernel.OrNull(n.Search), HoldUntil: kernel.TimeOrNull(n.HoldUntil),
			ListingID: kernel.OrNull(n.Listing), Rank: n.Rank,
			IfMuted: notify.NoticeMuted, SentWhileClosed: n.Kind.SentWhileClosed(),
			Alone: int16(notify.Alone), Another: int16(notify.Another),
			Gathers:      n.Kind == notify.NoticeOfferReceived && n.State == notify.NoticePending,
			GatherEvery:  pgtype.Interval{Microseconds: notify.GatherEvery.Microseconds(), Valid: true},
			GatherSince:  n.CreatedAt.Add(-2 * notify.GatherEvery),
			GatherRecent: n.CreatedAt.Add(-notify.GatherEvery),
			GatherAfter:  notify.GatherAfter, Beyond: notify.BeyondReach,
			MaxAttempts: queue.NoticeAttempts, Queue: queue.Notices, Now: t.Now(),
			Event: event.ID, EventType: string(event.Type), EventData: event.Data,
		})
		if err != nil {
			return err
		}
	}
	return t.Jobs.NoticesAdded(ctx, t.Q)
}

func (t *Tx) noticeNumbers(ctx context.Context, many int) ([]core.NoticeID, error) {
	var ids []core.NoticeID
	if number := kernel.Take(&t.Spare.Notice); number != 0 && many > 0 {
		ids = append(ids, core.NoticeID(number))
	}
	if missing := many - len(ids); missing > 0 {
		numbers, err := t.Q.NoticeNumbers(ctx, missing)
		if err != nil {
			return nil, err
		}
		ids = append(ids, kernel.Convert(numbers, func(n int64) core.NoticeID { return core.NoticeID(n) })...)
	}
	return ids, nil
}

// Notice returns the notice of a row.
func Notice(n db.Notice) notify.Notice {
	return notify.Notice{
		ID: n.ID, User: n.UserID, Kind: n.Kind, OrderID: kernel.OrZero(n.OrderID),
		OfferID: kernel.OrZero(n.OfferID), Sale: kernel.OrZero(n.SaleID),
		CausedBy: core.UserID(kernel.OrZero(n.CausedBy)),
		ItemName: n.ItemName, Quantity: n.Quantity, Price: n.PricePerUnit, Name: n.Name, Contact: n.Contact,
		Message: n.Message, State: n.State, Reason: n.Reason, Search: kernel.OrZero(n.WatchID),
		Listing: kernel.OrZero(n.ListingID), Rank: n.Rank,
		HoldUntil: kernel.OrZero(n.HoldUntil),
		CreatedAt: n.CreatedAt, SettledAt: kernel.OrZero(n.SettledAt), ReadAt: kernel.OrZero(n.ReadAt),
	}
}
