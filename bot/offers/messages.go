package offers

import (
	"fmt"
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

// offersDM is a message about new offers: one with its buttons, or several with a list to pick from.
func (b Offers) offersDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	view, beyond := kernel.DeliveryView(d.ID), beyondReach(t, &d)
	var receipts []*discord.Card
	ofSale := map[core.SaleID]*discord.Card{}
	for _, one := range d.Trades[:min(len(d.Trades), kernel.ReceiptsShown)] {
		card := b.Receipt(t, one, d.To.User)
		receipts, ofSale[one.Sale] = append(receipts, card), card
	}
	switch len(d.Offers) {
	case 0:
		if past := pastOffers(t, d); past.Description != "" {
			receipts = append([]*discord.Card{past}, receipts...)
		}
		return kernel.Reply{Text: t.Text(msg.OffersGone), Cards: receipts, Receipts: ofSale}
	case 1:
		one := d.Offers[0]
		r := kernel.Reply{Text: t.Text(msg.NewOffer, "quantity", one.Offer.Quantity,
			"item", one.Order.ItemName),
			Receipts: ofSale}
		if len(d.Notices) > 1 {
			r.Text = t.Text(msg.OneOfferLeft, "count", len(d.Notices))
		}
		r.Text += beyond
		card := b.OfferCard(t, one.Order, one.Offer, d.Accounts[one.Offer.Seller])
		card.Rows = []discordgo.MessageComponent{kernel.Row(append(b.offerButtons(t, one.Order, one.Offer,
			view), kernel.OfferMore(t, one.Offer, view))...)}
		r.Cards = append([]*discord.Card{card}, receipts...)
		return r
	}
	if gathers(d) {
		text, card := b.gatheredDM(t, d, beyond)
		return kernel.Reply{Text: text, Receipts: ofSale, Cards: append([]*discord.Card{card}, receipts...)}
	}
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(d.Offers))
	for i, o := range d.Offers {
		text = kernel.Joined(text, "**"+discord.Escape(o.Order.ItemName)+"** · "+offerLine(t, o.Offer,
			d.Accounts[o.Offer.Seller]))
		options[i] = discordgo.SelectMenuOption{Label: t.LiveLabel(o), Value: fmt.Sprint(o.Offer.ID),
			Description: discord.FirstLine(o.Offer.Message)}
	}
	return kernel.Reply{
		Text: t.Text(msg.NewOffers, "count", len(d.Offers)) + beyond, Receipts: ofSale,
		Cards: append([]*discord.Card{{
			Title: string(t.Text(msg.OffersDMTitle)), URL: b.MineURL(), Color: kernel.ColourUsual,
			Description: string(text),
			Rows: []discordgo.MessageComponent{kernel.Choose(discord.NewCustomID("offer-picked", view),
				t.Plain(msg.PickOffer), options)},
		}}, receipts...),
	}
}

// beyondReach takes the offers out of a message of which the reader gets no message of their own, and counts
// those that are open.
func beyondReach(t kernel.Translator, d *channels.Delivery) discord.Markdown {
	var sellers []core.UserID
	offers := slices.Clone(d.Offers)
	for _, n := range slices.Backward(d.Notices) {
		i := slices.IndexFunc(offers, func(o trade.OpenOffer) bool { return o.Offer.ID == n.OfferID })
		if n.Beyond() && i >= 0 {
			sellers = append(sellers, offers[i].Offer.Seller)
			offers = slices.Delete(offers, i, i+1)
		}
	}
	d.Offers, d.Notices = offers, slices.DeleteFunc(slices.Clone(d.Notices), notify.Notice.Beyond)
	return t.CountedBy(msg.AlsoOffered, sellers, d.Accounts)
}

// pastOffers lists the offers of a message of which something was not accepted, when none of them is open
// any more.
func pastOffers(t kernel.Translator, d channels.Delivery) *discord.Card {
	accepted := map[core.OfferID]int{}
	for _, r := range d.Trades {
		accepted[r.Offer] += r.Quantity
	}
	var text discord.Markdown
	for _, n := range d.Notices {
		if accepted[n.OfferID] >= n.Quantity {
			continue // its receipts say more
		}
		text = kernel.Joined(text, "~~"+t.Text(msg.OfferTitle, "quantity", n.Quantity,
			"item", n.ItemName)+"~~ · "+
			discord.Escape(n.Name)+" · "+kernel.Username(n.Contact))
	}
	return &discord.Card{Color: kernel.ColourDone, Description: string(text)}
}
