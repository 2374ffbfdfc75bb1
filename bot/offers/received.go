package offers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

const offersShown = 8

// listOffers lists the offers on a request of the actor's, or on all of their open ones when none is named.
func (b Offers) listOffers(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if in.Text("request") == "" {
		return b.waitingOffers(ctx, in, trade.ReceivedPlace{}, "")
	}
	order, ask, err := b.OwnOrder(ctx, in)
	if err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	return b.offersOn(ctx, in, order.ID, 0, "")
}

// receivedButton lists the offers on the request of a button, or on all open ones, below its message.
func (b Offers) receivedButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if id := core.OrderID(in.ID.Number(0)); id != 0 {
		return b.offersOn(ctx, in, id, 0, "")
	}
	return b.waitingOffers(ctx, in, trade.ReceivedPlace{}, "")
}

func (b Offers) offersButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, offersView(core.OrderID(in.ID.Number(0)), int(in.ID.Number(1))), "")
}

// offersOn shows a page of the offers on an order, best first. A page behind the last shows the last.
func (b Offers) offersOn(
	ctx context.Context, in kernel.Input, id core.OrderID, page int, note discord.Markdown,
) (kernel.Reply, error) {
	order, offers, err := b.Market.Trade.ChoicesOn(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	pages := max(1, (len(offers)+offersShown-1)/offersShown)
	page = min(page, pages-1)
	shown := offers[page*offersShown : min(len(offers), (page+1)*offersShown)]

	text := in.Tr.Text(msg.OfferCount, "count", len(offers))
	if len(offers) == 0 {
		if text = in.Tr.Text(msg.NoOffers); order.Open(b.Now()) {
			text = kernel.Joined(text, in.Tr.Text(msg.NoOffersHint))
		}
	}
	options := make([]discordgo.SelectMenuOption, len(shown))
	sent := offersOf(shown)
	accounts, records := sellers(ctx, &b.Drawer, sent), b.RecordLines(ctx, in.Tr, sellersOf(sent)...)
	for i, c := range shown {
		o := c.Offer
		text = kernel.Joined(text, choiceLine(in.Tr, c, accounts[o.Seller]))
		text = kernel.Joined(text, records[o.Seller])
		options[i] = discordgo.SelectMenuOption{Label: offerLabel(in.Tr, o), Value: fmt.Sprint(o.ID),
			Description: discord.Clip(discord.FirstLine(o.Message), discord.MaxOptionLabel)}
	}
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.OffersTitle, "item", order.ItemName)), URL: b.OrderURL(id),
		Color:       kernel.ColourOf(order, b.Now()),
		Description: string(text), Footer: in.Tr.Text(msg.LeftOf, "left", order.Remaining(),
			"quantity", order.Quantity),
	}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("offer-picked",
			offersView(id, page)), in.Tr.Plain(msg.PickOffer), options))
	}
	buttons := kernel.Pager(in.Tr, page, pages,
		func(n int) discord.CustomID { return discord.NewCustomID("offers", id, n) })
	buttons = append(buttons, kernel.Button(discord.NewCustomID("show", id), discordgo.SecondaryButton,
		in.Tr.Plain(msg.BackToRequest)))
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}

func offersOf(choices []trade.Choice) []trade.Offer {
	offers := make([]trade.Offer, len(choices))
	for i, c := range choices {
		offers[i] = c.Offer
	}
	return offers
}

// why is the strongest reason for the place of an offer among those on its request, and whether its seller is
// likely met soonest; nothing without one.
func why(t kernel.Translator, c trade.Choice) discord.Markdown {
	reason := strongest(t, c)
	switch {
	case !c.Soonest:
		return reason
	case reason == "":
		return t.Text(msg.WhySoonest)
	}
	return reason + " · " + t.Text(msg.WhySoonest)
}

func strongest(t kernel.Translator, c trade.Choice) discord.Markdown {
	if len(c.Why) == 0 {
		return ""
	}
	switch c.Why[0] {
	case trade.ReasonMissed:
		return t.Text(msg.WhyMissed)
	case trade.ReasonMet:
		return t.Text(msg.WhyMet, "count", c.Met)
	case trade.ReasonAll:
		return t.Text(msg.WhyAll)
	case trade.ReasonReliable:
		return t.Text(msg.WhyReliable)
	case trade.ReasonCheaper:
		return t.Text(msg.WhyCheaper)
	case trade.ReasonEarliest:
		return t.Text(msg.WhyEarliest)
	}
	return ""
}

// choiceLine is an offer in one line, with the strongest reason for its place.
func choiceLine(t kernel.Translator, c trade.Choice, seller people.Account) discord.Markdown {
	said := why(t, c)
	if said == "" {
		return offerLine(t, c.Offer, seller)
	}
	return offerLine(t, c.Offer, seller, " · *"+said+"*")
}

// offerLine is an offer in one line, with notes behind it.
func offerLine(
	t kernel.Translator, o trade.Offer, seller people.Account, besides ...discord.Markdown,
) discord.Markdown {
	line := "**" + t.Text(msg.OfferFrom, "quantity", o.Quantity,
		"seller", o.SellerName) + "** · " + kernel.Mention(o.SellerContact,
		seller) + " " + t.Trust(o) + " · " + kernel.Timestamp(o.CreatedAt)
	line = t.Marked(line, o.LookAlike.Any()) + goodUntil(t, o.GoodUntil)
	for _, said := range besides {
		line += said
	}
	return kernel.Joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(o.Message)), 120))
}

// goodUntil says in a line until when an offer stands; nothing where its seller didn't say.
func goodUntil(t kernel.Translator, at time.Time) discord.Markdown {
	if at.IsZero() {
		return ""
	}
	return " · " + t.Text(msg.GoodUntil, "date", kernel.Moment(at), "time", kernel.Timestamp(at))
}

func offerLabel(t kernel.Translator, o trade.Offer) string {
	return discord.Clip(t.Plain(msg.OfferFrom, "quantity", o.Quantity,
		"seller", o.SellerName)+" · @"+o.SellerContact,
		discord.MaxOptionLabel)
}

// offerPicked shows one offer in place of the list it was picked from.
func (b Offers) offerPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(0)
	order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, core.OfferID(in.Picked()))
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	reply := kernel.Reply{Redraw: true, Cards: []*discord.Card{b.OfferCard(in.Tr, order, offer,
		b.Account(ctx, offer.Seller))}}
	reply.Cards[0].Fields = append(reply.Cards[0].Fields,
		in.Tr.RecordField(b.RecordLine(ctx, in.Tr, offer.Seller))...)
	reply.Rows = append(reply.Rows, kernel.Row(b.offerButtons(in.Tr, order, offer, view)...))
	back := kernel.Button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.Tr.Plain(msg.Back))
	reply.Rows = append(reply.Rows, kernel.Row(back, kernel.OfferMore(in.Tr, offer, view)))
	return reply, nil
}

// offerButtons returns the owner's actions on an offer. The view is drawn again afterwards.
func (b Offers) offerButtons(
	t kernel.Translator, order trade.Order, offer trade.Offer, view string,
) []discordgo.MessageComponent {
	most := min(offer.Quantity, order.Remaining())
	label := t.Plain(msg.AcceptAll, "quantity", most)
	if most < offer.Quantity {
		label = t.Plain(msg.AcceptSome, "quantity", most, "offered", offer.Quantity)
	}
	buttons := []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("accept", offer.ID, most,
		view).At(order.Version), discordgo.SuccessButton, label)}
	if most > 1 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("part", offer.ID, view).At(order.Version),
			discordgo.PrimaryButton, t.Plain(msg.AcceptPart)))
	}
	buttons = append(buttons, kernel.Button(discord.NewCustomID("decline", offer.ID, view,
		order.ID).At(order.Version), discordgo.DangerButton, t.Plain(msg.Decline)))
	return append(buttons, kernel.WebLink(b.OrderURL(order.ID), t.Plain(msg.OpenWeb))...)
}

// acceptNamed accepts an offer that was named: as much as possible when no quantity was.
func (b Offers) acceptNamed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, ask, err := b.receivedOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	qty := min(offer.Quantity, order.Remaining())
	if in.Has("quantity") {
		qty = in.Quantity()
	}
	by, err := b.TimeNamed(ctx, in, "by", in.Text("by"))
	if err != nil {
		return kernel.Reply{}, err
	}
	if ask, err := b.askToAcceptMore(ctx, in, id, qty, by); err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	return b.acceptBy(ctx, in, id, qty, by, "")
}

// acceptButton accepts the quantity that stood on the button.
func (b Offers) acceptButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.ID.Number(0)), int(in.ID.Number(1)), in.ID.Word(2))
}

// acceptForm asks how much of an offer to accept.
func (b Offers) acceptForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, view := core.OfferID(in.ID.Number(0)), in.ID.Word(1)
	order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, id)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	most := min(offer.Quantity, order.Remaining())
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("parted", id, view).AsShown(in.ID),
		Title: in.Tr.Plain(msg.AcceptTitle, "item", order.ItemName), Fields: []discord.Field{{
			Name: "quantity", Label: in.Tr.Plain(msg.FieldQuantity), Hint: in.Tr.Plain(msg.HintUpTo,
				"most", most),
			Value: fmt.Sprint(most), MaxLength: 12,
		}}}}, nil
}

// acceptSubmitted handles the form.
func (b Offers) acceptSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.accept(ctx, in, core.OfferID(in.ID.Number(0)), in.Quantity(), in.ID.Word(1))
}

func (b Offers) accept(
	ctx context.Context, in kernel.Input, id core.OfferID, qty int, view string,
) (kernel.Reply, error) {
	return b.acceptBy(ctx, in, id, qty, time.Time{}, view)
}

// acceptBy accepts an offer; the two meet by a time that its answer can change, unless one is given.
func (b Offers) acceptBy(
	ctx context.Context, in kernel.Input, id core.OfferID, qty int, by time.Time, view string,
) (kernel.Reply, error) {
	done, err := b.Market.Trade.AcceptOfferBy(ctx, in.Actor, id, qty, by)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	cost := in.Tr.Coins(done.Sale.UnitPrice * core.Copper(done.Sale.Quantity))
	note := in.Tr.Text(msg.OfferAccepted, "quantity", done.Sale.Quantity, "item", done.Order.ItemName,
		"seller", done.Offer.SellerName, "sum", cost)
	contact := kernel.Mention(done.Offer.SellerContact, b.Account(ctx, done.Offer.Seller))
	note = kernel.Joined(note, in.Tr.Text(msg.NextSteps, "contact", contact))
	agreed := b.Features.Handover && done.Offer.Verified()
	if agreed {
		if by.IsZero() {
			by = done.Sale.CreatedAt.Add(trade.AgreedWithin)
		}
		note = kernel.Joined(note, in.Tr.AgreedLine(by))
	}
	meeting, proposed := meeting(ctx, b, in, done.Sale.ID, view)
	note = kernel.Joined(note, proposed)
	reply, err := b.Redraw(ctx, in, view, note)
	reply.Accepted = done.Sale.ID
	if err != nil {
		return reply, err
	}
	var trade kernel.Reply // the buttons of the new trade, for its receipt
	var callOff []discordgo.MessageComponent
	if agreed {
		trade.AskAgreedBy(in.Tr, done.Sale.ID, view)
		trade.Rows = append(trade.Rows, meeting...)
		callOff = append(callOff, kernel.Button(discord.NewCustomID("call-off", done.Sale.ID, view),
			discordgo.DangerButton, in.Tr.Plain(msg.CallOff)))
	}
	trade.Undoable(in.Tr, kernel.UndoID(core.UndoSale, done.Sale.ID, view), callOff...)
	receipt := reply.Receipts[done.Sale.ID]
	// a direct message has its receipts
	if kind, _, _ := kernel.ParseView(view); receipt == nil && kind != 'd' {
		receipt = b.addReceipt(ctx, in, &reply, id)
	}
	if receipt == nil {
		reply.Rows = append(trade.Rows, reply.Rows...)
	} else {
		receipt.Rows = trade.Rows
	}
	return reply, nil
}

// meeting returns the presses and the line about when the actor meets the other side of a new trade.
func meeting(
	ctx context.Context, b Offers, in kernel.Input, sale core.SaleID, view string,
) ([]discordgo.MessageComponent, discord.Markdown) {
	if !b.Features.Hours {
		return nil, ""
	}
	found, err := b.Market.Trade.Handovers(ctx, in.Actor, trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
	if err != nil || len(found) == 0 { // the accept is saved: the message of the trade has them, too
		return nil, ""
	}
	line := b.MeetingLine(in.Tr, found[0], in.Actor.UserID)
	if line == "" {
		own, err := b.Market.People.PlayHours(ctx, in.Actor)
		if err != nil || !own.Asks() { // as above
			return nil, ""
		}
		return b.AskHours(in.Tr, found[0], nil), ""
	}
	return b.MeetingRow(in.Tr, found[0], in.Actor.UserID, view), line
}

// addReceipt adds a card of the latest receipt of an offer to a reply, and returns it; nil when it is not
// found.
func (b Offers) addReceipt(
	ctx context.Context, in kernel.Input, reply *kernel.Reply, id core.OfferID,
) *discord.Card {
	receipts, err := b.Market.Trade.Receipts(ctx, in.Actor,
		trade.Query{Offers: []core.OfferID{id}, Limit: 1})
	if err != nil || len(receipts) == 0 {
		b.Log.Warn("receipt not found", "error", err)
		return nil
	}
	reply.OwnRows()
	card := b.Receipt(in.Tr, receipts[0], in.Actor.UserID)
	reply.Cards = append(reply.Cards, card)
	return card
}

// sellers returns the accounts of those who made the offers.
func sellers(ctx context.Context, d *kernel.Drawer, offers []trade.Offer) people.Accounts {
	var users []core.UserID
	for _, o := range offers {
		if o.Verified() {
			users = append(users, o.Seller)
		}
	}
	if len(users) == 0 {
		return nil
	}
	return d.Accounts(ctx, users...)
}

// declineNamed takes an offer that was named off a request.
func (b Offers) declineNamed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, ask, err := b.receivedOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	return b.decline(ctx, in, id, "")
}

func (b Offers) declineButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.decline(ctx, in, core.OfferID(in.ID.Number(0)), in.ID.Word(1))
}

// decline removes an offer from a request of the actor's. The core lets a seller withdraw by the same call,
// so decline checks the owner of the request first.
func (b Offers) decline(
	ctx context.Context, in kernel.Input, id core.OfferID, view string,
) (kernel.Reply, error) {
	order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, id)
	if err == nil {
		err = in.Actor.MustBe(order.Owner)
	}
	if err == nil {
		err = b.Market.Trade.DeleteOffer(ctx, in.Actor, id)
	}
	var note discord.Markdown
	switch {
	case err == nil && offer.Verified():
		note = in.Tr.Text(msg.DeclinedNotified, "quantity", offer.Quantity, "item", order.ItemName,
			"seller", offer.SellerName)
	case err == nil:
		note = in.Tr.Text(msg.Declined, "quantity", offer.Quantity, "item", order.ItemName,
			"seller", offer.SellerName)
	case core.KindOf(err) == core.NotFound && b.declinedBefore(ctx, in, id):
		note = in.Tr.Text(msg.SavedBefore)
	default:
		return b.ErrorOn(ctx, in, view, err)
	}
	reply, err := b.Redraw(ctx, in, view, note)
	if err == nil {
		reply.Undoable(in.Tr, kernel.UndoID(core.UndoOffer, id, view))
	}
	return reply, err
}

// declinedBefore reports whether the actor has declined the offer of a button and can still undo it, as
// where a second press crosses the redrawing of the message.
func (b Offers) declinedBefore(ctx context.Context, in kernel.Input, id core.OfferID) bool {
	order := core.OrderID(in.ID.Number(2))
	if order == 0 {
		return false // a command, or a button from before it named the request
	}
	answered, err := b.Market.Trade.AnsweredOffers(ctx, in.Actor, order)
	return err == nil && slices.ContainsFunc(answered.Declined,
		func(ended trade.EndedOffer) bool { return ended.Offer.ID == id })
}

// sellersOf lists the sellers of offers, without visitors.
func sellersOf(offers []trade.Offer) []core.UserID {
	var users []core.UserID
	for _, o := range offers {
		if o.Verified() {
			users = append(users, o.Seller)
		}
	}
	return users
}
