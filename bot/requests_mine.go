package bot

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// ownLists are the lists of one's own requests. Buttons name them by their place here.
var ownLists = core.OrderLists

// mine lists the actor's own requests.
func (b browseBot) mine(ctx context.Context, in Input) (Reply, error) {
	return b.ownPage(ctx, in, core.OrderList(orElse(in.text("status"), string(core.OpenOrders))), 0)
}

func (b browseBot) mineButton(ctx context.Context, in Input) (Reply, error) {
	which := core.OpenOrders
	if n := in.id.Number(0); n < int64(len(ownLists)) {
		which = ownLists[n]
	}
	reply, err := b.ownPage(ctx, in, which, int(min(in.id.Number(1), maxPages-1)))
	reply.redraw = true
	return reply, err
}

func (b browseBot) ownPage(ctx context.Context, in Input, which core.OrderList, page int) (Reply, error) {
	counts, err := b.market.Counts(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	orders, total, page, err := b.pageOf(page, func(q core.OrderQuery) (core.OrderPage, error) {
		q.List = which
		return b.market.OwnOrders(ctx, in.Actor, q)
	})
	if err != nil {
		return Reply{}, err
	}
	var title, empty, hint msg.Key
	switch which {
	case core.OpenOrders:
		title, empty, hint = msg.MyRequests, msg.NoOwnRequests, msg.NoOwnRequestsHint
	case core.FulfilledOrders:
		title, empty, hint = msg.CompletedTab, msg.NoCompleted, msg.NoCompletedHint
	case core.ExpiredOrders:
		title, empty, hint = msg.ExpiredTab, msg.NoExpired, msg.NoExpiredHint
	case core.ArchivedOrders:
		title, empty, hint = msg.ArchiveTab, msg.NoArchived, msg.NoArchivedHint
	}
	var text discord.Markdown
	if total == 0 {
		text = joined(in.tr.text(empty), in.tr.text(hint))
	}
	items, options := b.orderItems(in, orders, nil)
	var reply Reply
	reply.cards = []*discord.Card{{Title: string(in.tr.text(title)), URL: b.mineURL(), Color: colourUsual, Description: string(text), Items: items}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("open"), in.tr.plain(msg.PickOrder), options))
	}
	reply.rows = append(reply.rows, row(b.ownTabs(in.tr, counts, which)...))
	if total == 0 && which == core.OpenOrders {
		reply.rows = append(reply.rows, row(button(discord.NewCustomID("compose", 0, 1), discordgo.SuccessButton, in.tr.plain(msg.PostFirst))))
	}
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	place := slices.Index(ownLists, which)
	if buttons := pager(in.tr, page, pages, func(n int) discord.CustomID { return discord.NewCustomID("mine", place, n) }); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// ownTabs are buttons to the other lists.
func (b browseBot) ownTabs(t translator, counts core.Counts, chosen core.OrderList) []discordgo.MessageComponent {
	var tabs []discordgo.MessageComponent
	for i, which := range ownLists {
		var (
			label msg.Key
			n     int
		)
		switch which {
		case core.OpenOrders:
			label, n = msg.MyRequests, counts.Active
		case core.FulfilledOrders:
			label, n = msg.CompletedTab, counts.Fulfilled
		case core.ExpiredOrders:
			label, n = msg.ExpiredTab, counts.Expired
		case core.ArchivedOrders:
			if label, n = msg.ArchiveTab, counts.Archived; n == 0 && which != chosen {
				continue
			}
		}
		style := discordgo.SecondaryButton
		if which == chosen {
			style = discordgo.PrimaryButton
		}
		tabs = append(tabs, button(discord.NewCustomID("mine", i, 0, "tab"), style, t.plain(msg.CategoryCount, t.plain(label), n)))
	}
	return tabs
}

func (d *Drawer) mineURL() string { return d.pageURL("/mine") }

// pageURL is the address of a page of the site; empty without a site.
func (d *Drawer) pageURL(path string) string {
	if d.publicURL == "" {
		return ""
	}
	return d.publicURL + path
}
