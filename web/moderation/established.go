package moderation

import (
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

type vouchDraft struct {
	UserID core.UserID `json:"userId" doc:"The user's ID on this site" example:"3"`
}

type vouchInput struct {
	kernel.Keyed
	Body kernel.Sent[vouchDraft]
}

func (a operations) vouch(ctx context.Context, in *vouchInput) error {
	return a.Market.Trust.Vouch(ctx, in.By, in.Body.Fields.UserID)
}
