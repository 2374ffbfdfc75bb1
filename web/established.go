package web

import (
	"context"

	"tradepost/core"
)

type vouchDraft struct {
	UserID core.UserID `json:"userId" doc:"The user's ID on this site" example:"3"`
}

type vouchInput struct {
	Keyed
	Body sent[vouchDraft]
}

func (a moderationOperations) vouch(ctx context.Context, in *vouchInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.Vouch(ctx, actor, in.Body.Fields.UserID)
}
