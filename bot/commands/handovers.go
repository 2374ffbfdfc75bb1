package commands

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/core"
	"tradepost/core/trust"
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
	tree = append(tree, group("trade",
		sub("with", Text("user", maxReference, Suggested)),
		sub("name", Text("name", core.MaxInGameName, Required)),
	))
	tree = withTrades(tree)
	for _, c := range tree {
		if c.Name == "moderate" {
			c.Options = append(c.Options, sub("disputes"))
		}
	}
	return tree
}

// withTrades adds the list of one's own trades to what there is about trades.
func withTrades(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	states := make([]*namedChoice, len(trust.HandoverStates))
	for i, state := range trust.HandoverStates {
		states[i] = fixedChoice(string(state))
	}
	list := sub("list", Text("state", 0, Of(states)))
	for _, c := range tree {
		if c.Name == "trade" {
			c.Options = append(c.Options, list)
			return tree
		}
	}
	return append(tree, group("trade", list))
}
