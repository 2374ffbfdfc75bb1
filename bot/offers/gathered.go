package offers

import (
	"cmp"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// gatheredShown limits the offers of a gathered message that have a button of their own.
const gatheredShown = 5

// gathers reports whether the offers of a message were gathered and more than one of them is open.
func gathers(d channels.Delivery) bool {
	return len(d.Offers) > 1 && slices.ContainsFunc(d.Notices, notify.Notice.Gathers)
}

// gatheredDM is one message about the offers of an hour: by request, those that sell most of what is left
// first, each with the button that accepts it, and a button that lists them all.
func (b Offers) gatheredDM(
	t kernel.Translator, d channels.Delivery, beyond discord.Markdown,
) (discord.Markdown, *discord.Card) {
	place := map[core.OrderID]int{}
	for i, o := range d.Offers {
		if _, there := place[o.Order.ID]; !there {
			place[o.Order.ID] = i
		}
	}
	offers := slices.Clone(d.Offers)
	slices.SortStableFunc(offers, func(x, y trade.OpenOffer) int {
		return cmp.Or(place[x.Order.ID]-place[y.Order.ID], y.Offer.Quantity-x.Offer.Quantity)
	})
	card := &discord.Card{
		Title: string(t.Text(msg.OffersDMTitle)), URL: b.MineURL(), Color: kernel.ColourUsual,
	}
	view := kernel.DeliveryView(d.ID)
	for i, o := range offers[:min(len(offers), gatheredShown)] {
		var text discord.Markdown
		if i == 0 || offers[i-1].Order.ID != o.Order.ID {
			text = "__" + discord.Escape(o.Order.ItemName) + "__ · " + t.LeftOf(o.Order)
		}
		text = kernel.Joined(text, t.Coins(kernel.Worth(o.Offer))+" · "+
			offerLine(t, o.Offer, d.Accounts[o.Offer.Seller]))
		card.Items = append(card.Items, discord.CardItem{Text: text,
			Button: b.offerButtons(t, o.Order, o.Offer, view)[0]})
	}
	if rest := len(offers) - gatheredShown; rest > 0 {
		card.Footer = t.Text(msg.AndMore, "count", rest)
	}
	card.Rows = []discordgo.MessageComponent{kernel.Row(kernel.Button(
		discord.NewCustomID(kernel.PanelReceived, 0), discordgo.PrimaryButton, t.Plain(msg.ShowAllOffers)))}
	return t.Text(msg.OffersGathered, "count", len(offers)) + beyond, card
}
