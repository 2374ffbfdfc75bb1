package items

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// itemOrdersShown limits the open requests that a message about an item lists.
const itemOrdersShown = 5

// lookAtItem shows an item that was named.
func (b Items) lookAtItem(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	item, ask, err := b.namedItem(ctx, in, in.Text("item"))
	if err != nil || ask != nil {
		return kernel.OrAsk(ask), err
	}
	return b.showItem(ctx, in, item)
}

// showItem shows the known facts about an item, and the open requests for it.
func (b Items) showItem(ctx context.Context, in kernel.Input, item items.Item) (kernel.Reply, error) {
	page, err := b.Market.Match.BrowseOrders(ctx, match.OrderQuery{
		OrderFilter: match.OrderFilter{ItemID: item.ID}, Sort: match.HighestPay, Limit: itemOrdersShown,
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	offered, err := b.OfferedOn(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	showing := in.Tr.Text(msg.NoRequests)
	if page.Total > 0 {
		showing = in.Tr.Text(msg.OpenRequests, "count", page.Total)
	}
	facts := itemFacts(in.Tr, item)
	if b.Features.Prices {
		prices, err := b.Market.Items.Prices(ctx, item.ID, false)
		if err != nil {
			return kernel.Reply{}, err
		}
		facts = kernel.Joined(facts, itemWorth(in.Tr, prices))
	}
	text := kernel.Joined(facts, "\n"+showing)
	items, options := b.OrderItems(in, page.Orders, offered)
	card := &discord.Card{
		Title: string(discord.Escape(item.Name)), URL: b.ItemURL(item.ID), Color: kernel.ColourUsual,
		Description: string(text), Items: items,
	}
	if address := b.ItemURL(item.ID); address != "" {
		card.Picture = fmt.Sprintf("%s/card.png?v=%s", address, b.Now().UTC().Format("2006010215"))
	}
	reply := kernel.Reply{Cards: []*discord.Card{card}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), in.Tr.Plain(msg.PickOrder),
			options))
	}
	ask := kernel.Button(discord.NewCustomID("request-item", int64(item.ID)), discordgo.PrimaryButton,
		in.Tr.Plain(msg.RequestItem))
	buttons := []discordgo.MessageComponent{ask}
	if b.Features.Listings && b.Features.Watches {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("price-alert", int64(item.ID)),
			discordgo.SecondaryButton, in.Tr.Plain(msg.PriceAlertButton)))
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(buttons,
		kernel.WebLink(b.ItemURL(item.ID), in.Tr.Plain(msg.OpenWeb))...)...))
	return reply, nil
}

// itemFacts describes an item, its makers and its users.
func itemFacts(t kernel.Translator, i items.Item) discord.Markdown {
	var text discord.Markdown
	by := func(key msg.Key, professions []game.Category, level *int) {
		if len(professions) == 0 {
			return
		}
		names := make([]string, len(professions))
		for at, c := range professions {
			names[at] = t.Category(c)
		}
		who := discord.Escape(strings.Join(names, ", "))
		if level != nil && *level > 0 {
			who += " · " + t.Text(msg.LevelFrom, "level", *level)
		}
		text = kernel.Joined(text, t.Text(key)+" "+who)
	}
	var what []string
	if i.Kind != "" && i.Kind != i.Name {
		what = append(what, i.Kind)
	}
	if i.Region != "" {
		what = append(what, i.Region)
	}
	text = discord.Escape(strings.Join(what, " · "))
	by(msg.ItemMaker, i.MadeBy, i.MadeAt)
	by(msg.ItemUser, i.UsedBy, i.UsedAt)
	switch {
	case i.Gone():
		text = kernel.Joined(text, t.Text(msg.ItemGone))
	case i.State == items.Provisional:
		text = kernel.Joined(text, t.Text(msg.ItemProvisional))
	case i.Tradeable != nil && !*i.Tradeable:
		text = kernel.Joined(text, t.Text(msg.ItemNotTradeable))
	}
	return text
}

// itemWorth lists an item's prices in trades, by days, and separately its current asking price.
func itemWorth(t kernel.Translator, p items.Prices) discord.Markdown {
	var text discord.Markdown
	for _, w := range p.Windows {
		if w.Price != nil {
			text = kernel.Joined(text, t.Text(msg.ItemPrice, "days", w.Days, "price", t.Coins(w.Price.Median),
				"low", t.Coins(w.Price.Low), "high", t.Coins(w.Price.High),
				"certainty", t.Certainty(*w.Price)))
		}
	}
	if text == "" {
		text = t.Text(msg.NoPrice)
	} else if p.Young {
		text = kernel.Joined(text, t.Text(msg.YoungMarket))
	} else if longest := p.Windows[len(p.Windows)-1].Price; longest != nil {
		text = kernel.Joined(text, t.Text(msg.PriceCircles, "count", longest.Circles))
	}
	if p.OnTheirWay > 0 {
		text = kernel.Joined(text, t.Text(msg.TradesOnTheirWay, "count", p.OnTheirWay))
	}
	if p.Asked.Buyers > 0 {
		text = kernel.Joined(text, t.Text(msg.ItemAsked, "price", t.Coins(p.Asked.Median)))
	}
	return text
}
