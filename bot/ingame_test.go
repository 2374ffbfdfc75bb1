package bot

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
)

// It is not parallel: what is played is so for every test.
func TestTheCommandsOfTheLargestGameHaveRoomAtDiscord(t *testing.T) {
	game := core.StandardGame()
	game.Professions = nil
	for i := range core.MaxProfessions {
		name := core.Category(fmt.Sprintf("%02d%s", i, strings.Repeat("é", 30)))
		game.Professions = append(game.Professions, core.Profession{Name: name, Icon: "leaf"})
		game.Default = name
	}
	game.Example = "9999999999p 999999999g 250s 100c"
	core.Play(game)
	t.Cleanup(func() { core.Play(core.StandardGame()) })
	for _, c := range commandTree() {
		if n := commandSize(c.Name, c.Description, c.NameIn, c.DescriptionIn, c.Options); n > 8000 {
			t.Errorf("/%s has %d characters", c.Name, n)
		}
		for _, s := range c.Options {
			for _, o := range s.Options {
				for _, description := range []string{o.Description, o.DescriptionIn["de"]} {
					if size(description) > 100 {
						t.Errorf("/%s %s %s is described with %d characters: %s", c.Name, s.Name, o.Name, size(description), description)
					}
				}
				if len(o.Choices) > maxSelect {
					t.Errorf("/%s %s %s has %d choices", c.Name, s.Name, o.Name, len(o.Choices))
				}
			}
		}
	}
}
