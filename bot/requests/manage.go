package requests

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// closeRequest asks before it closes.
func (b Requests) closeRequest(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.askClose(ctx, in, o.ID)
}

// deleteRequest asks before it deletes.
func (b Requests) deleteRequest(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.askDelete(ctx, in, o.ID)
}

// renewRequest shows a request for another year.
func (b Requests) renewRequest(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.renew(ctx, in, o.ID)
}

func (b Requests) askClose(ctx context.Context, in kernel.Input, id core.OrderID) (kernel.Reply, error) {
	return b.confirm(ctx, in, id, msg.CloseTitle, msg.CloseAsk, msg.MenuClose,
		discord.NewCustomID("close", id))
}

func (b Requests) askDelete(ctx context.Context, in kernel.Input, id core.OrderID) (kernel.Reply, error) {
	return b.confirm(ctx, in, id, msg.DeleteTitle, msg.DeleteAsk, msg.MenuDelete,
		discord.NewCustomID("delete", id))
}

// confirm asks before an action that ends the offers on a request. It returns the core's error without asking
// when the action is not allowed.
func (b Requests) confirm(
	ctx context.Context, in kernel.Input, id core.OrderID, title, question, label msg.Key,
	yes discord.CustomID,
) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := in.Actor.MustBe(listed.Order.Owner); err != nil {
		return kernel.Reply{}, err
	}
	if title == msg.CloseTitle && listed.Status != trade.Active {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), kernel.RequestClosed)
	}
	return kernel.Reply{
		Redraw: true,
		Cards: []*discord.Card{{
			Title: string(in.Tr.Text(title)), Color: kernel.ColourDanger,
			Description: string(in.Tr.Text(question, "item", listed.ItemName, "sold", listed.Sold,
				"quantity", listed.Quantity, "offers", listed.Offers)),
		}},
		Rows: []discordgo.MessageComponent{kernel.Row(
			kernel.Button(yes.At(listed.Version), discordgo.DangerButton, in.Tr.Plain(label)),
			kernel.Button(discord.NewCustomID("show", id), discordgo.SecondaryButton, in.Tr.Plain(msg.Keep)),
		)},
	}, nil
}

// closeConfirmed closes, and offers to undo it.
func (b Requests) closeConfirmed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	if _, err := b.Market.Trade.CloseOrder(ctx, in.Actor, id); err != nil {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	reply, err := b.Redraw(ctx, in, kernel.OrderView(id), in.Tr.Text(msg.Closed))
	if err == nil {
		reply.Undoable(in.Tr, kernel.UndoID(core.UndoClose, id))
	}
	return reply, err
}

// deleteConfirmed deletes.
func (b Requests) deleteConfirmed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	if err := b.Market.Trade.DeleteOrder(ctx, in.Actor, id); err != nil {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	return kernel.Reply{Redraw: true, Text: in.Tr.Text(msg.Deleted)}, nil
}

// renewButton renews from a card or a direct message.
func (b Requests) renewButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	return renewOn(ctx, b, in, id, kernel.OrElse(in.ID.Word(1), kernel.OrderView(id)))
}

func (b Requests) renew(ctx context.Context, in kernel.Input, id core.OrderID) (kernel.Reply, error) {
	return renewOn(ctx, b, in, id, kernel.OrderView(id))
}

// renewOn renews a request and draws a view again.
func renewOn(
	ctx context.Context, b Requests, in kernel.Input, id core.OrderID, view string,
) (kernel.Reply, error) {
	order, err := b.Market.Trade.RenewOrder(ctx, in.Actor, id)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, in.Tr.Text(msg.Renewed,
		"end", kernel.Timestamp(order.ExpiresAt)))
}
