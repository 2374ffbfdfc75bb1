package web

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

// recordView is the JSON shape of what a trader's handovers came to.
type recordView struct {
	UserID   core.UserID `json:"userId" doc:"The trader's user ID on this site" example:"3"`
	New      bool        `json:"new" doc:"Fewer than three established partners: there is too little to say"`
	Partners int         `json:"partners" doc:"Different established traders they met" example:"12"`
	Others   int         `json:"others" doc:"Different other partners they met" example:"3"`
	Met      int         `json:"met" doc:"Handovers that were met" example:"40"`
	Kept     *int        `json:"kept" minimum:"0" maximum:"100" doc:"Share of their partners with whom they kept their word, in percent, rounded down; null for unknown" example:"98"`
	MeetsIn  *int        `json:"meetsIn" doc:"Usual time from the accept until both had met, in minutes; null for unknown" example:"1440"`
}

func viewRecord(id core.UserID, r core.Record) recordView {
	view := recordView{UserID: id, New: r.New(), Partners: r.Partners, Others: r.Others, Met: r.Met}
	if r.Kept != core.NoShare {
		view.Kept = &r.Kept
	}
	if r.MeetsIn > 0 {
		view.MeetsIn = new(int(r.MeetsIn / time.Minute))
	}
	return view
}

type recordsView struct {
	Records []recordView `json:"records" doc:"In the order of the question"`
}

func (a *api) listRecords(ctx context.Context, in *struct {
	Users []int64 `query:"user,explode" maxItems:"60" doc:"User IDs on this site; may be repeated" example:"[3]"`
}) (*answer[recordsView], error) {
	var c core.Checks
	c.That(len(in.Users) <= core.MaxRecords, "user", core.NewText("too_many_values", "%d values or fewer", core.MaxRecords))
	if err := c.Err(); err != nil {
		return nil, err
	}
	users := numbers[core.UserID](in.Users)
	records, err := a.market.Records(ctx, append([]core.UserID{}, users...)...)
	if err != nil {
		return nil, err
	}
	view := recordsView{Records: make([]recordView, 0, len(users))}
	for _, id := range users {
		record, known := records[id]
		if !known {
			record.Kept = core.NoShare
		}
		view.Records = append(view.Records, viewRecord(id, record))
	}
	return &answer[recordsView]{view}, nil
}

// traderView is the JSON shape of what everybody may know of a trader.
type traderView struct {
	Name        string     `json:"name" example:"Maple"`
	Since       time.Time  `json:"since" doc:"When they first came to this market"`
	Established bool       `json:"established" doc:"They are an established trader"`
	Record      recordView `json:"record"`
}

func (a *api) getTrader(ctx context.Context, in *struct {
	ID core.UserID `path:"id" doc:"The trader's user ID on this site" example:"3"`
}) (*answer[traderView], error) {
	t, err := a.market.TraderPage(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[traderView]{traderView{Name: t.Name, Since: t.Since, Established: t.Established, Record: viewRecord(t.User, t.Record)}}, nil
}

// leastRecordView is the JSON shape of what a buyer asks of sellers, in answers and writes.
type leastRecordView struct {
	Partners int `json:"partners" minimum:"1" maximum:"100" doc:"Established partners that a seller needs" example:"3"`
	NewUpTo  int `json:"newUpTo" minimum:"0" limit:"quantity" doc:"What sellers with fewer may offer at most; 0 for nothing" example:"50"`
}

// standingDraft is the JSON shape of which offers are accepted as they come.
type standingDraft struct {
	Partners     int    `json:"partners" minimum:"1" maximum:"100" doc:"From how many established partners on a seller is trusted" example:"5"`
	FromPartners int    `json:"fromPartners" minimum:"0" limit:"quantity" doc:"How many are taken from trusted sellers, in all" example:"200"`
	FromOthers   int    `json:"fromOthers" minimum:"0" limit:"quantity" doc:"How many are taken from others, in all" example:"50"`
	Until        string `json:"until" format:"date-time" doc:"Within 30 days" example:"2026-12-06T20:00:00Z"`
}

type standingView struct {
	Partners          int        `json:"partners" minimum:"1" maximum:"100" doc:"From how many established partners on a seller is trusted" example:"5"`
	FromPartners      int        `json:"fromPartners" minimum:"0" doc:"How many are taken from trusted sellers, in all" example:"200"`
	FromOthers        int        `json:"fromOthers" minimum:"0" doc:"How many are taken from others, in all" example:"50"`
	Until             time.Time  `json:"until"`
	TakenFromPartners int        `json:"takenFromPartners" example:"20"`
	TakenFromOthers   int        `json:"takenFromOthers" example:"0"`
	SetAt             time.Time  `json:"setAt"`
	EndedAt           *time.Time `json:"endedAt" doc:"null unless it was ended before its time"`
	Stands            bool       `json:"stands" doc:"Offers are accepted now"`
}

func viewStanding(s core.StandingAcceptance, now time.Time) standingView {
	view := standingView{
		Partners: s.Partners, FromPartners: s.FromPartners, FromOthers: s.FromOthers, Until: s.Until,
		TakenFromPartners: s.TakenFromPartners, TakenFromOthers: s.TakenFromOthers, SetAt: s.SetAt, Stands: s.Stands(now),
	}
	if !s.EndedAt.IsZero() {
		view.EndedAt = &s.EndedAt
	}
	return view
}

// termsView is the JSON shape of what a buyer asks of sellers on a request.
type termsView struct {
	Least    orNull[leastRecordView] `json:"leastRecord" doc:"null when nothing is asked"`
	Standing []standingView          `json:"standing" doc:"Which offers are accepted as they come, the latest first; only for the buyer, empty for others"`
}

func (a *api) getTerms(ctx context.Context, in *ByOrder) (*answer[termsView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	terms, err := a.market.Terms(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	view := termsView{Standing: make([]standingView, len(terms.Standing))}
	if terms.Least.Partners > 0 {
		view.Least.value = &leastRecordView{terms.Least.Partners, terms.Least.NewUpTo}
	}
	for i, s := range terms.Standing {
		view.Standing[i] = viewStanding(s, a.now())
	}
	return &answer[termsView]{view}, nil
}

type putStandingInput struct {
	ByOrder
	Keyed
	Body sent[standingDraft]
}

func (a *api) putStanding(ctx context.Context, in *putStandingInput) (*answer[standingView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	d := in.Body.Fields
	until, _ := time.Parse(time.RFC3339, d.Until) // what is none is the year 1: out of reach
	s, err := a.market.SetStanding(ctx, actor, in.ID, core.StandingDraft{Partners: d.Partners, FromPartners: d.FromPartners, FromOthers: d.FromOthers, Until: until})
	if err != nil {
		return nil, err
	}
	return &answer[standingView]{viewStanding(s, a.now())}, nil
}

type termsWrite struct {
	ByOrder
	Keyed
}

func (a *api) endStanding(ctx context.Context, in *termsWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.EndStanding(ctx, actor, in.ID)
}

type putLeastRecordInput struct {
	ByOrder
	Keyed
	Body sent[leastRecordView]
}

func (a *api) putLeastRecord(ctx context.Context, in *putLeastRecordInput) (*answer[termsView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	if err := a.market.SetLeastRecord(ctx, actor, in.ID, core.LeastRecord(in.Body.Fields)); err != nil {
		return nil, err
	}
	return a.getTerms(ctx, &in.ByOrder)
}

func (a *api) removeLeastRecord(ctx context.Context, in *termsWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.SetLeastRecord(ctx, actor, in.ID, core.LeastRecord{})
}

// recordRoutes are the routes of records, and of what depends on them. Without them what they add to others is not there.
func (a *api) recordRoutes() {
	if !a.opts.Features.Records {
		schemas := a.openAPI.Components.Schemas.Map()
		delete(schemas["Offer"].Properties, "sellerId")
		delete(schemas["OfferSent"].Properties, "accepted")
		if s := schemas["NoticeKind"]; s != nil {
			s.Enum = slices.DeleteFunc(s.Enum, func(kind any) bool { return fmt.Sprint(kind) == string(core.NoticeStandingAccepted) })
		}
		return
	}
	get(a, "/api/traders", a.listRecords, "list-records", "Get the records of several traders")
	get(a, "/api/traders/{id}", a.getTrader, "get-trader", "Get what everybody may know of a trader")
	get(a, "/api/orders/{id}/terms", a.getTerms, "get-terms", "Get what the buyer asks of sellers on a request")
	put(a, "/api/orders/{id}/standing", a.putStanding, "put-standing", "Accept offers on your request as they come, each as a whole while there is room for it")
	remove(a, "/api/orders/{id}/standing", a.endStanding, "end-standing", "Have offers on your request wait for your answer again")
	put(a, "/api/orders/{id}/least-record", a.putLeastRecord, "put-least-record", "Ask for a least record of sellers on your request")
	remove(a, "/api/orders/{id}/least-record", a.removeLeastRecord, "remove-least-record", "Take offers of sellers with any record again")
}
