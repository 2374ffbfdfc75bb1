package core

import "time"

// ReportID numbers a report.
type ReportID int64

// ReportState says what became of a report.
type ReportState string

// The states of a report.
const (
	ReportOpen      ReportState = "open"
	ReportActedOn   ReportState = "acted_on" // what it is about was removed, or its owner blocked
	ReportDismissed ReportState = "dismissed"
)

// MaxOpenReports is how many reports of one user may wait for a moderator.
const MaxOpenReports = 20

// Report tells moderators of an order or an offer that does not belong on the market. Who sent it is for their eyes alone.
type Report struct {
	ID           ReportID
	Reporter     UserID // zero for a visitor
	ReporterName string // as they are called now; empty for a visitor and for who has gone
	OrderID      OrderID
	OfferID      OfferID // zero when it is about the order
	Subject      UserID  // whose it is; zero for a visitor's offer
	SubjectName  string
	ItemName     string
	Reason       string
	State        ReportState
	CreatedAt    time.Time

	Order *Order // as it stands now; nil once it is gone
	Offer *Offer // likewise, and nil for a report about an order
}

// ReportTarget is what reports are about: one of its fields is set.
type ReportTarget struct {
	Order OrderID // and the offers on it
	Offer OfferID
	User  UserID // whatever is theirs
}

// AboutOrder means the reports about an order and the offers on it.
func AboutOrder(id OrderID) ReportTarget { return ReportTarget{Order: id} }

// AboutOffer means the reports about an offer.
func AboutOffer(id OfferID) ReportTarget { return ReportTarget{Offer: id} }

// aboutBlocked means the reports about what a user who is blocked has on the market; none about one who is not.
func aboutBlocked(u User) ReportTarget {
	if !u.Blocked() {
		return ReportTarget{}
	}
	return ReportTarget{User: u.ID}
}

// Report decides whether the actor, who may be a visitor, may report the order. It refuses with NotFound when it is not
// shown to them, Forbidden when it is their own or they are blocked, and Invalid.
func (o Order) Report(by Actor, reason string, forms TextForms, now time.Time) (Report, error) {
	if !o.ShownTo(by, now) {
		return Report{}, orderNotFound()
	}
	if by.Owns(o) == nil {
		return Report{}, &Error{Kind: Forbidden, Message: "You cannot report what is yours"}
	}
	return newReport(Report{OrderID: o.ID, Subject: o.Owner, ItemName: o.ItemName}, by, reason, forms, now)
}

// Report decides whether the actor may report the offer on an order: its buyer may, who alone sees it. It refuses with
// Unauthenticated, Forbidden and Invalid.
func (of Offer) Report(o Order, by Actor, reason string, forms TextForms, now time.Time) (Report, error) {
	if err := by.Owns(o); err != nil {
		return Report{}, err
	}
	return newReport(Report{OrderID: o.ID, OfferID: of.ID, Subject: of.Seller, ItemName: o.ItemName}, by, reason, forms, now)
}

func newReport(r Report, by Actor, reason string, forms TextForms, now time.Time) (Report, error) {
	if by.Blocked {
		return Report{}, by.mayTrade()
	}
	reason, err := forms.reason(reason)
	if err != nil {
		return Report{}, err
	}
	r.Reporter, r.Reason, r.State, r.CreatedAt = by.UserID, reason, ReportOpen, now
	return r, nil
}

// mayAdd decides whether another report may be added to those of the same user that are open. It refuses with Conflict when
// one of them is about the same, and with TooMany.
func (r Report) mayAdd(open []Report) error {
	for _, other := range open {
		if other.OrderID == r.OrderID && other.OfferID == r.OfferID {
			return &Error{Kind: Conflict, Message: "You have reported this already. A moderator will look at it."}
		}
	}
	if len(open) >= MaxOpenReports {
		return &Error{Kind: TooMany, Message: "Wait until a moderator has looked at what you reported.", RetryAfter: time.Hour}
	}
	return nil
}

// Dismiss decides what it means that a moderator sees nothing wrong. It refuses with Unauthenticated, Forbidden, and Conflict
// when somebody was faster.
func (r Report) Dismiss(by Actor, now time.Time) (Report, AuditEntry, error) {
	if err := by.Moderates(); err != nil {
		return Report{}, AuditEntry{}, err
	}
	if r.State != ReportOpen {
		return Report{}, AuditEntry{}, &Error{Kind: Conflict, Message: "This report is already settled"}
	}
	r.State = ReportDismissed
	return r, AuditEntry{
		At: now, Moderator: by.UserID, Action: DismissedReport, OrderID: r.OrderID, OfferID: r.OfferID, ReportID: r.ID,
		Subject: r.Subject, ItemName: r.ItemName,
	}, nil
}
