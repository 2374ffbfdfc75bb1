package web

import (
	"context"
	"time"
)

// rulesView is the JSON shape of what moderators set for the whole market.
type rulesView struct {
	SignedInOnlySince *time.Time `json:"signedInOnlySince" doc:"Since when only signed-in sellers can offer, on every request; null while visitors can, too"`
}

func (a moderationOperations) getRules(ctx context.Context, _ *struct{}) (*answer[rulesView], error) {
	rules, err := a.market.MarketRules(ctx)
	if err != nil {
		return nil, err
	}
	var view rulesView
	if rules.SignedInOnly() {
		view.SignedInOnlySince = &rules.SignedInOnlySince
	}
	return &answer[rulesView]{Body: view}, nil
}

type signedInOnlyInput struct {
	Keyed
	Body sent[why]
}

func (a moderationOperations) signedInOnly(ctx context.Context, in *signedInOnlyInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.SetSignedInOnly(ctx, actor, true, in.Body.Fields.Reason)
}

func (a moderationOperations) visitorsToo(ctx context.Context, in *Keyed) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.SetSignedInOnly(ctx, actor, false, "")
}
