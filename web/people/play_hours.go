package people

import (
	"context"

	"tradepost/core/people"
	"tradepost/web/kernel"
)

// PlayHoursView is the JSON shape of when a user plays, for that user alone.
type PlayHoursView struct {
	Hours   []int `json:"hours" doc:"Hours of the week in UTC, as you say; 0 begins on Monday at midnight" example:"[19,20,43,44]"`
	Learned []int `json:"learned" doc:"Hours of the week in which you met others twice or more" example:"[20]"`
	Learns  *bool `json:"learns" doc:"Whether hours are learned from *We met*; null until you have answered that"`
	Asks    bool  `json:"asks" doc:"You have not answered yet when you play. Saving no hours is an answer"`
}

// ViewPlayHours returns the shape of when a user plays.
func ViewPlayHours(p people.PlayHours) PlayHoursView {
	return PlayHoursView{Hours: p.Said.List(), Learned: p.Learned.List(), Learns: p.Learns, Asks: p.Asks()}
}

func (a operations) getPlayHours(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[PlayHoursView], error) {
	p, err := a.Market.People.PlayHours(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[PlayHoursView]{Body: ViewPlayHours(p)}, nil
}

type playHoursDraft struct {
	Hours []int `json:"hours" maxItems:"168" doc:"Hours of the week in UTC; 0 begins on Monday at midnight" example:"[19,20,43,44]"`
}

type putPlayHoursInput struct {
	kernel.Keyed
	Body kernel.Sent[playHoursDraft]
}

func (a operations) putPlayHours(
	ctx context.Context, in *putPlayHoursInput,
) (*kernel.Answer[PlayHoursView], error) {
	if err := a.Market.People.SavePlayHours(ctx, in.By, in.Body.Fields.Hours); err != nil {
		return nil, err
	}
	return a.getPlayHours(ctx, &in.Caller)
}

type learningDraft struct {
	Learns bool `json:"learns" doc:"Learn from *We met* when you play; false removes what was learned"`
}

type putLearningInput struct {
	kernel.Keyed
	Body kernel.Sent[learningDraft]
}

func (a operations) putLearning(
	ctx context.Context, in *putLearningInput,
) (*kernel.Answer[PlayHoursView], error) {
	if err := a.Market.People.LearnPlayHours(ctx, in.By, in.Body.Fields.Learns); err != nil {
		return nil, err
	}
	return a.getPlayHours(ctx, &in.Caller)
}

func (a operations) erasePlayHours(ctx context.Context, in *kernel.Keyed) error {
	return a.Market.People.ErasePlayHours(ctx, in.By)
}

// registerPlayHours adds the operations of when users play. With the feature off they are not there.
func registerPlayHours(a *kernel.API, o operations) {
	if !a.Features.Hours {
		a.Amend(func() {
			a.LeaveOut("MyData", "playHours")
			a.LeaveOutSchema("PlayHours")
		})
		return
	}
	kernel.Get(a, "/api/me/hours", o.getPlayHours, "get-play-hours", "Get when you play")
	kernel.Put(a, "/api/me/hours", o.putPlayHours, "put-play-hours", "Say when you play")
	kernel.Put(a, "/api/me/hours/learning", o.putLearning, "put-learning",
		"Say whether the hours in which you meet others are learned")
	kernel.Remove(a, "/api/me/hours", o.erasePlayHours, "erase-play-hours",
		"Erase when you play, and what was learned of it")
}
