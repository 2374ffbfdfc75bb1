package match

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// wantedSide is the side of a price alert for requests, in a list of choices.
const wantedSide = "wanted"

// priceAlerts are the handlers of price alerts.
type priceAlerts struct{ Match }

// form asks at which price of an item to notify, and of which side of the market.
func (b priceAlerts) form(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	item, err := b.Market.Items.Item(ctx, core.ItemID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	t := in.Tr
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("price-typed", int64(item.ID)),
		Title: t.Plain(msg.PriceAlertTitle, "item", item.Name),
		Fields: []discord.Field{
			{Name: "side", Label: t.Plain(msg.FieldPriceAlert), Options: []discordgo.SelectMenuOption{
				{Label: t.Plain(msg.PriceAlertSale), Value: string(match.SaleSide), Default: true},
				{Label: t.Plain(msg.PriceAlertWanted), Value: wantedSide},
			}},
			{Name: "price", Label: t.Plain(msg.FieldPriceEach), MaxLength: commands.MaxPriceText},
		}}}, nil
}

// try previews the price alert of the form, as addWatch does a watch.
func (b priceAlerts) try(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	item, err := b.Market.Items.Item(ctx, core.ItemID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	in = in.With(in.Fields)
	in.Options["item"] = item.Name
	return b.tryWatch(ctx, in)
}

// atPrice returns the watch of an item as a price alert: a listing at the price or less, or a request at the
// price or more.
func (b priceAlerts) atPrice(in kernel.Input, d match.SearchDraft, item string) (match.SearchDraft, error) {
	price, err := b.Game.ParseCopper("price", in.Text("price"))
	if err != nil {
		return d, err
	}
	name := msg.PriceAlertWantedName
	if in.Text("side") == string(match.SaleSide) {
		name, d.Side, d.MaxPrice = msg.PriceAlertSaleName, match.SaleSide, price
	} else {
		d.MinPrice = price
	}
	d.Name = discord.Clip(in.Tr.Plain(name, "item", item, "price", b.Game.Format(price)), core.MaxSearchName)
	return d, nil
}
