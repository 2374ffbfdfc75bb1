package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

const salesShown = 10

// logSale records a sale from a command.
func (b *Bot) logSale(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.sell(ctx, in, order.ID)
}

// sellForm asks how many were sold.
func (b *Bot) sellForm(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.press.number(0))
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.Owns(listed.Order); err != nil {
		return Reply{}, err
	}
	if !listed.Open(b.now()) {
		return b.redraw(ctx, in, orderView(id), "")
	}
	return Reply{form: &form{press: on("sold", id), title: in.say.plain(msgSalesTitle), fields: []field{
		{name: "quantity", label: in.say.plain(msgFieldSold), hint: in.say.plain(msgHintUpTo, listed.Remaining()), limit: 12},
		{name: "notes", label: in.say.plain(msgFieldNotes), long: true, optional: true, limit: core.MaxNotes},
	}}}, nil
}

// sellSubmitted takes the form in.
func (b *Bot) sellSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.sell(ctx, in, core.OrderID(in.press.number(0)))
}

func (b *Bot) sell(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	logged, err := b.market.LogSale(ctx, in.Actor, id, core.SaleDraft{Quantity: in.quantity(), Notes: in.text("notes")})
	if err != nil {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	note := in.say.text(msgSold, logged.Sale.Quantity, logged.Order.ItemName, logged.Order.Remaining())
	if logged.Order.Status == core.Fulfilled {
		note = in.say.text(msgSoldOut, logged.Sale.Quantity, logged.Order.ItemName)
	}
	return b.redraw(ctx, in, orderView(id), note)
}

// salesHistory lists the last sales of a request.
func (b *Bot) salesHistory(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.history(ctx, in, order.ID)
}

func (b *Bot) history(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	order, sales, total, err := b.market.Sales(ctx, in.Actor, id, salesShown)
	if err != nil {
		return Reply{}, err
	}
	lines := []string{
		string(in.say.text(msgSalesSum, order.Quantity, order.Sold, order.Remaining())),
		string(bar(order.Progress())) + fmt.Sprintf(" %d%%", order.Progress()), "",
	}
	if total == 0 {
		lines = append(lines, string(in.say.text(msgNoSales)))
	}
	for _, s := range sales {
		line := in.say.text(msgSaleLine, s.Quantity, stamp(s.CreatedAt), coins(s.UnitPrice*core.Copper(s.Quantity)))
		if s.Notes != "" {
			line += "\n" + quoted(clip(s.Notes, 200))
		}
		lines = append(lines, string(line))
	}
	if total > len(sales) {
		lines = append(lines, string(in.say.text(msgMoreSales, total-len(sales))))
	}
	reply := Reply{embeds: []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgSalesOf, order.ItemName)), URL: b.orderURL(id), Color: colourOf(order, b.now()),
		Description: string(clipSafe(safe(strings.Join(lines, "\n")), maxEmbedText)),
	}}}
	reply.rows = []discordgo.MessageComponent{row(button(on("show", id), discordgo.SecondaryButton, in.say.plain(msgBackToRequest)))}
	return reply, nil
}
