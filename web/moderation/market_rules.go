package moderation

import (
	"context"
	"time"

	"tradepost/web/kernel"
)

// rulesView is the JSON shape of the rules that moderators set for the whole market.
type rulesView struct {
	SignedInOnlySince *time.Time `json:"signedInOnlySince" doc:"Since when only signed-in sellers can offer, on every request; null while visitors can, too"`

	ProgramsTradeSince *time.Time `json:"programsTradeSince,omitempty" doc:"Since when programs with a token can trade for those who let them; left out while they can't"`
}

func (a operations) getRules(ctx context.Context, _ *struct{}) (*kernel.Answer[rulesView], error) {
	rules, err := a.Market.Trade.MarketRules(ctx)
	if err != nil {
		return nil, err
	}
	var view rulesView
	if rules.SignedInOnly() {
		view.SignedInOnlySince = &rules.SignedInOnlySince
	}
	if a.Features.Tokens && rules.ProgramsTrade() {
		view.ProgramsTradeSince = &rules.ProgramsTradeSince
	}
	return &kernel.Answer[rulesView]{Body: view}, nil
}

func (a operations) letProgramsTrade(ctx context.Context, in *kernel.Keyed) error {
	return a.Market.Trade.SetProgramsTrade(ctx, in.By, true)
}

func (a operations) keepProgramsFromTrading(ctx context.Context, in *kernel.Keyed) error {
	return a.Market.Trade.SetProgramsTrade(ctx, in.By, false)
}

type signedInOnlyInput struct {
	kernel.Keyed
	Body kernel.Sent[why]
}

func (a operations) signedInOnly(ctx context.Context, in *signedInOnlyInput) error {
	return a.Market.Trade.SetSignedInOnly(ctx, in.By, true, in.Body.Fields.Reason)
}

func (a operations) visitorsToo(ctx context.Context, in *kernel.Keyed) error {
	return a.Market.Trade.SetSignedInOnly(ctx, in.By, false, "")
}
