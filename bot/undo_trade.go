package bot

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// undoable adds a button to a message that undoes its last action. It works for core.UndoWindow. Other buttons about that action follow it.
func (r *Reply) undoable(t translator, id discord.CustomID, more ...discordgo.MessageComponent) {
	undo := button(id, discordgo.SecondaryButton, t.plain(msg.UndoTrade))
	r.rows = slices.Insert(r.rows, 0, row(append([]discordgo.MessageComponent{undo}, more...)...))
}

// undoSaleButton undoes an accept or a logged sale.
func (b tradesBot) undoSaleButton(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(1)
	order, err := b.market.UndoSale(ctx, in.Actor, core.SaleID(in.id.Number(0)))
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.tr.text(msg.UndoneSale, order.ItemName, order.Remaining()))
}

// undoCloseButton undoes that the actor closed a request.
func (b tradesBot) undoCloseButton(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	if _, err := b.market.UndoClose(ctx, in.Actor, id); err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.tr.text(msg.UndoneClose))
}

// undoOfferButton undoes that the actor declined or withdrew an offer.
func (b tradesBot) undoOfferButton(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(1)
	if err := b.market.UndoOffer(ctx, in.Actor, core.OfferID(in.id.Number(0))); err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.tr.text(msg.UndoneOffer))
}
