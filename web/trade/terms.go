package trade

import (
	"cmp"
	"context"
	"time"

	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// leastRecordView is the JSON shape of the record that a buyer asks of sellers, in answers and writes.
type leastRecordView struct {
	Sellers  trade.Sellers `json:"sellers,omitempty" required:"false" enum:"trusted,met,anybody" doc:"Who can offer: established sellers (trusted), people the buyer has met, or anybody up to newUpTo. Established sellers when left out" example:"trusted"`
	NewUpTo  int           `json:"newUpTo" minimum:"0" limit:"quantity" doc:"Quantity others can offer at most; 0 for none" example:"50"`
	Partners int           `json:"partners,omitempty" required:"false" deprecated:"true" doc:"Not read any more" example:"3"`
}

// standingDraft is the JSON shape of a standing acceptance's rules.
type standingDraft struct {
	Sellers      trade.Sellers `json:"sellers,omitempty" required:"false" enum:"trusted,met,anybody" doc:"Whose offers are accepted. The usual ones when left out" example:"trusted"`
	FromPartners int           `json:"fromPartners" minimum:"0" limit:"quantity" doc:"How many are taken from these sellers, in all" example:"200"`
	Partners     int           `json:"partners,omitempty" required:"false" deprecated:"true" doc:"Not read any more" example:"3"`
	FromOthers   int           `json:"fromOthers" minimum:"0" limit:"quantity" doc:"How many are taken from others, in all" example:"50"`
	Until        string        `json:"until" format:"date-time" doc:"Within 30 days" example:"2026-12-06T20:00:00Z"`
}

type standingView struct {
	Sellers           trade.Sellers `json:"sellers" enum:"trusted,met,anybody" doc:"Whose offers are accepted" example:"trusted"`
	FromPartners      int           `json:"fromPartners" minimum:"0" doc:"How many are taken from these sellers, in all" example:"200"`
	FromOthers        int           `json:"fromOthers" minimum:"0" doc:"How many are taken from others, in all" example:"50"`
	Until             time.Time     `json:"until"`
	TakenFromPartners int           `json:"takenFromPartners" example:"20"`
	TakenFromOthers   int           `json:"takenFromOthers" example:"0"`
	SetAt             time.Time     `json:"setAt"`
	EndedAt           *time.Time    `json:"endedAt" doc:"null unless it was ended before its time"`
	Stands            bool          `json:"stands" doc:"Offers are accepted now"`
}

func viewStanding(s trade.StandingAcceptance, now time.Time) standingView {
	view := standingView{
		Sellers: s.Sellers, FromPartners: s.FromPartners, FromOthers: s.FromOthers, Until: s.Until,
		TakenFromPartners: s.TakenFromPartners, TakenFromOthers: s.TakenFromOthers, SetAt: s.SetAt,
		Stands: s.Stands(now),
	}
	if !s.EndedAt.IsZero() {
		view.EndedAt = &s.EndedAt
	}
	return view
}

// termsView is the JSON shape of the terms of a request.
type termsView struct {
	Least    kernel.OrNull[leastRecordView] `json:"leastRecord" doc:"null when nothing is asked"`
	Usual    trade.Sellers                  `json:"usual" enum:"trusted,met" doc:"The sellers that are meant when none are named: in a young market people the buyer has met"`
	Standing []standingView                 `json:"standing" doc:"Which offers are accepted as they come, the latest first; only for the buyer, empty for others"`
}

func (a orders) getTerms(ctx context.Context, in *kernel.OneOrder) (*kernel.Answer[termsView], error) {
	terms, err := a.Market.Trade.Terms(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	view := termsView{Standing: make([]standingView, len(terms.Standing))}
	view.Usual, _ = trade.UsualSellers(terms.Young, 0)
	if terms.Least.Sellers != "" {
		view.Least.Value = &leastRecordView{Sellers: terms.Least.Sellers, NewUpTo: terms.Least.NewUpTo}
	}
	for i, s := range terms.Standing {
		view.Standing[i] = viewStanding(s, a.Now())
	}
	return &kernel.Answer[termsView]{Body: view}, nil
}

type putStandingInput struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[standingDraft]
}

func (a orders) putStanding(ctx context.Context, in *putStandingInput) (*kernel.Answer[standingView], error) {
	d := in.Body.Fields
	until, _ := time.Parse(time.RFC3339, d.Until) // what is none is the year 1: out of reach
	s, err := a.Market.Trade.SetStanding(ctx, in.By, in.ID,
		trade.StandingDraft{Sellers: d.Sellers, FromPartners: d.FromPartners, FromOthers: d.FromOthers,
			Until: until})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[standingView]{Body: viewStanding(s, a.Now())}, nil
}

type termsWrite struct {
	kernel.ByOrder
	kernel.Keyed
}

func (a orders) endStanding(ctx context.Context, in *termsWrite) error {
	return a.Market.Trade.EndStanding(ctx, in.By, in.ID)
}

type putLeastRecordInput struct {
	kernel.ByOrder
	kernel.Keyed
	Body kernel.Sent[leastRecordView]
}

func (a orders) putLeastRecord(
	ctx context.Context, in *putLeastRecordInput,
) (*kernel.Answer[termsView], error) {
	d := in.Body.Fields
	least := trade.LeastRecord{Sellers: cmp.Or(d.Sellers, trade.SellersTrusted), NewUpTo: d.NewUpTo}
	if err := a.Market.Trade.SetLeastRecord(ctx, in.By, in.ID, least); err != nil {
		return nil, err
	}
	return a.getTerms(ctx, &kernel.OneOrder{Caller: in.Caller, ByOrder: in.ByOrder})
}

func (a orders) removeLeastRecord(ctx context.Context, in *termsWrite) error {
	return a.Market.Trade.SetLeastRecord(ctx, in.By, in.ID, trade.LeastRecord{})
}
