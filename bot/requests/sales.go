package requests

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

const salesShown = 10

// sales records sales outside of offers, and lists the sales of a request.
type sales struct{ *kernel.Kernel }

// logSale records a sale from a command.
func (b sales) logSale(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.sell(ctx, in, o.ID)
}

// sellForm asks how many were sold.
func (b sales) sellForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := in.Actor.MustBe(listed.Order.Owner); err != nil {
		return kernel.Reply{}, err
	}
	if !listed.Open(b.Now()) {
		return b.Redraw(ctx, in, kernel.OrderView(id), "")
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("sold", id).AsShown(in.ID),
		Title: in.Tr.Plain(msg.SalesTitle), Fields: []discord.Field{
			{Name: "quantity", Label: in.Tr.Plain(msg.FieldSold),
				Hint: in.Tr.Plain(msg.HintUpTo, "most", listed.Remaining()), MaxLength: 12},
			{Name: "notes", Label: in.Tr.Plain(msg.FieldNotes), Long: true, Optional: true,
				MaxLength: core.MaxNotes},
		}}}, nil
}

// sellSubmitted handles the form.
func (b sales) sellSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.sell(ctx, in, core.OrderID(in.ID.Number(0)))
}

func (b sales) sell(ctx context.Context, in kernel.Input, id core.OrderID) (kernel.Reply, error) {
	logged, err := b.Market.Trade.LogSale(ctx, in.Actor, id,
		trade.SaleDraft{Quantity: in.Quantity(), Notes: in.Text("notes")})
	if err != nil {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	note := in.Tr.Text(msg.Sold, "quantity", logged.Sale.Quantity, "item", logged.Order.ItemName,
		"left", logged.Order.Remaining())
	if logged.Order.Status == trade.Fulfilled {
		note = in.Tr.Text(msg.SoldOut, "quantity", logged.Sale.Quantity, "item", logged.Order.ItemName)
	}
	reply, err := b.Redraw(ctx, in, kernel.OrderView(id), note)
	if err == nil {
		reply.Undoable(in.Tr, kernel.UndoID(core.UndoSale, logged.Sale.ID, kernel.OrderView(id)))
	}
	return reply, err
}

// salesHistory lists the last sales of a request.
func (b sales) salesHistory(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.history(ctx, in, o.ID)
}

// saleNote returns the note of a sale: as it was typed, or in the reader's language if an accepted offer made
// it.
func saleNote(t kernel.Translator, s trade.Sale) string {
	seller, made := s.SellerInNote()
	if !made {
		return s.Notes
	}
	who := "seller"
	switch seller { // as SQL writes it once their names are gone
	case "a visitor":
		who = "visitor"
	case "a seller who has left":
		who = "left"
	}
	return t.Plain(msg.SaleAccepted, "who", who, "seller", seller)
}

func (b sales) history(ctx context.Context, in kernel.Input, id core.OrderID) (kernel.Reply, error) {
	order, sales, total, err := b.Market.Trade.Sales(ctx, in.Actor, id, salesShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	lines := []string{
		string(in.Tr.Text(msg.SalesSum, "quantity", order.Quantity, "sold", order.Sold,
			"left", order.Remaining())),
		string(kernel.Bar(order.Progress()) + " " + in.Tr.Text(msg.Percent, "percent", order.Progress())), "",
	}
	if total == 0 {
		lines = append(lines, string(in.Tr.Text(msg.NoSales)))
	}
	for _, s := range sales {
		line := in.Tr.Text(msg.SaleLine, "quantity", s.Quantity, "time", kernel.Timestamp(s.CreatedAt),
			"sum", in.Tr.Coins(s.UnitPrice*core.Copper(s.Quantity)))
		if s.Reversed {
			line = "~~" + line + "~~ " + in.Tr.Text(msg.SaleReversed)
		}
		if s.Notes != "" {
			line += "\n" + discord.Quote(discord.Clip(saleNote(in.Tr, s), 200))
		}
		lines = append(lines, string(line))
	}
	if total > len(sales) {
		lines = append(lines, string(in.Tr.Text(msg.MoreSales, "count", total-len(sales))))
	}
	reply := kernel.Reply{Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.SalesOf, "item", order.ItemName)), URL: b.OrderURL(id),
		Color: kernel.ColourOf(order, b.Now()),
		Description: string(discord.ClipMarkdown(discord.Markdown(strings.Join(lines, "\n")),
			discord.MaxCardText)),
	}}}
	reply.Rows = []discordgo.MessageComponent{kernel.Row(kernel.Button(discord.NewCustomID("show", id),
		discordgo.SecondaryButton, in.Tr.Plain(msg.BackToRequest)))}
	return reply, nil
}
