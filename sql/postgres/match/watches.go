package match

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	notifystore "tradepost/sql/postgres/notify"
)

// Watches returns a user's watches by name.
func (s *Store) Watches(ctx context.Context, user core.UserID) ([]match.Watch, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.Watch, error) {
		rows, err := q.WatchesOf(ctx, user)
		return kernel.Convert(rows, watch), err
	})
}

func watch(r db.Watch) match.Watch {
	return match.Watch{
		ID: r.ID, Owner: r.UserID,
		WatchDraft: match.WatchDraft{
			Name: r.Name, Items: kernel.IDs[core.ItemID](r.Items), Kind: r.Kind,
			Categories: kernel.Convert(r.Categories, func(c string) game.Category {
				return game.Category(c)
			}),
			Text: r.Words,
			Importance: kernel.Convert(r.Importance, func(i string) game.Importance {
				return game.Importance(i)
			}),
			Level: r.Level, MinPrice: r.MinPrice, MaxPrice: r.MaxPrice, ForMe: r.ForMe,
			MinQuantity: r.MinQuantity,
			Way:         match.Way(r.Way), Pause: time.Duration(r.PauseMinutes) * time.Minute,
		},
		PausedAt: kernel.OrZero(r.PausedAt), SnoozedUntil: kernel.OrZero(r.SnoozedUntil),
		AlertedAt: kernel.OrZero(r.AlertedAt),
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// MutedBuyers returns the buyers that a user has muted, the latest first.
func (s *Store) MutedBuyers(ctx context.Context, user core.UserID, limit int) ([]match.MutedBuyer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.MutedBuyer, error) {
		rows, err := q.MutedBuyers(ctx, user, int32(limit))
		return kernel.Convert(rows, func(r db.MutedBuyersRow) match.MutedBuyer {
			return match.MutedBuyer{Buyer: r.BuyerID, Username: r.Username, Since: r.CreatedAt}
		}), err
	})
}

// CountWatchers counts the users that a request would be alerted to, up to a limit.
func (s *Store) CountWatchers(ctx context.Context, o match.AudienceQuery) (int, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int, error) {
		n, err := q.CountWatchers(ctx, db.CountWatchersParams{
			Keys: o.Keys, BuyerID: o.Owner, Kind: o.Kind, Category: string(o.Category),
			Importance:    string(o.Importance),
			LevelRequired: o.LevelRequired(), Price: int64(o.MaxPrice), Quantity: o.Quantity,
			Content: o.Content(), Names: o.CategoryWords(),
			Stocked: o.Stocked, TouchedAfter: o.TouchedAfter, Most: int32(o.Limit),
		})
		return int(n), err
	})
}

// CountPosted counts the orders that were posted after a time and match a filter, whatever has become of
// them. A filter with names of items asks for one of them.
func (s *Store) CountPosted(
	ctx context.Context, f match.OrderFilter, minQuantity int, since time.Time,
) (int, error) {
	c := conditions{led: byFilter}
	c.that("created_at > ?", since)
	c.that("not hidden")
	if f.Named != nil {
		c.that("item_key(item_name) = any(array(select item_key(n) from unnest(?::text[]) n))", f.Named)
	}
	if minQuantity > 0 {
		c.that("quantity >= ?", minQuantity)
	}
	c.filter(f, match.Newest)
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, from kernel.Source) (n int, err error) {
		sql := "select count(*)::integer from orders" + c.where()
		err = kernel.ForValues(ctx, from, sql, c.args, func(rows pgx.Rows) error {
			n, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
			return err
		})
		return n, err
	})
}

// LockWatches locks a user and returns their watches.
func (t *Tx) LockWatches(ctx context.Context, user core.UserID) ([]match.Watch, error) {
	if _, err := t.Q.LockUser(ctx, user); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.WatchesOf(ctx, user)
	return kernel.Convert(rows, watch), kernel.Translate(err)
}

// SaveWatch stores a watch of a locked user with its keys, one without an id as a new one, and returns its
// id.
func (t *Tx) SaveWatch(ctx context.Context, w match.Watch, keys []string) (core.WatchID, error) {
	t.NoteUsers(w.Owner)
	categories := kernel.Texts(w.Categories)
	importance := kernel.Texts(w.Importance)
	pause, terms := int(w.Pause/time.Minute), append([]string{}, w.Terms()...)
	if w.ID == 0 {
		id, err := t.Q.AddWatch(ctx, db.AddWatchParams{
			UserID: w.Owner, Name: w.Name, Items: kernel.Raw(w.Items), Kind: w.Kind, Categories: categories,
			Words: w.Text, Terms: terms,
			Importance: importance, Level: w.Level, MinPrice: w.MinPrice, MaxPrice: w.MaxPrice,
			ForMe: w.ForMe, MinQuantity: w.MinQuantity,
			Way: string(w.Way), PauseMinutes: pause, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
		})
		if err != nil {
			return 0, kernel.Translate(err)
		}
		return id, t.Q.SaveWatchKeys(ctx, keys, id)
	}
	err := t.Q.SaveWatch(ctx, db.SaveWatchParams{
		ID: w.ID, UserID: w.Owner, Name: w.Name, Items: kernel.Raw(w.Items), Kind: w.Kind,
		Categories: categories, Words: w.Text, Terms: terms,
		Importance: importance, Level: w.Level, MinPrice: w.MinPrice, MaxPrice: w.MaxPrice, ForMe: w.ForMe,
		MinQuantity: w.MinQuantity,
		Way:         string(w.Way), PauseMinutes: pause, PausedAt: kernel.TimeOrNull(w.PausedAt),
		SnoozedUntil: kernel.TimeOrNull(w.SnoozedUntil), UpdatedAt: w.UpdatedAt,
	})
	if err != nil {
		return 0, kernel.Translate(err)
	}
	return w.ID, t.Q.SaveWatchKeys(ctx, keys, w.ID)
}

// DeleteWatch reports whether the user had the watch.
func (t *Tx) DeleteWatch(ctx context.Context, user core.UserID, id core.WatchID) (bool, error) {
	t.NoteUsers(user)
	deleted, err := t.Q.DeleteWatch(ctx, id, user)
	return len(deleted) > 0, kernel.Translate(err)
}

// HoldAlerts holds what a user's watch owes and no message has been given yet.
func (t *Tx) HoldAlerts(ctx context.Context, user core.UserID, id core.WatchID, until time.Time) error {
	return t.Q.HoldNoticesOf(ctx, db.HoldNoticesOfParams{UserID: user, WatchID: int64(id), HoldUntil: until})
}

// EndAlerts ends what a user's watches owe and no message has been given yet: of one watch, or about one
// buyer's requests.
func (t *Tx) EndAlerts(
	ctx context.Context, user core.UserID, id core.WatchID, buyer core.UserID, reason string, now time.Time,
) error {
	t.NoteUsers(user)
	return t.Q.EndNoticesOf(ctx, db.EndNoticesOfParams{
		UserID: user, WatchID: int64(id), BuyerID: int64(buyer), Reason: reason, Now: &now,
	})
}

// AlertNotice returns a user's NoticeRequestWatched.
func (t *Tx) AlertNotice(ctx context.Context, user core.UserID, id core.NoticeID) (notify.Notice, error) {
	row, err := t.Q.WatchNotice(ctx, id, user)
	return notifystore.Notice(row), kernel.Translate(err)
}

// MuteBuyer stores that a user does not want to hear of a buyer's requests.
func (t *Tx) MuteBuyer(ctx context.Context, user, buyer core.UserID, now time.Time) error {
	t.NoteUsers(user)
	return t.Q.MuteBuyer(ctx, db.MuteBuyerParams{UserID: user, BuyerID: buyer, Now: now})
}

// UnmuteBuyer stores that a user wants to hear of a buyer's requests again.
func (t *Tx) UnmuteBuyer(ctx context.Context, user, buyer core.UserID) error {
	t.NoteUsers(user)
	return t.Q.UnmuteBuyer(ctx, user, buyer)
}
