package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// stockAlertDM is the message about a request for something that the reader has. One press offers as much as they have of it.
func (b *Bot) stockAlertDM(t translator, n core.Notice, r Reply, others []discordgo.MessageComponent) Reply {
	r.cards[0].Footer = t.text(msg.StockAlert, n.Quantity)
	if len(others) > 0 { // the request is open
		offer := button(discord.NewCustomID("offer-stock", n.OrderID, n.Quantity), discordgo.SuccessButton, t.plain(msg.StockOfferButton, n.Quantity))
		others = append([]discordgo.MessageComponent{offer}, others...)
	}
	others = append(others, webLink(b.orderURL(n.OrderID), t.plain(msg.OpenWeb))...)
	if len(others) > 0 {
		r.rows = append(r.rows, row(others...))
	}
	r.rows = append(r.rows, row(
		button(discord.NewCustomID("mute-buyer", n.ID), discordgo.SecondaryButton, t.plain(msg.NotThisBuyer)),
		button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.plain(msg.StockTitle)),
	))
	return r
}

// offerStock offers what the reader has of a request, as the button says.
func (b *Bot) offerStock(ctx context.Context, in Input) (Reply, error) {
	id, many := core.OrderID(in.id.Number(0)), in.id.Number(1)
	in.fields = map[string]string{
		"quantity": fmt.Sprint(many), "message": in.tr.plain(msg.StockOfferMessage, int(many)), "name": discord.Clip(in.i.DisplayName(), core.MaxSellerName),
	}
	return b.offerOn(ctx, in, id, 0)
}
