package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

type ringView struct {
	ID      core.RingID     `json:"id" example:"4"`
	At      time.Time       `json:"at"`
	Reason  string          `json:"reason" example:"They trade with each other only"`
	Members []kernel.Person `json:"members" nullable:"false"`
}

type ringListView struct {
	Rings []ringView `json:"rings" nullable:"false" doc:"The latest first, 200 at most"`
}

func (a operations) listRings(ctx context.Context, in *kernel.Caller) (*kernel.Answer[ringListView], error) {
	rings, err := a.Market.Trust.Rings(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := ringListView{Rings: []ringView{}}
	for _, r := range rings {
		view := ringView{ID: r.ID, At: r.At, Reason: r.Reason, Members: []kernel.Person{}}
		for _, u := range r.Members {
			view.Members = append(view.Members, kernel.Person{ID: u.ID, Username: u.Username})
		}
		list.Rings = append(list.Rings, view)
	}
	return &kernel.Answer[ringListView]{Body: list}, nil
}

type ringDraft struct {
	Users  []string `json:"users" nullable:"false" doc:"Discord usernames, or IDs of Discord accounts; 100 at most" example:"[\"maple\",\"rowan.ashdown\"]"`
	Reason string   `json:"reason" limit:"reason" example:"They trade with each other only"`
}

type setAsideInput struct {
	kernel.Keyed
	Body kernel.Sent[ringDraft]
}

func (a operations) setAside(ctx context.Context, in *setAsideInput) error {
	_, err := a.Market.Trust.SetAside(ctx, in.By, in.Body.Fields.Users, in.Body.Fields.Reason)
	return err
}

type ringWrite struct {
	ID core.RingID `path:"id" doc:"The ring" example:"4"`
	kernel.Keyed
}

func (a operations) countAgain(ctx context.Context, in *ringWrite) error {
	return a.Market.Trust.CountAgain(ctx, in.By, in.ID)
}
