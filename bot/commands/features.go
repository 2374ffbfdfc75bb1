package commands

import (
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// switchedOn returns the commands of the enabled features.
func switchedOn(tree []*discordgo.ApplicationCommand, on core.Features) []*discordgo.ApplicationCommand {
	off := map[string]bool{
		"request several": !on.Lists, "offer standing": !on.Records, "offer least-record": !on.Records,
		RecordOf: !on.Records, "trader": !on.Records, "trade": !on.Handover, "watch": !on.Watches,
	}
	var kept []*discordgo.ApplicationCommand
	for _, c := range tree {
		if off[c.Name] {
			continue
		}
		c.Options = slices.DeleteFunc(c.Options,
			func(o *discordgo.ApplicationCommandOption) bool { return off[c.Name+" "+o.Name] })
		kept = append(kept, c)
	}
	return kept
}
