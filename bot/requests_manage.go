package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// closeRequest asks before it closes.
func (b requestsBot) closeRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.askClose(ctx, in, order.ID)
}

// deleteRequest asks before it deletes.
func (b requestsBot) deleteRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.askDelete(ctx, in, order.ID)
}

// renewRequest shows a request for another year.
func (b requestsBot) renewRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.renew(ctx, in, order.ID)
}

func (b requestsBot) askClose(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	return b.confirm(ctx, in, id, msg.CloseTitle, msg.CloseAsk, msg.MenuClose, discord.NewCustomID("close", id))
}

func (b requestsBot) askDelete(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	return b.confirm(ctx, in, id, msg.DeleteTitle, msg.DeleteAsk, msg.MenuDelete, discord.NewCustomID("delete", id))
}

// confirm asks before an action that ends the offers on a request. It returns the core's error without asking
// when the action is not allowed.
func (b requestsBot) confirm(ctx context.Context, in Input, id core.OrderID, title, question, label msg.Key, yes discord.CustomID) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.MustOwn(listed.Order); err != nil {
		return Reply{}, err
	}
	if title == msg.CloseTitle && listed.Status != core.Active {
		return b.errorOn(ctx, in, orderView(id), requestClosed)
	}
	return Reply{
		redraw: true,
		cards: []*discord.Card{{
			Title: string(in.tr.text(title)), Color: colourDanger,
			Description: string(in.tr.text(question, listed.ItemName, listed.Sold, listed.Quantity, listed.Offers)),
		}},
		rows: []discordgo.MessageComponent{row(
			button(yes.At(listed.Version), discordgo.DangerButton, in.tr.plain(label)),
			button(discord.NewCustomID("show", id), discordgo.SecondaryButton, in.tr.plain(msg.Keep)),
		)},
	}, nil
}

// closeConfirmed closes, and offers to undo it.
func (b requestsBot) closeConfirmed(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	if _, err := b.market.CloseOrder(ctx, in.Actor, id); err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	reply, err := b.redraw(ctx, in, orderView(id), in.tr.text(msg.Closed))
	if err == nil {
		reply.undoable(in.tr, discord.NewCustomID("undo-close", id))
	}
	return reply, err
}

// deleteConfirmed deletes.
func (b requestsBot) deleteConfirmed(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	if err := b.market.DeleteOrder(ctx, in.Actor, id); err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	return Reply{redraw: true, text: in.tr.text(msg.Deleted)}, nil
}

// renewButton renews from a card or a direct message.
func (b requestsBot) renewButton(ctx context.Context, in Input) (Reply, error) {
	return b.renew(ctx, in, core.OrderID(in.id.Number(0)))
}

func (b requestsBot) renew(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	order, err := b.market.RenewOrder(ctx, in.Actor, id)
	if err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.tr.text(msg.Renewed, timestamp(order.ExpiresAt)))
}

var requestClosed = core.NewError(core.Conflict, core.NewText("request_closed", "This request is already closed"))
