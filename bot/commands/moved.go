package commands

import "github.com/bwmarrin/discordgo"

// Moved lists the commands whose subcommands are in the panel now. For a release each answers where they
// went.
var Moved = []string{"data", "notify", "report", "trade", "trader", "watch"}

func moved() []*discordgo.ApplicationCommand {
	tree := make([]*discordgo.ApplicationCommand, len(Moved))
	for i, name := range Moved {
		tree[i] = alone(name)
	}
	return tree
}
