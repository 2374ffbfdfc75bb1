package web

import (
	"context"
	"fmt"

	"tradepost/core"
)

// pageSize is how many rows a list of one's own holds.
const pageSize = core.PageSize

type cursorInput struct {
	Cursor string `query:"cursor" doc:"nextCursor of the page before"`
}

func limitOr(asked, otherwise int) (int, error) {
	if asked == 0 {
		return otherwise, nil
	}
	if asked < 0 || asked > pageSize {
		message := fmt.Sprintf("Limit must be between 1 and %d", pageSize)
		return 0, &core.Error{Kind: core.Invalid, Message: message, Fields: []core.FieldError{{Field: "limit", Message: message}}}
	}
	return asked, nil
}

// userView is a user as they see themselves. Nobody else ever sees it.
type userView struct {
	ID          core.UserID `json:"id" doc:"The site's own number; not the Discord id" example:"3"`
	Username    string      `json:"username" example:"maple"`
	DisplayName string      `json:"displayName" example:"Maple"`
	Email       *string     `json:"email" example:"maple@example.com"`
	Moderator   bool        `json:"moderator" doc:"May remove what others posted, and block users"`
	BlockedFor  *string     `json:"blockedFor" doc:"Why a moderator has blocked them; null when nobody has"`
}

type meView struct {
	User   orNull[userView] `json:"user" doc:"null for a visitor"`
	Counts myCountsView     `json:"counts"`
}

type myCountsView struct {
	Active    int `json:"active" doc:"Requests that are open and not expired"`
	Fulfilled int `json:"fulfilled"`
	Expired   int `json:"expired"`
	Unread    int `json:"unread" doc:"Notices"`
}

func (a *api) getMe(ctx context.Context, _ *struct{}) (*answer[meView], error) {
	user, err := a.user(ctx)
	if err != nil || user == nil {
		return &answer[meView]{}, err
	}
	counts, err := a.market.Counts(ctx, user.Actor())
	if err != nil {
		return nil, err
	}
	a.session.touch(ctx)
	var me meView
	me.User.value = &userView{ID: user.ID, Username: user.Username, DisplayName: user.DisplayName, Email: textOrNil(user.Email),
		Moderator: user.Moderator, BlockedFor: textOrNil(user.BlockedFor)}
	me.Counts = myCountsView{Active: counts.Active, Fulfilled: counts.Fulfilled, Expired: counts.Expired, Unread: counts.Unread}
	return &answer[meView]{me}, nil
}

type listMyOrdersInput struct {
	Status core.Which `query:"status" doc:"active when left out"`
	Cursor string     `query:"cursor" doc:"nextCursor of the page before"`
}

func (a *api) listMyOrders(ctx context.Context, in *listMyOrdersInput) (*answer[orderPage], error) {
	after, err := core.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	page, err := a.market.OwnOrders(ctx, actor, core.OrderQuery{Which: in.Status, After: after})
	if err != nil {
		return nil, err
	}
	return &answer[orderPage]{orderPage{OrderPage: page, now: a.now(), own: true}}, nil
}
