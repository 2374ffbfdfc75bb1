package match

import (
	"context"

	"tradepost/core/game"
	"tradepost/core/people"
	"tradepost/web/kernel"
)

// SkillView is the JSON shape of a user's level in a profession.
type SkillView struct {
	Category game.Category `json:"category"`
	Level    int           `json:"level" minimum:"1" limit:"level" example:"120"`
}

// skillsView is the JSON shape of a user's skills, in answers and in writes.
type skillsView struct {
	Skills []SkillView `json:"skills" doc:"A level for each profession that the user has"`
}

// ViewSkills returns the shapes of a user's levels.
func ViewSkills(skills []people.Skill) []SkillView {
	views := make([]SkillView, len(skills))
	for i, s := range skills {
		views[i] = SkillView(s)
	}
	return views
}

func (a operations) getSkills(ctx context.Context, in *kernel.Caller) (*kernel.Answer[skillsView], error) {
	skills, err := a.Market.People.Skills(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[skillsView]{Body: skillsView{Skills: ViewSkills(skills)}}, nil
}

type putSkillsInput struct {
	kernel.Keyed
	Body kernel.Sent[skillsView]
}

func (a operations) putSkills(ctx context.Context, in *putSkillsInput) (*kernel.Answer[skillsView], error) {
	skills := make([]people.Skill, len(in.Body.Fields.Skills))
	for i, s := range in.Body.Fields.Skills {
		skills[i] = people.Skill(s)
	}
	if err := a.Market.People.SetSkills(ctx, in.By, skills); err != nil {
		return nil, err
	}
	return a.getSkills(ctx, &in.Caller)
}
