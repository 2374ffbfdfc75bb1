package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

const offersShown = 8

// listOffers lists the offers on a request of the actor's.
func (b *Bot) listOffers(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.offersOn(ctx, in, order.ID, 0, "")
}

func (b *Bot) offersPressed(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, offersView(core.OrderID(in.press.number(0)), int(in.press.number(1))), "")
}

// offersOn shows a page of the offers on an order, newest first. A page behind the last shows the last.
func (b *Bot) offersOn(ctx context.Context, in Input, id core.OrderID, page int, note safe) (Reply, error) {
	order, offers, err := b.market.Offers(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	pages := max(1, (len(offers)+offersShown-1)/offersShown)
	page = min(page, pages-1)
	shown := offers[page*offersShown : min(len(offers), (page+1)*offersShown)]

	text := in.say.text(msgOfferCount, len(offers))
	if len(offers) == 0 {
		text = in.say.text(msgNoOffers)
	}
	options := make([]discordgo.SelectMenuOption, len(shown))
	for i, o := range shown {
		text = joined(text, in.say.offerLine(o))
		options[i] = discordgo.SelectMenuOption{Label: in.say.offerLabel(o), Value: fmt.Sprint(o.ID), Description: clip(firstLine(o.Message), maxOptionLabel)}
	}
	reply := private(note)
	reply.embeds = []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgOffersTitle, order.ItemName)), URL: b.orderURL(id), Color: colourOf(order, b.now()),
		Description: string(text), Footer: &discordgo.MessageEmbedFooter{Text: in.say.plain(msgLeftOf, order.Remaining(), order.Quantity)},
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(on("offer-picked", offersView(id, page)), in.say.plain(msgPickOffer), options))
	}
	buttons := pager(in.say, page, pages, func(n int) press { return on("offers", id, n) })
	buttons = append(buttons, button(on("show", id), discordgo.SecondaryButton, in.say.plain(msgBackToRequest)))
	reply.rows = append(reply.rows, row(buttons...))
	return reply, nil
}

// pager are buttons to the pages beside this one; none for a single page.
func pager(t tongue, page, pages int, to func(page int) press) []discordgo.MessageComponent {
	if pages <= 1 {
		return nil
	}
	back := discordgo.Button{CustomID: to(max(page-1, 0)).String() + pressSplit + "back", Style: discordgo.SecondaryButton, Label: "◀", Disabled: page == 0}
	where := discordgo.Button{CustomID: on("nothing").String(), Style: discordgo.SecondaryButton, Label: t.plain(msgPage, page+1, pages), Disabled: true}
	next := discordgo.Button{CustomID: to(min(page+1, pages-1)).String(), Style: discordgo.SecondaryButton, Label: "▶", Disabled: page >= pages-1}
	return []discordgo.MessageComponent{back, where, next}
}

// offerLine tells an offer from others.
func (t tongue) offerLine(o core.Offer) safe {
	line := "**" + t.text(msgOfferFrom, o.Quantity, o.SellerName) + "** · " + username(o.SellerContact) + " " + t.trust(o) + " · " + stamp(o.CreatedAt)
	return joined(line, clipSafe(quoted(firstLine(o.Message)), 120))
}

func (t tongue) offerLabel(o core.Offer) string {
	return clip(t.plain(msgOfferFrom, o.Quantity, o.SellerName)+" · @"+o.SellerContact, maxOptionLabel)
}

// trust says whether we know who made an offer.
func (t tongue) trust(o core.Offer) safe {
	if o.Verified() {
		return t.text(msgVerified)
	}
	return t.text(msgUnverified)
}

// offerPicked shows one offer in place of the list it was picked from.
func (b *Bot) offerPicked(ctx context.Context, in Input) (Reply, error) {
	view := in.press.word(0)
	order, offer, err := b.market.Offer(ctx, in.Actor, core.OfferID(in.picked()))
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	reply := Reply{redraw: true, embeds: []*discordgo.MessageEmbed{b.offerCard(in.say, order, offer)}}
	reply.rows = append(reply.rows, row(b.offerButtons(in.say, order, offer, view)...))
	back := button(on("back", view), discordgo.SecondaryButton, in.say.plain(msgBack))
	reply.rows = append(reply.rows, row(append([]discordgo.MessageComponent{back}, b.offerMore(in.say, offer, view)...)...))
	return reply, nil
}

// back shows a view again.
func (b *Bot) back(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, in.press.word(0), "")
}

// offerButtons are what an owner can do about an offer. The view is drawn again afterwards.
func (b *Bot) offerButtons(t tongue, order core.Order, offer core.Offer, view string) []discordgo.MessageComponent {
	most := min(offer.Quantity, order.Remaining())
	label := t.plain(msgAcceptAll, most)
	if most < offer.Quantity {
		label = t.plain(msgAcceptSome, most, offer.Quantity)
	}
	buttons := []discordgo.MessageComponent{button(on("accept", offer.ID, most, view), discordgo.SuccessButton, label)}
	if most > 1 {
		buttons = append(buttons, button(on("part", offer.ID, view), discordgo.PrimaryButton, t.plain(msgAcceptPart)))
	}
	buttons = append(buttons, button(on("decline", offer.ID, view), discordgo.DangerButton, t.plain(msgDecline)))
	return append(buttons, webLink(b.orderURL(order.ID), t.plain(msgOpenWeb))...)
}

// offerCard shows an offer to the order's owner.
func (b *Bot) offerCard(t tongue, o core.Order, offer core.Offer) *discordgo.MessageEmbed {
	e := &discordgo.MessageEmbed{
		Title: string(t.text(msgOfferTitle, offer.Quantity, o.ItemName)), URL: b.orderURL(o.ID), Color: colourOf(o, b.now()),
		Description: string(quoted(offer.Message)),
	}
	add := func(name msg, value safe) {
		e.Fields = append(e.Fields, &discordgo.MessageEmbedField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(msgOfferSeller, escape(offer.SellerName)+"\n"+username(offer.SellerContact)+"\n"+t.trust(offer))
	price := coins(worth(offer)) + "\n" + t.text(msgEach, coins(offer.Price))
	if offer.Price != o.MaxPrice {
		price += "\n" + t.text(msgPriceNow, coins(o.MaxPrice))
	}
	add(msgOfferPays, price)
	add(msgCardLeft, bar(o.Progress())+"\n"+t.leftOf(o))
	return e
}

// acceptNamed accepts an offer that was named: as much as possible when no quantity was.
func (b *Bot) acceptNamed(ctx context.Context, in Input) (Reply, error) {
	id, ask, err := b.receivedOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	qty := min(offer.Quantity, order.Remaining())
	if in.has("quantity") {
		qty = in.quantity()
	}
	return b.accept(ctx, in, id, qty, "")
}

// acceptPressed accepts the quantity that stood on the button.
func (b *Bot) acceptPressed(ctx context.Context, in Input) (Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.press.number(0)), int(in.press.number(1)), in.press.word(2))
}

// acceptForm asks how much of an offer to accept.
func (b *Bot) acceptForm(ctx context.Context, in Input) (Reply, error) {
	id, view := core.OfferID(in.press.number(0)), in.press.word(1)
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	most := min(offer.Quantity, order.Remaining())
	return Reply{form: &form{press: on("parted", id, view), title: in.say.plain(msgAcceptTitle, order.ItemName), fields: []field{{
		name: "quantity", label: in.say.plain(msgFieldQuantity), hint: in.say.plain(msgHintUpTo, most), value: fmt.Sprint(most), limit: 12,
	}}}}, nil
}

// acceptSubmitted takes the form in.
func (b *Bot) acceptSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.press.number(0)), in.quantity(), in.press.word(1))
}

func (b *Bot) accept(ctx context.Context, in Input, id core.OfferID, qty int, view string) (Reply, error) {
	done, err := b.market.AcceptOffer(ctx, in.Actor, id, qty)
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	cost := coins(done.Sale.UnitPrice * core.Copper(done.Sale.Quantity))
	note := in.say.text(msgOfferAccepted, done.Sale.Quantity, done.Order.ItemName, done.Offer.SellerName, cost)
	return b.redraw(ctx, in, view, joined(note, in.say.text(msgNextSteps, username(done.Offer.SellerContact))))
}

// declineNamed takes an offer that was named off a request.
func (b *Bot) declineNamed(ctx context.Context, in Input) (Reply, error) {
	id, ask, err := b.receivedOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.decline(ctx, in, id, "")
}

func (b *Bot) declinePressed(ctx context.Context, in Input) (Reply, error) {
	return b.decline(ctx, in, core.OfferID(in.press.number(0)), in.press.word(1))
}

// decline takes an offer off a request of the actor's. The core lets a seller withdraw by the same way, so it is asked first
// whose request it is.
func (b *Bot) decline(ctx context.Context, in Input, id core.OfferID, view string) (Reply, error) {
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil {
		err = in.Actor.Owns(order)
	}
	if err == nil {
		err = b.market.DeleteOffer(ctx, in.Actor, id)
	}
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	m := msgDeclined
	if offer.Verified() {
		m = msgDeclinedTold
	}
	return b.redraw(ctx, in, view, in.say.text(m, offer.Quantity, order.ItemName, offer.SellerName))
}
