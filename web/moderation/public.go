package moderation

import (
	"context"

	"tradepost/web/kernel"
)

func (a operations) getPublicRules(
	ctx context.Context, in *struct{},
) (*kernel.Public[rulesView], error) {
	rules, err := a.getRules(ctx, in)
	if err != nil {
		return nil, err
	}
	return &kernel.Public[rulesView]{Body: rules.Body}, nil
}

func registerPublic(a *kernel.API, o operations) {
	kernel.GetPublic(a, kernel.PublicPrefix+"rules", kernel.StaleWithTime, o.getPublicRules,
		"get-public-rules", "Get what moderators have set for the whole market, for programs",
		"Whether visitors may offer at the moment.")
}
