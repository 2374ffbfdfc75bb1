package kernel

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// DeletedCard returns the card of a request that was deleted.
func DeletedCard(t Translator, title discord.Markdown) *discord.Card {
	return &discord.Card{
		Title: string(title), Color: ColourDone, Description: string(t.Text(msg.BoardDeleted)),
	}
}

// RequestClosed is the error about a request that is no longer open.
var RequestClosed = core.NewError(core.Conflict, core.NewText("request_closed"))

// SharedCard is a card for everybody in a channel. A user who presses its button is asked for an offer.
func (d *Drawer) SharedCard(t Translator, o trade.Order, poster people.Account) Reply {
	if o.Hidden {
		return Reply{Public: true, Cards: []*discord.Card{DeletedCard(t, discord.Escape(o.ItemName))}}
	}
	o = o.ForEverybody(d.Now())
	return Reply{Public: true, Cards: []*discord.Card{d.Card(t, o, poster, false)},
		Rows: d.VisitorRows(t, o, false)}
}

// VisitorRows returns the buttons for readers other than the owner: make an offer, or change their open one.
func (d *Drawer) VisitorRows(t Translator, o trade.Order, offered bool) []discordgo.MessageComponent {
	label := msg.OfferToFulfill
	if offered {
		label = msg.ChangeOffer
	}
	var buttons []discordgo.MessageComponent
	if o.Open(d.Now()) {
		buttons = append(buttons, Button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton,
			t.Plain(label)))
	}
	if o.Open(d.Now()) && o.Remaining() > 1 {
		buttons = append(buttons, Button(discord.NewCustomID("earn", o.ID), discordgo.SecondaryButton,
			t.Plain(msg.EarnButton)))
	}
	buttons = append(buttons, WebLink(d.OrderURL(o.ID), t.Plain(msg.OpenWeb))...)
	buttons = append(buttons, Button(ReportOn{Order: o.ID}.Press("report"), discordgo.SecondaryButton,
		t.Plain(msg.Report)))
	return []discordgo.MessageComponent{Row(buttons...)}
}

// CardAsItIs answers a press on the card of a closed request; o is nil if the request is gone. It redraws a
// card in a channel as the request is now, and returns why for a press on any other message.
func (k *Kernel) CardAsItIs(ctx context.Context, in Input, o *trade.Order, why error) (Reply, error) {
	m := in.Interaction.Message
	if m == nil || m.Flags&discordgo.MessageFlagsEphemeral != 0 {
		return Reply{}, why
	}
	title, one := discord.CardTitle(m)
	if !one {
		return Reply{}, why
	}
	card := Reply{Public: true, Cards: []*discord.Card{DeletedCard(in.Tr, title)}}
	if o != nil {
		card = k.SharedCard(in.Tr, *o, k.Account(ctx, o.Owner))
	}
	card.Redraw = true
	return card, nil
}
