package people

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// Skill is a user's level in a profession.
type Skill struct {
	Category game.Category
	Level    int // 1 to MaxLevel
}

// Compare orders skills by category and level.
func (s Skill) Compare(other Skill) int {
	return cmp.Or(cmp.Compare(s.Category, other.Category), cmp.Compare(s.Level, other.Level))
}

// CheckSkills checks that each skill is one of the game's, has a level and is given once.
func CheckSkills(c *core.Checks, field string, skills []Skill, game game.Game) {
	for i, s := range skills {
		c.That(game.HasCategory(s.Category), field, game.UnknownCategory())
		c.That(1 <= s.Level && s.Level <= core.MaxLevel, field,
			core.NewText("level_range", "Level must be between 1 and %d", core.MaxLevel))
		again := slices.ContainsFunc(skills[:i],
			func(other Skill) bool { return other.Category == s.Category })
		c.That(!again, field, core.NewText("skill_twice", "Give one level for each profession"))
	}
}

// Skills returns the actor's skills in the order of the game's professions. Professions of another game are
// left out. It fails with Unauthenticated.
func (m *Service) Skills(ctx context.Context, actor core.Actor) ([]Skill, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	stored, err := m.store.Skills(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("skills of user %d: %w", actor.UserID, err)
	}
	skills := []Skill{}
	for _, category := range m.game.Categories() {
		if i := slices.IndexFunc(stored, func(s Skill) bool { return s.Category == category }); i >= 0 {
			skills = append(skills, stored[i])
		}
	}
	return skills, nil
}

// SetSkills replaces the actor's skills. It fails with Unauthenticated and Invalid.
func (m *Service) SetSkills(ctx context.Context, actor core.Actor, skills []Skill) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set skills", skills, func(tx Tx, _ time.Time) (struct{}, error) {
		var c core.Checks
		CheckSkills(&c, "skills", skills, m.game)
		if err := c.Err(); err != nil {
			return struct{}{}, err
		}
		if _, err := tx.LockUser(ctx, actor.UserID); err != nil {
			return struct{}{}, fmt.Errorf("user %d: %w", actor.UserID, err)
		}
		return struct{}{}, tx.SaveSkills(ctx, actor.UserID, skills)
	})
	return err
}
