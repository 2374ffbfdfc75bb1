package bot

import (
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// deliveryMessage draws a direct message from what stands now. A note says what has just been done on it. Every one has a
// button that leads to what turns it off.
func (b *Bot) deliveryMessage(t tongue, d core.Delivery, note safe) Reply {
	var r Reply
	if d.Kind == core.OfferReceived {
		r = b.offersDM(t, d)
	} else {
		r = b.noticeDM(t, d)
	}
	if note != "" {
		r.text = note
	}
	r.public = true
	r.rows = append(r.rows, row(button(settingsPress(d.ID), discordgo.SecondaryButton, t.plain(msgStopThese))))
	return r
}

// offersDM tells an owner of new offers: of one with its buttons, of several with a list to pick from.
func (b *Bot) offersDM(t tongue, d core.Delivery) Reply {
	view := deliveryView(d.ID)
	switch len(d.Offers) {
	case 0:
		return Reply{text: t.text(msgOffersGone), embeds: []*discordgo.MessageEmbed{b.toldOffers(t, d)}}
	case 1:
		one := d.Offers[0]
		r := Reply{text: t.text(msgNewOffer, one.Offer.Quantity, one.Order.ItemName)}
		if len(d.Notices) > 1 {
			r.text = t.text(msgOneOfferLeft, len(d.Notices))
		}
		r.embeds = []*discordgo.MessageEmbed{b.offerCard(t, one.Order, one.Offer)}
		r.rows = []discordgo.MessageComponent{row(b.offerButtons(t, one.Order, one.Offer, view)...), row(b.offerMore(t, one.Offer, view)...)}
		return r
	}
	var text safe
	options := make([]discordgo.SelectMenuOption, len(d.Offers))
	for i, o := range d.Offers {
		text = joined(text, "**"+escape(o.Order.ItemName)+"** · "+t.offerLine(o.Offer))
		options[i] = discordgo.SelectMenuOption{Label: t.liveLabel(o), Value: fmt.Sprint(o.Offer.ID), Description: firstLine(o.Offer.Message)}
	}
	return Reply{
		text:   t.text(msgNewOffers, len(d.Offers)),
		embeds: []*discordgo.MessageEmbed{{Title: string(t.text(msgOffersDMTitle)), URL: b.mineURL(), Color: colourUsual, Description: string(text)}},
		rows:   []discordgo.MessageComponent{choose(on("offer-picked", view), t.plain(msgPickOffer), options)},
	}
}

// toldOffers lists what a message has told of, when nothing of it stands any more.
func (b *Bot) toldOffers(t tongue, d core.Delivery) *discordgo.MessageEmbed {
	var text safe
	for _, n := range d.Notices {
		text = joined(text, "~~"+t.text(msgOfferTitle, n.Quantity, n.ItemName)+"~~ · "+escape(n.Name)+" · "+username(n.Contact))
	}
	return &discordgo.MessageEmbed{Color: colourDone, Description: string(text)}
}

// noticeDM tells of one thing that has happened.
func (b *Bot) noticeDM(t tongue, d core.Delivery) Reply {
	if len(d.Notices) == 0 {
		return Reply{text: t.text(msgOffersGone)}
	}
	n := d.Notices[0]
	e := &discordgo.MessageEmbed{Title: string(escape(n.ItemName)), URL: b.orderURL(n.OrderID), Color: colourUsual}
	add := func(name msg, value safe) {
		e.Fields = append(e.Fields, &discordgo.MessageEmbedField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	var buttons []discordgo.MessageComponent
	r := Reply{embeds: []*discordgo.MessageEmbed{e}}
	switch n.Kind {
	case core.OfferTaken:
		r.text = t.text(msgTaken, n.Quantity, n.ItemName)
		add(msgTakenQuantity, t.text(msgOfferTitle, n.Quantity, n.ItemName))
		add(msgTakenCoins, coins(n.Price*core.Copper(n.Quantity))+"\n"+t.text(msgEach, coins(n.Price)))
		contact := username(n.Contact)
		if n.Name != "" {
			contact = joined(contact, t.text(msgInGame, n.Name))
		}
		add(msgTakenContact, contact)
		e.Description = string(t.text(msgNextSteps, username(n.Contact)))
	case core.OfferRefused:
		r.text = t.text(msgRefused, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msgSeeOthers)), colourDone
	case core.OfferTakenBack:
		r.text = t.text(msgTakenBack, n.Name, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msgSeeOffers)), colourDone
	case core.OfferHasLapsed:
		r.text = t.text(msgLapsed, n.Quantity, n.ItemName, t.sentence(n.Message))
		e.Description, e.Color = string(t.text(msgSeeOthers)), colourDone
	case core.OrderFilled:
		r.text = t.text(msgFilledDM, n.ItemName)
		e.Description = string(t.text(msgCompleted))
		add(msgFilledSold, t.text(msgOfferTitle, n.Quantity, n.ItemName))
		add(msgCardPrice, coins(n.Price))
	case core.OrderExpiring:
		r.text = t.text(msgExpiring, n.ItemName, stamp(n.CreatedAt.Add(core.ExpiryWarning)))
		e.Color = colourHigh
		add(msgCardLeft, t.text(msgOfferTitle, n.Quantity, n.ItemName))
		buttons = append(buttons, button(on("renew", n.OrderID), discordgo.PrimaryButton, t.plain(msgRenew)))
	case core.OrderRemoved, core.OfferTakenOff:
		m := msgOrderRemovedDM
		if n.Kind == core.OfferTakenOff {
			m = msgOfferRemovedDM
		}
		r.text = t.text(m, n.Quantity, n.ItemName)
		e.Description, e.Color = string(t.text(msgReasonGiven, quoted(n.Message))), colourDanger
	case core.UserBlocked:
		r.text, e.Title = t.text(msgBlockedDM), ""
		e.Description, e.Color = string(t.text(msgReasonGiven, quoted(n.Message))), colourDanger
	default: // a test
		r.text, r.embeds = t.text(msgTestDM, b.siteName), nil
	}
	if buttons = append(buttons, webLink(b.orderURL(n.OrderID), t.plain(msgOpenWeb))...); len(buttons) > 0 {
		r.rows = append(r.rows, row(buttons...))
	}
	return r
}
