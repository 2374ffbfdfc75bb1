package moderation

import (
	"context"
	"time"

	"tradepost/web/kernel"
)

type reachingView struct {
	kernel.Person
	People    int        `json:"people" doc:"Messaged because of them within a day" example:"120"`
	StoppedAt *time.Time `json:"stoppedAt,omitempty" doc:"Since when that is stopped"`
}

type reachListView struct {
	Users []reachingView `json:"users" nullable:"false" doc:"Stopped ones first; 50 at most"`
}

func (a operations) listReach(ctx context.Context, in *kernel.Caller) (*kernel.Answer[reachListView], error) {
	all, err := a.Market.Moderation.Reaching(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := reachListView{Users: []reachingView{}}
	for _, r := range all {
		view := reachingView{People: r.People}
		view.Person = kernel.Person{ID: r.User.ID, Username: r.User.Username}
		if !r.StoppedAt.IsZero() {
			view.StoppedAt = &r.StoppedAt
		}
		list.Users = append(list.Users, view)
	}
	return &kernel.Answer[reachListView]{Body: list}, nil
}

type stopReachDraft vouchDraft

type stopReachInput struct {
	kernel.Keyed
	Body kernel.Sent[stopReachDraft]
}

func (a operations) stopReach(ctx context.Context, in *stopReachInput) error {
	return a.Market.Moderation.StopReach(ctx, in.By, in.Body.Fields.UserID)
}

func (a operations) allowReach(ctx context.Context, in *userWrite) error {
	return a.Market.Moderation.AllowReach(ctx, in.By, in.ID)
}
