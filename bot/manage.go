package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// closeRequest asks before it closes.
func (b *Bot) closeRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.askClose(ctx, in, order.ID)
}

// deleteRequest asks before it deletes.
func (b *Bot) deleteRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.askDelete(ctx, in, order.ID)
}

// renewRequest shows a request for another year.
func (b *Bot) renewRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.renew(ctx, in, order.ID)
}

func (b *Bot) askClose(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	return b.confirm(ctx, in, id, msgCloseTitle, msgCloseAsk, button(on("close", id), discordgo.DangerButton, in.say.plain(msgMenuClose)))
}

func (b *Bot) askDelete(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	return b.confirm(ctx, in, id, msgDeleteTitle, msgDeleteAsk, button(on("delete", id), discordgo.DangerButton, in.say.plain(msgMenuDelete)))
}

// confirm asks before something that cannot be undone. It refuses at once what the core would refuse.
func (b *Bot) confirm(ctx context.Context, in Input, id core.OrderID, title, question msg, yes discordgo.MessageComponent) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.Owns(listed.Order); err != nil {
		return Reply{}, err
	}
	if title == msgCloseTitle && listed.Status != core.Active {
		current := listed.Order
		return b.refusedOn(ctx, in, orderView(id), &core.Error{Kind: core.Conflict, Message: "This request is already closed", Current: &current})
	}
	return Reply{
		redraw: true,
		embeds: []*discordgo.MessageEmbed{{
			Title: string(in.say.text(title)), Color: colourDanger,
			Description: string(in.say.text(question, listed.ItemName, listed.Sold, listed.Quantity, listed.Offers)),
		}},
		rows: []discordgo.MessageComponent{row(yes, button(on("show", id), discordgo.SecondaryButton, in.say.plain(msgKeep)))},
	}, nil
}

// closeConfirmed closes.
func (b *Bot) closeConfirmed(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.press.number(0))
	if _, err := b.market.CloseOrder(ctx, in.Actor, id); err != nil {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.say.text(msgClosed))
}

// deleteConfirmed deletes.
func (b *Bot) deleteConfirmed(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.press.number(0))
	if err := b.market.DeleteOrder(ctx, in.Actor, id); err != nil {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	return Reply{redraw: true, text: in.say.text(msgDeleted)}, nil
}

// renewPressed renews from a card or a direct message.
func (b *Bot) renewPressed(ctx context.Context, in Input) (Reply, error) {
	return b.renew(ctx, in, core.OrderID(in.press.number(0)))
}

func (b *Bot) renew(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	order, err := b.market.RenewOrder(ctx, in.Actor, id)
	if err != nil {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.say.text(msgRenewed, stamp(order.ExpiresAt)))
}
