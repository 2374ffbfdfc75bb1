package postgres

import (
	"context"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Skills returns a user's skills.
func (s *peopleStore) Skills(ctx context.Context, user core.UserID) ([]core.Skill, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Skill, error) {
		rows, err := q.Skills(ctx, user)
		return convert(rows, func(r db.SkillsRow) core.Skill { return core.Skill{Category: r.Category, Level: r.Level} }), err
	})
}

func (t *peopleTx) SaveSkills(ctx context.Context, user core.UserID, skills []core.Skill) error {
	t.NoteUsers(user)
	if err := t.Q.DeleteSkills(ctx, user); err != nil {
		return translate(err)
	}
	return translate(t.Q.AddSkills(ctx, db.AddSkillsParams{
		UserID:     int64(user),
		Categories: convert(skills, func(s core.Skill) string { return string(s.Category) }),
		Levels:     convert(skills, func(s core.Skill) int { return s.Level }),
	}))
}
