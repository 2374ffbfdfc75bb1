package moderation

import (
	"context"
	"math"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	matchstore "tradepost/sql/postgres/match"
	tradestore "tradepost/sql/postgres/trade"
)

// Thing returns the order by which the reports about one thing are found: of a listing its number below zero.
func Thing(r moderation.Report) core.OrderID {
	if r.ListingID != 0 {
		return kernel.OrderOfListing(r.ListingID)
	}
	return r.OrderID
}

// OpenReports returns reports that no moderator has settled, newest first, below the id before (zero: from
// the top), with what they are about as it stands now.
func (s *Store) OpenReports(
	ctx context.Context, before core.ReportID, limit int,
) ([]moderation.Report, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]moderation.Report, error) {
		rows, err := q.OpenReports(ctx, before, int32(limit))
		if err != nil {
			return nil, err
		}
		reports := kernel.Convert(rows, func(r db.OpenReportsRow) moderation.Report {
			one := Report(r.Report)
			one.ReporterName, one.SubjectName = r.ReporterName, r.SubjectName
			return one
		})
		return reports, showWhatIsReported(ctx, q, reports)
	})
}

// OpenReport returns the newest open report about the target of a report.
func (s *Store) OpenReport(ctx context.Context, id core.ReportID) (moderation.Report, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (moderation.Report, error) {
		row, err := q.OpenReport(ctx, id)
		if err != nil {
			return moderation.Report{}, err
		}
		one := []moderation.Report{Report(row.Report)}
		one[0].ReporterName, one[0].SubjectName = row.ReporterName, row.SubjectName
		err = showWhatIsReported(ctx, q, one)
		return one[0], err
	})
}

// showReasons adds to each report the reasons of all open reports about the same target. The first of these
// reasons becomes the report's own.
func showReasons(ctx context.Context, q *db.Queries, reports []moderation.Report) error {
	rows, err := q.ReasonsOfReports(ctx, kernel.Convert(reports, func(r moderation.Report) int64 {
		return int64(Thing(r))
	}), moderation.ReasonsShown)
	if err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		for _, row := range rows {
			if row.OrderID != Thing(*r) || kernel.OrZero(row.OfferID) != r.OfferID {
				continue
			}
			r.Count = int(row.Reports)
			r.Reasons = append(r.Reasons, moderation.ReportReason{
				Reporter: kernel.OrZero(row.ReporterID), ReporterName: row.ReporterName, Reason: row.Reason,
				At: row.CreatedAt,
			})
		}
		if len(r.Reasons) > 0 { // none when they were settled a moment ago
			first := r.Reasons[0]
			r.Reporter, r.ReporterName, r.Reason = first.Reporter, first.ReporterName, first.Reason
		}
	}
	return nil
}

// ReportsBy returns every report of a user, newest first.
func (s *Store) ReportsBy(ctx context.Context, reporter core.UserID) ([]moderation.Report, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]moderation.Report, error) {
		rows, err := q.ReportsBy(ctx, int64(reporter))
		return kernel.Convert(rows, Report), err
	})
}

func showWhatIsReported(ctx context.Context, q *db.Queries, reports []moderation.Report) error {
	if err := showReasons(ctx, q, reports); err != nil {
		return err
	}
	orders, err := q.OrdersByID(ctx, kernel.Convert(reports, func(r moderation.Report) int64 {
		return int64(r.OrderID)
	}))
	if err != nil {
		return err
	}
	offers, err := q.OffersByID(ctx, kernel.Convert(reports, func(r moderation.Report) int64 {
		return int64(r.OfferID)
	}))
	if err != nil {
		return err
	}
	listings, err := q.ListingsByID(ctx, kernel.Convert(reports, func(r moderation.Report) int64 {
		return int64(r.ListingID)
	}))
	if err != nil {
		return err
	}
	for i := range reports {
		for _, l := range listings {
			if l.Stock.ID == reports[i].ListingID {
				reports[i].Listing = &moderation.ReportedListing{
					Listing: match.Listing{Stock: matchstore.StockOf(l.Stock), Seller: people.Account{
						Username: l.Username, DisplayName: l.DisplayName, Avatar: l.Avatar,
					}},
					Version: l.Version,
				}
			}
		}
		for _, o := range orders {
			if o.ID == reports[i].OrderID {
				found := tradestore.Order(o)
				reports[i].Order = &found
			}
		}
		for _, o := range offers {
			if o.ID == reports[i].OfferID {
				found := tradestore.Offer(o)
				reports[i].Offer = &found
			}
		}
	}
	return nil
}

// Report returns the report of a row.
func Report(r db.Report) moderation.Report {
	return moderation.Report{
		ID: r.ID, Reporter: kernel.OrZero(r.ReporterID), OrderID: max(r.OrderID, 0),
		OfferID: kernel.OrZero(r.OfferID), ListingID: kernel.OrZero(r.ListingID),
		Subject:  kernel.OrZero(r.SubjectID),
		ItemName: r.ItemName, Reason: r.Reason, State: r.State, CreatedAt: r.CreatedAt,
	}
}

// OpenReportsBy returns a user's reports that no moderator has settled, and the latest reports that a quota
// counts, newest first.
func (t *Tx) OpenReportsBy(
	ctx context.Context, reporter core.UserID, q core.Quotas,
) (open, latest []moderation.Report, err error) {
	if err := t.Q.LockReporter(ctx, reporter); err != nil {
		return nil, nil, kernel.Translate(err)
	}
	rows, err := t.Q.OpenReportsBy(ctx, int64(reporter))
	if err != nil || q.Reports.Limit == 0 {
		return kernel.Convert(rows, Report), nil, kernel.Translate(err)
	}
	counted, err := t.Q.LatestReportsBy(ctx, int64(reporter), int32(q.Reports.Limit))
	return kernel.Convert(rows, Report), kernel.Convert(counted, Report), kernel.Translate(err)
}

// AddReport stores a report and returns its id.
func (t *Tx) AddReport(ctx context.Context, r moderation.Report) (core.ReportID, error) {
	id, err := t.Q.AddReport(ctx, db.AddReportParams{
		ReporterID: kernel.OrNull(r.Reporter), OrderID: Thing(r), OfferID: kernel.OrNull(r.OfferID),
		ListingID: kernel.OrNull(r.ListingID), SubjectID: kernel.OrNull(r.Subject),
		ItemName: r.ItemName, Reason: r.Reason, State: r.State, CreatedAt: r.CreatedAt, Network: r.Network,
	})
	return id, kernel.Translate(err)
}

// LockReport locks a report and returns it.
func (t *Tx) LockReport(ctx context.Context, id core.ReportID) (moderation.Report, error) {
	row, err := t.Q.LockReport(ctx, id)
	return Report(row), kernel.Translate(err)
}

// IsReported reports whether an open report is about the target of a new one.
func (t *Tx) IsReported(ctx context.Context, r moderation.Report) (bool, error) {
	reported, err := t.Q.IsReported(ctx, Thing(r), kernel.OrNull(int64(r.OfferID)))
	return reported, kernel.Translate(err)
}

// TradesOn reports whether a user has an open offer or a sale on an order, or asks for some of a listing or
// has bought of it.
func (t *Tx) TradesOn(ctx context.Context, about moderation.ReportTarget, user core.UserID) (bool, error) {
	if about.Listing != 0 {
		trades, err := t.Q.TradesOnListing(ctx, user, int64(about.Listing))
		return trades, kernel.Translate(err)
	}
	trades, err := t.Q.TradesOn(ctx, about.Order, int64(user))
	return trades, kernel.Translate(err)
}

// SettleReport stores the state of a locked report, and who decided on it, with all open ones about the
// same.
func (t *Tx) SettleReport(ctx context.Context, r moderation.Report, by core.UserID, now time.Time) error {
	return t.Q.SettleReport(ctx, db.SettleReportParams{
		OrderID: Thing(r), OfferID: kernel.OrNull(int64(r.OfferID)), State: r.State, SettledAt: &now,
		SettledBy: &by,
	})
}

// ActOnReports ends the open reports about something as acted on.
func (t *Tx) ActOnReports(
	ctx context.Context, about moderation.ReportTarget, by core.UserID, now time.Time,
) error {
	if about.Listing != 0 {
		about.Order = kernel.OrderOfListing(about.Listing)
	}
	switch {
	case about.Order != 0:
		return t.Q.ActOnReportsOfOrder(ctx, db.ActOnReportsOfOrderParams{
			OrderID: about.Order, SettledAt: &now, SettledBy: &by,
		})
	case about.Offer != 0:
		return t.Q.ActOnReportsOfOffer(ctx, db.ActOnReportsOfOfferParams{
			OfferID: int64(about.Offer), SettledAt: &now, SettledBy: &by,
		})
	case about.User != 0:
		return t.Q.ActOnReportsOfUser(ctx, db.ActOnReportsOfUserParams{
			SubjectID: int64(about.User), SettledAt: &now, SettledBy: &by,
		})
	}
	return nil
}
