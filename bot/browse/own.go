package browse

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/market"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// ownLists are the lists of one's own requests. Buttons name them by their place here.
var ownLists = match.OrderLists

// mine lists the actor's own requests.
func (b Browse) mine(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.ownPage(ctx, in, match.OrderList(kernel.OrElse(in.Text("status"), string(match.OpenOrders))), 0)
}

func (b Browse) mineButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	which := match.OpenOrders
	if n := in.ID.Number(0); n < int64(len(ownLists)) {
		which = ownLists[n]
	}
	reply, err := b.ownPage(ctx, in, which, int(min(in.ID.Number(1), maxPages-1)))
	reply.Redraw = true
	return reply, err
}

func (b Browse) ownPage(
	ctx context.Context, in kernel.Input, which match.OrderList, page int,
) (kernel.Reply, error) {
	counts, err := b.Market.Counts(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	orders, total, page, err := b.pageOf(page, func(q match.OrderQuery) (match.OrderPage, error) {
		q.List = which
		return b.Market.Match.OwnOrders(ctx, in.Actor, q)
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	var title, empty, hint msg.Key
	switch which {
	case match.OpenOrders:
		title, empty, hint = msg.MyRequests, msg.NoOwnRequests, msg.NoOwnRequestsHint
	case match.FulfilledOrders:
		title, empty, hint = msg.CompletedTab, msg.NoCompleted, msg.NoCompletedHint
	case match.ExpiredOrders:
		title, empty, hint = msg.ExpiredTab, msg.NoExpired, msg.NoExpiredHint
	case match.ArchivedOrders:
		title, empty, hint = msg.ArchiveTab, msg.NoArchived, msg.NoArchivedHint
	}
	var text discord.Markdown
	if total == 0 {
		text = kernel.Joined(in.Tr.Text(empty), in.Tr.Text(hint))
	}
	items, options := b.OrderItems(in, orders, nil)
	var reply kernel.Reply
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(title)), URL: b.MineURL(),
		Color: kernel.ColourUsual, Description: string(text), Items: items}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), in.Tr.Plain(msg.PickOrder),
			options))
	}
	reply.Rows = append(reply.Rows, kernel.Row(b.ownTabs(in.Tr, counts, which)...))
	if total == 0 && which == match.OpenOrders {
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("compose", 0, 1),
			discordgo.SuccessButton, in.Tr.Plain(msg.PostFirst))))
	}
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	place := slices.Index(ownLists, which)
	buttons := kernel.Pager(in.Tr, page, pages,
		func(n int) discord.CustomID { return discord.NewCustomID("mine", place, n) })
	if b.Features.Lists && which == match.OpenOrders {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("several", 0), discordgo.SecondaryButton,
			in.Tr.Plain(msg.SeveralButton)))
	}
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

// ownTabs are buttons to the other lists.
func (b Browse) ownTabs(
	t kernel.Translator, counts market.Counts, chosen match.OrderList,
) []discordgo.MessageComponent {
	var tabs []discordgo.MessageComponent
	for i, which := range ownLists {
		var (
			label msg.Key
			n     int
		)
		switch which {
		case match.OpenOrders:
			label, n = msg.MyRequests, counts.Active
		case match.FulfilledOrders:
			label, n = msg.CompletedTab, counts.Fulfilled
		case match.ExpiredOrders:
			label, n = msg.ExpiredTab, counts.Expired
		case match.ArchivedOrders:
			if label, n = msg.ArchiveTab, counts.Archived; n == 0 && which != chosen {
				continue
			}
		}
		style := discordgo.SecondaryButton
		if which == chosen {
			style = discordgo.PrimaryButton
		}
		tabs = append(tabs, kernel.Button(discord.NewCustomID("mine", i, 0, "tab"), style,
			t.Plain(msg.CategoryCount, "category", t.Plain(label), "count", n)))
	}
	return tabs
}
