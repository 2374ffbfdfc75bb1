package commands

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// The fields of a request: as options of the commands, in the forms, as users type them, and as core takes them. A field has one
// name in all of these. How a request is shown is in cards.go.

// OrderOptions are the options of the commands that post and edit a request. An edit needs none of them, and takes
// a level of 0 for none.
func OrderOptions(game core.Game, editing bool) []*discordgo.ApplicationCommandOption {
	least := 1
	if editing {
		least = 0
	}
	options := []*discordgo.ApplicationCommandOption{
		text("item", core.MaxItemName, required, suggested),
		number("quantity", 1, core.MaxQuantity, required),
		text("price", MaxPriceText, required),
		text("category", 0, of(CategoryChoices(game))),
		text("importance", 0, of(ImportanceChoices())),
		number("level", least, core.MaxLevel),
		text("description", core.MaxDescription),
		text("contact", core.MaxContact),
		text("ign", core.MaxInGameName),
		yes("signed-in-only"),
	}
	for _, option := range options {
		option.Required = option.Required && !editing
	}
	return options
}
