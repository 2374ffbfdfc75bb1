package core

import "time"

// AuditID numbers an audit entry.
type AuditID int64

// AuditAction is the kind of a moderator's action.
type AuditAction string

// The actions.
const (
	AuditOrderRemoved    AuditAction = "order_removed"
	AuditOfferRemoved    AuditAction = "offer_removed"
	AuditUserBlocked     AuditAction = "user_blocked"
	AuditUserUnblocked   AuditAction = "user_unblocked"
	AuditReportDismissed AuditAction = "report_dismissed"
	AuditOrderRestored   AuditAction = "order_restored"
	AuditOfferRestored   AuditAction = "offer_restored"

	// MarketRules.SetSignedInOnly was turned on or off.
	AuditSignedInOnlyOn  AuditAction = "signed_in_only_on"
	AuditSignedInOnlyOff AuditAction = "signed_in_only_off"

	// Of a provisional item. See Market.DecideItem.
	AuditItemConfirmed    AuditAction = "item_confirmed"
	AuditItemMerged       AuditAction = "item_merged" // Reason is the name of the item that it means now
	AuditItemIgnored      AuditAction = "item_ignored"
	AuditItemReopened     AuditAction = "item_reopened" // a decision was undone
	AuditUserVouched      AuditAction = "user_vouched"
	AuditUserSetAside     AuditAction = "user_set_aside"
	AuditUserCountedAgain AuditAction = "user_counted_again"
	AuditUserNotInRing    AuditAction = "user_not_in_ring" // a proposed ring with them is none
	// A dispute was settled; Subject is the side that it was settled against.
	AuditDisputeMet      AuditAction = "dispute_met"
	AuditDisputeNotMet   AuditAction = "dispute_not_met"
	AuditDisputeReopened AuditAction = "dispute_reopened" // a decision was undone
	// A moderator looks at a dispute: its sides can't change their answers any more.
	AuditDisputeLookedAt AuditAction = "dispute_looked_at"
	// Subject may use a name that looks like an established trader's; none of a visitor's offer.
	AuditNameAllowed     AuditAction = "name_allowed"
	AuditNameMarkedAgain AuditAction = "name_marked_again" // that was undone
	// Acts of Subject send no messages to others, and do again.
	AuditReachStopped AuditAction = "reach_stopped"
	AuditReachAllowed AuditAction = "reach_allowed"
	// MarketRules.SetProgramsTrade was turned on or off.
	AuditProgramsTradeOn  AuditAction = "programs_trade_on"
	AuditProgramsTradeOff AuditAction = "programs_trade_off"
	// A webhook of the market; Reason is the name of its host.
	AuditWebhookMade    AuditAction = "webhook_made"
	AuditWebhookChanged AuditAction = "webhook_changed" // got another secret, or was switched on
	AuditWebhookEnded   AuditAction = "webhook_ended"
	// A listing was taken off sale, and that was undone.
	AuditListingRemoved  AuditAction = "listing_removed"
	AuditListingRestored AuditAction = "listing_restored"
)

// AuditActions lists every action.
var AuditActions = []AuditAction{
	AuditOrderRemoved, AuditOfferRemoved, AuditUserBlocked, AuditUserUnblocked, AuditReportDismissed,
	AuditOrderRestored, AuditOfferRestored, AuditSignedInOnlyOn, AuditSignedInOnlyOff,
	AuditItemConfirmed, AuditItemMerged, AuditItemIgnored, AuditItemReopened,
	AuditUserVouched, AuditUserSetAside, AuditUserCountedAgain, AuditUserNotInRing,
	AuditDisputeMet, AuditDisputeNotMet, AuditDisputeReopened, AuditDisputeLookedAt,
	AuditNameAllowed, AuditNameMarkedAgain, AuditReachStopped, AuditReachAllowed,
	AuditProgramsTradeOn, AuditProgramsTradeOff,
	AuditWebhookMade, AuditWebhookChanged, AuditWebhookEnded,
	AuditListingRemoved, AuditListingRestored,
}

// AuditEntry records an action of a moderator, its target and its reason. Entries are added and
// never changed. They contain IDs and the item's name only; readers look up the names of users.
type AuditEntry struct {
	ID            AuditID
	At            time.Time
	Moderator     UserID
	ModeratorName string // as they are called now; empty when they have gone, and when the entry is added
	Action        AuditAction
	OrderID       OrderID // zero for none; leads nowhere once the order is gone
	OfferID       OfferID
	ListingID     StockID
	ReportID      ReportID
	Subject       UserID // the owner of the target, or the blocked user; zero for a visitor
	SubjectName   string // as with ModeratorName
	ItemName      string
	Reason        string

	// Of a list: whether the reader can undo it. See Market.UndoRemoval.
	Undoable bool
}

// Reason cleans why something is done and fails with Invalid when nothing or too much was given.
func (f TextForms) Reason(why string) (string, error) {
	why = f.Prose(why)
	var c Checks
	c.That(why != "", "reason", NewText("reason_required"))
	c.That(Within(why, MaxReason), "reason", TooLong("reason_too_long", MaxReason))
	return why, c.Err()
}
