package bot

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// postRequest shows what the options would post. Nothing is posted before the person says so.
func (b *Bot) postRequest(ctx context.Context, in Input) (Reply, error) {
	return b.preview(ctx, in, in.options)
}

// preview keeps a draft and shows what it would post, or what is wrong with it.
func (b *Bot) preview(ctx context.Context, in Input, options map[string]string) (Reply, error) {
	id, err := b.keep(ctx, in, draft{Options: options})
	if err != nil {
		return Reply{}, err
	}
	buttons := []discordgo.MessageComponent{
		button(on("compose", id, 1), discordgo.SecondaryButton, in.say.plain(msgEdit)),
		button(on("compose", id, 2), discordgo.SecondaryButton, in.say.plain(msgDetails)),
		button(on("drop", id), discordgo.SecondaryButton, in.say.plain(msgCancel)),
	}
	order, err := b.previewOrder(in.with(options))
	var refused *core.Error
	if errors.As(err, &refused) && refused.Kind == core.Invalid {
		reply := in.say.refusal(err)
		reply.rows = append(reply.rows, row(buttons...))
		return reply, nil
	}
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.say.text(msgPreview))
	reply.embeds = append(reply.embeds, b.card(in.say, order, true))
	post := button(on("post", id), discordgo.SuccessButton, in.say.plain(msgPost))
	reply.rows = append(reply.rows, row(append([]discordgo.MessageComponent{post}, buttons...)...))
	return reply, nil
}

// previewOrder returns the order that the options would make. Everything wrong with them is told at once.
func (b *Bot) previewOrder(in Input) (core.Order, error) {
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

// post posts a draft. The draft is the key: pressed twice, one request is posted.
func (b *Bot) post(ctx context.Context, in Input) (Reply, error) {
	id := in.press.number(0)
	d, err := b.kept(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	in = in.with(d.Options).repeated(id, "post")
	said, err := orderDraft(in)
	if err != nil {
		return Reply{}, err
	}
	order, err := b.market.PostOrder(ctx, in.Actor, said)
	if err != nil {
		return Reply{}, err
	}
	signal(b.boardsMoved)
	return b.redraw(ctx, in, orderView(order.ID), in.say.text(msgPosted))
}

// compose opens a form with what a draft holds.
func (b *Bot) compose(ctx context.Context, in Input) (Reply, error) {
	id, part := in.press.number(0), in.press.number(1)
	d, err := b.begun(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	return Reply{form: orderForm(in.say, on("composed", id), part, func(name string) string { return d.Options[name] })}, nil
}

// composed takes the form in and shows the new draft.
func (b *Bot) composed(ctx context.Context, in Input) (Reply, error) {
	d, err := b.begun(ctx, in, in.press.number(0))
	if err != nil {
		return Reply{}, err
	}
	options := map[string]string{}
	maps.Copy(options, d.Options)
	maps.Copy(options, in.fields)
	reply, err := b.preview(ctx, in, options)
	reply.redraw = true
	return reply, err
}

// begun returns a draft, or an empty one for the number 0: a form can be where a request begins.
func (b *Bot) begun(ctx context.Context, in Input, id int64) (draft, error) {
	if id == 0 {
		return draft{}, nil
	}
	return b.kept(ctx, in, id)
}

// drop forgets about a draft.
func (b *Bot) drop(_ context.Context, in Input) (Reply, error) {
	return Reply{text: in.say.text(msgDropped), redraw: true}, nil
}

// orderDraft reads a draft from options.
func orderDraft(in Input) (core.OrderDraft, error) {
	price, priceErr := core.ParseCopper("maxPricePerUnit", in.text("price"))
	d := core.OrderDraft{
		ItemName: in.text("item"), Quantity: in.quantity(), MaxPrice: price,
		Description: in.text("description"), BuyerContact: in.text("contact"), InGameName: in.text("ign"),
		LevelRequirement: in.level("level"),
		Category:         core.Category(in.text("category")), Importance: core.Importance(in.text("importance")),
		SignedInOnly: in.yes("signed-in-only"),
	}
	if d.BuyerContact == "" {
		d.BuyerContact = in.Actor.Username
	}
	return d, priceErr
}

// orderForm asks for half of what can be said about a request: a form has room for five things.
func orderForm(t tongue, to press, part int64, value func(name string) string) *form {
	if part == 2 {
		return &form{press: to, title: t.plain(msgDetailsTitle), fields: []field{
			{name: "category", label: t.plain(msgFieldCategory), choices: t.options(categoryChoices(), orElse(value("category"), string(core.DefaultCategory)))},
			{name: "importance", label: t.plain(msgFieldImportance), choices: t.options(importanceChoices(), orElse(value("importance"), string(core.Medium)))},
			{name: "level", label: t.plain(msgFieldLevel), hint: t.plain(msgHintLevel), value: value("level"), optional: true, limit: 5},
			{name: "contact", label: t.plain(msgFieldContact), hint: t.plain(msgHintContact), value: value("contact"), optional: true, limit: core.MaxContact},
			{name: "ign", label: t.plain(msgFieldInGame), value: value("ign"), optional: true, limit: core.MaxInGameName},
		}}
	}
	return &form{press: to, title: t.plain(msgEditTitle), fields: []field{
		{name: "item", label: t.plain(msgFieldItem), value: value("item"), limit: core.MaxItemName},
		{name: "quantity", label: t.plain(msgFieldQuantity), hint: t.plain(msgHintQuantity), value: value("quantity"), limit: 12},
		{name: "price", label: t.plain(msgFieldPrice), hint: t.plain(msgHintPrice, core.Played().Example), value: value("price"), limit: maxPriceText},
		{name: "description", label: t.plain(msgFieldDescription), hint: t.plain(msgHintDescription), value: value("description"),
			long: true, optional: true, limit: core.MaxDescription},
	}}
}

func orElse(text, usual string) string {
	if strings.TrimSpace(text) == "" {
		return usual
	}
	return text
}

// options turns choices of a command into those of a select.
func (t tongue) options(choices []commandChoice, chosen string) []discordgo.SelectMenuOption {
	list := make([]discordgo.SelectMenuOption, len(choices))
	for i, c := range choices {
		list[i] = discordgo.SelectMenuOption{Label: orElse(c.NameIn[t.locales[0]], c.Name), Value: c.Value, Default: c.Value == chosen}
	}
	return list
}

// suggestItems completes the name of an item from those asked for before.
func (b *Bot) suggestItems(ctx context.Context, in Input) ([]choice, error) {
	names, err := b.market.ItemNames(ctx, in.text(in.focused), maxSelect)
	if err != nil {
		return nil, err
	}
	choices := make([]choice, len(names))
	for i, name := range names {
		choices[i] = choice{Name: name, Value: name}
	}
	return choices, nil
}
