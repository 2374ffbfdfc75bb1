package channels

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/moderation"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	moderationstore "tradepost/sql/postgres/moderation"
)

// All of these may be repeated after a broken connection: a second time makes no difference.

// ReportChannel returns the channel in which reports arrive. It returns NotFound when there is none.
func (s *Store) ReportChannel(ctx context.Context) (channels.ReportChannel, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (channels.ReportChannel, error) {
		c, err := q.ReportChannel(ctx)
		return channels.ReportChannel{
			ChannelID: c.ChannelID, GuildID: c.GuildID, Locale: c.Locale, CreatedAt: c.CreatedAt,
		}, err
	})
}

// SaveReportChannel stores the channel in which reports arrive, in place of an earlier one.
func (s *Store) SaveReportChannel(ctx context.Context, c channels.ReportChannel) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveReportChannel(ctx, db.SaveReportChannelParams{
			ChannelID: c.ChannelID, GuildID: c.GuildID, Locale: c.Locale, CreatedAt: c.CreatedAt,
		})
	})
	return err
}

// RemoveReportChannel ends that reports arrive in a channel. It reports whether they did.
func (s *Store) RemoveReportChannel(ctx context.Context, channelID string) (bool, error) {
	removed, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]string, error) {
		return q.RemoveReportChannel(ctx, channelID)
	})
	return len(removed) > 0, err
}

// RemoveReportChannel ends that reports arrive in a channel.
func (t *Tx) RemoveReportChannel(ctx context.Context, channelID string) (bool, error) {
	removed, err := t.Q.RemoveReportChannel(ctx, channelID)
	return len(removed) > 0, kernel.Translate(err)
}

// ReportsToShow returns the newest open report about each thing that the report channel should show and does
// not, the oldest first.
func (s *Store) ReportsToShow(ctx context.Context, most int) ([]moderation.Report, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]moderation.Report, error) {
		rows, err := q.ReportsToShow(ctx, int32(most))
		return kernel.Convert(rows, moderationstore.Report), err
	})
}

// StartReportPost stores that a report is about to be shown in a channel, and in which message.
func (s *Store) StartReportPost(
	ctx context.Context, c channels.ReportChannel, r moderation.Report, now time.Time,
) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		rows, err := q.RecentReportPosts(ctx, c.ChannelID, now.Add(-channels.ReportBatchWindow))
		if err != nil {
			return struct{}{}, err
		}
		messageOf, shared := channels.GatheredReport(kernel.Convert(rows, func(
			r db.RecentReportPostsRow,
		) channels.ReportPost {
			p := reportPost(r.ReportPost)
			p.Beside = r.Beside
			return p
		}))
		return struct{}{}, q.StartReportPost(ctx, db.StartReportPostParams{
			ChannelID: c.ChannelID, Locale: c.Locale, ReportID: r.ID, OrderID: moderationstore.Thing(r),
			OfferID:   kernel.OrNull(r.OfferID),
			MessageOf: messageOf, Shared: shared, StartedAt: now,
		})
	})
	return err
}

// StaleReportPosts returns posts that do not show their reports as they are, those not sent yet first. It
// leaves out messages that are not edited now.
func (s *Store) StaleReportPosts(
	ctx context.Context, held channels.HeldEdits, most int,
) ([]channels.ReportPost, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.ReportPost, error) {
		rows, err := q.StaleReportPosts(ctx, listed(held.All), int32(most))
		return kernel.Convert(rows, reportPost), err
	})
}

// ReportPostsOf returns the posts that one message shows, the oldest first.
func (s *Store) ReportPostsOf(ctx context.Context, messageOf int64) ([]channels.ReportPost, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.ReportPost, error) {
		rows, err := q.ReportPostsOf(ctx, messageOf)
		return kernel.Convert(rows, reportPost), err
	})
}

// SaveReportPost stores the state that a post shows.
func (s *Store) SaveReportPost(ctx context.Context, p channels.ReportPost) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveReportPost(ctx, db.SaveReportPostParams{
			ID: p.ID, MessageID: p.MessageID, ReportID: p.ReportID, ShownReports: p.ShownReports,
			ShownThing: p.ShownThing,
			Decided:    p.Decided, Gone: p.Gone,
		})
	})
	return err
}

// RemoveReportPosts deletes posts.
func (s *Store) RemoveReportPosts(ctx context.Context, posts []channels.ReportPost) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.RemoveReportPosts(ctx, kernel.Convert(posts, func(p channels.ReportPost) int64 {
			return p.ID
		}))
	})
	return err
}

// DecidedReport returns a report with what was decided on it.
func (s *Store) DecidedReport(ctx context.Context, id core.ReportID) (channels.DecidedReport, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (channels.DecidedReport, error) {
		row, err := q.DecidedReport(ctx, id)
		if err != nil {
			return channels.DecidedReport{}, err
		}
		r := moderationstore.Report(row.Report)
		r.SubjectName = row.SubjectName
		entry := core.AuditEntry{
			Moderator: kernel.OrZero(row.Report.SettledBy), ModeratorName: row.ModeratorName,
			Action:  core.AuditAction(row.Action),
			OrderID: r.OrderID, OfferID: r.OfferID, ListingID: r.ListingID, ReportID: r.ID,
			Subject: r.Subject, SubjectName: r.SubjectName,
			ItemName: r.ItemName, Reason: row.EntryReason,
		}
		if row.Report.SettledAt != nil {
			entry.At = *row.Report.SettledAt
		}
		return channels.DecidedReport{Report: r, Entry: entry}, nil
	})
}

// Report returns a report in any state without a lock.
func (t *Tx) Report(ctx context.Context, id core.ReportID) (moderation.Report, error) {
	row, err := t.Q.ReportByID(ctx, id)
	return moderationstore.Report(row), kernel.Translate(err)
}

func reportPost(p db.ReportPost) channels.ReportPost {
	return channels.ReportPost{
		ID: p.ID, ChannelID: p.ChannelID, Locale: p.Locale, ReportID: p.ReportID,
		OrderID: max(p.OrderID, 0), ListingID: core.StockID(max(-p.OrderID, 0)),
		OfferID:   kernel.OrZero(p.OfferID),
		MessageID: p.MessageID, MessageOf: p.MessageOf, Shared: p.Shared, NoncePrefix: p.NoncePrefix,
		ShownReports: p.ShownReports, ShownThing: p.ShownThing, Decided: p.Decided, Gone: p.Gone,
		StartedAt: p.StartedAt,
	}
}
