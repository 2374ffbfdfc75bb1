package bot

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// showRequest shows a request that was named.
func (b requestsBot) showRequest(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	if sharing(in) {
		if !order.Open(b.now()) {
			return Reply{}, core.NewError(core.NotFound, core.NewText("request_not_found", "Order not found"))
		}
		card := b.sharedCard(in.tr, order, b.account(ctx, order.Owner))
		card.shares = &order
		return card, nil
	}
	return b.showOrder(ctx, in, order.ID, "")
}

func sharing(in Input) bool { return in.yes("share") }

// showButton shows the order of a button or select: in place of the message when the custom ID
// asks for that.
func (b requestsBot) showButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, orderView(core.OrderID(in.id.Number(0))), "")
}

// lookButton shows the order of a button, below the list that the button is in.
func (b requestsBot) lookButton(ctx context.Context, in Input) (Reply, error) {
	return b.showOrder(ctx, in, core.OrderID(in.id.Number(0)), "")
}

// openPicked shows the order picked from a list, below the list.
func (b requestsBot) openPicked(ctx context.Context, in Input) (Reply, error) {
	return b.showOrder(ctx, in, core.OrderID(in.picked()), "")
}

// showOrder shows one order with what the reader can do about it.
func (b requestsBot) showOrder(ctx context.Context, in Input, id core.OrderID, note discord.Markdown) (Reply, error) {
	listed, err := b.market.Order(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	owner := in.Actor.MustOwn(listed.Order) == nil
	reply := private(note)
	reply.cards = append(reply.cards, b.card(in.tr, listed.Order, b.account(ctx, listed.Owner), owner))
	if owner {
		reply.rows = b.ownerRows(in.tr, listed)
	} else {
		mine, err := b.market.OpenOfferOn(ctx, in.Actor, id)
		if err != nil {
			return Reply{}, err
		}
		if mine != nil {
			reply.text = joined(reply.text, in.tr.youOffered(*mine))
		}
		reply.cards[0].Fields = append(reply.cards[0].Fields, in.tr.recordField(b.recordLine(ctx, in.tr, listed.Owner))...)
		reply.rows = b.visitorRows(in.tr, listed.Order, mine != nil)
		if in.Actor.MustModerate() == nil {
			reply.rows = append(reply.rows, moderatorRow(in.tr, listed.Order))
		}
	}
	if listed.List != 0 && b.features.Lists {
		reply.rows = append(reply.rows, row(button(discord.NewCustomID("list", listed.List), discordgo.SecondaryButton, in.tr.plain(msg.ListWhole))))
	}
	return reply, nil
}

// sharedCard is a card for everybody in a channel. A user who presses its button is asked for an offer.
func (d *Drawer) sharedCard(t translator, o core.Order, poster core.Account) Reply {
	if o.Hidden {
		return Reply{public: true, cards: []*discord.Card{deletedCard(t, discord.Escape(o.ItemName))}}
	}
	o = o.ForEverybody(d.now())
	return Reply{public: true, cards: []*discord.Card{d.card(t, o, poster, false)}, rows: d.visitorRows(t, o, false)}
}

// visitorRows are what others than the owner can do: make an offer, or change the one that they have open.
func (d *Drawer) visitorRows(t translator, o core.Order, offered bool) []discordgo.MessageComponent {
	label := msg.OfferToFulfill
	if offered {
		label = msg.ChangeOffer
	}
	var buttons []discordgo.MessageComponent
	if o.Open(d.now()) {
		buttons = append(buttons, button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton, t.plain(label)))
	}
	if o.Open(d.now()) && o.Remaining() > 1 {
		buttons = append(buttons, button(discord.NewCustomID("earn", o.ID), discordgo.SecondaryButton, t.plain(msg.EarnButton)))
	}
	buttons = append(buttons, webLink(d.orderURL(o.ID), t.plain(msg.OpenWeb))...)
	buttons = append(buttons, button(reportOn{order: o.ID}.press("report"), discordgo.SecondaryButton, t.plain(msg.Report)))
	return []discordgo.MessageComponent{row(buttons...)}
}

// ownerRows are what an owner can do: what is frequent first, what ends the request last. They are buttons, because Discord says
// nothing when the entry of a select that was chosen before is chosen again, as after a form that was closed.
func (b requestsBot) ownerRows(t translator, o core.ListedOrder) []discordgo.MessageComponent {
	open, expired := o.Status == core.Active, o.Expired(b.now())
	var first, second []discordgo.MessageComponent
	action := func(word string, style discordgo.ButtonStyle, label msg.Key) discordgo.MessageComponent {
		return button(discord.NewCustomID("menu", o.ID, word).At(o.Version), style, t.plain(label))
	}
	if open && !expired {
		first = append(first,
			button(discord.NewCustomID("offers", o.ID, 0), discordgo.PrimaryButton, t.plain(msg.ViewOffers, o.Offers)),
			button(discord.NewCustomID("sell", o.ID).At(o.Version), discordgo.SecondaryButton, t.plain(msg.UpdateSales)))
	}
	if open && expired {
		first = append(first, button(discord.NewCustomID("renew", o.ID).At(o.Version), discordgo.PrimaryButton, t.plain(msg.Renew)))
	}
	if open {
		first = append(first,
			action("edit", discordgo.SecondaryButton, msg.MenuEdit), action("details", discordgo.SecondaryButton, msg.MenuDetails))
	}
	first = append(first, webLink(b.orderURL(o.ID), t.plain(msg.OpenWeb))...)
	second = append(second, action("history", discordgo.SecondaryButton, msg.MenuHistory))
	if open {
		if o.SignedInOnly {
			second = append(second, action("everybody", discordgo.SecondaryButton, msg.MenuEverybody))
		} else {
			second = append(second, action("signed-in-only", discordgo.SecondaryButton, msg.MenuSignedInOnly))
		}
		if !expired {
			style := discordgo.SecondaryButton
			if o.ExpiresAt.Sub(b.now()) < renewSoon {
				style = discordgo.PrimaryButton
			}
			second = append(second, action("renew", style, msg.MenuRenew))
		}
		second = append(second, action("close", discordgo.SecondaryButton, msg.MenuClose))
	}
	second = append(second, action("delete", discordgo.DangerButton, msg.MenuDelete))
	var rows []discordgo.MessageComponent
	if len(first) > 0 {
		rows = append(rows, row(first...))
	}
	rows = append(rows, row(second...))
	if o.Sold > 0 {
		rows = append(rows, row(button(discord.NewCustomID("receipts", o.ID), discordgo.SecondaryButton, t.plain(msg.ViewReceipts))))
	}
	return rows
}

// renewSoon is for how long before the expiry the button to renew is marked, as the page has it then.
const renewSoon = 30 * 24 * time.Hour

// ownerAction is what an owner's button does. Messages of earlier versions have a select instead, with the same words.
func ownerAction(in Input) string {
	if len(in.values) > 0 {
		return in.word()
	}
	return in.id.Word(1)
}

// opensForm reports whether an owner's button opens a form.
func opensForm(in Input) bool { return ownerAction(in) == "edit" || ownerAction(in) == "details" }

// ownerPressed does what an owner's button says.
func (b requestsBot) ownerPressed(ctx context.Context, in Input) (Reply, error) {
	id := core.OrderID(in.id.Number(0))
	switch word := ownerAction(in); word {
	case "edit":
		return b.openEditForm(ctx, in, id, 1, 0)
	case "details":
		return b.openEditForm(ctx, in, id, 2, 0)
	case "signed-in-only", "everybody":
		return b.setSignedInOnly(ctx, in, id, word == "signed-in-only")
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
	return private(in.tr.text(msg.Outdated)), nil
}
