package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// withStock adds the commands of stock.
func withStock(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "board" {
			c.Options = append(c.Options, sub("wanted", yes("on", required)))
		}
	}
	return append(tree, alone("have",
		text("item", core.MaxItemName, suggested),
		number("quantity", 1, core.MaxQuantity),
		text("price", MaxPriceText),
		text("note", core.MaxStockNote),
		yes("public"),
	), alone("fill"))
}

// maxPauseHours is the longest pause of a watch.
const maxPauseHours = int(core.MaxWatchPause / time.Hour)

// withWatches adds what there is with watches.
func withWatches(game core.Game, tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	ways := make([]*namedChoice, len(core.Ways))
	for i, way := range core.Ways {
		ways[i] = fixedChoice(string(way))
	}
	return append(tree, group("watch",
		sub("add",
			text("item", core.MaxItemName, suggested),
			text("kind", core.MaxItemName, suggested),
			text("search", MaxSearchText),
			text("category", 0, of(CategoryChoices(game))),
			yes("for-me"),
			text("min-price", MaxPriceText),
			number("quantity", 1, core.MaxQuantity),
			text("way", 0, of(ways)),
			number("pause", 0, maxPauseHours),
		),
		sub("list"),
		sub("pause", text("watch", maxReference, required, suggested)),
		sub("remove", text("watch", maxReference, required, suggested)),
	))
}
