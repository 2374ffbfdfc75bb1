package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// sendOffer offers to fill a request.
func (b *Bot) sendOffer(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.offerOn(ctx, in, order.ID)
}

// offerForm asks what a seller offers. Anybody may press for it on a card in a channel.
func (b *Bot) offerForm(ctx context.Context, in Input) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, core.OrderID(in.press.number(0)))
	if err != nil {
		return Reply{}, err
	}
	switch {
	case in.Actor.Owns(listed.Order) == nil:
		return Reply{}, &core.Error{Kind: core.Forbidden, Message: "You cannot offer on your own request"}
	case !listed.Open(b.now()):
		return Reply{}, &core.Error{Kind: core.Conflict, Message: "This request is already closed", Current: &listed.Order}
	}
	values := map[string]string{"quantity": fmt.Sprint(listed.Remaining()), "name": clip(in.i.displayName(), core.MaxSellerName)}
	if typed := in.press.number(1); typed > 0 {
		d, err := b.kept(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		values = d.Options
	}
	return Reply{form: &form{press: on("offered", listed.ID), title: in.say.plain(msgOfferToFulfill), fields: []field{
		{name: "quantity", label: in.say.plain(msgFieldQuantity), hint: in.say.plain(msgHintOffer, listed.Remaining(), listed.ItemName, listed.MaxPrice),
			value: values["quantity"], limit: 12},
		{name: "message", label: in.say.plain(msgFieldMessage), hint: in.say.plain(msgHintMessage), value: values["message"], long: true, limit: core.MaxOfferMessage},
		{name: "name", label: in.say.plain(msgFieldYourName), value: values["name"], limit: core.MaxSellerName},
	}}}, nil
}

// offerSubmitted takes the form in. What was typed is not lost when it is refused.
func (b *Bot) offerSubmitted(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.press.number(0))
	reply, err := b.offerOn(ctx, in, id)
	var refused *core.Error
	if !errors.As(err, &refused) || refused.Kind != core.Invalid {
		return reply, err
	}
	typed, keepErr := b.keep(ctx, in, draft{Options: in.fields})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply = in.say.refusal(err)
	reply.rows = append(reply.rows, row(button(on("make-offer", id, typed), discordgo.PrimaryButton, in.say.plain(msgEditAgain))))
	return reply, nil
}

func (b *Bot) offerOn(ctx context.Context, in Input, id core.OrderID) (Reply, error) {
	said := core.OfferDraft{SellerName: in.text("name"), Message: in.text("message"), Quantity: in.quantity()}
	if said.SellerName == "" {
		said.SellerName = clip(in.i.displayName(), core.MaxSellerName)
	}
	sent, err := b.market.SendOffer(ctx, in.Actor, id, said)
	if err != nil {
		return Reply{}, err
	}
	m := msgOfferSent
	if sent.Replaced {
		m = msgOfferReplaced
	}
	reply := private(in.say.text(m, sent.Offer.Quantity, sent.Order.ItemName, coins(worth(sent.Offer))))
	buttons := []discordgo.MessageComponent{
		button(on("withdraw", sent.Offer.ID), discordgo.SecondaryButton, in.say.plain(msgWithdraw)),
	}
	reply.rows = append(reply.rows, row(append(buttons, webLink(b.orderURL(id), in.say.plain(msgOpenWeb))...)...))
	return reply, nil
}

// worth is what all of an offer costs.
func worth(o core.Offer) core.Copper { return o.Price * core.Copper(o.Quantity) }

// withdrawOffer takes back an offer that was named.
func (b *Bot) withdrawOffer(ctx context.Context, in Input) (Reply, error) {
	id, ask, err := b.sentOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.withdraw(ctx, in, id, "")
}

func (b *Bot) withdrawPressed(ctx context.Context, in Input) (Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.press.number(0)), "")
}

func (b *Bot) withdrawPicked(ctx context.Context, in Input) (Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.picked()), sentView(0))
}

// withdraw takes back an offer of the actor's own. The core lets a buyer decline by the same way, so it is asked first whose
// offer it is.
func (b *Bot) withdraw(ctx context.Context, in Input, id core.OfferID, view string) (Reply, error) {
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil && offer.Seller != in.Actor.UserID {
		err = &core.Error{Kind: core.Forbidden, Message: "Only the buyer or the seller can do that"}
	}
	if err == nil {
		err = b.market.DeleteOffer(ctx, in.Actor, id)
	}
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.say.text(msgWithdrawn, offer.Quantity, order.ItemName))
}

const sentShown = 10

// myOffers lists what the actor has offered.
func (b *Bot) myOffers(ctx context.Context, in Input) (Reply, error) {
	return b.sentOffers(ctx, in, 0, "")
}

func (b *Bot) myOffersPressed(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, sentView(core.OfferID(in.press.number(0))), "")
}

func (b *Bot) sentOffers(ctx context.Context, in Input, before core.OfferID, note safe) (Reply, error) {
	sent, err := b.market.SentOffers(ctx, in.Actor, before, sentShown+1)
	if err != nil {
		return Reply{}, err
	}
	more := len(sent) > sentShown
	sent = sent[:min(len(sent), sentShown)]
	reply := private(note)
	if len(sent) == 0 {
		reply.text = joined(note, in.say.text(msgNoSentOffers))
		return reply, nil
	}
	var text safe
	var open []discordgo.SelectMenuOption
	for _, o := range sent {
		text = joined(text, in.say.sentLine(o))
		if o.State == core.OfferOpen {
			open = append(open, discordgo.SelectMenuOption{Label: in.say.sentLabel(o), Value: fmt.Sprint(o.ID)})
		}
	}
	reply.embeds = []*discordgo.MessageEmbed{{Title: string(in.say.text(msgSentTitle)), Color: colourUsual, Description: string(text)}}
	if len(open) > 0 {
		reply.rows = append(reply.rows, choose(on("withdraw-picked"), in.say.plain(msgPickWithdraw), open))
	}
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, button(on("my-offers", 0), discordgo.SecondaryButton, in.say.plain(msgNewest)))
	}
	if more {
		buttons = append(buttons, button(on("my-offers", sent[len(sent)-1].ID), discordgo.SecondaryButton, in.say.plain(msgOlder)))
	}
	if len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// joined puts one text under another.
func joined(a, b safe) safe {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// sentLine tells what became of an offer.
func (t tongue) sentLine(o core.SentOffer) safe {
	line := "**" + t.text(msgOfferTitle, o.Quantity, o.ItemName) + "** · " + t.text(msgEach, coins(o.Price)) + " · " +
		t.text(stateOf(o.State)) + " · " + stamp(o.UpdatedAt)
	if o.Accepted > 0 {
		line = joined(line, t.text(msgSentAccepted, o.Accepted, o.Quantity, username(o.BuyerContact)))
	}
	return line
}

func (t tongue) sentLabel(o core.SentOffer) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	return clip(t.plain(msgOfferTitle, o.Quantity-o.Accepted, o.ItemName), maxOptionLabel-size(number)) + number
}

func stateOf(s core.OfferState) msg {
	switch s {
	case core.OfferAccepted:
		return msgStateAccepted
	case core.OfferDeclined:
		return msgStateDeclined
	case core.OfferWithdrawn:
		return msgStateWithdrawn
	case core.OfferLapsed:
		return msgStateLapsed
	case core.OfferReplaced:
		return msgStateReplaced
	case core.OfferRemoved:
		return msgStateRemoved
	}
	return msgStateOpen
}
