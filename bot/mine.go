package bot

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

var ownLists = []core.Which{core.OpenOrders, core.FulfilledOrders, core.ExpiredOrders}

// mine lists the actor's own requests.
func (b *Bot) mine(ctx context.Context, in Input) (Reply, error) {
	return b.ownPage(ctx, in, core.Which(orElse(in.text("status"), string(core.OpenOrders))), 0)
}

func (b *Bot) minePressed(ctx context.Context, in Input) (Reply, error) {
	which := core.OpenOrders
	if n := in.press.number(0); n < int64(len(ownLists)) {
		which = ownLists[n]
	}
	reply, err := b.ownPage(ctx, in, which, int(min(in.press.number(1), maxPages-1)))
	reply.redraw = true
	return reply, err
}

func (b *Bot) ownPage(ctx context.Context, in Input, which core.Which, page int) (Reply, error) {
	counts, err := b.market.Counts(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	orders, total, page, err := b.pageOf(page, func(q core.OrderQuery) (core.OrderPage, error) {
		q.Which = which
		return b.market.OwnOrders(ctx, in.Actor, q)
	})
	if err != nil {
		return Reply{}, err
	}
	title, empty := msgMyRequests, msgNoOwnRequests
	switch which {
	case core.FulfilledOrders:
		title, empty = msgCompletedTab, msgNoCompleted
	case core.ExpiredOrders:
		title, empty = msgExpiredTab, msgNoExpired
	}
	var text safe
	if total == 0 {
		text = in.say.text(empty)
	}
	text, options := in.say.orderLines(text, orders)
	var reply Reply
	reply.embeds = []*discordgo.MessageEmbed{{Title: string(in.say.text(title)), URL: b.mineURL(), Color: colourUsual, Description: string(text)}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(on("open"), in.say.plain(msgPickOrder), options))
	}
	reply.rows = append(reply.rows, row(b.ownTabs(in.say, counts, which)...))
	if total == 0 && which == core.OpenOrders {
		reply.rows = append(reply.rows, row(button(on("compose", 0, 1), discordgo.SuccessButton, in.say.plain(msgPostFirst))))
	}
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	place := slices.Index(ownLists, which)
	if buttons := pager(in.say, page, pages, func(n int) press { return on("mine", place, n) }); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// ownTabs are buttons to the other lists.
func (b *Bot) ownTabs(t tongue, counts core.Counts, chosen core.Which) []discordgo.MessageComponent {
	tabs := make([]discordgo.MessageComponent, len(ownLists))
	for i, which := range ownLists {
		label, n := msgMyRequests, counts.Active
		switch which {
		case core.FulfilledOrders:
			label, n = msgCompletedTab, counts.Fulfilled
		case core.ExpiredOrders:
			label, n = msgExpiredTab, counts.Expired
		}
		style := discordgo.SecondaryButton
		if which == chosen {
			style = discordgo.PrimaryButton
		}
		tabs[i] = button(on("mine", i, 0, "tab"), style, t.plain(msgCategoryCount, t.plain(label), n))
	}
	return tabs
}

func (b *Bot) mineURL() string {
	if b.publicURL == "" {
		return ""
	}
	return b.publicURL + "/mine"
}
