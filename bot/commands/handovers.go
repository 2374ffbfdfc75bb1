package commands

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// The times that a list offers, by their names in custom IDs and options; see core.TimeNamed.
var (
	AgreedChoices = []string{"today", "tomorrow", "weekend", "72h", "week"}
	goodChoices   = []string{"today", "tomorrow", "weekend", "72h", "week"}
)

func timeChoices(names []string) []*namedChoice {
	choices := make([]*namedChoice, len(names))
	for i, name := range names {
		choices[i] = fixedChoice(name)
	}
	return choices
}

// withHandovers adds the commands and options of handovers, when they are on.
func withHandovers(
	features core.Features, tree []*discordgo.ApplicationCommand,
) []*discordgo.ApplicationCommand {
	if !features.Handover {
		return tree
	}
	add := func(command, name string, option *discordgo.ApplicationCommandOption) {
		for _, c := range tree {
			for _, s := range c.Options {
				if c.Name == command && s.Name == name {
					s.Options = append(s.Options, option)
				}
			}
		}
	}
	add("offer", "accept", Text("by", 0, Of(timeChoices(AgreedChoices))))
	add("offer", "send", Text("good-until", 0, Of(timeChoices(goodChoices))))
	tree = append(tree, onPerson(OpenBetween))
	for _, c := range tree {
		if c.Name == "moderate" {
			c.Options = append(c.Options, sub("disputes"))
		}
	}
	return tree
}
