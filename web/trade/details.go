package trade

import (
	"context"
	"time"

	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

// tradeDetailsView is the JSON shape of everything about one trade, for one of its two sides.
type tradeDetailsView struct {
	Receipt  receiptView                 `json:"receipt"`
	Handover kernel.OrNull[HandoverView] `json:"handover" doc:"null where no one is asked"`
	UndoneAt *time.Time                  `json:"undoneAt" doc:"When the accept was undone"`

	Description string `json:"description" doc:"Of the request" example:"Meet at the bank"`
	Message     string `json:"message" doc:"Of the offer" example:"Tonight?"`

	You  slipPartyView                `json:"you"`
	With kernel.OrNull[slipPartyView] `json:"with" doc:"null for a visitor and who left"`

	Place       kernel.OrNull[meetingPlaceView] `json:"place" doc:"As either said it last"`
	CanSayPlace bool                            `json:"canSayPlace"`

	Open []slipLineView `json:"open" doc:"Open between the two, by the agreed time; at most 200"`
	More bool           `json:"more" doc:"There is more than that"`

	History []tradeEventView             `json:"history" doc:"What happened, the earliest first"`
	Next    kernel.OrNull[tradeNextView] `json:"next" doc:"What time alone leads to"`
}

type tradeEventView struct {
	Kind trade.EventKind `json:"kind"`

	By string    `json:"by,omitempty" enum:"you,them" doc:"Left out for a moderator and for time"`
	At time.Time `json:"at"`
}

type tradeNextView struct {
	State trust.HandoverState `json:"state" enum:"met,cancelled,unconfirmed"`
	At    time.Time           `json:"at"`
}

func viewDetails(d trade.Details, now time.Time) tradeDetailsView {
	reader := d.Slip.Own.User
	view := tradeDetailsView{
		Receipt: viewReceipt(d.Trade, reader), UndoneAt: kernel.TimeOrNil(d.UndoneAt),
		Description: d.Description, Message: d.Message, You: viewSlipParty(d.Slip.Own),
		Place: viewPlace(d.Slip.Place, reader), CanSayPlace: d.Slip.CanSayPlace,
		Open: viewSlipLines(d.Slip, now), More: d.Slip.More, History: []tradeEventView{},
	}
	if d.UndoneAt.IsZero() {
		view.Receipt.Undo = kernel.ViewUndo(d.Trade.Undo(), reader, now)
	}
	if d.Trade.State != "" {
		handover := ViewHandover(d.Trade, reader, now)
		view.Handover.Value = &handover
	}
	if d.Slip.Partner.User != 0 {
		with := viewSlipParty(d.Slip.Partner)
		view.With.Value = &with
	}
	side := d.Trade.SideOf(reader)
	for _, e := range d.History(now) {
		event := tradeEventView{Kind: e.Kind, At: e.At}
		switch e.By {
		case "":
		case side:
			event.By = "you"
		default:
			event.By = "them"
		}
		view.History = append(view.History, event)
	}
	if state, at := d.Trade.Next(now); state != "" {
		view.Next.Value = &tradeNextView{state, at}
	}
	return view
}

type getTradeInput struct {
	kernel.Caller
	kernel.BySale
}

func (a handovers) getTrade(
	ctx context.Context, in *getTradeInput,
) (*kernel.Answer[tradeDetailsView], error) {
	d, err := a.Market.Trade.Details(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[tradeDetailsView]{Body: viewDetails(d, a.Now())}, nil
}
