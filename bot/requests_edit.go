package bot

import (
	"context"
	"errors"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// editRequest changes what the options say, or offers the forms when they say nothing.
func (b requestsBot) editRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	changes := map[string]string{}
	for _, option := range orderOptions(b.game, true) {
		if in.has(option.Name) {
			changes[option.Name] = in.text(option.Name)
		}
	}
	if len(changes) == 0 {
		return b.redraw(ctx, in, orderView(order.ID), in.tr.text(msg.EditWhat, fewCoins(b.game)))
	}
	return b.edited(ctx, in, order.ID, order.Version, changes)
}

// edited changes an order of the actor's and shows it. What was typed is not lost when it is invalid.
func (b requestsBot) edited(ctx context.Context, in Input, id core.OrderID, version int, changes map[string]string) (Reply, error) {
	changes = b.withItemMeant(ctx, changes)
	edit, err := orderEdit(in, version, changes)
	if err == nil {
		var order core.Order
		if order, err = b.market.EditOrder(ctx, in.Actor, id, edit); err == nil {
			return b.redraw(ctx, in, orderView(order.ID), in.tr.text(msg.Edited))
		}
	}
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid && failed.Kind != core.Conflict {
		return Reply{}, err
	}
	if failed.Current != nil && failed.Current.Status != core.Active {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	typed, keepErr := b.keep(ctx, in, draft{Options: changes})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply, drawErr := b.redraw(ctx, in, orderView(id), in.tr.errorReply(err).text)
	if drawErr != nil {
		return Reply{}, err
	}
	if asksAboutPrice(err) {
		choices := in.tr.priceChoices(failed.Prices[0], "edit-price", id, version, typed)
		reply.rows = append([]discordgo.MessageComponent{choices}, reply.rows...)
		return reply, nil
	}
	var again []discordgo.MessageComponent
	if concerns(in.tr, changes, 1) {
		again = append(again, button(discord.NewCustomID("edit", id, 1, typed), discordgo.PrimaryButton, in.tr.plain(msg.EditAgain)))
	}
	if concerns(in.tr, changes, orderDetails) {
		again = append(again, button(discord.NewCustomID("edit", id, 2, typed), discordgo.PrimaryButton, in.tr.plain(msg.DetailsAgain)))
	}
	reply.rows = append([]discordgo.MessageComponent{row(again...)}, reply.rows...)
	return reply, nil
}

// editForm opens a form with an order's current values, or the typed ones after an invalid edit.
func (b requestsBot) editForm(ctx context.Context, in Input) (Reply, error) {
	return b.openEditForm(ctx, in, core.OrderID(in.id.Number(0)), in.id.Number(1), in.id.Number(2))
}

// openEditForm opens the form. It carries the version of what it shows.
func (b requestsBot) openEditForm(ctx context.Context, in Input, id core.OrderID, part, typed int64) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.MustOwn(listed.Order); err != nil {
		return Reply{}, err
	}
	values := orderValues(listed.Order, b.game)
	if typed > 0 {
		d, err := b.loadDraft(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		maps.Copy(values, d.Options)
	}
	return Reply{form: orderForm(in.tr, discord.NewCustomID("edited", id, listed.Version), part, func(name string) string { return values[name] })}, nil
}

// editSubmitted handles the form.
func (b requestsBot) editSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.edited(ctx, in, core.OrderID(in.id.Number(0)), int(in.id.Number(1)), in.fields)
}

// setSignedInOnly turns offers of visitors off or on again.
func (b requestsBot) setSignedInOnly(ctx context.Context, in Input, id core.OrderID, only bool) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err == nil {
		_, err = b.market.EditOrder(ctx, in.Actor, id, core.OrderEdit{Version: listed.Version, SignedInOnly: &only})
	}
	if err != nil {
		return b.errorOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.tr.text(msg.Edited))
}
