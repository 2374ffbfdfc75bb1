package kernel

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// YouOffered returns the quantity that a seller has offered on a request already.
func (t Translator) YouOffered(o trade.SentOffer) discord.Markdown {
	if o.Accepted > 0 {
		return t.Text(msg.YouOfferedPart, "quantity", o.Quantity, "accepted", o.Accepted)
	}
	return t.Text(msg.YouOffered, "quantity", o.Quantity)
}

// OfferedOn are the actor's open offers, by request.
func (d *Drawer) OfferedOn(ctx context.Context, in Input) (map[core.OrderID]trade.SentOffer, error) {
	offers, err := d.Market.Trade.OpenOffers(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	on := make(map[core.OrderID]trade.SentOffer, len(offers))
	for _, o := range offers {
		on[o.OrderID] = o
	}
	return on, nil
}

// OrderItems lists orders, each with what the reader offered on it and a button for what they do most, and
// as options to pick one.
func (d *Drawer) OrderItems(
	in Input, orders []trade.ListedOrder, offered map[core.OrderID]trade.SentOffer,
) ([]discord.CardItem, []discordgo.SelectMenuOption) {
	items, options := make([]discord.CardItem, len(orders)), make([]discordgo.SelectMenuOption, len(orders))
	for i, o := range orders {
		items[i].Text = in.Tr.orderLine(o, d.ItemURL(o.Item))
		mine, ok := offered[o.ID]
		if ok {
			items[i].Text += " · **" + in.Tr.YouOffered(mine) + "**"
		}
		items[i].Button = d.orderButton(in, o, ok)
		options[i] = discordgo.SelectMenuOption{Label: in.Tr.OrderLabel(o.Order), Value: fmt.Sprint(o.ID),
			Description: in.Tr.OrderHint(o.Order)}
	}
	return items, options
}

// orderButton returns the button for the reader's most frequent action on an order of a list: view the offers
// on their own order, or make an offer on another one.
func (d *Drawer) orderButton(in Input, o trade.ListedOrder, offered bool) discordgo.MessageComponent {
	switch {
	case in.Actor.MustBe(o.Order.Owner) == nil && o.Status == trade.Active && o.Expired(d.Now()):
		return Button(discord.NewCustomID("renew", o.ID).At(o.Version), discordgo.PrimaryButton,
			in.Tr.Plain(msg.Renew))
	case in.Actor.MustBe(o.Order.Owner) == nil && o.Open(d.Now()) && o.Offers > 0:
		return Button(discord.NewCustomID("offers", o.ID, 0), discordgo.PrimaryButton,
			in.Tr.Plain(msg.ViewOffers, "count", o.Offers))
	case in.Actor.MustBe(o.Order.Owner) == nil || !o.Open(d.Now()):
		return Button(discord.NewCustomID("look", o.ID), discordgo.SecondaryButton, in.Tr.Plain(msg.Look))
	case offered:
		return Button(discord.NewCustomID("make-offer", o.ID), discordgo.SecondaryButton,
			in.Tr.Plain(msg.OfferChange))
	}
	return Button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton, in.Tr.Plain(msg.Offer))
}

// OfferStock returns the button that offers a quantity of the reader's stock on an order at its present
// price.
func OfferStock(t Translator, o trade.Order, quantity int) discordgo.MessageComponent {
	return Button(discord.NewCustomID("offer-stock", o.ID, quantity, int64(o.MaxPrice)),
		discordgo.SuccessButton, t.Plain(msg.StockOfferButton, "quantity", quantity,
			"sum", core.Copper(quantity)*o.MaxPrice))
}

// orderLine shows an order in two lines. Its name leads to the page of its item, if there is one.
func (t Translator) orderLine(o trade.ListedOrder, item string) discord.Markdown {
	name := "**" + discord.Escape(o.ItemName) + "**"
	if item != "" {
		name = "[" + name + "](" + discord.Markdown(item) + ")"
	}
	line := ImportanceMarks[o.Importance] + " " + name + " · " + t.Text(msg.Each,
		"price", t.Coins(o.MaxPrice)) + "\n"
	if o.Bought() > 0 {
		line += Bar(o.Bought()) + " "
	}
	line += t.LeftOf(o.Order) + " · " + t.CategoryMarked(o.Category)
	if o.LevelRequirement != nil {
		line += " · " + t.Text(msg.LevelFrom, "level", *o.LevelRequirement)
	}
	line += inRow(o.Order)
	if o.Offers > 0 {
		line += " · **" + t.Text(msg.OfferCount, "count", o.Offers) + "**"
	}
	return line
}
