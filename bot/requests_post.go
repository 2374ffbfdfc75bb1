package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// postRequest shows what the options would post. Nothing is posted before the user confirms.
func (b requestsBot) postRequest(ctx context.Context, in Input) (Reply, error) {
	return b.preview(ctx, in, in.options)
}

// preview stores a draft and shows what it would post, or its errors.
func (b requestsBot) preview(ctx context.Context, in Input, options map[string]string) (Reply, error) {
	options = b.withItemMeant(ctx, options)
	id, err := b.keep(ctx, in, draft{Options: options})
	if err != nil {
		return Reply{}, err
	}
	buttons := []discordgo.MessageComponent{
		button(discord.NewCustomID("compose", id, 1), discordgo.SecondaryButton, in.tr.plain(msg.Edit)),
		button(discord.NewCustomID("compose", id, 2), discordgo.SecondaryButton, in.tr.plain(msg.Details)),
		button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel)),
	}
	order, err := b.previewOrder(in.with(options))
	var failed *core.Error
	if errors.As(err, &failed) && failed.Kind == core.Invalid {
		reply := in.tr.errorReply(err)
		reply.rows = append(reply.rows, row(buttons...))
		return reply, nil
	}
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.Preview))
	reply.cards = append(reply.cards, b.card(in.tr, order.ForEverybody(b.now()), b.account(ctx, in.Actor.UserID), false))
	post := button(discord.NewCustomID("post", id), discordgo.SuccessButton, in.tr.plain(msg.Post))
	post = b.askAboutPrice(ctx, in, &reply, id, order, post)
	reply.rows = append(reply.rows, row(append([]discordgo.MessageComponent{post}, buttons...)...))
	if err := b.addItemHint(ctx, in, &reply, id, order); err != nil {
		return Reply{}, err
	}
	b.addPriceHelp(ctx, in, &reply, id, order)
	return reply, b.addReach(ctx, in.with(options), &reply)
}

// addReach says what sellers have of the item of a preview, and how many people will hear of the request, without names.
func (b requestsBot) addReach(ctx context.Context, in Input, reply *Reply) error {
	d, err := orderDraft(in)
	if err != nil {
		return err
	}
	if b.features.Stock {
		sum, err := b.market.StockFor(ctx, in.Actor, d.ItemName, d.MaxPrice)
		if err != nil {
			return err
		}
		if sum.SellerCount > 0 {
			reply.text += "\n" + in.tr.text(msg.SellersHave, sum.SellerCount, sum.Quantity, in.tr.coins(sum.UpTo))
		}
	}
	people, err := b.market.Audience(ctx, in.Actor, d)
	switch {
	case err != nil:
		return err
	case people >= core.MaxAudience:
		reply.text += "\n" + in.tr.text(msg.WillHearMost, people)
	case people > 0:
		reply.text += "\n" + in.tr.text(msg.WillHear, people)
	}
	return nil
}

// previewOrder returns the order that the options would make. Its error names everything that is wrong with them.
func (b requestsBot) previewOrder(in Input) (core.Order, error) {
	d, priceErr := orderDraft(in)
	if priceErr == nil {
		return b.market.PreviewOrder(in.Actor, d)
	}
	var c core.Checks
	d.MaxPrice = 1 // what it is, is wrong already
	_, err := b.market.PreviewOrder(in.Actor, d)
	c.Add(err)
	c.Add(priceErr)
	return core.Order{}, c.Err()
}

// post posts a draft. The draft is the key: two clicks post one request.
func (b requestsBot) post(ctx context.Context, in Input) (Reply, error) {
	id := in.id.Number(0)
	d, err := b.loadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	in = in.with(d.Options).repeated(id, "post")
	said, err := orderDraft(in)
	if err != nil {
		return Reply{}, err
	}
	in.Actor.PriceConfirmed = in.id.Number(1) == confirmed
	order, err := b.market.PostOrder(ctx, in.Actor, said)
	if asksAboutPrice(err) {
		reply, err := b.preview(ctx, in, d.Options)
		reply.redraw = true
		return reply, err
	}
	if err != nil {
		return Reply{}, err
	}
	b.notePlace(ctx, in, order.ID)
	b.wakeSync()
	return b.redraw(ctx, in, orderView(order.ID), in.tr.text(msg.Posted))
}

// compose opens a form with the content of a draft.
func (b requestsBot) compose(ctx context.Context, in Input) (Reply, error) {
	id, part := in.id.Number(0), in.id.Number(1)
	d, err := b.begun(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	filled, err := b.withCategory(ctx, d.Options)
	if err != nil {
		return Reply{}, err
	}
	said := func(name string) string { return filled[name] }
	form := newOrderForm(in.tr, discord.NewCustomID("composed", id), part, said)
	return Reply{form: b.withPriceHint(ctx, in, form, said("item"))}, nil
}

// composed takes the form in and shows the new draft.
func (b requestsBot) composed(ctx context.Context, in Input) (Reply, error) {
	d, err := b.begun(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	options := map[string]string{}
	maps.Copy(options, d.Options)
	maps.Copy(options, in.fields)
	if shown, err := b.withCategory(ctx, d.Options); err != nil {
		return Reply{}, err
	} else if d.Options["category"] == "" && options["category"] == shown["category"] {
		delete(options, "category") // untouched: the item that is named now decides
	}
	reply, err := b.preview(ctx, in, options)
	reply.redraw = true
	return reply, err
}

// begun returns a draft, or an empty one for the number 0: a form can be where a request begins.
func (k *Kernel) begun(ctx context.Context, in Input, id int64) (draft, error) {
	if id == 0 {
		return draft{}, nil
	}
	return k.loadDraft(ctx, in, id)
}

// drop forgets about a draft.
func (b requestsBot) drop(_ context.Context, in Input) (Reply, error) {
	return Reply{text: in.tr.text(msg.DraftDropped), redraw: true}, nil
}

func orElse(text, usual string) string {
	if strings.TrimSpace(text) == "" {
		return usual
	}
	return text
}

// options turns choices of a command into those of a select.
func (t translator) options(choices []*choice, chosen string) []discordgo.SelectMenuOption {
	list := make([]discordgo.SelectMenuOption, len(choices))
	for i, c := range choices {
		name := orElse(c.NameLocalizations[discordgo.Locale(t.Locales[0])], c.Name)
		list[i] = discordgo.SelectMenuOption{Label: name, Value: fmt.Sprint(c.Value), Default: c.Value == chosen}
	}
	return list
}
