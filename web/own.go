package web

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// myDataView is everything that is kept about a user, in the shapes that the rest of the API has for it.
type myDataView struct {
	TakenAt  time.Time       `json:"takenAt"`
	User     ownUserView     `json:"user"`
	Settings noticeSettings  `json:"settings" doc:"Which direct messages they get"`
	Orders   []ownOrderView  `json:"orders" doc:"Requests: open, expired, then fulfilled"`
	Offers   []sentOfferView `json:"offers" doc:"Offers they have sent, newest first"`
	Notices  []noticeView    `json:"notices" doc:"Newest first"`
	Reports  []ownReportView `json:"reports" doc:"They have sent, newest first"`
	Blocked  []person        `json:"blockedSellers" doc:"Whose offers they do not want"`
}

type ownUserView struct {
	ID          core.UserID `json:"id" doc:"The site's own number" example:"3"`
	Username    string      `json:"username" example:"maple"`
	DisplayName string      `json:"displayName" example:"Maple"`
	Email       *string     `json:"email" example:"maple@example.com"`
	DiscordID   string      `json:"discordId" doc:"Of their account at Discord" example:"80351110224678912"`
	Locale      string      `json:"locale" example:"en-US"`
	Since       time.Time   `json:"since" doc:"When they first came"`
}

type ownReportView struct {
	ItemName  string           `json:"itemName" example:"Iron Ore"`
	Reason    string           `json:"reason" example:"There is no such item"`
	State     core.ReportState `json:"state"`
	CreatedAt time.Time        `json:"createdAt"`
}

type ownOrderView struct {
	Order orderView  `json:"order"`
	Sales []saleView `json:"sales" doc:"Newest first"`
}

type myDataOutput struct {
	Disposition string `header:"Content-Disposition" doc:"So that a browser saves it"`
	Body        myDataView
}

func (a *api) getMyData(ctx context.Context, _ *struct{}) (*myDataOutput, error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	data, err := a.market.OwnData(ctx, actor)
	if err != nil {
		return nil, err
	}
	u := data.User
	view := myDataView{
		TakenAt: data.TakenAt,
		User: ownUserView{
			ID: u.ID, Username: u.Username, DisplayName: u.DisplayName, Email: textOrNil(u.Email),
			DiscordID: u.DiscordID, Locale: u.Locale, Since: u.CreatedAt,
		},
		Settings: viewSettings(data.Settings, ""),
		Orders:   make([]ownOrderView, 0, len(data.Orders)),
		Offers:   make([]sentOfferView, 0, len(data.Offers)),
		Notices:  make([]noticeView, 0, len(data.Notices)),
	}
	for _, o := range data.Orders {
		own := ownOrderView{Order: viewOrder(o.Order, data.TakenAt), Sales: make([]saleView, 0, len(o.Sales))}
		for _, sale := range o.Sales {
			own.Sales = append(own.Sales, viewSale(sale))
		}
		view.Orders = append(view.Orders, own)
	}
	for _, o := range data.Offers {
		view.Offers = append(view.Offers, viewSentOffer(o))
	}
	for _, n := range data.Notices {
		view.Notices = append(view.Notices, viewNotice(n))
	}
	view.Reports, view.Blocked = []ownReportView{}, []person{}
	for _, r := range data.Reports {
		view.Reports = append(view.Reports, ownReportView{ItemName: r.ItemName, Reason: r.Reason, State: r.State, CreatedAt: r.CreatedAt})
	}
	for _, s := range data.Blocked {
		view.Blocked = append(view.Blocked, person{ID: s.Seller, Username: s.Username})
	}
	return &myDataOutput{Disposition: `attachment; filename="my-data.json"`, Body: view}, nil
}

type leaveInput struct {
	Keyed
}

// leave deletes the user and ends the session at hand. Those in other browsers lead to nobody any more.
func (a *api) leave(ctx context.Context, in *leaveInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	if err := a.market.Leave(ctx, actor); err != nil {
		return err
	}
	if err := a.session.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
