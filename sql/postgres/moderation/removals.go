package moderation

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	matchstore "tradepost/sql/postgres/match"
	tradestore "tradepost/sql/postgres/trade"
)

// removedContent stores the content of a removal: one of Order, Offer and Listing as a row of its table, and
// the rows that refer to the order.
type removedContent struct {
	Order   json.RawMessage `json:"order"`
	Sales   json.RawMessage `json:"sales"`   // ids and notes
	Sent    json.RawMessage `json:"sent"`    // ids and contacts of the buyer
	Notices json.RawMessage `json:"notices"` // ids

	Offer json.RawMessage `json:"offer"`

	Listing *db.Stock `json:"listing"`

	Item *moderation.DecidedItem `json:"item"` // in place of a removal: a decision on a name
}

// SaveRemovedOrder stores a locked order as it is, with its sales, beside the entry that this transaction
// added last.
func (t *Tx) SaveRemovedOrder(ctx context.Context, id core.OrderID, now time.Time) error {
	return t.Q.KeepRemovedOrder(ctx, now, id)
}

// SaveRemovedOffer stores a locked offer as it is, beside the entry that this transaction added last.
func (t *Tx) SaveRemovedOffer(ctx context.Context, id core.OfferID, now time.Time) error {
	return t.Q.KeepRemovedOffer(ctx, now, id)
}

// SaveRemovedListing stores a locked listing as it is for sale, beside the entry that this transaction added
// last.
func (t *Tx) SaveRemovedListing(ctx context.Context, id core.StockID, now time.Time) error {
	return t.Q.KeepRemovedListing(ctx, now, id)
}

// SaveDecidedItem stores the changes that a decision on a name made.
func (t *Tx) SaveDecidedItem(ctx context.Context, d moderation.DecidedItem, now time.Time) error {
	content, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("write what was decided: %w", err)
	}
	return kernel.Translate(t.Q.KeepDecidedItem(ctx, content, now))
}

// TakeDecidedItem returns the changes that a decision on a name made, once.
func (t *Tx) TakeDecidedItem(ctx context.Context, id core.AuditID) (moderation.DecidedItem, error) {
	if err := t.LockRemoval(ctx, id); err != nil {
		return moderation.DecidedItem{}, err
	}
	c, err := t.takeRemoval(ctx, id)
	if err == nil && c.Item == nil {
		err = fmt.Errorf("entry %d is of a removal", id)
	}
	if err != nil {
		return moderation.DecidedItem{}, err
	}
	return *c.Item, nil
}

// LockRemoval locks what is kept beside an entry.
func (t *Tx) LockRemoval(ctx context.Context, id core.AuditID) error {
	_, err := t.Q.LockRemoval(ctx, id)
	return kernel.Translate(err)
}

func (t *Tx) takeRemoval(ctx context.Context, id core.AuditID) (removedContent, error) {
	var c removedContent
	stored, err := t.Q.RemovalContent(ctx, id)
	if err != nil {
		return c, kernel.Translate(err)
	}
	if err := json.Unmarshal(stored, &c); err != nil {
		return c, fmt.Errorf("content of removal %d: %w", id, err)
	}
	return c, t.Q.ForgetRemoval(ctx, id)
}

// RestoreOrder adds the order that is kept beside a removal, with its sales but without offers, and keeps
// it no longer.
func (t *Tx) RestoreOrder(ctx context.Context, removal core.AuditEntry) error {
	c, err := t.takeRemoval(ctx, removal.ID)
	if err != nil {
		return err
	}
	id := removal.OrderID
	var content db.Order
	if err := json.Unmarshal(c.Order, &content); err != nil {
		return fmt.Errorf("content of removal %d: %w", removal.ID, err)
	}
	t.NotePosted(id)
	t.NotePublicOrders(id)
	t.NoteUsers(removal.Subject)
	t.NoteNamed(content.ItemName)
	t.NoteLists()
	for _, restore := range []func() error{
		func() error { return t.Q.RestoreOrder(ctx, c.Order) },
		func() error { return t.Q.RestoreSales(ctx, &id, c.Sales) },
		func() error { return t.Q.RecountSold(ctx, int64(id)) },
		func() error { return t.Q.RestoreSentOffers(ctx, &id, c.Sent) },
		func() error { return t.Q.RestoreNotices(ctx, &id, c.Notices) },
		func() error { return t.Q.ForgetDeletedOrder(ctx, id) },
		func() error { return t.Q.ReturnToBoardPosts(ctx, id) },
		func() error { return t.Q.DeleteFinishedBoardPosts(ctx, id) },
	} {
		if err := restore(); err != nil {
			return kernel.Translate(err)
		}
	}
	return nil
}

// RestoreOffer adds the offer that is kept beside a removal, and keeps it no longer.
func (t *Tx) RestoreOffer(ctx context.Context, removal core.AuditEntry, now time.Time) error {
	c, err := t.takeRemoval(ctx, removal.ID)
	if err != nil {
		return err
	}
	t.NoteWrite()
	if err := t.Q.RestoreOffer(ctx, c.Offer); err != nil || removal.Subject == 0 {
		return kernel.Translate(err)
	}
	t.NoteUsers(removal.Subject)
	if err := t.Q.ReopenSentOffer(ctx, now, removal.OfferID); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.DetachRemovalNotice(ctx, removal.Subject, &removal.OfferID))
}

// TakeRemovedListing returns the stock that is kept beside a removal, as it was for sale, and keeps it no
// longer.
func (t *Tx) TakeRemovedListing(ctx context.Context, id core.AuditID) (match.Stock, error) {
	c, err := t.takeRemoval(ctx, id)
	if err == nil && c.Listing == nil {
		err = fmt.Errorf("entry %d is not of a listing", id)
	}
	if err != nil {
		return match.Stock{}, err
	}
	return matchstore.StockOf(*c.Listing), nil
}

// RemovedOf returns a user's content that moderators removed and can still restore, the latest first.
func (s *Store) RemovedOf(ctx context.Context, user core.UserID) ([]moderation.Removed, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]moderation.Removed, error) {
		rows, err := q.RemovedOf(ctx, int64(user))
		if err != nil {
			return nil, err
		}
		all := make([]moderation.Removed, len(rows))
		for i, row := range rows {
			if all[i], err = removed(row); err != nil {
				return nil, fmt.Errorf("what a moderator removed of user %d: %w", user, err)
			}
		}
		return all, nil
	})
}

func removed(row db.RemovedOfRow) (moderation.Removed, error) {
	r := moderation.Removed{At: row.RemovedAt, ItemName: row.ItemName, Reason: row.Reason}
	var content struct {
		Order   *db.Order // as to_jsonb writes a row; a column that was added later is empty
		Offer   *db.Offer
		Listing *db.Stock
		Sales   []struct{ Text *string }
	}
	if err := json.Unmarshal(row.Content, &content); err != nil {
		return r, err
	}
	for _, sale := range content.Sales {
		if sale.Text != nil {
			r.Notes = append(r.Notes, *sale.Text)
		}
	}
	if content.Order != nil {
		o := tradestore.Order(*content.Order)
		o.CreatedAt, o.UpdatedAt = o.CreatedAt.UTC(), o.UpdatedAt.UTC()
		o.ExpiresAt, o.ClosedAt = o.ExpiresAt.UTC(), o.ClosedAt.UTC()
		o.Hidden = false
		r.Order = &o
	}
	if content.Offer != nil {
		o := tradestore.Offer(*content.Offer)
		o.CreatedAt = o.CreatedAt.UTC()
		r.Offer = &o
	}
	if content.Listing != nil {
		l := matchstore.StockOf(*content.Listing)
		l.CreatedAt, l.TouchedAt, l.Until = l.CreatedAt.UTC(), l.TouchedAt.UTC(), l.Until.UTC()
		r.Listing = &l
	}
	return r, nil
}
