package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// editable are the options that change a request.
var editable = []string{"item", "quantity", "price", "category", "importance", "level", "description", "contact", "ign", "signed-in-only"}

// editRequest changes what the options say, or offers the forms when they say nothing.
func (b *Bot) editRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	changes := map[string]string{}
	for _, name := range editable {
		if in.has(name) {
			changes[name] = in.text(name)
		}
	}
	if len(changes) == 0 {
		return b.redraw(ctx, in, orderView(order.ID), in.say.text(msgEditWhat, fewCoins()))
	}
	return b.edited(ctx, in, order.ID, order.Version, changes)
}

// edited changes an order of the actor's and shows it. What was typed is not lost when it is refused.
func (b *Bot) edited(ctx context.Context, in Input, id core.OrderID, version int, changes map[string]string) (Reply, error) {
	edit, err := orderEdit(in, version, changes)
	if err == nil {
		var order core.Order
		if order, err = b.market.EditOrder(ctx, in.Actor, id, edit); err == nil {
			return b.redraw(ctx, in, orderView(order.ID), in.say.text(msgEdited))
		}
	}
	var refused *core.Error
	if !errors.As(err, &refused) || refused.Kind != core.Invalid && refused.Kind != core.Conflict {
		return Reply{}, err
	}
	if refused.Current != nil && refused.Current.Status != core.Active {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	typed, keepErr := b.keep(ctx, in, draft{Options: changes})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply, drawErr := b.redraw(ctx, in, orderView(id), in.say.refusal(err).text)
	if drawErr != nil {
		return Reply{}, err
	}
	var again []discordgo.MessageComponent
	if touches(changes, 1) {
		again = append(again, button(on("edit", id, 1, typed), discordgo.PrimaryButton, in.say.plain(msgEditAgain)))
	}
	if touches(changes, 2) {
		again = append(again, button(on("edit", id, 2, typed), discordgo.PrimaryButton, in.say.plain(msgDetailsAgain)))
	}
	reply.rows = append([]discordgo.MessageComponent{row(again...)}, reply.rows...)
	return reply, nil
}

// touches tells whether changes belong to a part of the form.
func touches(changes map[string]string, part int) bool {
	first := map[string]bool{"item": true, "quantity": true, "price": true, "description": true}
	for name := range changes {
		if first[name] == (part == 1) {
			return true
		}
	}
	return false
}

// orderEdit reads an edit. An empty level or in-game name, and 0 or "-" as people write it, takes it away.
func orderEdit(in Input, version int, changes map[string]string) (core.OrderEdit, error) {
	in = in.with(changes)
	edit := core.OrderEdit{Version: version}
	word := func(name string) *string {
		if !in.has(name) {
			return nil
		}
		text := in.text(name)
		if text == "-" {
			text = ""
		}
		return &text
	}
	edit.ItemName, edit.Description, edit.InGameName = word("item"), word("description"), word("ign")
	if edit.BuyerContact = word("contact"); edit.BuyerContact != nil && *edit.BuyerContact == "" {
		edit.BuyerContact = &in.Actor.Username
	}
	if in.has("quantity") {
		n := in.quantity()
		edit.Quantity = &n
	}
	if in.has("category") {
		c := core.Category(in.text("category"))
		edit.Category = &c
	}
	if in.has("importance") {
		i := core.Importance(in.text("importance"))
		edit.Importance = &i
	}
	if in.has("level") {
		if text := in.text("level"); text == "" || text == "0" || text == "-" {
			edit.AnyLevel = true
		} else {
			edit.LevelRequirement = in.level("level")
		}
	}
	if in.has("signed-in-only") {
		only := in.yes("signed-in-only")
		edit.SignedInOnly = &only
	}
	if in.has("price") {
		price, err := core.ParseCopper("maxPricePerUnit", in.text("price"))
		if err != nil {
			return edit, err
		}
		edit.MaxPrice = &price
	}
	return edit, nil
}

// editForm opens a form on an order as it is, with what was typed before where that was refused.
func (b *Bot) editForm(ctx context.Context, in Input) (Reply, error) {
	return b.openEditForm(ctx, in, core.OrderID(in.press.number(0)), in.press.number(1), in.press.number(2))
}

// openEditForm opens the form. It carries the version of what it shows.
func (b *Bot) openEditForm(ctx context.Context, in Input, id core.OrderID, part, typed int64) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	if err := in.Actor.Owns(listed.Order); err != nil {
		return Reply{}, err
	}
	values := orderValues(listed.Order)
	if typed > 0 {
		d, err := b.kept(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		maps.Copy(values, d.Options)
	}
	return Reply{form: orderForm(in.say, on("edited", id, listed.Version), part, func(name string) string { return values[name] })}, nil
}

// editSubmitted takes the form in.
func (b *Bot) editSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.edited(ctx, in, core.OrderID(in.press.number(0)), int(in.press.number(1)), in.fields)
}

// orderValues are the fields of an order as one would type them.
func orderValues(o core.Order) map[string]string {
	values := map[string]string{
		"item": o.ItemName, "quantity": strconv.Itoa(o.Quantity), "price": o.MaxPrice.String(), "description": o.Description,
		"category": string(o.Category), "importance": string(o.Importance), "contact": o.BuyerContact, "ign": o.InGameName,
	}
	if o.LevelRequirement != nil {
		values["level"] = fmt.Sprint(*o.LevelRequirement)
	}
	return values
}

// setSignedInOnly turns offers of visitors off or on again.
func (b *Bot) setSignedInOnly(ctx context.Context, in Input, id core.OrderID, only bool) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err == nil {
		_, err = b.market.EditOrder(ctx, in.Actor, id, core.OrderEdit{Version: listed.Version, SignedInOnly: &only})
	}
	if err != nil {
		return b.refusedOn(ctx, in, orderView(id), err)
	}
	return b.redraw(ctx, in, orderView(id), in.say.text(msgEdited))
}
