package postgres

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// AuditEntries returns what moderators did, newest first, below the id before (zero: from the top).
func (s *moderationStore) AuditEntries(ctx context.Context, before core.AuditID, limit int) ([]core.AuditEntry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.AuditEntry, error) {
		rows, err := q.AuditEntries(ctx, before, int32(limit))
		return convert(rows, namedAuditEntry), err
	})
}

func namedAuditEntry(r db.AuditEntriesRow) core.AuditEntry {
	e := auditEntry(r.AuditEntry)
	e.ModeratorName, e.SubjectName, e.Undoable = r.ModeratorName, r.SubjectName, r.Kept
	return e
}

func auditEntry(e db.AuditEntry) core.AuditEntry {
	return core.AuditEntry{
		ID: e.ID, At: e.At, Moderator: e.ModeratorID, Action: e.Action,
		OrderID: orZero(e.OrderID), OfferID: orZero(e.OfferID), ReportID: orZero(e.ReportID),
		Subject: orZero(e.SubjectID), ItemName: e.ItemName, Reason: e.Reason,
	}
}

func (t *moderationTx) AuditEntry(ctx context.Context, id core.AuditID) (core.AuditEntry, error) {
	row, err := t.Q.AuditEntry(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = notFound(core.NewText("audit_entry_not_found", "There is no such entry in the log"))
	}
	return auditEntry(row), translate(err)
}

func (t *moderationTx) AddAuditEntry(ctx context.Context, e core.AuditEntry) error {
	return t.Q.AddAuditEntry(ctx, db.AddAuditEntryParams{
		At: e.At, ModeratorID: e.Moderator, Action: e.Action, OrderID: orNull(e.OrderID), OfferID: orNull(e.OfferID),
		ReportID: orNull(e.ReportID), SubjectID: orNull(e.Subject), ItemName: e.ItemName, Reason: e.Reason,
	})
}

func (t *moderationTx) LockRemovals(ctx context.Context, moderator core.UserID, since time.Time) (int, error) {
	// Locked first: the count must see the removals that it waited for.
	if err := t.Q.LockModerator(ctx, moderator); err != nil {
		return 0, translate(err)
	}
	many, err := t.Q.CountRemovals(ctx, moderator, since)
	return int(many), translate(err)
}

func (t *moderationTx) ModeratorsToTell(ctx context.Context, m core.Moderators, except []core.UserID, roleSince time.Time) ([]core.UserID, error) {
	users := make([]int64, len(except))
	for i, id := range except {
		users[i] = int64(id)
	}
	ids, err := t.Q.ModeratorsToTell(ctx, db.ModeratorsToTellParams{Accounts: m.Accounts, Roles: m.Roles, RoleSince: roleSince, ExceptUsers: users})
	return ids, translate(err)
}

func (t *moderationTx) ModeratorsToAlert(
	ctx context.Context, m core.Moderators, remover core.UserID, roleSince, noticeSince time.Time,
) ([]core.UserID, error) {
	ids, err := t.Q.ModeratorsToAlert(ctx, db.ModeratorsToAlertParams{
		Accounts: m.Accounts, Roles: m.Roles, RoleSince: roleSince, Remover: int64(remover), NoticeSince: noticeSince,
	})
	return ids, translate(err)
}
