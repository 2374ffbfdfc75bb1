package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

// blockedShown is how many blocked users are listed.
const blockedShown = 500

// blockedUserView is the JSON shape of a user who is blocked, for moderators.
type blockedUserView struct {
	User      kernel.Person `json:"user"`
	Reason    string        `json:"reason" example:"Sells what they have not got"`
	BlockedAt time.Time     `json:"blockedAt"`
}

type blockedListView struct {
	Users []blockedUserView `json:"users" doc:"Newest first, 500 at most"`
}

func (a operations) listBlocks(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[blockedListView], error) {
	users, err := a.Market.Moderation.BlockedUsers(ctx, in.By, blockedShown)
	if err != nil {
		return nil, err
	}
	list := blockedListView{Users: []blockedUserView{}}
	for _, u := range users {
		list.Users = append(list.Users, blockedUserView{
			User: kernel.Person{ID: u.ID, Username: u.Username}, Reason: u.BlockedFor, BlockedAt: u.BlockedAt,
		})
	}
	return &kernel.Answer[blockedListView]{Body: list}, nil
}

type blockDraft struct {
	UserID core.UserID `json:"userId" doc:"The user's ID on this site" example:"3"`
	Reason string      `json:"reason" limit:"reason" example:"Sells what they have not got"`
}

type blockUserInput struct {
	kernel.Keyed
	Body kernel.Sent[blockDraft]
}

func (a operations) blockUser(ctx context.Context, in *blockUserInput) error {
	return a.Market.Moderation.BlockUser(ctx, in.By, in.Body.Fields.UserID, in.Body.Fields.Reason)
}

type userWrite struct {
	kernel.ByUser
	kernel.Keyed
}

func (a operations) unblockUser(ctx context.Context, in *userWrite) error {
	return a.Market.Moderation.UnblockUser(ctx, in.By, in.ID)
}
