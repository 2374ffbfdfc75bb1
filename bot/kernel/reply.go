package kernel

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/trade"
)

// Reply is a handler's answer.
type Reply struct {
	Text  discord.Markdown
	Cards []*discord.Card
	Rows  []discordgo.MessageComponent

	components []discordgo.MessageComponent // the whole message, instead of text, cards and rows

	Receipts map[core.SaleID]*discord.Card // the cards that are receipts

	Public bool           // everybody in the channel sees it
	Redraw bool           // it replaces the message of the button
	Form   *discord.Modal // asks for more instead

	Accepted core.SaleID  // what was accepted; it is remembered once the answer has arrived
	Shares   *trade.Order // the order that the answer shows to the channel; the card is followed
}

// Private returns an ephemeral reply with a text.
func Private(text discord.Markdown) Reply { return Reply{Text: text} }

// OwnRows moves the buttons of a reply with one card into it, so that they stay with it beside further cards.
func (r *Reply) OwnRows() {
	if len(r.Cards) == 1 {
		r.Cards[0].Rows, r.Rows = append(r.Cards[0].Rows, r.Rows...), nil
	}
}

// Message returns the reply as a message.
func (r Reply) Message() discord.Message {
	if r.components != nil {
		return discord.Message{Components: r.components}
	}
	return discord.NewMessage(r.Text, r.Cards, r.Rows)
}

// Flags returns the flags of the message: an answer is ephemeral unless it is public.
func (r Reply) Flags() discordgo.MessageFlags {
	if r.Public {
		return 0
	}
	return discordgo.MessageFlagsEphemeral
}
