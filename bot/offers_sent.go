package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// sendOffer offers to fill a request.
func (b offersBot) sendOffer(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.offerOn(ctx, in, order.ID, 0)
}

// offerForm asks what a seller offers. Anybody may press for it on a card in a channel.
func (b offersBot) offerForm(ctx context.Context, in Input) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, core.OrderID(in.id.Number(0)))
	if core.KindOf(err) == core.NotFound {
		return b.cardAsItIs(ctx, in, nil, err)
	}
	if err != nil {
		return Reply{}, err
	}
	switch {
	case !listed.Open(b.now()):
		return b.cardAsItIs(ctx, in, &listed.Order, requestClosed)
	case in.Actor.MustOwn(listed.Order) == nil:
		return Reply{}, core.NewError(core.Forbidden, core.NewText("own_request", "You cannot offer on your own request"))
	}
	mine, err := b.market.OpenOfferOn(ctx, in.Actor, listed.ID)
	if err != nil {
		return Reply{}, err
	}
	title, replaces := msg.OfferToFulfill, core.OfferID(0)
	quantity := listed.Remaining()
	if named := in.id.Number(2); named > 0 {
		quantity = int(min(named, int64(quantity)))
	}
	values := map[string]string{"quantity": fmt.Sprint(quantity), "name": discord.Clip(in.i.DisplayName(), core.MaxSellerName)}
	if mine != nil {
		title, replaces = msg.ChangeOffer, mine.ID
		values["quantity"], values["message"] = fmt.Sprint(mine.Left()), mine.Message
		if mine.SellerName != "" {
			values["name"] = mine.SellerName
		}
	}
	if typed := in.id.Number(1); typed > 0 {
		d, err := b.loadDraft(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		values = d.Options
	}
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("offered", listed.ID, replaces).OpenedBy(in.i), Title: in.tr.plain(title), Fields: []discord.Field{
		{Name: "quantity", Label: in.tr.plain(msg.FieldQuantity), Hint: in.tr.plain(msg.HintOffer, listed.Remaining(), listed.MaxPrice),
			Value: values["quantity"], MaxLength: 12},
		{Name: "message", Label: in.tr.plain(msg.FieldMessage), Hint: in.tr.plain(msg.HintMessage), Value: values["message"], Long: true, MaxLength: core.MaxOfferMessage},
		{Name: "name", Label: in.tr.plain(msg.FieldYourName), Value: values["name"], MaxLength: core.MaxSellerName},
	}}}, nil
}

// offerSubmitted handles the form. What was typed is not lost when it is invalid.
func (b offersBot) offerSubmitted(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	reply, err := b.offerOn(ctx, in, id, core.OfferID(in.id.Number(1)))
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid || core.KeyReused(err) {
		return reply, err
	}
	typed, keepErr := b.keep(ctx, in, draft{Options: in.fields})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply = in.tr.errorReply(err)
	reply.rows = append(reply.rows, row(button(discord.NewCustomID("make-offer", id, typed), discordgo.PrimaryButton, in.tr.plain(msg.EditAgain))))
	return reply, nil
}

// offerOn sends an offer. When the actor has another open offer on the request than the one to replace, it asks first.
func (b offersBot) offerOn(ctx context.Context, in Input, id core.OrderID, replaces core.OfferID) (Reply, error) {
	said := core.OfferDraft{SellerName: in.text("name"), Message: in.text("message"), Quantity: in.quantity(), Replaces: &replaces}
	if said.SellerName == "" {
		said.SellerName = discord.Clip(in.i.DisplayName(), core.MaxSellerName)
	}
	var err error
	if said.GoodUntil, err = b.timeNamed(ctx, in, "goodUntil", in.text("good-until")); err != nil {
		return Reply{}, err
	}
	sent, err := b.market.SendOffer(ctx, in.Actor, id, said)
	var failed *core.Error
	if errors.As(err, &failed) && failed.Code == core.CodeOffered {
		if ask, askErr := b.askReplace(ctx, in, id); ask != nil || askErr != nil {
			return orAsk(ask), askErr
		}
	}
	if err != nil {
		return Reply{}, err
	}
	m := msg.OfferSent
	switch {
	case sent.Accepted > 0:
		return private(in.tr.text(msg.OfferAcceptedAtOnce, sent.Accepted, sent.Order.ItemName, in.tr.coins(worth(sent.Offer)))), nil
	case sent.Replaced:
		m = msg.OfferReplaced
	}
	reply := private("")
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.OfferSentTitle)), URL: b.orderURL(id), Color: colourUsual,
		Description: string(in.tr.text(m, sent.Offer.Quantity, sent.Order.ItemName, in.tr.coins(worth(sent.Offer)))),
	}}
	buttons := []discordgo.MessageComponent{
		button(discord.NewCustomID("withdraw", sent.Offer.ID), discordgo.SecondaryButton, in.tr.plain(msg.Withdraw)),
	}
	reply.rows = append(reply.rows, row(append(buttons, webLink(b.orderURL(id), in.tr.plain(msg.OpenWeb))...)...))
	return reply, nil
}

// askReplace asks whether the new offer replaces the actor's open offer on a request. It returns
// nil when they have none.
func (b offersBot) askReplace(ctx context.Context, in Input, id core.OrderID) (*Reply, error) {
	mine, err := b.market.OpenOfferOn(ctx, in.Actor, id)
	if err != nil || mine == nil {
		return nil, err
	}
	typed := map[string]string{}
	for _, name := range []string{"quantity", "message", "name", "good-until"} {
		typed[name] = in.text(name)
	}
	draft, err := b.keep(ctx, in, draft{Options: typed})
	if err != nil {
		return nil, err
	}
	reply := private(joined(in.tr.youOffered(*mine), in.tr.text(msg.ReplaceAsk, in.quantity(), mine.ItemName)))
	reply.rows = append(reply.rows, row(
		button(discord.NewCustomID("replace", id, mine.ID, draft), discordgo.PrimaryButton, in.tr.plain(msg.ChangeOffer)),
		button(discord.NewCustomID("keep-offer", mine.Quantity), discordgo.SecondaryButton, in.tr.plain(msg.KeepOffer)),
	))
	return &reply, nil
}

// replaceOffer sends the offer that was typed in place of the actor's open one.
func (b offersBot) replaceOffer(ctx context.Context, in Input) (Reply, error) {
	typed, err := b.loadDraft(ctx, in, in.id.Number(2))
	if err != nil {
		return Reply{}, err
	}
	reply, err := b.offerOn(ctx, in.with(typed.Options), core.OrderID(in.id.Number(0)), core.OfferID(in.id.Number(1)))
	reply.redraw = true
	return reply, err
}

// keepOffer answers that nothing was changed.
func (b offersBot) keepOffer(_ context.Context, in Input) (Reply, error) {
	reply := private(in.tr.text(msg.OfferKept, int(in.id.Number(0))))
	reply.redraw = true
	return reply, nil
}

// youOffered says what a seller has offered on a request already.
func (t translator) youOffered(o core.SentOffer) discord.Markdown {
	if o.Accepted > 0 {
		return t.text(msg.YouOfferedPart, o.Quantity, o.Accepted)
	}
	return t.text(msg.YouOffered, o.Quantity)
}

// worth is what all of an offer costs.
func worth(o core.Offer) core.Copper { return o.Price * core.Copper(o.Quantity) }

// withdrawOffer takes back an offer that was named.
func (b offersBot) withdrawOffer(ctx context.Context, in Input) (Reply, error) {
	id, ask, err := b.sentOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.withdraw(ctx, in, id, "")
}

func (b offersBot) withdrawButton(ctx context.Context, in Input) (Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.id.Number(0)), "")
}

func (b offersBot) withdrawPicked(ctx context.Context, in Input) (Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.picked()), sentView(0, core.SentOpen))
}

// withdraw withdraws the actor's own offer. The core lets a buyer decline in the same way, so the
// offer's seller is checked first.
func (b offersBot) withdraw(ctx context.Context, in Input, id core.OfferID, view string) (Reply, error) {
	order, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil && offer.Seller != in.Actor.UserID {
		err = core.NewError(core.Forbidden, core.NewText("buyer_or_seller_only", "Only the buyer or the seller can do that"))
	}
	if err == nil {
		err = b.market.DeleteOffer(ctx, in.Actor, id)
	}
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	reply, err := b.redraw(ctx, in, view, in.tr.text(msg.Withdrawn, offer.Quantity, order.ItemName))
	if err == nil {
		reply.undoable(in.tr, discord.NewCustomID("undo-offer", id, view))
	}
	return reply, err
}

// joined puts one text under another.
func joined(a, b discord.Markdown) discord.Markdown {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
