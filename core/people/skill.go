package people

import (
	"cmp"
	"slices"

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
			core.NewText("level_range", "most", core.MaxLevel))
		again := slices.ContainsFunc(skills[:i],
			func(other Skill) bool { return other.Category == s.Category })
		c.That(!again, field, core.NewText("skill_twice"))
	}
}
