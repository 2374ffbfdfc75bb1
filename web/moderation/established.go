package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

type vouchDraft struct {
	UserID core.UserID `json:"userId" doc:"The user's ID on this site" example:"3"`
}

type vouchInput struct {
	kernel.Keyed
	Body kernel.Sent[vouchDraft]
}

type candidateView struct {
	kernel.Person
	AccountMade *time.Time `json:"accountMade,omitempty" doc:"When their account was made"`
	FirstTrade  time.Time  `json:"firstTrade" doc:"When their first trade was settled"`
	Partners    int        `json:"partners" doc:"People they handed over with" example:"7"`
	Apart       int        `json:"apart" doc:"Of these, not with each other" example:"5"`
}

type vouchListView struct {
	Young         bool            `json:"young" doc:"Too few people are known here"`
	Trusted       int             `json:"trusted" doc:"People whom others here know" example:"4"`
	TrustedWanted int             `json:"trustedWanted" doc:"So many of them end it" example:"10"`
	Circles       int             `json:"circles" doc:"Circles of people that these are in" example:"2"`
	CirclesWanted int             `json:"circlesWanted" example:"3"`
	Candidates    []candidateView `json:"candidates" nullable:"false" doc:"Best first; none when grown"`
}

func (a operations) listCandidates(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[vouchListView], error) {
	list, err := a.Market.Trust.VouchList(ctx, in.By)
	if err != nil {
		return nil, err
	}
	view := vouchListView{Young: list.Young, Trusted: list.Trusted, TrustedWanted: list.TrustedWanted(),
		Circles: list.Circles, CirclesWanted: trust.CirclesWanted, Candidates: []candidateView{}}
	for _, c := range list.Candidates {
		row := candidateView{Person: kernel.Person{ID: c.User.ID, Username: c.User.Username},
			FirstTrade: c.Since, Partners: c.Partners, Apart: c.Apart}
		if made := people.AccountMade(c.User.DiscordID); !made.IsZero() {
			row.AccountMade = &made
		}
		view.Candidates = append(view.Candidates, row)
	}
	return &kernel.Answer[vouchListView]{Body: view}, nil
}

func (a operations) vouch(ctx context.Context, in *vouchInput) error {
	return a.Market.Trust.Vouch(ctx, in.By, in.Body.Fields.UserID)
}
