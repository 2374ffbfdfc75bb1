package moderation

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// AuditEntries returns the actions of moderators, newest first, below the id before (zero: from the top).
func (s *Store) AuditEntries(ctx context.Context, before core.AuditID, limit int) ([]core.AuditEntry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.AuditEntry, error) {
		rows, err := q.AuditEntries(ctx, before, int32(limit))
		return kernel.Convert(rows, namedAuditEntry), err
	})
}

func namedAuditEntry(r db.AuditEntriesRow) core.AuditEntry {
	e := AuditEntry(r.AuditEntry)
	e.ModeratorName, e.SubjectName, e.Undoable = r.ModeratorName, r.SubjectName, r.Kept
	return e
}

// AuditEntry returns the entry of a row, without the names.
func AuditEntry(e db.AuditEntry) core.AuditEntry {
	order := kernel.OrZero(e.OrderID)
	return core.AuditEntry{
		ID: e.ID, At: e.At, Moderator: e.ModeratorID, Action: e.Action,
		OrderID: max(order, 0), ListingID: core.StockID(max(-order, 0)), OfferID: kernel.OrZero(e.OfferID),
		ReportID: kernel.OrZero(e.ReportID),
		Subject:  kernel.OrZero(e.SubjectID), ItemName: e.ItemName, Reason: e.Reason,
	}
}

// AuditEntry returns an entry without the names.
func (t *Tx) AuditEntry(ctx context.Context, id core.AuditID) (core.AuditEntry, error) {
	row, err := t.Q.AuditEntry(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = kernel.NotFound(core.NewText("audit_entry_not_found"))
	}
	return AuditEntry(row), kernel.Translate(err)
}

// AddAuditEntry adds an entry to the log.
func (t *Tx) AddAuditEntry(ctx context.Context, e core.AuditEntry) error {
	if e.ListingID != 0 {
		e.OrderID = kernel.OrderOfListing(e.ListingID)
	}
	return t.Q.AddAuditEntry(ctx, db.AddAuditEntryParams{
		At: e.At, ModeratorID: e.Moderator, Action: e.Action, OrderID: kernel.OrNull(e.OrderID),
		OfferID:  kernel.OrNull(e.OfferID),
		ReportID: kernel.OrNull(e.ReportID), SubjectID: kernel.OrNull(e.Subject), ItemName: e.ItemName,
		Reason: e.Reason,
	})
}

// LockRemovals returns how many orders, offers and listings a moderator removed after a time, including this
// transaction's removals.
func (t *Tx) LockRemovals(ctx context.Context, moderator core.UserID, since time.Time) (int, error) {
	// Locked first: the count must see the removals that it waited for.
	if err := t.Q.LockModerator(ctx, moderator); err != nil {
		return 0, kernel.Translate(err)
	}
	many, err := t.Q.CountRemovals(ctx, moderator, since)
	return int(many), kernel.Translate(err)
}

// ModeratorsToTell lists the moderators except some: the accounts of Moderators that are users, and users
// with a role of Moderators that was seen after roleSince.
func (t *Tx) ModeratorsToTell(
	ctx context.Context, m people.Moderators, except []core.UserID, roleSince time.Time,
) ([]core.UserID, error) {
	users := make([]int64, len(except))
	for i, id := range except {
		users[i] = int64(id)
	}
	ids, err := t.Q.ModeratorsToTell(ctx, db.ModeratorsToTellParams{
		Accounts: m.Accounts, Roles: m.Roles, RoleSince: roleSince, ExceptUsers: users,
	})
	return ids, kernel.Translate(err)
}

// ModeratorsToAlert returns the users with one of the Discord accounts, or with one of the roles seen after
// roleSince, except the remover, who have no NoticeManyRemovals about the remover that was created after
// noticeSince.
func (t *Tx) ModeratorsToAlert(
	ctx context.Context, m people.Moderators, remover core.UserID, roleSince, noticeSince time.Time,
) ([]core.UserID, error) {
	ids, err := t.Q.ModeratorsToAlert(ctx, db.ModeratorsToAlertParams{
		Accounts: m.Accounts, Roles: m.Roles, RoleSince: roleSince, Remover: int64(remover),
		NoticeSince: noticeSince,
	})
	return ids, kernel.Translate(err)
}
