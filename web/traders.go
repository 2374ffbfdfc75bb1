package web

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

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
