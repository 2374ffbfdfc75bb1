package people

import (
	"context"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Skills returns a user's skills.
func (s *Store) Skills(ctx context.Context, user core.UserID) ([]people.Skill, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]people.Skill, error) {
		rows, err := q.Skills(ctx, user)
		return kernel.Convert(rows, func(r db.SkillsRow) people.Skill {
			return people.Skill{Category: r.Category, Level: r.Level}
		}), err
	})
}

// SaveSkills replaces the skills of a locked user.
func (t *Tx) SaveSkills(ctx context.Context, user core.UserID, skills []people.Skill) error {
	t.NoteUsers(user)
	if err := t.Q.DeleteSkills(ctx, user); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.AddSkills(ctx, db.AddSkillsParams{
		UserID:     int64(user),
		Categories: kernel.Convert(skills, func(s people.Skill) string { return string(s.Category) }),
		Levels:     kernel.Convert(skills, func(s people.Skill) int { return s.Level }),
	}))
}
