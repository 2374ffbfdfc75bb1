package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

type ringView struct {
	ID      core.RingID     `json:"id" example:"4"`
	At      time.Time       `json:"at"`
	Reason  string          `json:"reason" example:"They trade with each other only"`
	Members []kernel.Person `json:"members" nullable:"false"`
}

type proposedRingView struct {
	ID      core.ProposedRingID `json:"id" example:"7" doc:"Stays while the members do"`
	Members []kernel.Person     `json:"members" nullable:"false" doc:"100 at most"`
	Reasons []trust.RingReason  `json:"reasons" nullable:"false" doc:"Each applies to half or more"`

	Accounts      int `json:"accounts" example:"14"`
	Trades        int `json:"trades" example:"140" doc:"Settled trades of these accounts"`
	Inside        int `json:"inside" example:"135" doc:"Of these, with each other"`
	InsidePercent int `json:"insidePercent" example:"96"`
	OneCopper     int `json:"oneCopper" example:"120" doc:"Of those inside, at a price of one copper"`
	SameMinute    int `json:"sameMinute" example:"70" doc:"Of those inside, confirmed within a minute"`
	YoungAccounts int `json:"youngAccounts" example:"12" doc:"Discord accounts younger than 30 days"`
}

type ringListView struct {
	Proposals []proposedRingView `json:"proposals" nullable:"false" doc:"The most suspicious first"`
	Rings     []ringView         `json:"rings" nullable:"false" doc:"The latest first, 200 at most"`
}

func personsOf(users []people.User) []kernel.Person {
	persons := []kernel.Person{}
	for _, u := range users {
		persons = append(persons, kernel.Person{ID: u.ID, Username: u.Username})
	}
	return persons
}

func (a operations) listRings(ctx context.Context, in *kernel.Caller) (*kernel.Answer[ringListView], error) {
	rings, err := a.Market.Trust.Rings(ctx, in.By)
	if err != nil {
		return nil, err
	}
	proposed, err := a.Market.Trust.ProposedRings(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := ringListView{Proposals: []proposedRingView{}, Rings: []ringView{}}
	for _, r := range proposed {
		list.Proposals = append(list.Proposals, proposedRingView{
			r.ID, personsOf(r.Members), append([]trust.RingReason{}, r.Reasons()...), r.Accounts, r.Trades,
			r.Inside, r.InsidePercent(), r.OneCopper, r.SameMinute, r.Young,
		})
	}
	for _, r := range rings {
		list.Rings = append(list.Rings,
			ringView{ID: r.ID, At: r.At, Reason: r.Reason, Members: personsOf(r.Members)})
	}
	return &kernel.Answer[ringListView]{Body: list}, nil
}

type proposalDraft struct {
	Proposal core.ProposedRingID `json:"proposal" example:"7" doc:"One of the proposals"`
}

type setAsideInput struct {
	kernel.Keyed
	Body kernel.Sent[proposalDraft]
}

func (a operations) setAside(ctx context.Context, in *setAsideInput) error {
	_, err := a.Market.Trust.SetAside(ctx, in.By, in.Body.Fields.Proposal)
	return err
}

type proposalWrite struct {
	ID core.ProposedRingID `path:"id" doc:"The proposal" example:"7"`
	kernel.Keyed
}

func (a operations) dismissRing(ctx context.Context, in *proposalWrite) error {
	return a.Market.Trust.DismissRing(ctx, in.By, in.ID)
}

type ringWrite struct {
	ID core.RingID `path:"id" doc:"The ring" example:"4"`
	kernel.Keyed
}

func (a operations) countAgain(ctx context.Context, in *ringWrite) error {
	return a.Market.Trust.CountAgain(ctx, in.By, in.ID)
}
