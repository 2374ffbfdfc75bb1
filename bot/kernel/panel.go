package kernel

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/core/text"
)

// Buttons of the panel. They stay on messages that were pinned: their names never change. The package of each
// place answers with a private message of its own and leaves the panel as it is.
const (
	PanelPost     = "panel-post"
	PanelWork     = "panel-work"
	PanelRequests = "panel-requests"
	PanelOffers   = "panel-offers"
	PanelTrades   = "panel-trades"
	PanelSettings = "settings" // also on direct messages
	PanelReceived = "panel-received"
	PanelAsk      = "panel-ask"
)

// PanelView is the view of a member's own panel.
const PanelView = "m0"

// PanelCounts are the numbers on the buttons of a member's own panel; a message for everybody has none.
type PanelCounts struct{ Work, Requests, Offers, Trades int }

// PanelRows are the buttons from which a member reaches everything in a trade.
func (d *Drawer) PanelRows(t Translator, counts PanelCounts) []discordgo.MessageComponent {
	button := func(
		action string, style discordgo.ButtonStyle, label msg.Key, count int,
	) discordgo.MessageComponent {
		text := t.Plain(label)
		if count > 0 {
			text = t.Plain(msg.PanelCount, "place", text, "count", count)
		}
		return Button(discord.NewCustomID(action), style, text)
	}
	second := []discordgo.MessageComponent{
		button(PanelOffers, discordgo.SecondaryButton, msg.SentTitle, counts.Offers),
	}
	if d.Features.Handover {
		second = append(second,
			button(PanelTrades, discordgo.SecondaryButton, msg.TradesTitle, counts.Trades))
	}
	return []discordgo.MessageComponent{
		Row(
			button(PanelPost, discordgo.PrimaryButton, msg.Post, 0),
			button(PanelWork, discordgo.PrimaryButton, msg.PanelWork, counts.Work),
			button(PanelRequests, discordgo.SecondaryButton, msg.PanelRequests, counts.Requests),
		),
		Row(append(second, button(PanelSettings, discordgo.SecondaryButton, msg.PanelSettings, 0))...),
	}
}
