package offers

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// offerOnMessage opens the form of an offer for the request that a message shows.
func (b Offers) offerOnMessage(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	order, err := kernel.ShownThere(in)
	if err != nil {
		return kernel.Reply{}, err
	}
	in.ID = discord.NewCustomID("make-offer", order)
	return b.offerForm(ctx, in)
}

// sendOffer offers to fill a request.
func (b Offers) sendOffer(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.offerOn(ctx, in, o.ID, 0)
}

// offerForm asks a seller for their offer. Any user may press for it on a card in a channel.
func (b Offers) offerForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	if core.KindOf(err) == core.NotFound {
		return b.CardAsItIs(ctx, in, nil, err)
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	switch {
	case !listed.Open(b.Now()):
		return b.CardAsItIs(ctx, in, &listed.Order, kernel.RequestClosed)
	case in.Actor.MustBe(listed.Order.Owner) == nil:
		return kernel.Reply{}, core.NewError(core.Forbidden, core.NewText("own_request"))
	}
	mine, err := b.Market.Trade.OpenOfferOn(ctx, in.Actor, listed.ID)
	if err != nil {
		return kernel.Reply{}, err
	}
	title, replaces := msg.OfferToFulfill, core.OfferID(0)
	quantity := listed.Remaining()
	if named := in.ID.Number(2); named > 0 {
		quantity = int(min(named, int64(quantity)))
	}
	values := map[string]string{"quantity": fmt.Sprint(quantity),
		"name": discord.Clip(in.Interaction.DisplayName(), core.MaxSellerName)}
	if mine != nil {
		title, replaces = msg.ChangeOffer, mine.ID
		values["quantity"], values["message"] = fmt.Sprint(mine.Left()), mine.Message
		if mine.SellerName != "" {
			values["name"] = mine.SellerName
		}
	}
	if typed := in.ID.Number(1); typed > 0 {
		d, err := b.LoadDraft(ctx, in, typed)
		if err != nil {
			return kernel.Reply{}, err
		}
		values = d.Options
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("offered", listed.ID,
		replaces).OpenedBy(in.Interaction), Title: in.Tr.Plain(title), Fields: []discord.Field{
		{Name: "quantity", Label: in.Tr.Plain(msg.FieldQuantity),
			Hint:  in.Tr.Plain(msg.HintOffer, "quantity", listed.Remaining(), "price", listed.MaxPrice),
			Value: values["quantity"], MaxLength: 12},
		{Name: "message", Label: in.Tr.Plain(msg.FieldMessage), Hint: in.Tr.Plain(msg.HintMessage),
			Value: values["message"], Long: true, MaxLength: core.MaxOfferMessage},
		{Name: "name", Label: in.Tr.Plain(msg.FieldYourName), Value: values["name"],
			MaxLength: core.MaxSellerName},
	}}}, nil
}

// offerSubmitted handles the form. Invalid input is not lost.
func (b Offers) offerSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	reply, err := b.offerOn(ctx, in, id, core.OfferID(in.ID.Number(1)))
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid || core.KeyReused(err) {
		return reply, err
	}
	typed, keepErr := b.Keep(ctx, in, kernel.Draft{Options: in.Fields})
	if keepErr != nil {
		return kernel.Reply{}, keepErr
	}
	reply = in.Tr.ErrorReply(err)
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("make-offer", id, typed),
		discordgo.PrimaryButton, in.Tr.Plain(msg.EditAgain))))
	return reply, nil
}

// offerOn sends an offer. When the actor has another open offer on the request than the one to replace, it
// asks first.
func (b Offers) offerOn(
	ctx context.Context, in kernel.Input, id core.OrderID, replaces core.OfferID,
) (kernel.Reply, error) {
	said := trade.OfferDraft{SellerName: in.Text("name"), Message: in.Text("message"),
		Quantity: in.Quantity(), Replaces: &replaces}
	if said.SellerName == "" {
		said.SellerName = discord.Clip(in.Interaction.DisplayName(), core.MaxSellerName)
	}
	price, _ := strconv.ParseInt(in.Text("price"), 10, 64)
	said.PriceSeen = core.Copper(price)
	var err error
	if said.GoodUntil, err = b.TimeNamed(ctx, in, "goodUntil", in.Text("good-until")); err != nil {
		return kernel.Reply{}, err
	}
	sent, err := b.Market.Trade.SendOffer(ctx, in.Actor, id, said)
	var failed *core.Error
	if errors.As(err, &failed) && failed.Code == trade.CodeOffered {
		if ask, askErr := b.askReplace(ctx, in, id); ask != nil || askErr != nil {
			return kernel.OrAsk(ask), askErr
		}
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	m := msg.OfferSent
	switch {
	case sent.Accepted > 0:
		return kernel.Private(in.Tr.Text(msg.OfferAcceptedAtOnce, "quantity", sent.Accepted,
			"item", sent.Order.ItemName,
			"sum", in.Tr.Coins(kernel.Worth(sent.Offer)))), nil
	case sent.Replaced:
		m = msg.OfferReplaced
	}
	reply := kernel.Private("")
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.OfferSentTitle)), URL: b.OrderURL(id), Color: kernel.ColourUsual,
		Description: string(in.Tr.Text(m, "quantity", sent.Offer.Quantity, "item", sent.Order.ItemName, "sum",
			in.Tr.Coins(kernel.Worth(sent.Offer)))),
	}}
	buttons := []discordgo.MessageComponent{
		kernel.Button(discord.NewCustomID("withdraw", sent.Offer.ID), discordgo.SecondaryButton,
			in.Tr.Plain(msg.Withdraw)),
		kernel.Button(discord.NewCustomID("make-offer", id), discordgo.SecondaryButton,
			in.Tr.Plain(msg.ChangeOffer)),
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(buttons,
		kernel.WebLink(b.OrderURL(id), in.Tr.Plain(msg.OpenWeb))...)...))
	return reply, nil
}

// askReplace asks whether the new offer replaces the actor's open offer on a request. It returns
// nil when they have none.
func (b Offers) askReplace(ctx context.Context, in kernel.Input, id core.OrderID) (*kernel.Reply, error) {
	mine, err := b.Market.Trade.OpenOfferOn(ctx, in.Actor, id)
	if err != nil || mine == nil {
		return nil, err
	}
	typed := map[string]string{}
	for _, name := range []string{"quantity", "message", "name", "good-until"} {
		typed[name] = in.Text(name)
	}
	draft, err := b.Keep(ctx, in, kernel.Draft{Options: typed})
	if err != nil {
		return nil, err
	}
	reply := kernel.Private(kernel.Joined(in.Tr.YouOffered(*mine),
		in.Tr.Text(msg.ReplaceAsk, "quantity", in.Quantity(), "item", mine.ItemName)))
	reply.Rows = append(reply.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("replace", id, mine.ID, draft), discordgo.PrimaryButton,
			in.Tr.Plain(msg.ChangeOffer)),
		kernel.Button(discord.NewCustomID("keep-offer", mine.Quantity), discordgo.SecondaryButton,
			in.Tr.Plain(msg.KeepOffer)),
	))
	return &reply, nil
}

// replaceOffer sends the offer that was typed in place of the actor's open one.
func (b Offers) replaceOffer(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	typed, err := b.LoadDraft(ctx, in, in.ID.Number(2))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.offerOn(ctx, in.With(typed.Options), core.OrderID(in.ID.Number(0)),
		core.OfferID(in.ID.Number(1)))
	reply.Redraw = true
	return reply, err
}

// keepOffer answers that nothing was changed.
func keepOffer(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	reply := kernel.Private(in.Tr.Text(msg.OfferKept, "quantity", int(in.ID.Number(0))))
	reply.Redraw = true
	return reply, nil
}

// withdrawOffer takes back an offer that was named.
func (b Offers) withdrawOffer(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, ask, err := b.sentOffer(ctx, in, "offer")
	if err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	return b.withdraw(ctx, in, id, "")
}

func (b Offers) withdrawButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.ID.Number(0)), "")
}

func (b Offers) withdrawPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.withdraw(ctx, in, core.OfferID(in.Picked()), sentView(0, trade.SentOpen))
}

// withdraw withdraws the actor's own offer. The core lets a buyer decline in the same way, so the
// offer's seller is checked first.
func (b Offers) withdraw(
	ctx context.Context, in kernel.Input, id core.OfferID, view string,
) (kernel.Reply, error) {
	order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, id)
	if err == nil && offer.Seller != in.Actor.UserID {
		err = core.NewError(core.Forbidden, core.NewText("buyer_or_seller_only"))
	}
	if err == nil {
		err = b.Market.Trade.DeleteOffer(ctx, in.Actor, id)
	}
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	reply, err := b.Redraw(ctx, in, view, in.Tr.Text(msg.Withdrawn, "quantity", offer.Quantity,
		"item", order.ItemName))
	if err == nil {
		reply.Undoable(in.Tr, kernel.UndoID(core.UndoOffer, id, view))
	}
	return reply, err
}

// offerStock offers what the reader has of a request, as the button says. When less of their stock is free by
// now, it shows a button for that.
func (b Offers) offerStock(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, many := core.OrderID(in.ID.Number(0)), int(in.ID.Number(1))
	ready, err := b.Market.Match.Ready(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if o, there := ready.On(id); there && o.Refused == nil && o.Quantity < many {
		reply := kernel.Private(in.Tr.Text(msg.StockLess, "quantity", o.Quantity, "item", o.ItemName))
		reply.Rows = append(reply.Rows, kernel.Row(kernel.OfferStock(in.Tr, o.Order, o.Quantity)))
		return reply, nil
	}
	if _, there := ready.On(id); !there {
		if reply, err := b.noFreeStock(ctx, in, id); reply != nil || err != nil {
			return kernel.OrAsk(reply), err
		}
	}
	in.Fields = map[string]string{
		"quantity": fmt.Sprint(many), "message": ready.MessageIn(in.Tr.Printer),
		"price": fmt.Sprint(in.ID.Number(2)),
	}
	return b.offerOn(ctx, in, id, 0)
}

// noFreeStock answers a seller whose stock is in open offers. It returns nil when another thing bars an
// offer, which the offer says itself.
func (b Offers) noFreeStock(ctx context.Context, in kernel.Input, id core.OrderID) (*kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err != nil || !listed.Open(b.Now()) {
		return nil, err
	}
	mine, err := b.Market.Trade.OpenOfferOn(ctx, in.Actor, id)
	if err != nil || mine != nil {
		return nil, err
	}
	reply := kernel.Private(in.Tr.Text(msg.StockNone, "item", listed.ItemName))
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("make-offer", id),
		discordgo.PrimaryButton, in.Tr.Plain(msg.OfferToFulfill))))
	return &reply, nil
}
