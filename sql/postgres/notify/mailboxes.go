package notify

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Mailbox returns how a user is reached by direct message. It returns a NotFound error if there is none.
func (s *Store) Mailbox(ctx context.Context, user core.UserID) (notify.Mailbox, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (notify.Mailbox, error) {
		row, err := q.Mailbox(ctx, user)
		return Mailbox(row.Mailbox, row.DiscordID, row.Language, row.Locale), err
	})
}

// NoteActed stores that a user has pressed something on a direct message to them that was sent after a time.
func (s *Store) NoteActed(
	ctx context.Context, user core.UserID, messageID string, since, now time.Time,
) error {
	return s.InTx(ctx, func(t *kernel.Tx) error {
		return t.Q.NoteActed(ctx, db.NoteActedParams{
			UserID: user, MessageID: messageID, Since: since, Now: &now,
		})
	})
}

// SaveMailbox stores the channel, lease, pause and closed reason of a locked mailbox.
func (t *Tx) SaveMailbox(ctx context.Context, b notify.Mailbox) error {
	sender := ""
	if !b.BusyUntil.IsZero() {
		sender = t.Worker
	}
	return t.Q.SaveMailbox(ctx, db.SaveMailboxParams{
		UserID: b.User, ChannelID: b.ChannelID, BusyUntil: kernel.TimeOrNull(b.BusyUntil), BusyBy: sender,
		NotBefore: kernel.TimeOrNull(b.NotBefore), LimitedUntil: kernel.TimeOrNull(b.LimitedUntil),
		Closed: b.Closed, ClosedAt: kernel.TimeOrNull(b.ClosedAt),
	})
}

// SaveNoticeSettings stores a user's wishes and has their pending notices checked again.
func (t *Tx) SaveNoticeSettings(ctx context.Context, user core.UserID, s notify.Settings) error {
	muted := s.Muted
	if muted == nil {
		muted = []notify.Kind{}
	}
	err := t.Q.SaveNoticeSettings(ctx, db.SaveNoticeSettingsParams{
		UserID: user, Muted: muted, QuietFrom: s.QuietFrom, QuietTo: s.QuietTo, TimeZone: s.TimeZone,
		GatherOffers: s.GatherOffers,
	})
	if err != nil {
		return err
	}
	// they may wait for the end of quiet hours that no longer exist
	return t.Q.WakeNoticesOf(ctx, t.Now(), user)
}

// OpenMailbox forgets that a user could not be reached: they have just done something, so it is tried
// again.
func (t *Tx) OpenMailbox(ctx context.Context, user core.UserID) error {
	t.NoteWriter(user)
	return t.Q.OpenMailbox(ctx, user)
}

// Line returns the oldest trade and the oldest alert of a reader's line: pending, due, in no message yet, and
// not for the thread of a trade.
func (t *Tx) Line(ctx context.Context, reader core.UserID, now time.Time) ([]notify.Notice, error) {
	rows, err := t.Q.Line(ctx, reader, now)
	return kernel.Convert(rows, Notice), kernel.Translate(err)
}

// MessageTimes reads no further back for a pair than its quota can count, however old the notice
// is.
func (t *Tx) MessageTimes(
	ctx context.Context, n notify.Notice, kinds []notify.Kind, q core.Quotas,
) (notify.MessageTimes, error) {
	row, err := t.Q.MessageTimes(ctx, db.MessageTimesParams{
		Reader: n.User, Kinds: kernel.Texts(kinds), CausedBy: int64(n.CausedBy),
		PairSince: n.CreatedAt.Add(-q.DMPair.Per - notify.NoticeLifetime),
		MostInAll: int64(q.DMReader.Limit), MostOfPair: int64(q.DMPair.Limit),
	})
	return notify.MessageTimes{Pair: row.OfPair, All: row.InAll}, kernel.Translate(err)
}

// Mailbox returns the mailbox of a row.
func Mailbox(m db.Mailbox, discordID, language, locale string) notify.Mailbox {
	return notify.Mailbox{
		User: m.UserID, DiscordID: discordID, Language: language, Locale: locale, ChannelID: m.ChannelID,
		BusyUntil: kernel.OrZero(m.BusyUntil), NotBefore: kernel.OrZero(m.NotBefore),
		LimitedUntil: kernel.OrZero(m.LimitedUntil), Closed: m.Closed, ClosedAt: kernel.OrZero(m.ClosedAt),
		Settings: notify.Settings{
			Muted: m.Muted, QuietFrom: m.QuietFrom, QuietTo: m.QuietTo, TimeZone: m.TimeZone,
			GatherOffers: m.GatherOffers,
		},
	}
}
