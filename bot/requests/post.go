package requests

import (
	"context"
	"errors"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// postRequest shows the request that the options would post. Nothing is posted before the user confirms.
func (b Requests) postRequest(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.preview(ctx, in, in.Options)
}

// preview stores a draft and shows the request that it would post, or its errors.
func (b Requests) preview(
	ctx context.Context, in kernel.Input, options map[string]string,
) (kernel.Reply, error) {
	options = b.WithItemMeant(ctx, options)
	id, err := b.Keep(ctx, in, kernel.Draft{Options: options})
	if err != nil {
		return kernel.Reply{}, err
	}
	buttons := []discordgo.MessageComponent{
		kernel.Button(discord.NewCustomID("compose", id, 1), discordgo.SecondaryButton,
			in.Tr.Plain(msg.Edit)),
		kernel.Button(discord.NewCustomID("compose", id, 2), discordgo.SecondaryButton,
			in.Tr.Plain(msg.Details)),
		kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.Tr.Plain(msg.Cancel)),
	}
	order, err := b.previewOrder(in.With(options))
	var failed *core.Error
	if errors.As(err, &failed) && failed.Kind == core.Invalid {
		reply := in.Tr.ErrorReply(err)
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
		return reply, nil
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.Preview))
	reply.Cards = append(reply.Cards, b.Card(in.Tr, order.ForEverybody(b.Now()),
		b.Account(ctx, in.Actor.UserID), false))
	post := kernel.Button(discord.NewCustomID("post", id), discordgo.SuccessButton, in.Tr.Plain(msg.Post))
	post = b.askAboutPrice(ctx, in, &reply, id, order, post)
	reply.Rows = append(reply.Rows, kernel.Row(append([]discordgo.MessageComponent{post}, buttons...)...))
	if s := standing(in.With(options)); s != nil && b.Features.Crossing {
		reply.Text += "\n" + in.Tr.Text(msg.PostStands, "sellers", string(s.Sellers))
	}
	if err := b.addItemHint(ctx, in, &reply, id, order); err != nil {
		return kernel.Reply{}, err
	}
	b.addPriceHelp(ctx, in, &reply, id, order)
	return reply, b.addReach(ctx, in.With(options), &reply)
}

// addReach adds the sellers' stock of the item to a preview, and roughly how many people the request will
// notify, without names.
func (b Requests) addReach(ctx context.Context, in kernel.Input, reply *kernel.Reply) error {
	d, err := orderDraft(in)
	if err != nil {
		return err
	}
	if b.Features.Stock {
		sum, err := b.Market.Match.StockFor(ctx, in.Actor, d.ItemName, d.MaxPrice)
		if err != nil {
			return err
		}
		if sum.SellerCount > 0 {
			reply.Text += "\n" + in.Tr.Text(msg.SellersHave, "sellers", sum.SellerCount,
				"quantity", sum.Quantity,
				"price", in.Tr.Coins(sum.UpTo))
		}
	}
	people, err := b.Market.Match.Audience(ctx, in.Actor, d)
	switch {
	case err != nil:
		return err
	case people > 1:
		reply.Text += "\n" + in.Tr.Text(msg.WillHear, "people", people)
	case people > 0:
		reply.Text += "\n" + in.Tr.Text(msg.WillHearFew)
	}
	return nil
}

// previewOrder returns the order that the options would make. Its error names everything that is wrong with
// them.
func (b Requests) previewOrder(in kernel.Input) (trade.Order, error) {
	d, priceErr := orderDraft(in)
	if priceErr == nil {
		return b.Market.Trade.PreviewOrder(in.Actor, d)
	}
	var c core.Checks
	d.MaxPrice = 1 // what it is, is wrong already
	_, err := b.Market.Trade.PreviewOrder(in.Actor, d)
	c.Add(err)
	c.Add(priceErr)
	return trade.Order{}, c.Err()
}

// post posts a draft. The draft is the key: two clicks post one request.
func (b Requests) post(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := in.ID.Number(0)
	d, err := b.LoadDraft(ctx, in, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	in = in.With(d.Options).Repeated(id, "post")
	said, err := orderDraft(in)
	if err != nil {
		return kernel.Reply{}, err
	}
	in.Actor.PriceConfirmed = in.ID.Number(1) == kernel.Confirmed
	order, err := b.Market.Trade.PostOrderWith(ctx, in.Actor, said, trade.PostTerms{Standing: standing(in)})
	if kernel.AsksAboutPrice(err) {
		reply, err := b.preview(ctx, in, d.Options)
		reply.Redraw = true
		return reply, err
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	b.NotePlace(ctx, in, order.ID)
	b.WakeSync()
	note := in.Tr.Text(msg.Posted)
	if order.Sold > 0 {
		note = kernel.Joined(note, in.Tr.Text(msg.PostedBought, "quantity", order.Sold))
	}
	return b.Redraw(ctx, in, kernel.OrderView(order.ID), note)
}

// standing returns how the options of a new request have offers taken as they come; nil for not at all.
func standing(in kernel.Input) *trade.StandingDraft {
	sellers := in.Text("as-they-come")
	if sellers == "" {
		return nil
	}
	return &trade.StandingDraft{Sellers: trade.Sellers(sellers)}
}

// compose opens a form with the content of a draft.
func (b Requests) compose(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, part := in.ID.Number(0), in.ID.Number(1)
	d, err := b.Begun(ctx, in, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	filled, err := b.withCategory(ctx, d.Options)
	if err != nil {
		return kernel.Reply{}, err
	}
	said := func(name string) string { return filled[name] }
	form := newOrderForm(in.Tr, discord.NewCustomID("composed", id), part, said)
	return kernel.Reply{Form: b.withPriceHint(ctx, in, form, said("item"))}, nil
}

// begin opens the form of a new request, over a message that stays as it is.
func begin(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	usual := map[string]string{"category": string(in.Tr.Game.Default)}
	return kernel.Reply{Form: newOrderForm(in.Tr, discord.NewCustomID("begun"), 1,
		func(name string) string { return usual[name] })}, nil
}

// begun takes that form in and shows the request below the message.
func (b Requests) begun(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	options := maps.Clone(in.Fields)
	if options["category"] == string(b.Game.Default) {
		delete(options, "category") // untouched: the item that is named decides
	}
	return b.preview(ctx, in, options)
}

// composed takes the form in and shows the new draft.
func (b Requests) composed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.Begun(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	options := map[string]string{}
	maps.Copy(options, d.Options)
	maps.Copy(options, in.Fields)
	if shown, err := b.withCategory(ctx, d.Options); err != nil {
		return kernel.Reply{}, err
	} else if d.Options["category"] == "" && options["category"] == shown["category"] {
		delete(options, "category") // untouched: the item that is named now decides
	}
	reply, err := b.preview(ctx, in, options)
	reply.Redraw = true
	return reply, err
}

// drop forgets about a draft.
func drop(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	return kernel.Reply{Text: in.Tr.Text(msg.DraftDropped), Redraw: true}, nil
}
