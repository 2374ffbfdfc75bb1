package web

import (
	"context"
	"time"

	"tradepost/core"
)

// blockedShown is how many blocked users are listed.
const blockedShown = 500

// blockedUserView is the JSON shape of a user who is blocked, for moderators.
type blockedUserView struct {
	User      person    `json:"user"`
	Reason    string    `json:"reason" example:"Sells what they have not got"`
	BlockedAt time.Time `json:"blockedAt"`
}

type blockedListView struct {
	Users []blockedUserView `json:"users" doc:"Newest first, 500 at most"`
}

func (a moderationOperations) listBlocks(ctx context.Context, _ *struct{}) (*answer[blockedListView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	users, err := a.market.BlockedUsers(ctx, actor, blockedShown)
	if err != nil {
		return nil, err
	}
	list := blockedListView{Users: []blockedUserView{}}
	for _, u := range users {
		list.Users = append(list.Users, blockedUserView{
			User: person{ID: u.ID, Username: u.Username}, Reason: u.BlockedFor, BlockedAt: u.BlockedAt,
		})
	}
	return &answer[blockedListView]{Body: list}, nil
}

type blockDraft struct {
	UserID core.UserID `json:"userId" doc:"The user's ID on this site" example:"3"`
	Reason string      `json:"reason" limit:"reason" example:"Sells what they have not got"`
}

type blockUserInput struct {
	Keyed
	Body sent[blockDraft]
}

func (a moderationOperations) blockUser(ctx context.Context, in *blockUserInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.BlockUser(ctx, actor, in.Body.Fields.UserID, in.Body.Fields.Reason)
}

type userWrite struct {
	ByUser
	Keyed
}

func (a moderationOperations) unblockUser(ctx context.Context, in *userWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.UnblockUser(ctx, actor, in.ID)
}
