package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// StockOf returns the stock of a row.
func StockOf(s db.Stock) match.Stock {
	return match.Stock{
		ID: s.ID, User: s.UserID, CreatedAt: s.CreatedAt, TouchedAt: s.TouchedAt,
		AskedAt:      kernel.OrZero(s.AskedAt),
		SnoozedUntil: kernel.OrZero(s.SnoozedUntil), AlertsOffAt: kernel.OrZero(s.AlertsOffAt),
		StockDraft: match.StockDraft{
			ItemName: s.ItemName, Quantity: s.Quantity, Price: s.Price, Note: s.Note, Public: s.Public,
			Until: kernel.OrZero(s.ShownUntil), SellsDaily: s.SellsDaily,
		},
		Category: s.Category,
	}
}

// Stock returns a user's stock by name.
func (s *Store) Stock(ctx context.Context, user core.UserID) ([]match.Stock, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.Stock, error) {
		rows, err := q.Stock(ctx, user)
		return kernel.Convert(rows, StockOf), err
	})
}

// StockSum sums up what there is of an item.
func (s *Store) StockSum(ctx context.Context, q match.StockQuery) (match.StockSum, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, queries kernel.Source,
	) (match.StockSum, error) {
		row, err := queries.StockSum(ctx, db.StockSumParams{
			Names: q.Names, Since: q.Since, ForUser: int64(q.For), UpTo: int64(q.UpTo),
		})
		return match.StockSum{
			SellerCount: row.Sellers, Quantity: int(row.Quantity), UpTo: core.Copper(row.UpTo),
		}, err
	})
}

// PublicStock returns the public stock of an item, the cheapest first.
func (s *Store) PublicStock(ctx context.Context, q match.StockQuery, limit int) ([]match.SellerStock, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, queries kernel.Source,
	) ([]match.SellerStock, error) {
		rows, err := queries.PublicStock(ctx, db.PublicStockParams{
			Names: q.Names, Since: q.Since, ForUser: int64(q.For), UpTo: int64(q.UpTo), Most: int32(limit),
			Now: q.Since.Add(match.StockLifetime),
		})
		return kernel.Convert(rows, func(r db.PublicStockRow) match.SellerStock {
			return match.SellerStock{
				Stock:  StockOf(r.Stock),
				Seller: people.Account{Username: r.Username, DisplayName: r.DisplayName, Avatar: r.Avatar},
			}
		}), err
	})
}

// LockStock locks a user and returns their stock.
func (t *Tx) LockStock(ctx context.Context, user core.UserID) ([]match.Stock, error) {
	if _, err := t.Q.LockUser(ctx, user); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.Stock(ctx, user)
	return kernel.Convert(rows, StockOf), kernel.Translate(err)
}

// SaveStock stores entries of a locked user's stock, those without an id as new ones, and deletes earlier
// entries of their items that were not touched since a time. It returns the user's stock.
func (t *Tx) SaveStock(
	ctx context.Context, user core.UserID, entries []match.Stock, touchedSince time.Time,
) ([]match.Stock, error) {
	t.NoteUsers(user)
	p := db.SaveStockParams{UserID: user}
	for _, s := range entries {
		p.Ids = append(p.Ids, int64(s.ID))
		p.Names = append(p.Names, s.ItemName)
		p.Quantities = append(p.Quantities, s.Quantity)
		p.Prices = append(p.Prices, int64(s.Price))
		p.Notes = append(p.Notes, s.Note)
		p.Publics = append(p.Publics, s.Public)
		p.Categories = append(p.Categories, string(s.Category))
		until := s.Until
		if until.IsZero() {
			until = time.Unix(0, 0) // null
		}
		p.Untils = append(p.Untils, until)
		p.Daily = append(p.Daily, s.SellsDaily)
		p.Created, p.TouchedAt = append(p.Created, s.CreatedAt), s.TouchedAt
	}
	old := db.DeleteOldStockParams{UserID: user, TouchedSince: touchedSince, Names: p.Names}
	if err := t.Q.DeleteOldStock(ctx, old); err != nil {
		return nil, kernel.Translate(err)
	}
	if err := t.Q.SaveStock(ctx, p); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.Stock(ctx, user)
	return kernel.Convert(rows, StockOf), kernel.Translate(err)
}

// DeleteStock locks a user and stores that an entry of the user's was last touched at a time, at which it
// counts no more. It reports whether they had the entry, touched since.
func (t *Tx) DeleteStock(
	ctx context.Context, user core.UserID, id core.StockID, touchedAt time.Time,
) (bool, error) {
	t.NoteUsers(user)
	if _, err := t.Q.LockUser(ctx, user); err != nil {
		return false, kernel.Translate(err)
	}
	rows, err := t.Q.DeleteStock(ctx, db.DeleteStockParams{UserID: user, ID: id, TouchedAt: touchedAt})
	return rows > 0, kernel.Translate(err)
}

// RestoreStock stores that an entry of the user's is there.
func (t *Tx) RestoreStock(ctx context.Context, user core.UserID, id core.StockID, now time.Time) error {
	t.NoteUsers(user)
	return kernel.Translate(t.Q.RestoreStock(ctx, db.RestoreStockParams{UserID: user, ID: id, Now: now}))
}

// ConfirmStock notes that a user's stock that was touched since a time is still there, and returns how many
// entries that are.
func (t *Tx) ConfirmStock(ctx context.Context, user core.UserID, now, touchedSince time.Time) (int, error) {
	t.NoteUsers(user)
	rows, err := t.Q.ConfirmStock(ctx, db.ConfirmStockParams{
		UserID: user, Now: now, TouchedSince: touchedSince,
	})
	return int(rows), kernel.Translate(err)
}

// SaveStockAlerts stores the alert settings of an entry.
func (t *Tx) SaveStockAlerts(ctx context.Context, s match.Stock) error {
	t.NoteUsers(s.User)
	return t.Q.SaveStockAlerts(ctx, db.SaveStockAlertsParams{
		UserID: s.User, ID: s.ID, SnoozedUntil: kernel.TimeOrNull(s.SnoozedUntil),
		AlertsOffAt: kernel.TimeOrNull(s.AlertsOffAt),
	})
}

// HoldStockAlerts holds what a user's stock of an item with the names owes and no message has been given
// yet.
func (t *Tx) HoldStockAlerts(ctx context.Context, user core.UserID, names []string, until time.Time) error {
	return t.Q.HoldStockNotices(ctx, db.HoldStockNoticesParams{UserID: user, Names: names, HoldUntil: until})
}

// EndStockAlerts ends what a user's stock of an item with the names owes and no message has been given yet.
func (t *Tx) EndStockAlerts(
	ctx context.Context, user core.UserID, names []string, reason string, now time.Time,
) error {
	t.NoteUsers(user)
	return t.Q.EndStockNotices(ctx, db.EndStockNoticesParams{
		UserID: user, Names: names, Reason: reason, Now: &now,
	})
}

// TakeStock subtracts the quantity of a sale from its seller's stock under the names, at most all of it.
func (t *Tx) TakeStock(ctx context.Context, s trade.Sale, names []string) error {
	t.NoteUsers(s.Seller)
	return t.Q.TakeStock(ctx, db.TakeStockParams{
		SaleID: s.ID, SellerID: s.Seller, Taken: s.Quantity, Names: names,
	})
}

// ReturnStock gives back what TakeStock subtracted for a sale, if it did.
func (t *Tx) ReturnStock(ctx context.Context, sale core.SaleID) error {
	return kernel.Translate(t.Q.ReturnStock(ctx, sale))
}

// AskedStock marks up to limit entries of stock that were not touched since a time and that the seller was
// not asked about, and returns them.
func (t *Tx) AskedStock(ctx context.Context, now, touchedBefore time.Time, limit int) ([]match.Stock, error) {
	rows, err := t.Q.AskedStock(ctx, db.AskedStockParams{
		Now: now, TouchedBefore: touchedBefore, Most: int32(limit),
	})
	return kernel.Convert(rows, StockOf), kernel.Translate(err)
}

// RemoveStock deletes stock that was not touched since a time, up to limit, and returns how many entries it
// has deleted.
func (t *Tx) RemoveStock(ctx context.Context, touchedBefore time.Time, limit int) (int, error) {
	rows, err := t.Q.RemoveStock(ctx, touchedBefore, int32(limit))
	return int(rows), kernel.Translate(err)
}

// StockWatchers returns up to limit sellers with stock that an order is for, or the seller of the public
// stock ask (zero for none), as watchers who can fill the order and were not alerted to it.
func (t *Tx) StockWatchers(
	ctx context.Context, f match.StockFits, limit int, ask core.StockID,
) ([]match.Watcher, error) {
	if err := t.Q.UseIndexes(ctx); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.StockWatchers(ctx, db.StockWatchersParams{
		Names: f.Names, TouchedAfter: f.TouchedAfter, BuyerID: f.Owner, Ask: int64(ask),
		Price: int64(f.MaxPrice), TouchedBefore: f.TouchedBefore,
		OrderID: int64(f.ID), RepeatedSince: f.RepeatedSince, ItemName: f.ItemName, Most: int32(limit),
	})
	return kernel.Convert(rows, func(r db.StockWatchersRow) match.Watcher {
		return match.Watcher{
			SavedSearch: match.SavedSearch{
				Owner: r.UserID, SnoozedUntil: kernel.OrZero(r.SnoozedUntil),
				SearchDraft: match.SearchDraft{Way: match.WayDirect},
			},
			Skills: true, Has: r.Quantity, Least: r.Price,
			WaitedSince: kernel.OrZero(r.TurnAt), Closed: r.Closed, Messages: r.Messages,
			Settings: notify.Settings{
				Muted: r.Muted, QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone,
			},
		}
	}), kernel.Translate(err)
}
