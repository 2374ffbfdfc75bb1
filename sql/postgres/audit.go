package postgres

import (
	"context"
	"math"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// AuditEntries returns what moderators did, newest first, below the id before (zero: from the top).
func (s *Store) AuditEntries(ctx context.Context, before core.AuditID, limit int) ([]core.AuditEntry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.AuditEntry, error) {
		rows, err := q.AuditEntries(ctx, before, int32(limit))
		return convert(rows, auditEntry), err
	})
}

func auditEntry(r db.AuditEntriesRow) core.AuditEntry {
	e := r.AuditEntry
	return core.AuditEntry{
		ID: e.ID, At: e.At, Moderator: e.ModeratorID, ModeratorName: r.ModeratorName, Action: e.Action,
		OrderID: orZero(e.OrderID), OfferID: orZero(e.OfferID), ReportID: orZero(e.ReportID),
		Subject: orZero(e.SubjectID), SubjectName: r.SubjectName, ItemName: e.ItemName, Reason: e.Reason,
	}
}

func (t *tx) AddAuditEntry(ctx context.Context, e core.AuditEntry) error {
	return t.q.AddAuditEntry(ctx, db.AddAuditEntryParams{
		At: e.At, ModeratorID: e.Moderator, Action: e.Action, OrderID: orNull(e.OrderID), OfferID: orNull(e.OfferID),
		ReportID: orNull(e.ReportID), SubjectID: orNull(e.Subject), ItemName: e.ItemName, Reason: e.Reason,
	})
}
