package channels

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// SaveOrderPlaces stores in which channel of a server orders were posted. A second time changes nothing.
func (s *ThreadStore) SaveOrderPlaces(
	ctx context.Context, orders []core.OrderID, p channels.ThreadPlace,
) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveOrderPlaces(ctx, db.SaveOrderPlacesParams{
			Orders: kernel.Raw(orders), GuildID: p.GuildID, ChannelID: p.ChannelID, Locale: p.Locale,
		})
	})
	return err
}

// DueTradeThreads returns threads that are to be made, drawn again or archived, without their handovers, the
// longest due first.
func (s *ThreadStore) DueTradeThreads(
	ctx context.Context, now time.Time, most int,
) ([]channels.TradeThread, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.TradeThread, error) {
		rows, err := q.DueTradeThreads(ctx, now, int32(most))
		return kernel.Convert(rows, tradeThread), err
	})
}

// StartTradeThread begins an attempt on a thread that is due, and returns it with its handover, read after
// the start. StartedAt is left as before the start: zero in the first attempt. It returns false while another
// attempt is running.
func (s *ThreadStore) StartTradeThread(
	ctx context.Context, due channels.TradeThread, now time.Time,
) (th channels.TradeThread, mine bool, err error) {
	err = s.InTx(ctx, func(t *kernel.Tx) error {
		q := t.Q
		mine = false
		_, err := q.StartTradeThread(ctx, db.StartTradeThreadParams{
			Lease: now.Add(channels.ThreadLease), Now: now, SaleID: due.Sale,
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return kernel.Translate(err)
		}
		row, err := q.StartedTradeThread(ctx, due.Sale)
		if err != nil {
			return kernel.Translate(err)
		}
		th, mine = tradeThread(row.TradeThread), true
		th.Waiting, th.StartedAt = row.Waiting, due.StartedAt
		trades, err := q.HandoversByID(ctx, []int64{int64(due.Sale)})
		for _, r := range trades {
			th.Trade = new(tradestore.Trade(r))
		}
		return kernel.Translate(err)
	})
	return th, mine && err == nil, err
}

// SaveTradeThread stores where a thread is. It returns false for a thread that was given up or forgotten
// meanwhile.
func (s *ThreadStore) SaveTradeThread(ctx context.Context, t channels.TradeThread) (bool, error) {
	ended := true
	found, err := did(s.DB, ctx, func(ctx context.Context, q *db.Queries) (err error) {
		ended, err = q.SaveTradeThread(ctx, saveThread(t))
		return err
	})
	return found && !ended, err
}

func saveThread(t channels.TradeThread) db.SaveTradeThreadParams {
	return db.SaveTradeThreadParams{
		SaleID: t.Sale, GuildID: t.GuildID, ChannelID: t.ChannelID, Locale: t.Locale, ThreadID: t.ThreadID,
		MessageID: t.MessageID,
	}
}

// OpenTradeThread notes that the receipt is in a thread, which settles the notices that it tells. It returns
// false for a thread that was given up meanwhile.
func (s *ThreadStore) OpenTradeThread(
	ctx context.Context, t channels.TradeThread, now time.Time,
) (open bool, err error) {
	err = s.InTx(ctx, func(tx *kernel.Tx) error {
		// Before the thread, as a delivery locks them.
		waiting, err := tx.Q.LockThreadNotices(ctx, kernel.OrNull(t.Sale))
		if err != nil {
			return kernel.Translate(err)
		}
		ended, err := tx.Q.SaveTradeThread(ctx, saveThread(t))
		if errors.Is(err, pgx.ErrNoRows) || err == nil && ended {
			open = false
			return nil
		}
		if err != nil {
			return kernel.Translate(err)
		}
		open = true
		ids := make([]int64, len(waiting))
		for i, n := range waiting {
			ids[i] = int64(n.ID)
			tx.NoteUsers(n.UserID)
		}
		return tx.Q.SettleNotices(ctx, db.SettleNoticesParams{
			Ids: ids, State: notify.NoticeDelivered, Now: &now,
		})
	})
	return open && err == nil, err
}

// LeaveTradeThread ends an attempt that began at a time. The thread is due again at another time; zero means
// not by itself.
func (s *ThreadStore) LeaveTradeThread(ctx context.Context, sale core.SaleID, began, due time.Time) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.LeaveTradeThread(ctx, db.LeaveTradeThreadParams{
			Lease: began.Add(channels.ThreadLease), DueAt: kernel.TimeOrNull(due), SaleID: sale,
		})
	})
	return err
}

// RemoveTradeThread forgets a thread that is archived, or can't be made.
func (s *ThreadStore) RemoveTradeThread(ctx context.Context, sale core.SaleID) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.RemoveTradeThread(ctx, sale)
	})
	return err
}

// AcceptWasDelivered reports whether a direct message has told of the accept already.
func (s *ThreadStore) AcceptWasDelivered(ctx context.Context, sale core.SaleID) (bool, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (bool, error) {
		return q.AcceptWasDelivered(ctx, kernel.OrNull(sale))
	})
}

// ThreadPlaces returns the channels in which the order of a sale was shown or posted, boards first.
func (s *ThreadStore) ThreadPlaces(ctx context.Context, sale core.SaleID) ([]channels.ThreadPlace, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.ThreadPlace, error) {
		rows, err := q.ThreadPlaces(ctx, sale)
		return kernel.Convert(rows, func(r db.ThreadPlacesRow) channels.ThreadPlace {
			return channels.ThreadPlace{GuildID: r.GuildID, ChannelID: r.ChannelID, Locale: r.Locale}
		}), err
	})
}

// did runs a write that returns a row when it applies.
func did(s *kernel.DB, ctx context.Context, do func(context.Context, *db.Queries) error) (bool, error) {
	return kernel.Read(ctx, s, func(ctx context.Context, q *db.Queries) (bool, error) {
		err := do(ctx, q)
		if errors.Is(err, pgx.ErrNoRows) {
			return false, nil
		}
		return err == nil, err
	})
}

func tradeThread(t db.TradeThread) channels.TradeThread {
	return channels.TradeThread{
		Sale: t.SaleID, CreatedAt: t.CreatedAt, StartedAt: kernel.OrZero(t.StartedAt),
		NoncePrefix: t.NoncePrefix, GuildID: t.GuildID,
		ChannelID: t.ChannelID, Locale: t.Locale, ThreadID: t.ThreadID, MessageID: t.MessageID,
		Ended: t.Ended,
	}
}

// PlanTradeThread plans the thread of a sale that this transaction has added, where its order was shown or
// posted in a server.
func (t *Tx) PlanTradeThread(ctx context.Context, sale core.SaleID, order core.OrderID, now time.Time) error {
	return t.Q.PlanTradeThread(ctx, db.PlanTradeThreadParams{SaleID: sale, Now: now, OrderID: order})
}

// TradeThread returns the thread of a sale without its handover, nil for none.
func (t *Tx) TradeThread(ctx context.Context, sale core.SaleID) (*channels.TradeThread, error) {
	row, err := t.Q.TradeThread(ctx, sale)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	found := tradeThread(row)
	return &found, kernel.Translate(err)
}

// GiveUpTradeThread ends a thread that was not opened in time.
func (t *Tx) GiveUpTradeThread(ctx context.Context, sale core.SaleID, now time.Time) (bool, error) {
	_, err := t.Q.GiveUpTradeThread(ctx, sale, now)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, kernel.Translate(err)
}

// EndTradeThread ends a thread that does not reach its people any more.
func (t *Tx) EndTradeThread(ctx context.Context, sale core.SaleID) error {
	return t.Q.EndTradeThread(ctx, sale)
}
