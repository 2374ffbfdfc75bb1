package moderation

import (
	"context"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

// disputeView is a dispute as moderators see it.
type disputeView struct {
	ID         core.SaleID      `json:"id" example:"12"`
	OrderID    *core.OrderID    `json:"orderId" doc:"null once the request is deleted" example:"7"`
	ItemName   string           `json:"itemName" example:"Iron Ore"`
	Quantity   int              `json:"quantity" example:"20"`
	Total      string           `json:"total" pattern:"^[0-9]+$" doc:"Exact sum in copper" example:"5000"`
	AcceptedAt time.Time        `json:"acceptedAt"`
	AgreedBy   time.Time        `json:"agreedBy"`
	LookedAt   *time.Time       `json:"lookedAt" doc:"When a moderator began to look at it; null before"`
	NewSide    trust.Side       `json:"newSide,omitempty" required:"false" enum:"buyer,seller" doc:"The side that is new here, where others know the other one"`
	Buyer      disputeSideView  `json:"buyer"`
	Seller     disputeSideView  `json:"seller"`
	Before     []disputePastRow `json:"before" doc:"What was between the two before, newest first; at most 20"`
}

type disputeSideView struct {
	Who    kernel.OrNull[kernel.Person] `json:"who" doc:"null once they have left"`
	Word   trade.Word                   `json:"word" enum:"met,not_met" example:"met"`
	SaidAt time.Time                    `json:"saidAt"`
	Record *kernel.RecordView           `json:"record,omitempty" doc:"What their handovers came to; left out once they have left"`
}

type disputePastRow struct {
	ItemName   string              `json:"itemName" example:"Iron Ore"`
	Quantity   int                 `json:"quantity" example:"20"`
	State      trust.HandoverState `json:"state" enum:"agreed,met,cancelled,disputed,unconfirmed"`
	AcceptedAt time.Time           `json:"acceptedAt"`
}

type disputePageView struct {
	Disputes   []disputeView `json:"disputes" doc:"Newest first"`
	NextCursor *string       `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func viewDispute(d trade.Dispute) disputeView {
	h := d.Trade
	side := func(s trade.Party) disputeSideView {
		view := disputeSideView{Who: kernel.PersonOrNull(s.User, s.Contact), Word: s.Word, SaidAt: s.SaidAt}
		if record, known := d.Records[s.User]; known {
			view.Record = new(kernel.ViewRecord(s.User, record))
		}
		return view
	}
	view := disputeView{
		ID: h.Sale, OrderID: kernel.IDOrNil(h.Order), ItemName: h.ItemName, Quantity: h.Quantity,
		Total:      strconv.FormatInt(int64(h.Total()), 10),
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, Buyer: side(h.Buyer), Seller: side(h.Seller),
		NewSide: d.NewSide(),
		Before:  make([]disputePastRow, 0, len(d.Before)),
	}
	if !h.LookedAt.IsZero() {
		view.LookedAt = &h.LookedAt
	}
	for _, b := range d.Before {
		view.Before = append(view.Before,
			disputePastRow{ItemName: b.ItemName, Quantity: b.Quantity, State: b.State,
				AcceptedAt: b.AcceptedAt})
	}
	return view
}

func (a operations) listDisputes(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[disputePageView], error) {
	before, err := kernel.PlaceAfter[core.SaleID](in.Cursor)
	if err != nil {
		return nil, err
	}
	found, err := a.Market.Trade.Disputes(ctx, in.By, before, kernel.PageSize+1)
	if err != nil {
		return nil, err
	}
	page := disputePageView{Disputes: make([]disputeView, 0, len(found))}
	for _, d := range found[:min(len(found), kernel.PageSize)] {
		page.Disputes = append(page.Disputes, viewDispute(d))
	}
	if len(found) > kernel.PageSize {
		page.NextCursor = kernel.WriteCursor(found[kernel.PageSize-1].Trade.Sale)
	}
	return &kernel.Answer[disputePageView]{Body: page}, nil
}

type disputeRuling struct {
	Met     bool   `json:"met" doc:"The trade took place; if not, its quantity is given back" example:"false"`
	Against string `json:"against" required:"false" enum:"buyer,seller,nobody" doc:"Whose record it counts against" example:"seller"`
	Reason  string `json:"reason" limit:"reason" doc:"Both sides read it" example:"Both logs say so"`
}

type ruleDisputeInput struct {
	kernel.BySale
	kernel.Keyed
	Body kernel.Sent[disputeRuling]
}

func (a operations) ruleDispute(ctx context.Context, in *ruleDisputeInput) error {
	ruling := trade.DisputeRuling{Met: in.Body.Fields.Met, Against: trust.Side(in.Body.Fields.Against),
		Reason: in.Body.Fields.Reason}
	if ruling.Against == "nobody" {
		ruling.Against = ""
	}
	_, err := a.Market.Trade.RuleDispute(ctx, in.By, in.ID, ruling)
	return err
}

type lookAtDisputeInput struct {
	kernel.BySale
	kernel.Keyed
}

func (a operations) lookAtDispute(ctx context.Context, in *lookAtDisputeInput) error {
	_, err := a.Market.Trade.LookAtDispute(ctx, in.By, in.ID)
	return err
}
