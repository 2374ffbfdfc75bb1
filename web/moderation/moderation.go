package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/moderation"
	"tradepost/web/kernel"
)

// why is the reason of a report, a removal or a block.
type why struct {
	Reason string `json:"reason" limit:"reason" example:"There is no such item"`
}

type whyOrderInput struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[why]
}

type whyOfferInput struct {
	kernel.ByOffer
	kernel.Keyed
	Body kernel.Sent[why]
}

func (a operations) removeOrder(ctx context.Context, in *whyOrderInput) error {
	return a.Market.Moderation.RemoveOrder(ctx, in.By, in.ID, in.Body.Fields.Reason)
}

func (a operations) removeOffer(ctx context.Context, in *whyOfferInput) error {
	return a.Market.Moderation.RemoveOffer(ctx, in.By, in.ID, in.Body.Fields.Reason)
}

func (a operations) reportOrder(ctx context.Context, in *whyOrderInput) error {
	if err := a.LimitVisitorReports(ctx, in.By); err != nil {
		return err
	}
	_, err := a.Market.Moderation.ReportOrder(ctx, in.By, in.ID, in.Body.Fields.Reason)
	return err
}

func (a operations) reportOffer(ctx context.Context, in *whyOfferInput) error {
	_, err := a.Market.Moderation.ReportOffer(ctx, in.By, in.ID, in.Body.Fields.Reason)
	return err
}

type whyListingInput struct {
	ID core.StockID `path:"id" doc:"The listing" example:"9"`
	kernel.Keyed
	Body kernel.Sent[why]
}

func (a operations) removeListing(ctx context.Context, in *whyListingInput) error {
	return a.Market.Moderation.RemoveListing(ctx, in.By, in.ID, in.Body.Fields.Reason)
}

func (a operations) reportListing(ctx context.Context, in *whyListingInput) error {
	if err := a.LimitVisitorReports(ctx, in.By); err != nil {
		return err
	}
	_, err := a.Market.Moderation.ReportListing(ctx, in.By, in.ID, in.Body.Fields.Reason)
	return err
}

// reportView is the JSON shape of a report, for moderators.
type reportView struct {
	ID        core.ReportID                   `json:"id" example:"12"`
	OrderID   core.OrderID                    `json:"orderId" example:"7"`
	OfferID   *core.OfferID                   `json:"offerId" doc:"null when it is about the request" example:"70"`
	ItemName  string                          `json:"itemName" example:"Iron Ore"`
	Reason    string                          `json:"reason" example:"There is no such item"`
	Reporter  kernel.OrNull[kernel.Person]    `json:"reporter" doc:"Who gave the reason; null for a visitor"`
	Count     int                             `json:"count" doc:"Number of open reports about the same subject, including this one; they are dismissed together" example:"3"`
	Reasons   []reportReason                  `json:"reasons" doc:"The reasons given, users before visitors, then newest first; at most five"`
	Subject   kernel.OrNull[kernel.Person]    `json:"subject" doc:"The owner; null for a visitor's offer"`
	Order     kernel.OrNull[kernel.OrderView] `json:"order" doc:"The current request; null once it is deleted"`
	Offer     kernel.OrNull[kernel.OfferView] `json:"offer" doc:"The current offer; null once it is deleted, and when the report is about the request"`
	CreatedAt time.Time                       `json:"createdAt"`

	ListingID core.StockID     `json:"listingId,omitzero" doc:"Left out unless it is about a listing; orderId is 0 then" example:"9"`
	Listing   *reportedListing `json:"listing,omitempty" doc:"The current listing; left out once it is not for sale, and unless it is about a listing"`
}

// reportedListing is the JSON shape of a listing, for moderators.
type reportedListing struct {
	Quantity int         `json:"quantity" example:"600"`
	Price    core.Copper `json:"price" doc:"Price per unit, in copper" example:"4000"`
	Note     string      `json:"note" doc:"Empty for none" example:"In Ravenia"`
}

// reportReason is the JSON shape of one reporter's reason.
type reportReason struct {
	Reporter  kernel.OrNull[kernel.Person] `json:"reporter" doc:"null for a visitor"`
	Reason    string                       `json:"reason" example:"There is no such item"`
	CreatedAt time.Time                    `json:"createdAt"`
}

func (a operations) viewReport(r moderation.Report, now time.Time) reportView {
	v := reportView{
		ID: r.ID, OrderID: r.OrderID, OfferID: kernel.IDOrNil(r.OfferID), ItemName: r.ItemName,
		Reason: r.Reason, CreatedAt: r.CreatedAt,
		Reporter: kernel.PersonOrNull(r.Reporter, r.ReporterName),
		Subject:  kernel.PersonOrNull(r.Subject, r.SubjectName),
	}
	v.Count, v.Reasons = r.Count, []reportReason{}
	for _, reason := range r.Reasons {
		v.Reasons = append(v.Reasons, reportReason{kernel.PersonOrNull(reason.Reporter, reason.ReporterName),
			reason.Reason, reason.At})
	}
	if l := r.Listing; a.Features.Listings && r.ListingID != 0 {
		v.ListingID = r.ListingID
		if l != nil && l.Listed(now) {
			v.Listing = &reportedListing{Quantity: l.Quantity, Price: l.Price, Note: l.Note}
		}
	}
	if r.Order != nil {
		order := kernel.ViewOrder(*r.Order, now)
		v.Order.Value = &order
	}
	if r.Offer != nil {
		offer := kernel.ViewOffer(*r.Offer)
		v.Offer.Value = &offer
	}
	return v
}

type reportPageView struct {
	Reports    []reportView `json:"reports" doc:"Open reports, one per request or offer, newest first"`
	NextCursor *string      `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a operations) listReports(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[reportPageView], error) {
	return kernel.Listed(ctx, a.Kernel, in, a.Market.Moderation.Reports,
		func(reports []moderation.Report, next *string) reportPageView {
			page := reportPageView{Reports: []reportView{}, NextCursor: next}
			for _, r := range reports {
				page.Reports = append(page.Reports, a.viewReport(r, a.Now()))
			}
			return page
		}, func(r moderation.Report) core.ReportID { return r.ID })
}

type dismissReportInput struct {
	ID core.ReportID `path:"id" doc:"The report" example:"12"`
	kernel.Keyed
}

func (a operations) dismissReport(ctx context.Context, in *dismissReportInput) error {
	return a.Market.Moderation.DismissReport(ctx, in.By, in.ID)
}

// auditEntryView is the JSON shape of an entry of the log, for moderators.
type auditEntryView struct {
	ID        core.AuditID                 `json:"id" example:"5"`
	At        time.Time                    `json:"at"`
	Moderator kernel.Person                `json:"moderator"`
	Action    core.AuditAction             `json:"action"`
	OrderID   *core.OrderID                `json:"orderId" doc:"The request may have been deleted since" example:"7"`
	OfferID   *core.OfferID                `json:"offerId" example:"70"`
	ReportID  *core.ReportID               `json:"reportId" example:"12"`
	Subject   kernel.OrNull[kernel.Person] `json:"subject" doc:"The former owner, or the blocked user; null for a visitor"`
	ItemName  string                       `json:"itemName" doc:"Empty where there is none" example:"Iron Ore"`
	Reason    string                       `json:"reason" doc:"Empty where none was given" example:"There is no such item"`
	Undoable  bool                         `json:"undoable" doc:"Whether the caller can undo this removal or decision on a name: within 30 days, once, and not about themselves"`
	ListingID core.StockID                 `json:"listingId,omitzero" doc:"Left out unless it is about a listing" example:"9"`
	Undo      *kernel.UndoView             `json:"undo,omitempty" doc:"Left out when the caller can't undo it"`
}

type auditPageView struct {
	Entries    []auditEntryView `json:"entries" doc:"Newest first"`
	NextCursor *string          `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a operations) listAudit(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[auditPageView], error) {
	return kernel.Listed(ctx, a.Kernel, in, a.Market.Moderation.AuditEntries,
		func(entries []core.AuditEntry, next *string) auditPageView {
			page := auditPageView{Entries: []auditEntryView{}, NextCursor: next}
			for _, e := range entries {
				var undo *kernel.UndoView
				if e.Undoable {
					undo = kernel.NewUndoView(moderation.Undo(e))
				}
				listing := e.ListingID
				if !a.Features.Listings {
					listing = 0
				}
				page.Entries = append(page.Entries, auditEntryView{
					ID: e.ID, At: e.At, Moderator: kernel.Person{ID: e.Moderator, Username: e.ModeratorName},
					Action:  e.Action,
					OrderID: kernel.IDOrNil(e.OrderID), OfferID: kernel.IDOrNil(e.OfferID),
					ReportID: kernel.IDOrNil(e.ReportID),
					Subject:  kernel.PersonOrNull(e.Subject, e.SubjectName), ItemName: e.ItemName,
					Reason: e.Reason, Undoable: e.Undoable, Undo: undo, ListingID: listing,
				})
			}
			return page
		}, func(e core.AuditEntry) core.AuditID { return e.ID })
}
