package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// showRequest shows a request that was named.
func (b *Bot) showRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	if sharing(in) {
		if !order.Open(b.now()) {
			return Reply{}, &core.Error{Kind: core.NotFound, Message: "Order not found"}
		}
		return b.sharedCard(in.say, order), nil
	}
	return b.showOrder(ctx, in, order.ID, "")
}

func sharing(in Input) bool { return in.yes("share") }

// showPressed shows the order of a button or select: in place of the message when the press says so.
func (b *Bot) showPressed(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, orderView(core.OrderID(in.press.number(0))), "")
}

// openPicked shows the order picked from a list, below the list.
func (b *Bot) openPicked(ctx context.Context, in Input) (Reply, error) {
	return b.showOrder(ctx, in, core.OrderID(in.picked()), "")
}

// showOrder shows one order with what the reader can do about it.
func (b *Bot) showOrder(ctx context.Context, in Input, id core.OrderID, note safe) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	owner := in.Actor.Owns(listed.Order) == nil
	reply := private(note)
	reply.embeds = append(reply.embeds, b.card(in.say, listed.Order, owner))
	if owner {
		reply.rows = b.ownerRows(in.say, listed)
	} else {
		reply.rows = b.visitorRows(in.say, listed.Order)
		if in.Actor.Moderates() == nil {
			reply.rows = append(reply.rows, b.moderatorRow(in.say, listed.Order))
		}
	}
	return reply, nil
}

// sharedCard is a card for everybody in a channel. Whoever presses its button is asked for an offer of their own.
func (b *Bot) sharedCard(t tongue, o core.Order) Reply {
	return Reply{public: true, embeds: []*discordgo.MessageEmbed{b.card(t, o, false)}, rows: b.visitorRows(t, o)}
}

func (b *Bot) visitorRows(t tongue, o core.Order) []discordgo.MessageComponent {
	var buttons []discordgo.MessageComponent
	if o.Open(b.now()) {
		buttons = append(buttons, button(on("make-offer", o.ID), discordgo.PrimaryButton, t.plain(msgOfferToFulfill)))
	}
	buttons = append(buttons, webLink(b.orderURL(o.ID), t.plain(msgOpenWeb))...)
	buttons = append(buttons, button(reportOn{order: o.ID}.press("report"), discordgo.SecondaryButton, t.plain(msgReport)))
	return []discordgo.MessageComponent{row(buttons...)}
}

// ownerRows are what an owner can do: the frequent things as buttons, all of them in the menu.
func (b *Bot) ownerRows(t tongue, o core.ListedOrder) []discordgo.MessageComponent {
	entry := func(value string, m msg) discordgo.SelectMenuOption {
		return discordgo.SelectMenuOption{Value: value, Label: t.plain(m)}
	}
	var buttons []discordgo.MessageComponent
	var menu []discordgo.SelectMenuOption
	if o.Status == core.Active {
		if !o.Expired(b.now()) {
			buttons = append(buttons,
				button(on("offers", o.ID, 0), discordgo.PrimaryButton, t.plain(msgViewOffers, o.Offers)),
				button(on("sell", o.ID), discordgo.SecondaryButton, t.plain(msgUpdateSales)))
		}
		menu = append(menu, entry("edit", msgMenuEdit), entry("details", msgMenuDetails))
		if o.SignedInOnly {
			menu = append(menu, entry("everybody", msgMenuEverybody))
		} else {
			menu = append(menu, entry("signed-in-only", msgMenuSignedInOnly))
		}
	}
	menu = append(menu, entry("history", msgMenuHistory))
	if o.Status == core.Active {
		if o.Expired(b.now()) {
			buttons = append(buttons, button(on("renew", o.ID), discordgo.PrimaryButton, t.plain(msgRenew)))
		}
		menu = append(menu, entry("renew", msgMenuRenew), entry("close", msgMenuClose))
	}
	menu = append(menu, entry("delete", msgMenuDelete))
	buttons = append(buttons, webLink(b.orderURL(o.ID), t.plain(msgOpenWeb))...)
	var rows []discordgo.MessageComponent
	if len(buttons) > 0 {
		rows = append(rows, row(buttons...))
	}
	return append(rows, choose(on("menu", o.ID), t.plain(msgMenu), menu))
}

// menuPicked does what was picked from an owner's menu.
func (b *Bot) menuPicked(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.press.number(0))
	switch in.word() {
	case "edit":
		return b.openEditForm(ctx, in, id, 1, 0)
	case "details":
		return b.openEditForm(ctx, in, id, 2, 0)
	case "signed-in-only", "everybody":
		return b.setSignedInOnly(ctx, in, id, in.word() == "signed-in-only")
	case "history":
		reply, err := b.history(ctx, in, id)
		reply.redraw = true
		return reply, err
	case "renew":
		return b.renew(ctx, in, id)
	case "close":
		return b.askClose(ctx, in, id)
	case "delete":
		return b.askDelete(ctx, in, id)
	}
	return private(in.say.text(msgOutdated)), nil
}
