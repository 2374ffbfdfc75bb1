package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// earningsForm asks how many pieces a seller has of what a request wants.
func (b requestsBot) earningsForm(ctx context.Context, in Input) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, core.OrderID(in.id.Number(0)))
	switch {
	case core.KindOf(err) == core.NotFound:
		return b.cardAsItIs(ctx, in, nil, err)
	case err != nil:
		return Reply{}, err
	case !listed.Open(b.now()):
		return b.cardAsItIs(ctx, in, &listed.Order, requestClosed)
	}
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("earned", listed.ID), Title: in.tr.plain(msg.EarnTitle), Fields: []discord.Field{{
		Name: "quantity", Label: in.tr.plain(msg.FieldQuantity), Value: fmt.Sprint(listed.Remaining()), MaxLength: 12,
		Hint: in.tr.plain(msg.EarnHint, listed.Remaining(), listed.MaxPrice),
	}}}}, nil
}

// earnings shows what a quantity earns. As on the page, more than what is needed counts as that.
func (b requestsBot) earnings(ctx context.Context, in Input) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, core.OrderID(in.id.Number(0)))
	if err != nil {
		return Reply{}, err
	}
	if !listed.Open(b.now()) {
		return Reply{}, requestClosed
	}
	typed := in.quantity()
	if typed <= 0 {
		return Reply{}, core.NewFieldError("quantity", core.NewText("quantity_not_positive", "Quantity must be greater than 0"))
	}
	many := min(typed, listed.Remaining())
	card := &discord.Card{
		Title: string(in.tr.text(msg.OfferTitle, many, listed.ItemName)), URL: b.orderURL(listed.ID), Color: colourOf(listed.Order, b.now()),
		Fields: []*discord.CardField{{
			Name: string(in.tr.text(msg.Earns)), Value: string(in.tr.text(msg.ReceiptSum, many, in.tr.coins(listed.MaxPrice), in.tr.coins(listed.MaxPrice*core.Copper(many)))), Inline: true,
		}},
	}
	if many < typed {
		card.Footer = in.tr.text(msg.EarnsAtMost, many)
	}
	reply := Reply{cards: []*discord.Card{card}}
	if in.Actor.MustOwn(listed.Order) != nil {
		reply.rows = append(reply.rows, row(
			button(discord.NewCustomID("make-offer", listed.ID, 0, many), discordgo.PrimaryButton, in.tr.plain(msg.OfferThese, many)),
			button(discord.NewCustomID("earn", listed.ID), discordgo.SecondaryButton, in.tr.plain(msg.EditAgain))))
	}
	return reply, nil
}
