package moderation

import (
	"context"

	"tradepost/web/kernel"
)

type allowOrderInput struct {
	kernel.ByOrder
	kernel.Keyed
}

type allowOfferInput struct {
	kernel.ByOffer
	kernel.Keyed
}

func (a operations) allowOrderNames(ctx context.Context, in *allowOrderInput) error {
	return a.Market.Moderation.AllowOrderNames(ctx, in.By, in.ID)
}

func (a operations) allowOfferNames(ctx context.Context, in *allowOfferInput) error {
	return a.Market.Moderation.AllowOfferNames(ctx, in.By, in.ID)
}
