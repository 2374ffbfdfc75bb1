package web

import (
	"context"

	"tradepost/core"
)

// skillView is the JSON shape of a user's level in a profession.
type skillView struct {
	Category core.Category `json:"category"`
	Level    int           `json:"level" minimum:"1" limit:"level" example:"120"`
}

// skillsView is the JSON shape of a user's skills, in answers and in writes.
type skillsView struct {
	Skills []skillView `json:"skills" doc:"A level for each profession that the user has"`
}

func viewSkills(skills []core.Skill) []skillView {
	views := make([]skillView, len(skills))
	for i, s := range skills {
		views[i] = skillView(s)
	}
	return views
}

func (a matchOperations) getSkills(ctx context.Context, _ *struct{}) (*answer[skillsView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	skills, err := a.market.Skills(ctx, actor)
	if err != nil {
		return nil, err
	}
	return &answer[skillsView]{Body: skillsView{Skills: viewSkills(skills)}}, nil
}

type putSkillsInput struct {
	Keyed
	Body sent[skillsView]
}

func (a matchOperations) putSkills(ctx context.Context, in *putSkillsInput) (*answer[skillsView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	skills := make([]core.Skill, len(in.Body.Fields.Skills))
	for i, s := range in.Body.Fields.Skills {
		skills[i] = core.Skill(s)
	}
	if err := a.market.SetSkills(ctx, actor, skills); err != nil {
		return nil, err
	}
	return a.getSkills(ctx, nil)
}
