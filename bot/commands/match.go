package commands

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/core"
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
	}
	return append(tree, have, alone("fill"))
}
