package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/web/kernel"
)

// userView is a user as they see themselves. Other users never see it.
type userView struct {
	ID          core.UserID `json:"id" doc:"The user's ID on this site, not the Discord ID" example:"3"`
	Username    string      `json:"username" example:"maple"`
	DisplayName string      `json:"displayName" example:"Maple"`
	Email       *string     `json:"email" example:"maple@example.com"`
	Moderator   bool        `json:"moderator" doc:"Whether they may remove others' posts and block users"`
	Operator    bool        `json:"operator,omitempty" doc:"Whether they read how the machine is"`
	BlockedFor  *string     `json:"blockedFor" doc:"Why a moderator blocked them; null when they are not blocked"`
	Language    *string     `json:"language" doc:"That they have chosen, as an IETF tag; null for none" example:"de"`
	DeletionAt  *time.Time  `json:"deletionAt" doc:"When the account of a user who is leaving is deleted; null when they are not leaving"`
}

type meOutput struct {
	Cookie string `header:"Set-Cookie" hidden:"true"`
	Body   meView
}

type meView struct {
	User   kernel.OrNull[userView] `json:"user" doc:"null for a visitor"`
	Counts myCountsView            `json:"counts"`
	Todo   []todoView              `json:"todo" doc:"What waits for the user, one of a kind"`
}

type myCountsView struct {
	Active    int `json:"active" doc:"Requests that are open and not expired"`
	Fulfilled int `json:"fulfilled" doc:"Closed, and not in the archive"`
	Archived  int `json:"archived" doc:"Closed a while ago"`
	Expired   int `json:"expired"`
	Unread    int `json:"unread" doc:"Notices"`
	Received  int `json:"received" doc:"Offers on your open requests that are waiting for an answer"`
	Confirm   int `json:"confirm" doc:"Trades that wait for your answer"`
	Cases     int `json:"cases" doc:"Reports and disputes that wait for a moderator; 0 for others"`
}

// todoView is something that waits for the user.
type todoView struct {
	Kind    market.TodoKind `json:"kind"`
	Count   int             `json:"count" example:"3"`
	Partner *core.UserID    `json:"partner" doc:"The only partner in these trades, or null"`
	Order   *core.OrderID   `json:"order" doc:"The only request that ends, or null"`
	EndsAt  *time.Time      `json:"endsAt" doc:"When the first of these requests ends; null for other kinds"`
}

func todosOf(counts market.Counts) []todoView {
	views := []todoView{}
	for _, todo := range counts.Todos() {
		view := todoView{Kind: todo.Kind, Count: todo.Count}
		if todo.Partner != 0 {
			view.Partner = &todo.Partner
		}
		if todo.Order != 0 {
			view.Order = &todo.Order
		}
		if !todo.EndsAt.IsZero() {
			view.EndsAt = &todo.EndsAt
		}
		views = append(views, view)
	}
	return views
}

func (a operations) getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	user, err := a.User(ctx)
	if err != nil || user == nil {
		return &meOutput{Body: meView{Todo: []todoView{}}}, err
	}
	var (
		me     meView
		counts market.Counts
	)
	if !user.Leaving() {
		if counts, err = a.Market.Counts(ctx, user.Actor()); err != nil {
			return nil, err
		}
	}
	a.Session.Touch(ctx)
	me.User.Value = &userView{ID: user.ID, Username: user.Username, DisplayName: user.DisplayName,
		Email: kernel.TextOrNil(user.Email), Language: kernel.TextOrNil(user.Language),
		Moderator: user.Moderator, Operator: a.IsOperator(user),
		BlockedFor: kernel.TextOrNil(user.BlockedFor)}
	if at := user.DeletionAt(); !at.IsZero() {
		me.User.Value.DeletionAt = &at
	}
	me.Counts = myCountsView{Active: counts.Active, Fulfilled: counts.Fulfilled, Archived: counts.Archived,
		Expired: counts.Expired, Unread: counts.Unread, Received: counts.Received,
		Confirm: counts.Confirm, Cases: counts.Cases}
	me.Todo = todosOf(counts)
	return &meOutput{a.rememberLanguage(ctx, user.Language), me}, nil
}
