package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

func stock(s db.Stock) core.Stock {
	return core.Stock{
		ID: s.ID, User: s.UserID, CreatedAt: s.CreatedAt, TouchedAt: s.TouchedAt, AskedAt: orZero(s.AskedAt),
		SnoozedUntil: orZero(s.SnoozedUntil), AlertsOffAt: orZero(s.AlertsOffAt),
		StockDraft: core.StockDraft{ItemName: s.ItemName, Quantity: s.Quantity, Price: s.Price, Note: s.Note, Public: s.Public},
	}
}

// Stock returns a user's stock by name.
func (s *matchStore) Stock(ctx context.Context, user core.UserID) ([]core.Stock, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Stock, error) {
		rows, err := q.Stock(ctx, user)
		return convert(rows, stock), err
	})
}

// StockSum sums up what there is of an item.
func (s *matchStore) StockSum(ctx context.Context, q core.StockQuery) (core.StockSum, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, queries source) (core.StockSum, error) {
		row, err := queries.StockSum(ctx, db.StockSumParams{Names: q.Names, Since: q.Since, ForUser: int64(q.For), UpTo: int64(q.UpTo)})
		return core.StockSum{SellerCount: row.Sellers, Quantity: int(row.Quantity), UpTo: core.Copper(row.UpTo)}, err
	})
}

// PublicStock returns what is public of an item, the cheapest first.
func (s *matchStore) PublicStock(ctx context.Context, q core.StockQuery, limit int) ([]core.SellerStock, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, queries source) ([]core.SellerStock, error) {
		rows, err := queries.PublicStock(ctx, db.PublicStockParams{
			Names: q.Names, Since: q.Since, ForUser: int64(q.For), UpTo: int64(q.UpTo), Most: int32(limit),
		})
		return convert(rows, func(r db.PublicStockRow) core.SellerStock {
			return core.SellerStock{
				Stock:  stock(r.Stock),
				Seller: core.Account{Username: r.Username, DisplayName: r.DisplayName, Avatar: r.Avatar},
			}
		}), err
	})
}

func (t *matchTx) LockStock(ctx context.Context, user core.UserID) ([]core.Stock, error) {
	if _, err := t.Q.LockUser(ctx, user); err != nil {
		return nil, translate(err)
	}
	rows, err := t.Q.Stock(ctx, user)
	return convert(rows, stock), translate(err)
}

func (t *matchTx) SaveStock(ctx context.Context, user core.UserID, entries []core.Stock, touchedSince time.Time) error {
	t.NoteUsers(user)
	p := db.SaveStockParams{UserID: user}
	for _, s := range entries {
		p.Ids, p.Names, p.Quantities = append(p.Ids, int64(s.ID)), append(p.Names, s.ItemName), append(p.Quantities, s.Quantity)
		p.Prices, p.Notes, p.Publics = append(p.Prices, int64(s.Price)), append(p.Notes, s.Note), append(p.Publics, s.Public)
		p.Created, p.TouchedAt = append(p.Created, s.CreatedAt), s.TouchedAt
	}
	if err := t.Q.DeleteOldStock(ctx, user, touchedSince); err != nil {
		return translate(err)
	}
	return translate(t.Q.SaveStock(ctx, p))
}

func (t *matchTx) DeleteStock(ctx context.Context, user core.UserID, id core.StockID) (bool, error) {
	t.NoteUsers(user)
	rows, err := t.Q.DeleteStock(ctx, user, id)
	return rows > 0, translate(err)
}

func (t *matchTx) ConfirmStock(ctx context.Context, user core.UserID, now, touchedSince time.Time) (int, error) {
	t.NoteUsers(user)
	rows, err := t.Q.ConfirmStock(ctx, db.ConfirmStockParams{UserID: user, Now: now, TouchedSince: touchedSince})
	return int(rows), translate(err)
}

func (t *matchTx) SaveStockAlerts(ctx context.Context, s core.Stock) error {
	t.NoteUsers(s.User)
	return t.Q.SaveStockAlerts(ctx, db.SaveStockAlertsParams{
		UserID: s.User, ID: s.ID, SnoozedUntil: timeOrNull(s.SnoozedUntil), AlertsOffAt: timeOrNull(s.AlertsOffAt),
	})
}

func (t *matchTx) HoldStockAlerts(ctx context.Context, user core.UserID, names []string, until time.Time) error {
	return t.Q.HoldStockNotices(ctx, db.HoldStockNoticesParams{UserID: user, Names: names, HoldUntil: until})
}

func (t *matchTx) EndStockAlerts(ctx context.Context, user core.UserID, names []string, reason string, now time.Time) error {
	t.NoteUsers(user)
	return t.Q.EndStockNotices(ctx, db.EndStockNoticesParams{UserID: user, Names: names, Reason: reason, Now: &now})
}

func (t *matchTx) TakeStock(ctx context.Context, s core.Sale, names []string) error {
	t.NoteUsers(s.Seller)
	return t.Q.TakeStock(ctx, db.TakeStockParams{SaleID: s.ID, SellerID: s.Seller, Taken: s.Quantity, Names: names})
}

func (t *matchTx) AskedStock(ctx context.Context, now, touchedBefore time.Time, limit int) ([]core.Stock, error) {
	rows, err := t.Q.AskedStock(ctx, db.AskedStockParams{Now: now, TouchedBefore: touchedBefore, Most: int32(limit)})
	return convert(rows, stock), translate(err)
}

func (t *matchTx) RemoveStock(ctx context.Context, touchedBefore time.Time, limit int) (int, error) {
	rows, err := t.Q.RemoveStock(ctx, touchedBefore, int32(limit))
	return int(rows), translate(err)
}

func (t *matchTx) StockWatchers(ctx context.Context, f core.StockFits, limit int, ask core.StockID) ([]core.Watcher, error) {
	if err := t.Q.UseIndexes(ctx); err != nil {
		return nil, translate(err)
	}
	rows, err := t.Q.StockWatchers(ctx, db.StockWatchersParams{
		Names: f.Names, TouchedAfter: f.TouchedAfter, BuyerID: f.Owner, Ask: int64(ask), Price: int64(f.MaxPrice), TouchedBefore: f.TouchedBefore,
		OrderID: int64(f.ID), RepeatedSince: f.RepeatedSince, ItemName: f.ItemName, Most: int32(limit),
	})
	return convert(rows, func(r db.StockWatchersRow) core.Watcher {
		return core.Watcher{
			Watch: core.Watch{Owner: r.UserID, SnoozedUntil: orZero(r.SnoozedUntil), WatchDraft: core.WatchDraft{Way: core.WayDirect}}, Skills: true, Has: r.Quantity, Least: r.Price,
			WaitedSince: orZero(r.TurnAt), Closed: r.Closed, Messages: r.Messages,
			Settings: core.NoticeSettings{Muted: r.Muted, QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone},
		}
	}), translate(err)
}
