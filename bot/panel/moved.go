package panel

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/core/text"
)

// place says where the subcommands of a command went, with the button that opens it.
type place struct {
	text, label msg.Key
	action      string
}

// places has the place of each command that moved.
var places = map[string]place{
	"data":   {msg.MovedData, msg.DataButton, "data"},
	"notify": {msg.MovedNotify, msg.PanelSettings, kernel.PanelSettings},
	"report": {msg.MovedReport, msg.PanelWork, kernel.PanelWork},
	"trade":  {msg.MovedTrade, msg.TradesTitle, kernel.PanelTrades},
	"trader": {msg.MovedTrader, msg.RecordButton, "record"},
	"watch":  {msg.MovedWatch, msg.WatchesButton, "watches"},
}

// movedTo answers a command that moved.
func movedTo(to place) kernel.Handler {
	return func(_ context.Context, in kernel.Input) (kernel.Reply, error) {
		reply := kernel.Private(in.Tr.Text(to.text))
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID(to.action),
			discordgo.PrimaryButton, in.Tr.Plain(to.label))))
		return reply, nil
	}
}
