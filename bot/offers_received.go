package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const offersShown = 8

// listOffers lists the offers on a request of the actor's, or on all of their open ones when none is named.
func (b offersBot) listOffers(ctx context.Context, in Input) (Reply, error) {
	if in.text("request") == "" {
		return b.waitingOffers(ctx, in, core.ReceivedPlace{}, "")
	}
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.offersOn(ctx, in, order.ID, 0, "")
}

func (b offersBot) offersButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, offersView(core.OrderID(in.id.Number(0)), int(in.id.Number(1))), "")
}

// offersOn shows a page of the offers on an order, newest first. A page behind the last shows the last.
func (b offersBot) offersOn(ctx context.Context, in Input, id core.OrderID, page int, note discord.Markdown) (Reply, error) {
	order, offers, err := b.market.Offers(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	pages := max(1, (len(offers)+offersShown-1)/offersShown)
	page = min(page, pages-1)
	shown := offers[page*offersShown : min(len(offers), (page+1)*offersShown)]

	text := in.tr.text(msg.OfferCount, len(offers))
	if len(offers) == 0 {
		if text = in.tr.text(msg.NoOffers); order.Open(b.now()) {
			text = joined(text, in.tr.text(msg.NoOffersHint))
		}
	}
	options := make([]discordgo.SelectMenuOption, len(shown))
	accounts, records := b.sellers(ctx, shown), b.recordLines(ctx, in.tr, sellersOf(shown)...)
	for i, o := range shown {
		text = joined(text, offerLine(in.tr, o, accounts[o.Seller]))
		text = joined(text, records[o.Seller])
		options[i] = discordgo.SelectMenuOption{Label: offerLabel(in.tr, o), Value: fmt.Sprint(o.ID), Description: discord.Clip(discord.FirstLine(o.Message), discord.MaxOptionLabel)}
	}
	reply := private(note)
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.OffersTitle, order.ItemName)), URL: b.orderURL(id), Color: colourOf(order, b.now()),
		Description: string(text), Footer: in.tr.text(msg.LeftOf, order.Remaining(), order.Quantity),
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("offer-picked", offersView(id, page)), in.tr.plain(msg.PickOffer), options))
	}
	buttons := pager(in.tr, page, pages, func(n int) discord.CustomID { return discord.NewCustomID("offers", id, n) })
	buttons = append(buttons, button(discord.NewCustomID("show", id), discordgo.SecondaryButton, in.tr.plain(msg.BackToRequest)))
	reply.rows = append(reply.rows, row(buttons...))
	return reply, nil
}

// pager are buttons to the pages beside this one; none for a single page.
func pager(t translator, page, pages int, to func(page int) discord.CustomID) []discordgo.MessageComponent {
	if pages <= 1 {
		return nil
	}
	back := discordgo.Button{CustomID: to(max(page-1, 0)).String() + discord.CustomIDSeparator + "back", Style: discordgo.SecondaryButton, Label: "◀", Disabled: page == 0}
	where := discordgo.Button{CustomID: discord.NewCustomID("nothing").String(), Style: discordgo.SecondaryButton, Label: t.plain(msg.Page, page+1, pages), Disabled: true}
	next := discordgo.Button{CustomID: to(min(page+1, pages-1)).String(), Style: discordgo.SecondaryButton, Label: "▶", Disabled: page >= pages-1}
	return []discordgo.MessageComponent{back, where, next}
}

// offerLine is an offer in one line.
func offerLine(t translator, o core.Offer, seller core.Account) discord.Markdown {
	line := "**" + t.text(msg.OfferFrom, o.Quantity, o.SellerName) + "** · " + mention(o.SellerContact, seller) + " " + t.trust(o) + " · " + timestamp(o.CreatedAt)
	line = t.marked(line, o.LookAlike.Any()) + goodUntil(t, o.GoodUntil)
	return joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(o.Message)), 120))
}

// goodUntil says in a line until when an offer stands; nothing where its seller didn't say.
func goodUntil(t translator, at time.Time) discord.Markdown {
	if at.IsZero() {
		return ""
	}
	return " · " + t.text(msg.GoodUntil, moment(at), timestamp(at))
}

func offerLabel(t translator, o core.Offer) string {
	return discord.Clip(t.plain(msg.OfferFrom, o.Quantity, o.SellerName)+" · @"+o.SellerContact, discord.MaxOptionLabel)
}

// trust says whether we know who made an offer.
func (t translator) trust(o core.Offer) discord.Markdown {
	if o.Verified() {
		return t.text(msg.Verified)
	}
	return t.text(msg.Unverified)
}

// offerPicked shows one offer in place of the list it was picked from.
func (b offersBot) offerPicked(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(0)
	order, offer, err := b.market.Offer(ctx, in.Actor, core.OfferID(in.picked()))
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	reply := Reply{redraw: true, cards: []*discord.Card{b.offerCard(in.tr, order, offer, b.account(ctx, offer.Seller))}}
	reply.cards[0].Fields = append(reply.cards[0].Fields, in.tr.recordField(b.recordLine(ctx, in.tr, offer.Seller))...)
	reply.rows = append(reply.rows, row(b.offerButtons(in.tr, order, offer, view)...))
	back := button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.tr.plain(msg.Back))
	reply.rows = append(reply.rows, row(back, offerMore(in.tr, offer, view)))
	return reply, nil
}

// back shows a view again.
func (k *Kernel) back(ctx context.Context, in Input) (Reply, error) {
	return k.redraw(ctx, in, in.id.Word(0), "")
}

// offerButtons are what an owner can do about an offer. The view is drawn again afterwards.
func (b offersBot) offerButtons(t translator, order core.Order, offer core.Offer, view string) []discordgo.MessageComponent {
	most := min(offer.Quantity, order.Remaining())
	label := t.plain(msg.AcceptAll, most)
	if most < offer.Quantity {
		label = t.plain(msg.AcceptSome, most, offer.Quantity)
	}
	buttons := []discordgo.MessageComponent{button(discord.NewCustomID("accept", offer.ID, most, view).At(order.Version), discordgo.SuccessButton, label)}
	if most > 1 {
		buttons = append(buttons, button(discord.NewCustomID("part", offer.ID, view).At(order.Version), discordgo.PrimaryButton, t.plain(msg.AcceptPart)))
	}
	buttons = append(buttons, button(discord.NewCustomID("decline", offer.ID, view, order.ID).At(order.Version), discordgo.DangerButton, t.plain(msg.Decline)))
	return append(buttons, webLink(b.orderURL(order.ID), t.plain(msg.OpenWeb))...)
}

// offerCard shows an offer to the order's owner.
func (d *Drawer) offerCard(t translator, o core.Order, offer core.Offer, seller core.Account) *discord.Card {
	e := &discord.Card{
		Title: string(t.text(msg.OfferTitle, offer.Quantity, o.ItemName)), URL: d.orderURL(o.ID), Color: colourOf(o, d.now()),
		Description: string(discord.Quote(offer.Message)),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(msg.OfferSeller, t.marked(discord.Escape(offer.SellerName), offer.LookAlike.Name)+"\n"+
		t.marked(mention(offer.SellerContact, seller)+"\n"+t.trust(offer), offer.LookAlike.Contact))
	price := t.coins(worth(offer)) + "\n" + t.text(msg.Each, t.coins(offer.Price))
	if offer.Price != o.MaxPrice {
		price += "\n" + t.text(msg.PriceNow, t.coins(o.MaxPrice))
	}
	add(msg.OfferPays, price)
	if !offer.GoodUntil.IsZero() {
		add(msg.OfferGoodUntil, moment(offer.GoodUntil)+"\n"+timestamp(offer.GoodUntil))
	}
	add(msg.CardLeft, bar(o.Progress())+"\n"+t.leftOf(o))
	return e
}

// acceptNamed accepts an offer that was named: as much as possible when no quantity was.
func (b offersBot) acceptNamed(ctx context.Context, in Input) (Reply, error) {
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
	by, err := b.timeNamed(ctx, in, "by", in.text("by"))
	if err != nil {
		return Reply{}, err
	}
	if ask, err := b.askToAcceptMore(ctx, in, id, qty, by); err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.acceptBy(ctx, in, id, qty, by, "")
}

// acceptButton accepts the quantity that stood on the button.
func (b offersBot) acceptButton(ctx context.Context, in Input) (Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.id.Number(0)), int(in.id.Number(1)), in.id.Word(2))
}

// acceptForm asks how much of an offer to accept.
func (b offersBot) acceptForm(ctx context.Context, in Input) (Reply, error) {
	id, view := core.OfferID(in.id.Number(0)), in.id.Word(1)
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	most := min(offer.Quantity, order.Remaining())
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("parted", id, view).AsShown(in.id), Title: in.tr.plain(msg.AcceptTitle, order.ItemName), Fields: []discord.Field{{
		Name: "quantity", Label: in.tr.plain(msg.FieldQuantity), Hint: in.tr.plain(msg.HintUpTo, most), Value: fmt.Sprint(most), MaxLength: 12,
	}}}}, nil
}

// acceptSubmitted handles the form.
func (b offersBot) acceptSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.id.Number(0)), in.quantity(), in.id.Word(1))
}

func (b offersBot) accept(ctx context.Context, in Input, id core.OfferID, qty int, view string) (Reply, error) {
	return b.acceptBy(ctx, in, id, qty, time.Time{}, view)
}

// acceptBy accepts an offer; the two meet by a time that its answer can change, unless one is given.
func (b offersBot) acceptBy(ctx context.Context, in Input, id core.OfferID, qty int, by time.Time, view string) (Reply, error) {
	done, err := b.market.AcceptOfferBy(ctx, in.Actor, id, qty, by)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	cost := in.tr.coins(done.Sale.UnitPrice * core.Copper(done.Sale.Quantity))
	note := in.tr.text(msg.OfferAccepted, done.Sale.Quantity, done.Order.ItemName, done.Offer.SellerName, cost)
	contact := mention(done.Offer.SellerContact, b.account(ctx, done.Offer.Seller))
	note = joined(note, in.tr.text(msg.NextSteps, contact))
	agreed := b.features.Handover && done.Offer.Verified()
	if agreed {
		if by.IsZero() {
			by = done.Sale.CreatedAt.Add(core.AgreedWithin)
		}
		note = joined(note, in.tr.agreedLine(by))
	}
	reply, err := b.redraw(ctx, in, view, note)
	reply.accepted = done.Sale.ID
	if err != nil {
		return reply, err
	}
	var trade Reply // the buttons of what was agreed, for its receipt
	var callOff []discordgo.MessageComponent
	if agreed {
		trade.askAgreedBy(in.tr, done.Sale.ID, view)
		callOff = append(callOff, button(discord.NewCustomID("call-off", done.Sale.ID, view), discordgo.DangerButton, in.tr.plain(msg.CallOff)))
	}
	trade.undoable(in.tr, discord.NewCustomID("undo-sale", done.Sale.ID, view), callOff...)
	receipt := reply.receipts[done.Sale.ID]
	if kind, _, _ := parseView(view); receipt == nil && kind != 'd' { // a direct message has its receipts
		receipt = b.addReceipt(ctx, in, &reply, id)
	}
	if receipt == nil {
		reply.rows = append(trade.rows, reply.rows...)
	} else {
		receipt.Rows = trade.rows
	}
	return reply, nil
}

// addReceipt adds a card of the latest receipt of an offer to a reply, and returns it; nil when it is not found.
func (b offersBot) addReceipt(ctx context.Context, in Input, reply *Reply, id core.OfferID) *discord.Card {
	receipts, err := b.market.Receipts(ctx, in.Actor, core.ReceiptQuery{Offers: []core.OfferID{id}, Limit: 1})
	if err != nil || len(receipts) == 0 {
		b.log.Warn("receipt not found", "error", err)
		return nil
	}
	reply.ownRows()
	card := b.receipt(in.tr, receipts[0], in.Actor.UserID)
	reply.cards = append(reply.cards, card)
	return card
}

// sellers returns the accounts of those who made the offers.
func (b offersBot) sellers(ctx context.Context, offers []core.Offer) core.Accounts {
	var users []core.UserID
	for _, o := range offers {
		if o.Verified() {
			users = append(users, o.Seller)
		}
	}
	if len(users) == 0 {
		return nil
	}
	return b.accounts(ctx, users...)
}

// declineNamed takes an offer that was named off a request.
func (b offersBot) declineNamed(ctx context.Context, in Input) (Reply, error) {
	id, ask, err := b.receivedOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.decline(ctx, in, id, "")
}

func (b offersBot) declineButton(ctx context.Context, in Input) (Reply, error) {
	return b.decline(ctx, in, core.OfferID(in.id.Number(0)), in.id.Word(1))
}

// decline takes an offer off a request of the actor's. The core lets a seller withdraw by the same way, so it is asked first
// whose request it is.
func (b offersBot) decline(ctx context.Context, in Input, id core.OfferID, view string) (Reply, error) {
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil {
		err = in.Actor.MustOwn(order)
	}
	if err == nil {
		err = b.market.DeleteOffer(ctx, in.Actor, id)
	}
	var note discord.Markdown
	switch {
	case err == nil && offer.Verified():
		note = in.tr.text(msg.DeclinedNotified, offer.Quantity, order.ItemName, offer.SellerName)
	case err == nil:
		note = in.tr.text(msg.Declined, offer.Quantity, order.ItemName, offer.SellerName)
	case core.KindOf(err) == core.NotFound && b.declinedBefore(ctx, in, id):
		note = in.tr.text(msg.SavedBefore)
	default:
		return b.errorOn(ctx, in, view, err)
	}
	reply, err := b.redraw(ctx, in, view, note)
	if err == nil {
		reply.undoable(in.tr, discord.NewCustomID("undo-offer", id, view))
	}
	return reply, err
}

// declinedBefore reports whether the actor has declined the offer of a button and can still undo it, as where a second press crosses the
// redrawing of the message.
func (b offersBot) declinedBefore(ctx context.Context, in Input, id core.OfferID) bool {
	order := core.OrderID(in.id.Number(2))
	if order == 0 {
		return false // a command, or a button from before it named the request
	}
	answered, err := b.market.AnsweredOffers(ctx, in.Actor, order)
	return err == nil && slices.ContainsFunc(answered.Declined, func(ended core.EndedOffer) bool { return ended.Offer.ID == id })
}
