package core

import (
	"cmp"
	"slices"
)

// Skill is somebody's level in a profession.
type Skill struct {
	Category Category
	Level    int // 1 to MaxLevel
}

func (s Skill) compare(other Skill) int {
	return cmp.Or(cmp.Compare(s.Category, other.Category), cmp.Compare(s.Level, other.Level))
}

// checkSkills checks that each skill is one of the game's, has a level and is given once.
func checkSkills(c *Checks, field string, skills []Skill, game Game) {
	for i, s := range skills {
		c.That(game.HasCategory(s.Category), field, game.unknownCategory())
		c.That(1 <= s.Level && s.Level <= MaxLevel, field, NewText("level_range", "Level must be between 1 and %d", MaxLevel))
		again := slices.ContainsFunc(skills[:i], func(other Skill) bool { return other.Category == s.Category })
		c.That(!again, field, NewText("skill_twice", "Give one level for each profession"))
	}
}
