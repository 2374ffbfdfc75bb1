package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// Mailbox returns how a user is reached by direct message. It refuses with NotFound.
func (s *Store) Mailbox(ctx context.Context, user core.UserID) (core.Mailbox, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.Mailbox, error) {
		row, err := q.Mailbox(ctx, user)
		return mailbox(row.Mailbox, row.DiscordID, row.Locale), err
	})
}

// Delivery returns a direct message to a user with its notices and those of their offers that still stand. It refuses with
// NotFound.
func (s *Store) Delivery(ctx context.Context, user core.UserID, id core.DeliveryID) (core.Delivery, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.Delivery, error) {
		row, err := q.Delivery(ctx, id)
		if err != nil {
			return core.Delivery{}, err
		}
		if row.UserID != user {
			return core.Delivery{}, pgx.ErrNoRows
		}
		d := delivery(row)
		box, err := q.Mailbox(ctx, user)
		if err != nil {
			return core.Delivery{}, err
		}
		d.To = mailbox(box.Mailbox, box.DiscordID, box.Locale)
		rows, err := q.NoticesOfDelivery(ctx, int64(id))
		if err != nil {
			return core.Delivery{}, err
		}
		d.Notices = convert(rows, notice)
		d.Offers, err = liveOffers(ctx, q, d.Notices)
		return d, err
	})
}

func liveOffers(ctx context.Context, q *db.Queries, notices []core.Notice) ([]core.LiveOffer, error) {
	var ids []int64
	for _, n := range notices {
		if n.Kind == core.OfferReceived && n.OfferID != 0 {
			ids = append(ids, int64(n.OfferID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.LiveOffers(ctx, ids)
	return convert(rows, func(r db.LiveOffersRow) core.LiveOffer {
		return core.LiveOffer{Offer: offer(r.Offer), Order: order(r.Order)}
	}), err
}

func (t *tx) LockMailbox(ctx context.Context, id core.NoticeID) (core.Mailbox, core.Notice, error) {
	row, err := t.q.LockMailbox(ctx, id)
	if err != nil {
		return core.Mailbox{}, core.Notice{}, translate(err)
	}
	t.given[id] = row.Notice.DeliveryID
	t.reader = row.Mailbox.UserID
	return mailbox(row.Mailbox, row.DiscordID, row.Locale), notice(row.Notice), nil
}

func (t *tx) SaveMailbox(ctx context.Context, b core.Mailbox) error {
	sender := ""
	if !b.BusyUntil.IsZero() {
		sender = t.worker
	}
	return t.q.SaveMailbox(ctx, db.SaveMailboxParams{
		UserID: b.User, ChannelID: b.ChannelID, BusyUntil: timeOrNull(b.BusyUntil), BusyBy: sender,
		NotBefore: timeOrNull(b.NotBefore), Closed: b.Closed, ClosedAt: timeOrNull(b.ClosedAt),
	})
}

func (t *tx) SaveNoticeSettings(ctx context.Context, user core.UserID, s core.NoticeSettings) error {
	muted := s.Muted
	if muted == nil {
		muted = []core.NoticeKind{}
	}
	err := t.q.SaveNoticeSettings(ctx, db.SaveNoticeSettingsParams{
		UserID: user, Muted: muted, QuietFrom: s.QuietFrom, QuietTo: s.QuietTo, TimeZone: s.TimeZone,
	})
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, wakeNoticesOf, user) // they may be sleeping until the end of quiet hours that are no more
	return err
}

func (t *tx) OpenMailbox(ctx context.Context, user core.UserID) error {
	return t.q.OpenMailbox(ctx, user)
}

func (t *tx) DeliveryFor(ctx context.Context, n core.Notice, fresh time.Time, most int) (core.Delivery, error) {
	d, err := t.deliveryOf(ctx, n, fresh, most)
	if err != nil {
		return core.Delivery{}, translate(err)
	}
	if d.ID != 0 {
		rows, err := t.q.NoticesOfDelivery(ctx, int64(d.ID))
		if err != nil {
			return core.Delivery{}, translate(err)
		}
		d.Notices = convert(rows, notice)
	}
	// A message that may be out there already keeps what it says: a repeat of it would show the first text, and what was
	// added would be told to nobody.
	if undecided := d.ID != 0 && d.MessageID == ""; !undecided {
		if d.Notices, err = t.gather(ctx, d.Notices, n, most); err != nil {
			return core.Delivery{}, translate(err)
		}
	}
	d.Offers, err = liveOffers(ctx, t.q, d.Notices)
	return d, translate(err)
}

// gather adds a notice to those that a message tells, and others of its kind that wait, oldest first.
func (t *tx) gather(ctx context.Context, told []core.Notice, n core.Notice, most int) ([]core.Notice, error) {
	if !slices.ContainsFunc(told, func(other core.Notice) bool { return other.ID == n.ID }) {
		told = append(told, n)
	}
	if room := most - len(told); n.Kind == core.OfferReceived && room > 0 {
		rows, err := t.q.NoticesWaiting(ctx, db.NoticesWaitingParams{UserID: n.User, Kind: n.Kind, ExceptID: n.ID, Most: int32(room)})
		if err != nil {
			return nil, err
		}
		told = append(told, convert(rows, notice)...)
	}
	slices.SortFunc(told, func(a, b core.Notice) int { return cmp.Compare(a.ID, b.ID) })
	return told, nil
}

func (t *tx) deliveryOf(ctx context.Context, n core.Notice, fresh time.Time, most int) (core.Delivery, error) {
	row, err := t.q.UndecidedDelivery(ctx, n.User)
	if err == nil {
		return delivery(row), nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return core.Delivery{}, err
	}
	if id := t.given[n.ID]; id != nil {
		row, err := t.q.Delivery(ctx, *id)
		return delivery(row), err
	}
	anew := core.Delivery{Kind: n.Kind}
	if n.Kind != core.OfferReceived {
		return anew, nil
	}
	row, err = t.q.FreshDelivery(ctx, db.FreshDeliveryParams{UserID: n.User, Kind: n.Kind, Fresh: fresh, Most: int64(most)})
	if errors.Is(err, pgx.ErrNoRows) {
		return anew, nil
	}
	return delivery(row), err
}

func (t *tx) StartDelivery(ctx context.Context, d core.Delivery, now time.Time) (core.DeliveryID, error) {
	id := d.ID
	if id == 0 {
		var err error
		id, err = t.q.AddDelivery(ctx, db.AddDeliveryParams{UserID: d.To.User, Kind: d.Kind, StartedAt: now})
		if err != nil {
			return 0, translate(err)
		}
	}
	ids := convert(d.Notices, func(n core.Notice) int64 { return int64(n.ID) })
	return id, t.q.GiveNotices(ctx, int64(id), ids)
}

func (t *tx) FinishDelivery(ctx context.Context, d core.Delivery, now time.Time) error {
	return t.q.FinishDelivery(ctx, db.FinishDeliveryParams{ID: d.ID, ChannelID: d.ChannelID, MessageID: d.MessageID, Now: &now})
}
