package bot

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const salesShown = 10

// logSale records a sale from a command.
func (b requestsBot) logSale(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.sell(ctx, in, order.ID)
}

// sellForm asks how many were sold.
func (b requestsBot) sellForm(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.MustOwn(listed.Order); err != nil {
		return Reply{}, err
	}
	if !listed.Open(b.now()) {
		return b.redraw(ctx, in, orderView(id), "")
	}
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("sold", id).AsShown(in.id), Title: in.tr.plain(msg.SalesTitle), Fields: []discord.Field{
		{Name: "quantity", Label: in.tr.plain(msg.FieldSold), Hint: in.tr.plain(msg.HintUpTo, listed.Remaining()), MaxLength: 12},
		{Name: "notes", Label: in.tr.plain(msg.FieldNotes), Long: true, Optional: true, MaxLength: core.MaxNotes},
	}}}, nil
}

// sellSubmitted handles the form.
func (b requestsBot) sellSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.sell(ctx, in, core.OrderID(in.id.Number(0)))
}

func (b requestsBot) sell(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	logged, err := b.market.LogSale(ctx, in.Actor, id, core.SaleDraft{Quantity: in.quantity(), Notes: in.text("notes")})
	if err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	note := in.tr.text(msg.Sold, logged.Sale.Quantity, logged.Order.ItemName, logged.Order.Remaining())
	if logged.Order.Status == core.Fulfilled {
		note = in.tr.text(msg.SoldOut, logged.Sale.Quantity, logged.Order.ItemName)
	}
	reply, err := b.redraw(ctx, in, orderView(id), note)
	if err == nil {
		reply.undoable(in.tr, discord.NewCustomID("undo-sale", logged.Sale.ID, orderView(id)))
	}
	return reply, err
}

// salesHistory lists the last sales of a request.
func (b requestsBot) salesHistory(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.history(ctx, in, order.ID)
}

func (b requestsBot) history(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	order, sales, total, err := b.market.Sales(ctx, in.Actor, id, salesShown)
	if err != nil {
		return Reply{}, err
	}
	lines := []string{
		string(in.tr.text(msg.SalesSum, order.Quantity, order.Sold, order.Remaining())),
		string(bar(order.Progress()) + " " + in.tr.text(msg.Percent, order.Progress())), "",
	}
	if total == 0 {
		lines = append(lines, string(in.tr.text(msg.NoSales)))
	}
	for _, s := range sales {
		line := in.tr.text(msg.SaleLine, s.Quantity, timestamp(s.CreatedAt), in.tr.coins(s.UnitPrice*core.Copper(s.Quantity)))
		if s.Reversed {
			line = "~~" + line + "~~ " + in.tr.text(msg.SaleReversed)
		}
		if s.Notes != "" {
			line += "\n" + discord.Quote(discord.Clip(s.Notes, 200))
		}
		lines = append(lines, string(line))
	}
	if total > len(sales) {
		lines = append(lines, string(in.tr.text(msg.MoreSales, total-len(sales))))
	}
	reply := Reply{cards: []*discord.Card{{
		Title: string(in.tr.text(msg.SalesOf, order.ItemName)), URL: b.orderURL(id), Color: colourOf(order, b.now()),
		Description: string(discord.ClipMarkdown(discord.Markdown(strings.Join(lines, "\n")), discord.MaxCardText)),
	}}}
	reply.rows = []discordgo.MessageComponent{row(button(discord.NewCustomID("show", id), discordgo.SecondaryButton, in.tr.plain(msg.BackToRequest)))}
	return reply, nil
}
