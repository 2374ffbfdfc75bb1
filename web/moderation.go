package web

import (
	"context"
	"net/http"
	"time"

	"tradepost/core"
)

// person is a user as moderators see them, and a buyer those they blocked.
type person struct {
	ID       core.UserID `json:"id" doc:"The site's own number" example:"3"`
	Username string      `json:"username" doc:"As they are called now; empty when they have gone" example:"maple"`
}

func personOrNull(id core.UserID, username string) (p orNull[person]) {
	if id != 0 {
		p.value = &person{ID: id, Username: username}
	}
	return p
}

// why is the reason of a report, a removal or a block.
type why struct {
	Reason string `json:"reason" maxLength:"500" example:"There is no such item"`
}

type whyOrderInput struct {
	ByOrder
	Keyed
	Body sent[why]
}

type whyOfferInput struct {
	ByOffer
	Keyed
	Body sent[why]
}

func (a *api) removeOrder(ctx context.Context, in *whyOrderInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.RemoveOrder(ctx, actor, in.ID, in.Body.Fields.Reason)
}

func (a *api) removeOffer(ctx context.Context, in *whyOfferInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.RemoveOffer(ctx, actor, in.ID, in.Body.Fields.Reason)
}

func (a *api) reportOrder(ctx context.Context, in *whyOrderInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	if err := a.limitVisitorReports(ctx, actor); err != nil {
		return err
	}
	_, err = a.market.ReportOrder(ctx, actor, in.ID, in.Body.Fields.Reason)
	return err
}

func (a *api) reportOffer(ctx context.Context, in *whyOfferInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	_, err = a.market.ReportOffer(ctx, actor, in.ID, in.Body.Fields.Reason)
	return err
}

const visitorReportWindow = 10 * time.Minute

// limitVisitorReports refuses with TooMany when visitors at this address have reported enough for now.
func (s *Server) limitVisitorReports(ctx context.Context, actor core.Actor) error {
	request := (&http.Request{}).WithContext(ctx)
	if actor.SignedIn() || !s.visitorReports.refuses(request, actor.Address) {
		return nil
	}
	return &core.Error{
		Kind: core.TooMany, Message: "Too many reports from here. Sign in with Discord, or wait a few minutes.", RetryAfter: visitorReportWindow,
	}
}

// reportView is the JSON shape of a report, for moderators.
type reportView struct {
	ID        core.ReportID     `json:"id" example:"12"`
	OrderID   core.OrderID      `json:"orderId" example:"7"`
	OfferID   *core.OfferID     `json:"offerId" doc:"null when it is about the request" example:"70"`
	ItemName  string            `json:"itemName" example:"Iron Ore"`
	Reason    string            `json:"reason" example:"There is no such item"`
	Reporter  orNull[person]    `json:"reporter" doc:"null for a visitor"`
	Subject   orNull[person]    `json:"subject" doc:"Whose it is; null for a visitor's offer"`
	Order     orNull[orderView] `json:"order" doc:"The request as it stands now; null once it is gone"`
	Offer     orNull[offerView] `json:"offer" doc:"The offer as it stands now; null once it is gone, and when it is about the request"`
	CreatedAt time.Time         `json:"createdAt"`
}

func viewReport(r core.Report, now time.Time) reportView {
	v := reportView{
		ID: r.ID, OrderID: r.OrderID, OfferID: idOrNil(r.OfferID), ItemName: r.ItemName, Reason: r.Reason, CreatedAt: r.CreatedAt,
		Reporter: personOrNull(r.Reporter, r.ReporterName), Subject: personOrNull(r.Subject, r.SubjectName),
	}
	if r.Order != nil {
		order := viewOrder(*r.Order, now)
		v.Order.value = &order
	}
	if r.Offer != nil {
		offer := viewOffer(*r.Offer)
		v.Offer.value = &offer
	}
	return v
}

type reportPageView struct {
	Reports    []reportView `json:"reports" doc:"Those that no moderator has settled, newest first"`
	NextCursor *string      `json:"nextCursor" doc:"Where the next page begins; null on the last one"`
}

func (a *api) listReports(ctx context.Context, in *cursorInput) (*answer[reportPageView], error) {
	return listed(ctx, a, in, a.market.Reports, func(reports []core.Report, next *string) reportPageView {
		page := reportPageView{Reports: []reportView{}, NextCursor: next}
		for _, r := range reports {
			page.Reports = append(page.Reports, viewReport(r, a.now()))
		}
		return page
	}, func(r core.Report) core.ReportID { return r.ID })
}

// listed answers a page of a list that is ordered by id.
func listed[T any, ID ~int64, V any](ctx context.Context, a *api, in *cursorInput,
	read func(context.Context, core.Actor, ID, int) ([]T, error), view func([]T, *string) V, idOf func(T) ID,
) (*answer[V], error) {
	before, err := placeAfter[ID](in.Cursor)
	if err != nil {
		return nil, err
	}
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, actor, before, pageSize+1)
	if err != nil {
		return nil, err
	}
	var next *string
	if len(rows) > pageSize {
		rows = rows[:pageSize]
		next = writeCursor(idOf(rows[pageSize-1]))
	}
	return &answer[V]{view(rows, next)}, nil
}

type dismissReportInput struct {
	ID core.ReportID `path:"id" doc:"The report" example:"12"`
	Keyed
}

func (a *api) dismissReport(ctx context.Context, in *dismissReportInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.DismissReport(ctx, actor, in.ID)
}

// auditEntryView is the JSON shape of what a moderator did, for moderators.
type auditEntryView struct {
	ID        core.AuditID     `json:"id" example:"5"`
	At        time.Time        `json:"at"`
	Moderator person           `json:"moderator"`
	Action    core.AuditAction `json:"action"`
	OrderID   *core.OrderID    `json:"orderId" doc:"Leads nowhere once the request is gone" example:"7"`
	OfferID   *core.OfferID    `json:"offerId" example:"70"`
	ReportID  *core.ReportID   `json:"reportId" example:"12"`
	Subject   orNull[person]   `json:"subject" doc:"Whose it was, or who was blocked; null for a visitor"`
	ItemName  string           `json:"itemName" doc:"Empty where there is none" example:"Iron Ore"`
	Reason    string           `json:"reason" doc:"Empty where none was given" example:"There is no such item"`
}

type auditPageView struct {
	Entries    []auditEntryView `json:"entries" doc:"Newest first"`
	NextCursor *string          `json:"nextCursor" doc:"Where the next page begins; null on the last one"`
}

func (a *api) listAudit(ctx context.Context, in *cursorInput) (*answer[auditPageView], error) {
	return listed(ctx, a, in, a.market.AuditEntries, func(entries []core.AuditEntry, next *string) auditPageView {
		page := auditPageView{Entries: []auditEntryView{}, NextCursor: next}
		for _, e := range entries {
			page.Entries = append(page.Entries, auditEntryView{
				ID: e.ID, At: e.At, Moderator: person{ID: e.Moderator, Username: e.ModeratorName}, Action: e.Action,
				OrderID: idOrNil(e.OrderID), OfferID: idOrNil(e.OfferID), ReportID: idOrNil(e.ReportID),
				Subject: personOrNull(e.Subject, e.SubjectName), ItemName: e.ItemName, Reason: e.Reason,
			})
		}
		return page
	}, func(e core.AuditEntry) core.AuditID { return e.ID })
}
