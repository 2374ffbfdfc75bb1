package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// slipView is the JSON shape of the open trades with a partner, as one of the two reads it.
type slipView struct {
	With        slipPartyView                   `json:"with" doc:"The partner"`
	You         slipPartyView                   `json:"you"`
	Lines       []slipLineView                  `json:"lines" doc:"What is open between the two, by the agreed time; at most 200"`
	More        bool                            `json:"more" doc:"There is more than that"`
	Bring       []slipItemView                  `json:"bring" doc:"What you bring for all that you have not answered yet"`
	Get         []slipItemView                  `json:"get" doc:"What the partner brings for it"`
	Pay         string                          `json:"pay" pattern:"^[0-9]+$" doc:"What you pay for it: an exact sum in copper" example:"5000"`
	Earn        string                          `json:"earn" pattern:"^[0-9]+$" doc:"What the partner pays for it: an exact sum in copper" example:"12000"`
	Net         string                          `json:"net" pattern:"^-?[0-9]+$" doc:"What you pay in the end: pay less earn; negative for what you get" example:"-7000"`
	Place       kernel.OrNull[meetingPlaceView] `json:"place" doc:"Where the two meet, as either said it last; null before that"`
	CanSayPlace bool                            `json:"canSayPlace" doc:"You can say where you meet; not while one has blocked the other"`
}

type slipPartyView struct {
	ID          core.UserID `json:"id" doc:"The user's ID on this site" example:"3"`
	Name        string      `json:"name" doc:"Of their account" example:"Fern"`
	Contact     string      `json:"contact" doc:"The Discord username of their account" example:"fern"`
	InGameNames []string    `json:"inGameNames" doc:"How they are called in the game: as they say first, then as their requests on the slip do" example:"[\"Fern#1234\"]"`
	LookAlike   bool        `json:"lookAlike" doc:"One of these looks like the name of an established trader, but isn't theirs"`
}

type slipLineView struct {
	Handover     HandoverView `json:"handover"`
	PricePerUnit core.Copper  `json:"pricePerUnit" doc:"In copper" example:"250"`
	Description  string       `json:"description" doc:"Of the request; empty for none" example:"Meet at the bank"`
	Message      string       `json:"message" doc:"Of the offer; empty when it is gone" example:"Tonight?"`
}

type slipItemView struct {
	ItemName string `json:"itemName" example:"Iron Ore"`
	Quantity int    `json:"quantity" example:"20"`
}

type meetingPlaceView struct {
	Text      string    `json:"text" example:"By the fountain"`
	SaidByYou bool      `json:"saidByYou"`
	SaidAt    time.Time `json:"saidAt"`
}

func viewPlace(p trade.MeetingPlace, reader core.UserID) kernel.OrNull[meetingPlaceView] {
	if p.Text == "" {
		return kernel.OrNull[meetingPlaceView]{}
	}
	return kernel.OrNull[meetingPlaceView]{Value: &meetingPlaceView{Text: p.Text,
		SaidByYou: p.SaidBy == reader, SaidAt: p.SaidAt}}
}

func viewSlip(s trade.Slip, now time.Time) slipView {
	totals := s.Totals(now)
	view := slipView{
		With: viewSlipParty(s.Partner), You: viewSlipParty(s.Own), Lines: viewSlipLines(s, now),
		More:  s.More,
		Bring: viewItemSums(totals.Bring), Get: viewItemSums(totals.Get),
		Pay: totals.Pay.String(), Earn: totals.Earn.String(), Net: totals.Net().String(),
		Place: viewPlace(s.Place, s.Own.User), CanSayPlace: s.CanSayPlace,
	}
	return view
}

func viewSlipLines(s trade.Slip, now time.Time) []slipLineView {
	lines := make([]slipLineView, len(s.Lines))
	for i, l := range s.Lines {
		lines[i] = slipLineView{
			Handover: ViewHandover(l.Trade, s.Own.User, now), PricePerUnit: l.Trade.UnitPrice,
			Description: l.Description, Message: l.Message,
		}
	}
	return lines
}

func viewSlipParty(p trade.SlipParty) slipPartyView {
	return slipPartyView{
		ID: p.User, Name: p.Account.DisplayName, Contact: p.Account.Username,
		InGameNames: append([]string{}, p.InGameNames...), LookAlike: p.LookAlike,
	}
}

func viewItemSums(items []trade.ItemSum) []slipItemView {
	views := make([]slipItemView, len(items))
	for i, item := range items {
		views[i] = slipItemView(item)
	}
	return views
}

// ByPartner is the part of the input that names a partner.
type ByPartner struct {
	ID core.UserID `path:"id" doc:"The partner's user ID on this site" example:"3"`
}

type getSlipInput struct {
	kernel.Caller
	ByPartner
}

func (a handovers) getSlip(ctx context.Context, in *getSlipInput) (*kernel.Answer[slipView], error) {
	s, err := a.Market.Trade.Slip(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[slipView]{Body: viewSlip(s, a.Now())}, nil
}

type meetingPlaceDraft struct {
	Place string `json:"place" limit:"place" doc:"Both read it; empty for none" example:"By the fountain"`
}

type putMeetingPlaceInput struct {
	ByPartner
	kernel.Keyed
	Body kernel.Sent[meetingPlaceDraft]
}

func (a handovers) putMeetingPlace(
	ctx context.Context, in *putMeetingPlaceInput,
) (*kernel.Answer[slipView], error) {
	if err := a.Market.Trade.SetMeetingPlace(ctx, in.By, in.ID, in.Body.Fields.Place); err != nil {
		return nil, err
	}
	return a.getSlip(ctx, &getSlipInput{in.Caller, in.ByPartner})
}

// inGameNameView is the JSON shape of how a user is called in the game, in answers and in writes.
type inGameNameView struct {
	InGameName string `json:"inGameName" limit:"inGameName" doc:"As your partners find you in the game; empty for none" example:"Maple#1234"`
}

type putInGameNameInput struct {
	kernel.Keyed
	Body kernel.Sent[inGameNameView]
}

func (a handovers) putInGameName(
	ctx context.Context, in *putInGameNameInput,
) (*kernel.Answer[inGameNameView], error) {
	name, err := a.Market.Trade.SetInGameName(ctx, in.By, in.Body.Fields.InGameName)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[inGameNameView]{Body: inGameNameView{InGameName: name}}, nil
}
