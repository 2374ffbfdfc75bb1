package moderation

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// mayReport returns TooMany when the reports of a user, newest first, are as many as the quotas allow.
func mayReport(q core.Quotas, latest []Report, now time.Time) error {
	times := make([]time.Time, len(latest))
	for i, r := range latest {
		times[i] = r.CreatedAt
	}
	return core.LimitReports.Check(q.Reports, times, now)
}

// ReportState is the state of a report.
type ReportState string

// The states of a report.
const (
	ReportOpen      ReportState = "open"
	ReportActedOn   ReportState = "acted_on" // its target was removed, or the owner blocked
	ReportDismissed ReportState = "dismissed"
)

// ReportStates lists every state.
var ReportStates = []ReportState{ReportOpen, ReportActedOn, ReportDismissed}

// Report is a complaint about an order, an offer or a listing. Only moderators see who sent it.
type Report struct {
	ID           core.ReportID
	Reporter     core.UserID  // zero for a visitor
	ReporterName string       // their present name; empty for visitors and deleted users
	OrderID      core.OrderID // zero when it is about a listing
	OfferID      core.OfferID // zero when it is about the order, or a listing
	ListingID    core.StockID // zero when it is about an order or an offer
	Subject      core.UserID  // the owner of its target; zero for a visitor's offer
	SubjectName  string
	ItemName     string
	Reason       string
	State        ReportState
	CreatedAt    time.Time

	// Network is where a visitor reports from; empty for a user. It is stored as a keyed hash only.
	Network string

	// Of a list: how many open reports are about the same, this one included, and the reasons that they
	// give, reports by users first. At most ReasonsShown are read.
	Count   int
	Reasons []ReportReason

	Order *trade.Order // its present state; nil once it is deleted
	Offer *trade.Offer // as above; nil also for a report about an order

	Listing *ReportedListing // as above; nil also for a report about an order or an offer
}

// ReportReason is the reason that one reporter gives.
type ReportReason struct {
	Reporter     core.UserID // zero for a visitor
	ReporterName string
	Reason       string
	At           time.Time
}

// ReasonsShown is how many reasons a list gives of the reports about one thing.
const ReasonsShown = 5

// networkOf returns the network of an address: an IPv4 address itself, or the /48 of an IPv6 address.
func networkOf(address string) string {
	prefix, err := netip.ParsePrefix(address)
	ip := prefix.Addr()
	if err != nil {
		if ip, err = netip.ParseAddr(address); err != nil {
			return address
		}
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(48)
	if err != nil {
		return address
	}
	return network.String()
}

// ReportTarget is the target of reports: exactly one of its fields is set.
type ReportTarget struct {
	Order core.OrderID // and the offers on it
	Offer core.OfferID
	User  core.UserID // everything of this user

	Listing core.StockID
}

// AboutOrder means the reports about an order and the offers on it.
func AboutOrder(id core.OrderID) ReportTarget { return ReportTarget{Order: id} }

// AboutOffer means the reports about an offer.
func AboutOffer(id core.OfferID) ReportTarget { return ReportTarget{Offer: id} }

// AboutListing means the reports about a listing.
func AboutListing(id core.StockID) ReportTarget { return ReportTarget{Listing: id} }

// aboutBlocked means the reports about everything of a blocked user; none for a user who is not blocked.
func aboutBlocked(u people.User) ReportTarget {
	if !u.Blocked() {
		return ReportTarget{}
	}
	return ReportTarget{User: u.ID}
}

// ReportOrder decides whether the actor, who may be a visitor, may report the order. It fails with NotFound
// when it is not shown to them, Forbidden when it is their own or they are blocked, and Invalid.
func ReportOrder(
	o trade.Order, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Report, error) {
	if !o.VisibleTo(by, now) {
		return Report{}, trade.OrderNotFound()
	}
	if by.MustBe(o.Owner) == nil {
		return Report{}, core.NewError(core.Forbidden, core.NewText("report_own"))
	}
	return newReport(Report{OrderID: o.ID, Subject: o.Owner, ItemName: o.ItemName}, by, reason, forms, now)
}

// ReportOffer decides whether the actor may report the offer on an order: its buyer may, who alone sees it.
// It fails with Unauthenticated, Forbidden and Invalid.
func ReportOffer(
	of trade.Offer, o trade.Order, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Report, error) {
	if err := by.MustBe(o.Owner); err != nil {
		return Report{}, err
	}
	return newReport(Report{OrderID: o.ID, OfferID: of.ID, Subject: of.Seller, ItemName: o.ItemName}, by,
		reason, forms, now)
}

func newReport(r Report, by core.Actor, reason string, forms core.TextForms, now time.Time) (Report, error) {
	if by.Blocked {
		return Report{}, by.MayTrade()
	}
	reason, err := forms.Reason(reason)
	if err != nil {
		return Report{}, err
	}
	r.Reporter, r.Reason, r.State, r.CreatedAt = by.UserID, reason, ReportOpen, now
	if !by.SignedIn() {
		r.Network = networkOf(by.Address)
	}
	return r, nil
}

// mayAdd decides whether another report may be added to a user's open reports. It fails with Conflict when
// an open one is about the same, and with TooMany.
func (r Report) mayAdd(open []Report) error {
	for _, other := range open {
		if other.OrderID == r.OrderID && other.OfferID == r.OfferID && other.ListingID == r.ListingID {
			return core.NewError(core.Conflict, core.NewText("report_repeated"))
		}
	}
	if len(open) >= core.LimitOpenReports.Limit {
		return core.LimitOpenReports.Over(0)
	}
	return nil
}

// CheckSettledBy returns an error unless the actor may settle the report: Unauthenticated, or Forbidden for
// one who is no moderator or who is a side of it. The sides of a report about an offer are its seller and
// its buyer, who has reported it.
func (r Report) CheckSettledBy(by core.Actor) error {
	if err := by.MustModerate(); err != nil {
		return err
	}
	if r.OfferID != 0 {
		return core.NotASide(by, r.Subject, r.Reporter)
	}
	return core.NotASide(by, r.Subject)
}

// mustNotTrade returns Forbidden when the actor has offered or sold on the order, or asked for the listing,
// that they are about to decide on as a moderator.
func mustNotTrade(ctx context.Context, tx Tx, by core.Actor, about ReportTarget) error {
	trades, err := tx.TradesOn(ctx, about, by.UserID)
	if err != nil {
		return fmt.Errorf("trades of user %d on %+v: %w", by.UserID, about, err)
	}
	if trades {
		return core.NotASide(by, by.UserID)
	}
	return nil
}

// mustBeOpen returns Conflict for a report that is settled.
func (r Report) mustBeOpen() error {
	if r.State != ReportOpen {
		return core.NewError(core.Conflict, core.NewText("report_settled"))
	}
	return nil
}

// Dismiss returns the report as dismissed by a moderator, and the entry in the log. It settles every open
// report about the same. It returns Unauthenticated, Forbidden, also to a moderator who is the subject of
// the report, and Conflict when another moderator was faster.
func (r Report) Dismiss(by core.Actor, now time.Time) (Report, core.AuditEntry, error) {
	if err := r.CheckSettledBy(by); err != nil {
		return Report{}, core.AuditEntry{}, err
	}
	if err := r.mustBeOpen(); err != nil {
		return Report{}, core.AuditEntry{}, err
	}
	r.State = ReportDismissed
	return r, core.AuditEntry{
		At: now, Moderator: by.UserID, Action: core.AuditReportDismissed, OrderID: r.OrderID,
		OfferID: r.OfferID, ListingID: r.ListingID, ReportID: r.ID,
		Subject: r.Subject, ItemName: r.ItemName,
	}, nil
}
