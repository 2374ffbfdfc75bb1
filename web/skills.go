package web

import (
	"strconv"
	"strings"

	"tradepost/core"
)

// parseSkills reads skills from an address, each written as "Miner:120".
func parseSkills(texts []string) ([]core.Skill, error) {
	var c core.Checks
	skills := make([]core.Skill, 0, len(texts))
	for _, text := range texts {
		at := strings.LastIndexByte(text, ':')
		level, err := strconv.Atoi(text[at+1:])
		c.That(at > 0 && err == nil, "skill", core.NewText("skill_format", "Write a skill as a profession and a level, such as Miner:120"))
		skills = append(skills, core.Skill{Category: core.Category(text[:max(at, 0)]), Level: level})
	}
	return skills, c.Err()
}
