package core

import "time"

// AuditID numbers an audit entry.
type AuditID int64

// AuditAction says what a moderator did.
type AuditAction string

// The actions.
const (
	RemovedOrder    AuditAction = "order_removed"
	RemovedOffer    AuditAction = "offer_removed"
	BlockedUser     AuditAction = "user_blocked"
	UnblockedUser   AuditAction = "user_unblocked"
	DismissedReport AuditAction = "report_dismissed"
)

// AuditActions lists every action.
var AuditActions = []AuditAction{RemovedOrder, RemovedOffer, BlockedUser, UnblockedUser, DismissedReport}

// AuditEntry says what a moderator did, to whom and why. Entries are added and never changed. They hold ids only, and the
// item's name; what people are called is looked up by whoever reads them.
type AuditEntry struct {
	ID            AuditID
	At            time.Time
	Moderator     UserID
	ModeratorName string // as they are called now; empty when they have gone, and when the entry is added
	Action        AuditAction
	OrderID       OrderID // zero for none; leads nowhere once the order is gone
	OfferID       OfferID
	ReportID      ReportID
	Subject       UserID // whose it was, or who was blocked; zero for a visitor
	SubjectName   string // as with ModeratorName
	ItemName      string
	Reason        string
}

// MaxReason limits the reason of a report, a removal or a block.
const MaxReason = 500

// reason cleans why something is done and refuses with Invalid when nothing or too much was given.
func (f TextForms) reason(why string) (string, error) {
	why = f.prose(why)
	var c Checks
	c.That(why != "", "reason", "Reason is required")
	c.That(within(why, MaxReason), "reason", tooLong("Reason", MaxReason))
	return why, c.Err()
}

func auditEntry(by Actor, action AuditAction, o Order, reason string, now time.Time) AuditEntry {
	return AuditEntry{At: now, Moderator: by.UserID, Action: action, OrderID: o.ID, ItemName: o.ItemName, Reason: reason}
}
