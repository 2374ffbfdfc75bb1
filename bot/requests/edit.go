package requests

import (
	"context"
	"errors"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/items"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// editRequest changes what the options say, or offers the forms when they say nothing.
func (b Requests) editRequest(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	changes := map[string]string{}
	for _, option := range append(OrderOptions(b.Game, true), commands.NoPrograms()) {
		if in.Has(option.Name) {
			changes[option.Name] = in.Text(option.Name)
		}
	}
	if len(changes) == 0 {
		return b.Redraw(ctx, in, kernel.OrderView(o.ID),
			in.Tr.Text(msg.EditWhat, "price", commands.FewCoins(b.Game)))
	}
	return b.edited(ctx, in, o.ID, o.Version, changes)
}

// edited changes an order of the actor's and shows it. Invalid input is not lost.
func (b Requests) edited(
	ctx context.Context, in kernel.Input, id core.OrderID, version int, changes map[string]string,
) (kernel.Reply, error) {
	changes = b.WithItemMeant(ctx, changes)
	edit, err := orderEdit(in, version, changes)
	if err == nil {
		var order trade.Order
		if order, err = b.Market.Trade.EditOrder(ctx, in.Actor, id, edit); err == nil {
			return b.Redraw(ctx, in, kernel.OrderView(order.ID), in.Tr.Text(msg.Edited))
		}
	}
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid && failed.Kind != core.Conflict {
		return kernel.Reply{}, err
	}
	if current, shown := trade.CurrentOrder(err); shown && current.Status != trade.Active {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	typed, keepErr := b.Keep(ctx, in, kernel.Draft{Options: changes})
	if keepErr != nil {
		return kernel.Reply{}, keepErr
	}
	reply, drawErr := b.Redraw(ctx, in, kernel.OrderView(id), in.Tr.ErrorReply(err).Text)
	if drawErr != nil {
		return kernel.Reply{}, err
	}
	if kernel.AsksAboutPrice(err) {
		choices := in.Tr.PriceChoices(items.UnusualPricesOf(err)[0], "edit-price", id, version, typed)
		reply.Rows = append([]discordgo.MessageComponent{choices}, reply.Rows...)
		return reply, nil
	}
	var again []discordgo.MessageComponent
	if concerns(in.Tr, changes, 1) {
		again = append(again, kernel.Button(discord.NewCustomID("edit", id, 1, typed),
			discordgo.PrimaryButton, in.Tr.Plain(msg.EditAgain)))
	}
	if concerns(in.Tr, changes, orderDetails) {
		again = append(again, kernel.Button(discord.NewCustomID("edit", id, 2, typed),
			discordgo.PrimaryButton, in.Tr.Plain(msg.DetailsAgain)))
	}
	reply.Rows = append([]discordgo.MessageComponent{kernel.Row(again...)}, reply.Rows...)
	return reply, nil
}

// editForm opens a form with an order's current values, or the typed ones after an invalid edit.
func (b Requests) editForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.openEditForm(ctx, in, core.OrderID(in.ID.Number(0)), in.ID.Number(1), in.ID.Number(2))
}

// openEditForm opens the form. It carries the version of the order that it shows.
func (b Requests) openEditForm(
	ctx context.Context, in kernel.Input, id core.OrderID, part, typed int64,
) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := in.Actor.MustBe(listed.Order.Owner); err != nil {
		return kernel.Reply{}, err
	}
	values := orderValues(listed.Order, b.Game)
	if typed > 0 {
		d, err := b.LoadDraft(ctx, in, typed)
		if err != nil {
			return kernel.Reply{}, err
		}
		maps.Copy(values, d.Options)
	}
	return kernel.Reply{Form: orderForm(in.Tr, discord.NewCustomID("edited", id, listed.Version), part,
		func(name string) string { return values[name] })}, nil
}

// editSubmitted handles the form.
func (b Requests) editSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.edited(ctx, in, core.OrderID(in.ID.Number(0)), int(in.ID.Number(1)), in.Fields)
}

// switchTerm changes one of the terms that a button switches.
func (b Requests) switchTerm(
	ctx context.Context, in kernel.Input, id core.OrderID, edit trade.OrderEdit,
) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err == nil {
		edit.Version = listed.Version
		_, err = b.Market.Trade.EditOrder(ctx, in.Actor, id, edit)
	}
	if err != nil {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	return b.Redraw(ctx, in, kernel.OrderView(id), in.Tr.Text(msg.Edited))
}
