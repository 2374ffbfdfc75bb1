package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// withStock adds the commands of stock.
func withStock(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "board" {
			c.Options = append(c.Options, sub("wanted", Yes("on", Required)))
		}
	}
	return append(tree, alone("have",
		Text("item", core.MaxItemName, Suggested),
		Number("quantity", 1, core.MaxQuantity),
		Text("price", MaxPriceText),
		Text("note", core.MaxStockNote),
		Yes("public"),
	), alone("fill"))
}

// maxPauseHours is the longest pause of a watch.
const maxPauseHours = int(core.MaxWatchPause / time.Hour)

// withWatches adds the commands of watches.
func withWatches(game game.Game, tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	ways := make([]*namedChoice, len(match.Ways))
	for i, way := range match.Ways {
		ways[i] = fixedChoice(string(way))
	}
	add := []*discordgo.ApplicationCommandOption{
		Text("item", core.MaxItemName, Suggested),
		Text("kind", core.MaxItemName, Suggested),
		Text("search", MaxSearchText),
		Text("category", 0, Of(CategoryChoices(game))),
		Yes("for-me"),
		Text("min-price", MaxPriceText),
		Number("quantity", 1, core.MaxQuantity),
		Text("way", 0, Of(ways)),
		Number("pause", 0, maxPauseHours),
	}
	for _, f := range trade.Fields {
		if f.OnBoard {
			add = append(add, Text(f.Option, f.Limit))
		}
	}
	return append(tree, group("watch",
		sub("add", add...),
		sub("list"),
		sub("pause", Text("watch", maxReference, Required, Suggested)),
		sub("remove", Text("watch", maxReference, Required, Suggested)),
	))
}
