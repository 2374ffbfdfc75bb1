package trades

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// undo undoes an act of a kind that a button names, and draws the message again.
func (b Trades) undo(kind core.UndoKind) func(context.Context, kernel.Input) (kernel.Reply, error) {
	return func(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
		view := in.ID.Word(1)
		if kind == core.UndoClose {
			view = kernel.OrderView(core.OrderID(in.ID.Number(0)))
		}
		order, err := b.Market.Undo(ctx, in.Actor, kind, in.ID.Number(0))
		if err != nil {
			return b.ErrorOn(ctx, in, view, err)
		}
		return b.Redraw(ctx, in, view, undone(in.Tr, kind, order))
	}
}

// undone says that an act was undone.
func undone(t kernel.Translator, kind core.UndoKind, order trade.Order) discord.Markdown {
	switch kind {
	case core.UndoSale:
		return t.Text(msg.UndoneSale, "item", order.ItemName, "left", order.Remaining())
	case core.UndoClose:
		return t.Text(msg.UndoneClose)
	case core.UndoOffer:
		return t.Text(msg.UndoneOffer)
	case core.UndoWord, core.UndoStock, core.UndoRemoval: // they have words of their own
	}
	return t.Text(msg.Undone)
}
