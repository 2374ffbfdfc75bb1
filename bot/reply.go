package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
)

// Reply is what a handler answers.
type Reply struct {
	text  discord.Markdown
	cards []*discord.Card
	rows  []discordgo.MessageComponent

	components []discordgo.MessageComponent // the whole message, instead of text, cards and rows

	receipts map[core.SaleID]*discord.Card // those of the cards that are receipts

	public bool           // everybody in the channel sees it
	redraw bool           // it replaces the message of the button
	form   *discord.Modal // asks for more instead

	accepted core.SaleID // what was accepted; it is remembered once the answer has arrived
	shares   *core.Order // the order that the answer shows to the channel; the card is followed
}

// private returns an ephemeral reply with a text.
func private(text discord.Markdown) Reply { return Reply{text: text} }

// ownRows moves the buttons of a reply with one card into it, so that they stay with it beside further cards.
func (r *Reply) ownRows() {
	if len(r.cards) == 1 {
		r.cards[0].Rows, r.rows = append(r.cards[0].Rows, r.rows...), nil
	}
}

// message returns the reply as a message.
func (r Reply) message() discord.Message {
	if r.components != nil {
		return discord.Message{Components: r.components}
	}
	return discord.NewMessage(r.text, r.cards, r.rows)
}

func (r Reply) flags() discordgo.MessageFlags {
	if r.public {
		return 0
	}
	return discordgo.MessageFlagsEphemeral
}

// respond sends the reply as the first answer to an interaction.
func (k *Kernel) respond(ctx context.Context, i *discord.Interaction, r Reply) error {
	switch {
	case r.form != nil:
		return k.discord.OpenModal(ctx, i, r.form)
	case r.redraw && i.Message != nil:
		return k.discord.Respond(ctx, i, r.message().Update())
	}
	return k.discord.Respond(ctx, i, r.message().Answer(r.flags()))
}
