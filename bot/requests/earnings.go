package requests

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
)

// earningsForm asks a seller for the quantity that they have of a requested item.
func (b Requests) earningsForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	switch {
	case core.KindOf(err) == core.NotFound:
		return b.CardAsItIs(ctx, in, nil, err)
	case err != nil:
		return kernel.Reply{}, err
	case !listed.Open(b.Now()):
		return b.CardAsItIs(ctx, in, &listed.Order, kernel.RequestClosed)
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("earned", listed.ID),
		Title: in.Tr.Plain(msg.EarnTitle), Fields: []discord.Field{{
			Name: "quantity", Label: in.Tr.Plain(msg.FieldQuantity), Value: fmt.Sprint(listed.Remaining()),
			MaxLength: 12,
			Hint:      in.Tr.Plain(msg.EarnHint, "quantity", listed.Remaining(), "price", listed.MaxPrice),
		}}}}, nil
}

// earnings shows the earnings for a quantity. As on the page, it counts no more than the request still needs.
func (b Requests) earnings(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	if !listed.Open(b.Now()) {
		return kernel.Reply{}, kernel.RequestClosed
	}
	typed := in.Quantity()
	if typed <= 0 {
		return kernel.Reply{}, core.NewFieldError("quantity", core.NewText("quantity_not_positive"))
	}
	many := min(typed, listed.Remaining())
	card := &discord.Card{
		Title: string(in.Tr.Text(msg.OfferTitle, "quantity", many,
			"item", listed.ItemName)), URL: b.OrderURL(listed.ID),
		Color: kernel.ColourOf(listed.Order, b.Now()),
		Fields: []*discord.CardField{{
			Name: string(in.Tr.Text(msg.Earns)),
			Value: string(in.Tr.Text(msg.ReceiptSum, "quantity", many, "price", in.Tr.Coins(listed.MaxPrice),
				"sum", in.Tr.Coins(listed.MaxPrice*core.Copper(many)))), Inline: true,
		}},
	}
	if many < typed {
		card.Footer = in.Tr.Text(msg.EarnsAtMost, "quantity", many)
	}
	reply := kernel.Reply{Cards: []*discord.Card{card}}
	if in.Actor.MustBe(listed.Order.Owner) != nil {
		reply.Rows = append(reply.Rows, kernel.Row(
			kernel.Button(discord.NewCustomID("make-offer", listed.ID, 0, many), discordgo.PrimaryButton,
				in.Tr.Plain(msg.OfferThese, "quantity", many)),
			kernel.Button(discord.NewCustomID("earn", listed.ID), discordgo.SecondaryButton,
				in.Tr.Plain(msg.EditAgain))))
	}
	return reply, nil
}
