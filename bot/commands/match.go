package commands

import (
	"cmp"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
	"tradepost/core/match"
)

// withStock adds the commands of stock.
func withStock(tree []*discordgo.ApplicationCommand, crossing bool) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "board" {
			c.Options = append(c.Options, sub("wanted", Yes("on", Required)))
		}
	}
	have := alone("have",
		Text("item", core.MaxItemName, Suggested),
		Number("quantity", 1, core.MaxQuantity),
		Text("price", MaxPriceText),
		Text("note", core.MaxStockNote),
		Yes("public"),
	)
	if crossing {
		have.Options = append(have.Options, Number("unasked", 0, core.MaxQuantity))
		withStanding(tree)
	}
	return append(tree, have, alone("fill"))
}

// withListings adds the option of a board that shows what is for sale.
func withListings(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		for _, s := range c.Options {
			if c.Name == "board" && s.Name == "here" {
				s.Options = append(s.Options, Text("shows", 0, Of(sideChoices())))
			}
		}
	}
	return tree
}

// sideChoices prefixes the keys of its texts, as sellersChoices.
func sideChoices() []*namedChoice {
	choices := make([]*namedChoice, len(match.Sides))
	for i, s := range match.Sides {
		value := cmp.Or(string(s), "wanted")
		choices[i] = fixedChoice("side-" + value)
		choices[i].Value = value
	}
	return choices
}

// withStanding adds the option of a new request that takes offers as they come.
func withStanding(tree []*discordgo.ApplicationCommand) {
	for _, c := range tree {
		for _, s := range c.Options {
			if c.Name == "request" && s.Name == "post" {
				s.Options = append(s.Options, Text("as-they-come", 0, Of(sellersChoices())))
			}
		}
	}
}
