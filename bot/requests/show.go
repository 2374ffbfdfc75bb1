package requests

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// ModeratorRow returns the buttons that only a moderator has on a request.
func ModeratorRow(t kernel.Translator, o trade.Order) discordgo.MessageComponent {
	view := kernel.OrderView(o.ID)
	buttons := []discordgo.MessageComponent{
		kernel.Button(discord.NewCustomID("remove-order", o.ID, view), discordgo.DangerButton,
			t.Plain(msg.RemoveOrder)),
		kernel.Button(discord.NewCustomID("block", o.Owner, view), discordgo.DangerButton,
			t.Plain(msg.BlockBuyer)),
		kernel.Button(discord.NewCustomID("vouch", o.Owner, view), discordgo.SecondaryButton,
			t.Plain(msg.VouchForBuyer)),
	}
	if o.LookAlike.Any() {
		buttons = append(buttons, kernel.AllowNames(t, o.ID, 0, view))
	}
	return kernel.Row(buttons...)
}

// showRequest shows a request that was named.
func (b Requests) showRequest(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	if sharing(in) {
		if !o.Open(b.Now()) {
			return kernel.Reply{}, core.NewError(core.NotFound, core.NewText("request_not_found"))
		}
		card := b.SharedCard(in.Tr, o, b.Account(ctx, o.Owner))
		card.Shares = &o
		return card, nil
	}
	return b.showOrder(ctx, in, o.ID, "")
}

func sharing(in kernel.Input) bool { return in.Yes("share") }

// showButton shows the order of a button or select: in place of the message when the custom ID
// asks for that.
func (b Requests) showButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, kernel.OrderView(core.OrderID(in.ID.Number(0))), "")
}

// lookButton shows the order of a button, below the list that the button is in.
func (b Requests) lookButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.showOrder(ctx, in, core.OrderID(in.ID.Number(0)), "")
}

// openPicked shows the order picked from a list, below the list.
func (b Requests) openPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.showOrder(ctx, in, core.OrderID(in.Picked()), "")
}

// showOrder shows one order with what the reader can do about it.
func (b Requests) showOrder(
	ctx context.Context, in kernel.Input, id core.OrderID, note discord.Markdown,
) (kernel.Reply, error) {
	listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	owner := in.Actor.MustBe(listed.Order.Owner) == nil
	reply := kernel.Private(note)
	reply.Cards = append(reply.Cards, b.Card(in.Tr, listed.Order, b.Account(ctx, listed.Owner), owner))
	switch {
	case owner && listed.Status == trade.Active && listed.Listing != 0:
		// It cannot be changed, and only the listing's seller can answer it.
		reply.Text = kernel.Joined(reply.Text, in.Tr.Text(msg.AskWaits, "time",
			kernel.Timestamp(listed.ExpiresAt)))
		reply.Rows = []discordgo.MessageComponent{kernel.Row(kernel.Button(
			discord.NewCustomID("menu", id, "delete").At(listed.Version), discordgo.DangerButton,
			in.Tr.Plain(msg.MenuDelete)))}
	case owner:
		reply.Rows = b.ownerRows(in.Tr, listed)
	default:
		mine, err := b.Market.Trade.OpenOfferOn(ctx, in.Actor, id)
		if err != nil {
			return kernel.Reply{}, err
		}
		if mine != nil {
			reply.Text = kernel.Joined(reply.Text, in.Tr.YouOffered(*mine))
		}
		reply.Cards[0].Fields = append(reply.Cards[0].Fields,
			in.Tr.RecordField(b.RecordLine(ctx, in.Tr, listed.Owner))...)
		reply.Rows = b.VisitorRows(in.Tr, listed.Order, mine != nil)
		if in.Actor.MustModerate() == nil {
			reply.Rows = append(reply.Rows, ModeratorRow(in.Tr, b.Market.MarkLookAlikes(listed.Order)))
		}
	}
	if listed.List != 0 && b.Features.Lists {
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("list", listed.List),
			discordgo.SecondaryButton, in.Tr.Plain(msg.ListWhole))))
	}
	return reply, nil
}

// ownerRows returns the owner's actions: frequent ones first, the ones that end the request last. They are
// buttons, because Discord sends nothing when a user chooses the same entry of a select again, as after a
// form that was closed.
func (b Requests) ownerRows(t kernel.Translator, o trade.ListedOrder) []discordgo.MessageComponent {
	open, expired := o.Status == trade.Active, o.Expired(b.Now())
	var first, second []discordgo.MessageComponent
	action := func(word string, style discordgo.ButtonStyle, label msg.Key) discordgo.MessageComponent {
		return kernel.Button(discord.NewCustomID("menu", o.ID, word).At(o.Version), style, t.Plain(label))
	}
	if open && !expired {
		first = append(first,
			kernel.Button(discord.NewCustomID("offers", o.ID, 0), discordgo.PrimaryButton,
				t.Plain(msg.ViewOffers, "count", o.Offers)),
			kernel.Button(discord.NewCustomID("sell", o.ID).At(o.Version), discordgo.SecondaryButton,
				t.Plain(msg.UpdateSales)))
	}
	if open && expired {
		first = append(first, kernel.Button(discord.NewCustomID("renew", o.ID).At(o.Version),
			discordgo.PrimaryButton, t.Plain(msg.Renew)))
	}
	if open {
		first = append(first,
			action("edit", discordgo.SecondaryButton, msg.MenuEdit),
			action("details", discordgo.SecondaryButton, msg.MenuDetails))
	}
	first = append(first, kernel.WebLink(b.OrderURL(o.ID), t.Plain(msg.OpenWeb))...)
	second = append(second, action("history", discordgo.SecondaryButton, msg.MenuHistory))
	if open {
		if o.SignedInOnly {
			second = append(second, action("everybody", discordgo.SecondaryButton, msg.MenuEverybody))
		} else {
			second = append(second, action("signed-in-only", discordgo.SecondaryButton, msg.MenuSignedInOnly))
		}
		if !expired {
			style := discordgo.SecondaryButton
			if o.ExpiresAt.Sub(b.Now()) < renewSoon {
				style = discordgo.PrimaryButton
			}
			second = append(second, action("renew", style, msg.MenuRenew))
		}
		second = append(second, action("close", discordgo.SecondaryButton, msg.MenuClose))
	}
	second = append(second, action("delete", discordgo.DangerButton, msg.MenuDelete))
	var rows []discordgo.MessageComponent
	if len(first) > 0 {
		rows = append(rows, kernel.Row(first...))
	}
	rows = append(rows, kernel.Row(second...))
	var third []discordgo.MessageComponent
	if open && !expired && b.Features.Records {
		third = append(third,
			kernel.Button(discord.NewCustomID("standing", o.ID), discordgo.SecondaryButton,
				t.Plain(msg.StandingButton)),
			kernel.Button(discord.NewCustomID("least", o.ID), discordgo.SecondaryButton,
				t.Plain(msg.LeastButton)))
	}
	if open && !expired && b.Features.Tokens {
		if o.NoPrograms {
			third = append(third, action("programs", discordgo.SecondaryButton, msg.MenuPrograms))
		} else {
			third = append(third, action("no-programs", discordgo.SecondaryButton, msg.MenuNoPrograms))
		}
	}
	if o.Sold > 0 {
		third = append(third, kernel.Button(discord.NewCustomID("receipts", o.ID),
			discordgo.SecondaryButton, t.Plain(msg.ViewReceipts)))
	}
	if len(third) > 0 {
		rows = append(rows, kernel.Row(third...))
	}
	return rows
}

// renewSoon is for how long before the expiry the button to renew is marked, as the page has it then.
const renewSoon = 30 * 24 * time.Hour

// ownerAction returns the action of an owner's button. Messages of earlier versions have a select instead,
// with the same words.
func ownerAction(in kernel.Input) string {
	if len(in.Values) > 0 {
		return in.Word()
	}
	return in.ID.Word(1)
}

// opensForm reports whether an owner's button opens a form.
func opensForm(in kernel.Input) bool {
	return ownerAction(in) == "edit" || ownerAction(in) == "details"
}

// ownerPressed does what an owner's button says.
func (b Requests) ownerPressed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	switch word := ownerAction(in); word {
	case "edit":
		return b.openEditForm(ctx, in, id, 1, 0)
	case "details":
		return b.openEditForm(ctx, in, id, 2, 0)
	case "signed-in-only", "everybody":
		return b.switchTerm(ctx, in, id, trade.OrderEdit{SignedInOnly: new(word == "signed-in-only")})
	case "no-programs", "programs":
		return b.switchTerm(ctx, in, id, trade.OrderEdit{NoPrograms: new(word == "no-programs")})
	case "history":
		reply, err := sales(b).history(ctx, in, id)
		reply.Redraw = true
		return reply, err
	case "renew":
		return b.renew(ctx, in, id)
	case "close":
		return b.askClose(ctx, in, id)
	case "delete":
		return b.askDelete(ctx, in, id)
	}
	return kernel.Private(in.Tr.Text(msg.Outdated)), nil
}
