package channels

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	notifystore "tradepost/sql/postgres/notify"
	peoplestore "tradepost/sql/postgres/people"
	tradestore "tradepost/sql/postgres/trade"
)

// Delivery returns a direct message to a user with its notices and their offers that are still open. It
// returns a NotFound error if there is none.
func (s *Store) Delivery(
	ctx context.Context, user core.UserID, id core.DeliveryID,
) (channels.Delivery, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (channels.Delivery, error) {
		row, err := q.Delivery(ctx, id)
		if err != nil {
			return channels.Delivery{}, err
		}
		if row.UserID != user {
			return channels.Delivery{}, pgx.ErrNoRows
		}
		d := delivery(row)
		box, err := q.Mailbox(ctx, user)
		if err != nil {
			return channels.Delivery{}, err
		}
		d.To = notifystore.Mailbox(box.Mailbox, box.DiscordID, box.Language, box.Locale)
		rows, err := q.NoticesOfDelivery(ctx, int64(id))
		if err != nil {
			return channels.Delivery{}, err
		}
		d.Notices = kernel.Convert(rows, notifystore.Notice)
		return d, addSubjects(ctx, q, &d)
	})
}

// addSubjects adds what the notices of a message are about: offers that are still open, the
// receipts of the others, and accounts.
func addSubjects(ctx context.Context, q *db.Queries, d *channels.Delivery) (err error) {
	if d.Offers, err = liveOffers(ctx, q, d.Notices); err != nil {
		return err
	}
	if err := watchedOrders(ctx, q, d); err != nil {
		return err
	}
	if err := watchedListings(ctx, q, d); err != nil {
		return err
	}
	users := map[core.UserID]bool{}
	for _, n := range d.Notices {
		users[n.CausedBy] = true
	}
	for _, o := range d.Offers {
		users[o.Offer.Seller] = true
	}
	for _, o := range d.Watched {
		users[o.Owner] = true
	}
	delete(users, 0)
	if len(users) > 0 {
		rows, err := q.Accounts(ctx, kernel.Raw(slices.Collect(maps.Keys(users))))
		if err != nil {
			return err
		}
		d.Accounts = peoplestore.Accounts(rows)
	}
	return tradesIn(ctx, q, d)
}

// watchedOrders adds the requests of alerts. It leaves out requests when the market or the buyer has blocked
// the reader since, or the reader has muted the buyer.
func watchedOrders(ctx context.Context, q *db.Queries, d *channels.Delivery) error {
	var ids []int64
	for _, n := range d.Notices {
		if n.Kind == notify.NoticeRequestWatched && n.OrderID != 0 {
			ids = append(ids, int64(n.OrderID))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := q.WatchedOrders(ctx, ids, int64(d.Notices[0].User))
	d.Watched = kernel.Convert(rows, tradestore.Order)
	return err
}

// watchedListings adds the listings of alerts, as watchedOrders does requests.
func watchedListings(ctx context.Context, q *db.Queries, d *channels.Delivery) error {
	var ids []int64
	for _, n := range d.Notices {
		if n.Listing != 0 {
			ids = append(ids, int64(n.Listing))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := q.WatchedListings(ctx, ids, int64(d.Notices[0].User))
	d.Listed = kernel.Convert(rows, func(r db.WatchedListingsRow) match.Listing {
		return match.Listing{Stock: match.Stock{
			ID: r.ID, User: r.UserID, TouchedAt: r.TouchedAt,
			StockDraft: match.StockDraft{
				ItemName: r.ItemName, Quantity: r.Quantity, Price: r.Price, Note: r.Note,
				Public: r.Public, Until: kernel.OrZero(r.ShownUntil),
			},
		}}
	})
	return err
}

// tradesIn adds the reader's trades that a message is about: the trades of its offers, or of its notices. A
// new message lists open offers only.
func tradesIn(ctx context.Context, q *db.Queries, d *channels.Delivery) (err error) {
	var (
		offers []core.OfferID
		sales  []core.SaleID
		rows   []db.Trade
	)
	for _, n := range d.Notices {
		if d.ID != 0 && d.Kind == notify.NoticeOfferReceived {
			offers = append(offers, n.OfferID)
		} else if n.Sale != 0 {
			sales = append(sales, n.Sale)
		}
	}
	switch {
	case len(offers) > 0:
		rows, err = q.Receipts(ctx, tradestore.ReceiptsParams(d.Notices[0].User,
			trade.Query{Offers: offers, Limit: len(offers)}))
	case len(sales) > 0:
		rows, err = q.HandoversByID(ctx, kernel.Raw(sales))
	}
	d.Trades = kernel.Convert(rows, tradestore.Trade)
	if err == nil && d.Kind == notify.NoticeOfferAccepted && len(rows) == 1 && rows[0].MeetAt == nil {
		var answered bool
		answered, err = q.AnsweredPlayHours(ctx, int64(d.Notices[0].User))
		d.AsksHours = !answered
	}
	return err
}

// SentDelivery returns the message that a notice was given to, with all that DeliveryFor adds; one without
// an id when it is kept no longer.
func (t *Tx) SentDelivery(ctx context.Context, n notify.Notice) (channels.Delivery, error) {
	row, err := t.Q.DeliveryOfNotice(ctx, n.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return channels.Delivery{}, nil
	}
	if err != nil {
		return channels.Delivery{}, kernel.Translate(err)
	}
	d := delivery(row)
	rows, err := t.Q.NoticesOfDelivery(ctx, int64(d.ID))
	if err != nil {
		return channels.Delivery{}, kernel.Translate(err)
	}
	d.Notices = kernel.Convert(rows, notifystore.Notice)
	return d, kernel.Translate(addSubjects(ctx, t.Q, &d))
}

// gathersBy returns the user that caused all notices of a message, where one message is about one partner,
// and zero for messages that gather notices of any user.
func gathersBy(n notify.Notice) int64 {
	switch n.Kind {
	case notify.NoticeHandoverPrompt, notify.NoticeListingSold, notify.NoticeAskReceived:
		return int64(n.CausedBy)
	}
	return 0
}

func liveOffers(ctx context.Context, q *db.Queries, notices []notify.Notice) ([]trade.OpenOffer, error) {
	var ids []int64
	for _, n := range notices {
		if n.Kind == notify.NoticeOfferReceived && n.OfferID != 0 {
			ids = append(ids, int64(n.OfferID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.LiveOffers(ctx, ids)
	return kernel.Convert(rows, func(r db.LiveOffersRow) trade.OpenOffer {
		return trade.OpenOffer{Offer: tradestore.Offer(r.Offer), Order: tradestore.Order(r.Order)}
	}), err
}

// LockMailbox locks the mailbox of a notice's reader and returns it with the notice.
func (t *Tx) LockMailbox(ctx context.Context, id core.NoticeID) (notify.Mailbox, notify.Notice, error) {
	row, err := t.Q.LockMailbox(ctx, id)
	if err != nil {
		return notify.Mailbox{}, notify.Notice{}, kernel.Translate(err)
	}
	t.given[id] = row.Notice.DeliveryID
	t.reader = row.Mailbox.UserID
	to := notifystore.Mailbox(row.Mailbox, row.DiscordID, row.Language, row.Locale)
	return to, notifystore.Notice(row.Notice), nil
}

// DeliveryFor returns the direct message that is to be sent next for a notice: the reader's oldest message
// that was started and has no known outcome, with the notices it was started with, whatever notice it is;
// else the message that the notice was already given to; else, for kinds that are gathered, the reader's
// newest message of that kind when it was sent after fresh, has room among most and was not acted on; else a
// new message without an id.
func (t *Tx) DeliveryFor(
	ctx context.Context, n notify.Notice, fresh time.Time, most int,
) (channels.Delivery, error) {
	d, err := t.deliveryOf(ctx, n, fresh, most)
	if err != nil {
		return channels.Delivery{}, kernel.Translate(err)
	}
	if d.ID != 0 {
		rows, err := t.Q.NoticesOfDelivery(ctx, int64(d.ID))
		if err != nil {
			return channels.Delivery{}, kernel.Translate(err)
		}
		d.Notices = kernel.Convert(rows, notifystore.Notice)
	}
	// A message that may be out there already keeps what it says: a repeat of it would show the first text,
	// and what was added would never be sent.
	if undecided := d.ID != 0 && d.MessageID == ""; !undecided {
		if d.Notices, err = t.gather(ctx, d.Notices, n, most); err != nil {
			return channels.Delivery{}, kernel.Translate(err)
		}
	}
	return d, kernel.Translate(addSubjects(ctx, t.Q, &d))
}

// gather adds a notice to the gathered notices of a message, and pending others of its kind, oldest first. A
// message about alerts or offers also gets those beyond their senders' reach.
func (t *Tx) gather(
	ctx context.Context, gathered []notify.Notice, n notify.Notice, most int,
) ([]notify.Notice, error) {
	if !slices.ContainsFunc(gathered, func(other notify.Notice) bool { return other.ID == n.ID }) {
		gathered = append(gathered, n)
	}
	if room := most - len(gathered); room > 0 {
		rows, err := t.Q.NoticesWaiting(ctx, db.NoticesWaitingParams{
			UserID: n.User, Kind: n.Kind, ExceptID: n.ID, CausedBy: gathersBy(n), Now: t.due(n),
			Most: int32(room),
		})
		if err != nil {
			return nil, err
		}
		gathered = append(gathered, kernel.Convert(rows, notifystore.Notice)...)
	}
	counts := n.Kind == notify.NoticeRequestWatched || n.Kind == notify.NoticeOfferReceived
	if room := most - len(gathered); room > 0 && counts {
		rows, err := t.Q.NoticesBeyondReach(ctx, db.NoticesBeyondReachParams{
			UserID: n.User, Kind: n.Kind, Since: t.Now().Add(-notify.BeyondReachWithin), Most: int32(room),
		})
		if err != nil {
			return nil, err
		}
		gathered = append(gathered, kernel.Convert(rows, notifystore.Notice)...)
	}
	slices.SortFunc(gathered, func(a, b notify.Notice) int { return cmp.Compare(a.ID, b.ID) })
	return gathered, nil
}

// due returns the time until which others may be held that come with a notice: what is held until the same
// time is due with it.
func (t *Tx) due(n notify.Notice) time.Time {
	if now := t.Now(); now.After(n.HoldUntil) {
		return now
	}
	return n.HoldUntil
}

func (t *Tx) deliveryOf(
	ctx context.Context, n notify.Notice, fresh time.Time, most int,
) (channels.Delivery, error) {
	row, err := t.Q.UndecidedDelivery(ctx, n.User)
	if err == nil {
		return delivery(row), nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return channels.Delivery{}, err
	}
	if id := t.given[n.ID]; id != nil {
		row, err := t.Q.Delivery(ctx, *id)
		return delivery(row), err
	}
	empty := channels.Delivery{Kind: n.Kind, CausedBy: n.CausedBy}
	if most == 1 {
		return empty, nil
	}
	row, err = t.Q.FreshDelivery(ctx, db.FreshDeliveryParams{
		UserID: n.User, Kind: n.Kind, CausedBy: gathersBy(n), Fresh: fresh, Most: int64(most),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return empty, nil
	}
	return delivery(row), err
}

// DigestFor returns the newest digest that the notice's reader was sent after a time, or a new one without
// an id.
func (t *Tx) DigestFor(
	ctx context.Context, n notify.Notice, since time.Time, most int, all bool,
) (channels.Delivery, error) {
	d := channels.Delivery{Kind: notify.NoticeDigest}
	row, err := t.Q.NewestDigest(ctx, n.User, since)
	if err == nil {
		d = delivery(row)
		var rows []db.Notice
		rows, err = t.Q.NoticesOfDelivery(ctx, int64(d.ID))
		d.Notices = kernel.Convert(rows, notifystore.Notice)
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return channels.Delivery{}, kernel.Translate(err)
	}
	if room := most - len(d.Notices); room > 0 {
		waiting, err := t.Q.NoticesForDigest(ctx, db.NoticesForDigestParams{
			UserID: n.User, ExceptID: n.ID, Now: t.due(n), Everything: all, CausedBy: int64(n.CausedBy),
			Kinds: kernel.Texts(n.Kind.PairKinds()), Most: int32(room - 1),
		})
		if err != nil {
			return channels.Delivery{}, kernel.Translate(err)
		}
		d.Notices = append(append(d.Notices, n), kernel.Convert(waiting, notifystore.Notice)...)
		slices.SortFunc(d.Notices, func(a, b notify.Notice) int { return cmp.Compare(a.ID, b.ID) })
	}
	return d, kernel.Translate(addSubjects(ctx, t.Q, &d))
}

// StartDelivery stores that a message is about to be sent and gives its notices to it.
func (t *Tx) StartDelivery(
	ctx context.Context, d channels.Delivery, now time.Time,
) (channels.Delivery, error) {
	if d.ID == 0 {
		added, err := t.Q.AddDelivery(ctx, db.AddDeliveryParams{
			UserID: d.To.User, Kind: d.Kind, StartedAt: now, CausedBy: kernel.OrNull(int64(d.CausedBy)),
		})
		if err != nil {
			return d, kernel.Translate(err)
		}
		d.ID, d.NoncePrefix = added.ID, added.NoncePrefix
	}
	ids := kernel.Convert(d.Notices, func(n notify.Notice) int64 { return int64(n.ID) })
	return d, t.Q.GiveNotices(ctx, int64(d.ID), ids)
}

// FinishDelivery stores where the message is.
func (t *Tx) FinishDelivery(ctx context.Context, d channels.Delivery, now time.Time) error {
	return t.Q.FinishDelivery(ctx, db.FinishDeliveryParams{
		ID: d.ID, ChannelID: d.ChannelID, MessageID: d.MessageID, Now: &now, InThread: d.Thread != "",
	})
}

// SettleNotices ends the notices that are still pending.
func (t *Tx) SettleNotices(
	ctx context.Context, ids []core.NoticeID, state notify.State, reason string, now time.Time,
) error {
	t.NoteUsers(t.reader)
	return t.Q.SettleNotices(ctx, db.SettleNoticesParams{
		Ids: kernel.Raw(ids), State: state, Reason: reason, Now: &now,
	})
}

func delivery(d db.Delivery) channels.Delivery {
	thread := ""
	if d.InThread {
		thread = d.ChannelID
	}
	return channels.Delivery{
		ID: d.ID, Kind: d.Kind, ChannelID: d.ChannelID, Thread: thread, MessageID: d.MessageID,
		NoncePrefix: d.NoncePrefix,
		StartedAt:   d.StartedAt, SentAt: kernel.OrZero(d.SentAt),
	}
}
