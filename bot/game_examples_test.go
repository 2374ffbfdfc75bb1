package bot

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

func TestTheCommandsOfTheLargestGameHaveRoomAtDiscord(t *testing.T) {
	t.Parallel()
	g := game.Standard()
	g.Professions = nil
	for i := range game.MaxProfessions {
		name := game.Category(fmt.Sprintf("%02d%s", i, strings.Repeat("é", 30)))
		g.Professions = append(g.Professions, game.Profession{Name: name, Icon: "leaf"})
		g.Default = name
	}
	g.Example = "9999999999p 999999999g 250s 100c"
	for _, c := range commandTree(g, core.AllFeatures(), msg.NewOffered(nil)) {
		if commands.InMenu(c) {
			continue // it has a name only
		}
		if n := commandSize(c.Name, c.Description, *c.NameLocalizations, *c.DescriptionLocalizations, c.Options); n > 8000 {
			t.Errorf("/%s has %d characters", c.Name, n)
		}
		for _, s := range c.Options {
			for _, o := range s.Options {
				for _, description := range []string{o.Description, o.DescriptionLocalizations["de"]} {
					if discord.Size(description) > 100 {
						t.Errorf("/%s %s %s is described with %d characters: %s", c.Name, s.Name, o.Name, discord.Size(description), description)
					}
				}
				if len(o.Choices) > discord.MaxOptions {
					t.Errorf("/%s %s %s has %d choices", c.Name, s.Name, o.Name, len(o.Choices))
				}
			}
		}
	}
}
