package web

import (
	"time"

	"tradepost/core"
)

// handoverView is a handover as one of its sides sees it.
type handoverView struct {
	ID         core.SaleID        `json:"id" doc:"Of the sale that it is about, as in receipts"`
	RequestID  *core.OrderID      `json:"requestId,omitempty" doc:"Left out once the request is deleted"`
	OfferID    *core.OfferID      `json:"offerId,omitempty"`
	ItemName   string             `json:"itemName" example:"Iron Ore"`
	Quantity   int                `json:"quantity" example:"20"`
	Total      core.Copper        `json:"total,string" doc:"Exact sum in copper" example:"5000"`
	YouAre     core.Side          `json:"youAre" enum:"buyer,seller"`
	AcceptedAt time.Time          `json:"acceptedAt"`
	AgreedBy   time.Time          `json:"agreedBy" doc:"The two want to have met by then"`
	State      core.HandoverState `json:"state" enum:"agreed,met,cancelled,disputed,unconfirmed"`
	SettledAt  *time.Time         `json:"settledAt,omitempty" doc:"When the state became an end"`
	YourWord   core.Word          `json:"yourWord,omitempty" enum:"met,not_met" doc:"What you said became of it"`
	TheirWord  core.Word          `json:"theirWord,omitempty" enum:"met,not_met" doc:"What the other side said"`
	Against    string             `json:"against,omitempty" enum:"you,them" doc:"Against whom a moderator settled a dispute"`
	CanSay     bool               `json:"canSay" doc:"You can say what became of it"`
	CanPutOff  bool               `json:"canPutOff" doc:"You can put your answer off for a day"`
}

func viewHandover(h core.Handover, reader core.UserID, now time.Time) handoverView {
	side := h.SideOf(reader)
	state, since := h.Outcome(now)
	view := handoverView{
		ID: h.Sale, ItemName: h.ItemName, Quantity: h.Quantity, Total: h.Total(), YouAre: side,
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, State: state, YourWord: h.On(side).Word, TheirWord: h.On(side.Other()).Word,
		CanSay: h.MaySay(reader, now) == nil, CanPutOff: h.MayPostpone(reader, now) == nil,
	}
	if h.Order != 0 {
		view.RequestID = &h.Order
	}
	if h.Offer != 0 {
		view.OfferID = &h.Offer
	}
	if state.Over() && !since.IsZero() {
		view.SettledAt = &since
	}
	switch h.Against {
	case "":
	case side:
		view.Against = "you"
	case side.Other():
		view.Against = "them"
	}
	return view
}
