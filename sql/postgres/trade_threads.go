package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// SaveOrderPlaces stores in which channel of a server orders were posted. A second time changes nothing.
func (s *channelsStore) SaveOrderPlaces(ctx context.Context, orders []core.OrderID, p core.ThreadPlace) error {
	_, err := read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveOrderPlaces(ctx, db.SaveOrderPlacesParams{Orders: raw(orders), GuildID: p.GuildID, ChannelID: p.ChannelID, Locale: p.Locale})
	})
	return err
}

// DueTradeThreads returns threads that are to be made, drawn again or archived, without their handovers, the longest due first.
func (s *channelsStore) DueTradeThreads(ctx context.Context, now time.Time, most int) ([]core.TradeThread, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.TradeThread, error) {
		rows, err := q.DueTradeThreads(ctx, now, int32(most))
		return convert(rows, tradeThread), err
	})
}

// StartTradeThread begins an attempt on a thread that is due, and returns it with its handover, read after the start.
// StartedAt is left as before the start: zero in the first attempt. It returns false while another attempt is running.
func (s *channelsStore) StartTradeThread(ctx context.Context, due core.TradeThread, now time.Time) (th core.TradeThread, mine bool, err error) {
	err = s.InTx(ctx, func(t *Tx) error {
		q := t.Q
		mine = false
		_, err := q.StartTradeThread(ctx, db.StartTradeThreadParams{Lease: now.Add(core.ThreadLease), Now: now, SaleID: due.Sale})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return translate(err)
		}
		row, err := q.StartedTradeThread(ctx, due.Sale)
		if err != nil {
			return translate(err)
		}
		th, mine = tradeThread(row.TradeThread), true
		th.Waiting, th.StartedAt = row.Waiting, due.StartedAt
		handovers, err := q.HandoversByID(ctx, []int64{int64(due.Sale)})
		for _, r := range handovers {
			th.Handover = new(handover(db.HandoversRow(r)))
		}
		return translate(err)
	})
	return th, mine && err == nil, err
}

// SaveTradeThread notes where a thread is. It returns false for one that was given up or forgotten meanwhile.
func (s *channelsStore) SaveTradeThread(ctx context.Context, t core.TradeThread) (bool, error) {
	ended := true
	found, err := did(s.DB, ctx, func(ctx context.Context, q *db.Queries) (err error) {
		ended, err = q.SaveTradeThread(ctx, saveThread(t))
		return err
	})
	return found && !ended, err
}

func saveThread(t core.TradeThread) db.SaveTradeThreadParams {
	return db.SaveTradeThreadParams{
		SaleID: t.Sale, GuildID: t.GuildID, ChannelID: t.ChannelID, Locale: t.Locale, ThreadID: t.ThreadID, MessageID: t.MessageID,
	}
}

// OpenTradeThread notes that the receipt is in a thread, which settles the notices that it tells. It returns false for a thread that
// was given up meanwhile.
func (s *channelsStore) OpenTradeThread(ctx context.Context, t core.TradeThread, now time.Time) (open bool, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		// Before the thread, as a delivery locks them.
		waiting, err := tx.Q.LockThreadNotices(ctx, orNull(t.Sale))
		if err != nil {
			return translate(err)
		}
		ended, err := tx.Q.SaveTradeThread(ctx, saveThread(t))
		if errors.Is(err, pgx.ErrNoRows) || err == nil && ended {
			open = false
			return nil
		}
		if err != nil {
			return translate(err)
		}
		open = true
		ids := make([]int64, len(waiting))
		for i, n := range waiting {
			ids[i] = int64(n.ID)
			tx.NoteUsers(n.UserID)
		}
		return tx.Q.SettleNotices(ctx, db.SettleNoticesParams{Ids: ids, State: core.NoticeDelivered, Now: &now})
	})
	return open && err == nil, err
}

// LeaveTradeThread ends an attempt that began at a time. The thread is due again at another one, which is zero for not by itself.
func (s *channelsStore) LeaveTradeThread(ctx context.Context, sale core.SaleID, began, due time.Time) error {
	_, err := read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.LeaveTradeThread(ctx, db.LeaveTradeThreadParams{Lease: began.Add(core.ThreadLease), DueAt: timeOrNull(due), SaleID: sale})
	})
	return err
}

// RemoveTradeThread forgets a thread that is archived, or can't be made.
func (s *channelsStore) RemoveTradeThread(ctx context.Context, sale core.SaleID) error {
	_, err := read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.RemoveTradeThread(ctx, sale)
	})
	return err
}

// AcceptWasDelivered reports whether a direct message has told of the accept already.
func (s *channelsStore) AcceptWasDelivered(ctx context.Context, sale core.SaleID) (bool, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (bool, error) { return q.AcceptWasDelivered(ctx, orNull(sale)) })
}

// ThreadPlaces returns the channels in which the order of a sale was shown or posted, boards first.
func (s *channelsStore) ThreadPlaces(ctx context.Context, sale core.SaleID) ([]core.ThreadPlace, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.ThreadPlace, error) {
		rows, err := q.ThreadPlaces(ctx, sale)
		return convert(rows, func(r db.ThreadPlacesRow) core.ThreadPlace {
			return core.ThreadPlace{GuildID: r.GuildID, ChannelID: r.ChannelID, Locale: r.Locale}
		}), err
	})
}

// did runs a write that returns a row when it applies.
func did(s *DB, ctx context.Context, do func(context.Context, *db.Queries) error) (bool, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (bool, error) {
		err := do(ctx, q)
		if errors.Is(err, pgx.ErrNoRows) {
			return false, nil
		}
		return err == nil, err
	})
}

func tradeThread(t db.TradeThread) core.TradeThread {
	return core.TradeThread{
		Sale: t.SaleID, CreatedAt: t.CreatedAt, StartedAt: orZero(t.StartedAt), NoncePrefix: t.NoncePrefix, GuildID: t.GuildID,
		ChannelID: t.ChannelID, Locale: t.Locale, ThreadID: t.ThreadID, MessageID: t.MessageID, Ended: t.Ended,
	}
}

func (t *channelsTx) PlanTradeThread(ctx context.Context, sale core.SaleID, order core.OrderID, now time.Time) error {
	return t.Q.PlanTradeThread(ctx, db.PlanTradeThreadParams{SaleID: sale, Now: now, OrderID: order})
}

func (t *channelsTx) TradeThread(ctx context.Context, sale core.SaleID) (*core.TradeThread, error) {
	row, err := t.Q.TradeThread(ctx, sale)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	found := tradeThread(row)
	return &found, translate(err)
}

func (t *channelsTx) GiveUpTradeThread(ctx context.Context, sale core.SaleID, now time.Time) (bool, error) {
	_, err := t.Q.GiveUpTradeThread(ctx, sale, now)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, translate(err)
}

func (t *channelsTx) EndTradeThread(ctx context.Context, sale core.SaleID) error {
	return t.Q.EndTradeThread(ctx, sale)
}
