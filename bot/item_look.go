package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// itemOrdersShown is how many open requests a message about an item lists.
const itemOrdersShown = 5

// lookAtItem shows an item that was named.
func (b itemsBot) lookAtItem(ctx context.Context, in Input) (Reply, error) {
	item, ask, err := b.namedItem(ctx, in, in.text("item"))
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.showItem(ctx, in, item)
}

// showItem shows what is known of an item, and who asks for it now.
func (b itemsBot) showItem(ctx context.Context, in Input, item core.Item) (Reply, error) {
	page, err := b.market.BrowseOrders(ctx, core.OrderQuery{
		OrderFilter: core.OrderFilter{ItemID: item.ID}, Sort: core.HighestPay, Limit: itemOrdersShown,
	})
	if err != nil {
		return Reply{}, err
	}
	offered, err := b.offeredOn(ctx, in)
	if err != nil {
		return Reply{}, err
	}
	showing := in.tr.text(msg.NoRequests)
	if page.Total > 0 {
		showing = in.tr.text(msg.OpenRequests, page.Total)
	}
	facts := itemFacts(in.tr, item)
	if b.features.Prices {
		prices, err := b.market.ItemPrices(ctx, item.ID, false)
		if err != nil {
			return Reply{}, err
		}
		facts = joined(facts, itemWorth(in.tr, prices))
	}
	text := joined(facts, "\n"+showing)
	items, options := b.orderItems(in, page.Orders, offered)
	card := &discord.Card{
		Title: string(discord.Escape(item.Name)), URL: b.itemURL(item.ID), Color: colourUsual, Description: string(text), Items: items,
	}
	if address := b.itemURL(item.ID); address != "" {
		card.Picture = fmt.Sprintf("%s/card.png?v=%s", address, b.now().UTC().Format("2006010215"))
	}
	reply := Reply{cards: []*discord.Card{card}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("open"), in.tr.plain(msg.PickOrder), options))
	}
	ask := button(discord.NewCustomID("request-item", int64(item.ID)), discordgo.PrimaryButton, in.tr.plain(msg.RequestItem))
	reply.rows = append(reply.rows, row(append([]discordgo.MessageComponent{ask}, webLink(b.itemURL(item.ID), in.tr.plain(msg.OpenWeb))...)...))
	return reply, nil
}

// itemFacts says what an item is, who makes it and who uses it.
func itemFacts(t translator, i core.Item) discord.Markdown {
	var text discord.Markdown
	by := func(key msg.Key, professions []core.Category, level *int) {
		if len(professions) == 0 {
			return
		}
		names := make([]string, len(professions))
		for at, c := range professions {
			names[at] = t.category(c)
		}
		who := discord.Escape(strings.Join(names, ", "))
		if level != nil && *level > 0 {
			who += " · " + t.text(msg.LevelFrom, *level)
		}
		text = joined(text, t.text(key)+" "+who)
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
		text = joined(text, t.text(msg.ItemGone))
	case i.State == core.ItemProvisional:
		text = joined(text, t.text(msg.ItemProvisional))
	case i.Tradeable != nil && !*i.Tradeable:
		text = joined(text, t.text(msg.ItemNotTradeable))
	}
	return text
}

// itemWorth says what an item was traded for, by days, and apart from that what is asked for it now.
func itemWorth(t translator, p core.ItemPrices) discord.Markdown {
	var text discord.Markdown
	for _, w := range p.Windows {
		if w.Price != nil {
			text = joined(text, t.text(msg.ItemPrice, w.Days, t.coins(w.Price.Median), t.coins(w.Price.Low), t.coins(w.Price.High), t.certainty(*w.Price)))
		}
	}
	if text == "" {
		text = t.text(msg.NoPrice)
	} else if p.Young {
		text = joined(text, t.text(msg.YoungMarket))
	}
	if p.Asked.Buyers > 0 {
		text = joined(text, t.text(msg.ItemAsked, t.coins(p.Asked.Median)))
	}
	return text
}

// certainty says how many trades a price is made of, and how sure its median is.
func (t translator) certainty(p core.Price) discord.Markdown {
	counted := t.text(msg.TradeCount, p.Fills)
	if p.MedianTo == 0 {
		return t.text(msg.MedianUnsure, counted)
	}
	return t.text(msg.MedianSure, counted, p.MedianFrom, p.MedianTo)
}

// requestItem opens the form of a new request with an item filled in.
func (b requestsBot) requestItem(ctx context.Context, in Input) (Reply, error) {
	item, err := b.market.Item(ctx, core.ItemID(in.id.Number(0)))
	if err != nil {
		return Reply{}, err
	}
	options := map[string]string{"item": item.Name}
	id, err := b.keep(ctx, in, draft{Options: options})
	if err != nil {
		return Reply{}, err
	}
	filled, err := b.withCategory(ctx, options)
	if err != nil {
		return Reply{}, err
	}
	form := newOrderForm(in.tr, discord.NewCustomID("composed", id), 1, func(name string) string { return filled[name] })
	return Reply{form: b.withPriceHint(ctx, in, form, item.Name)}, nil
}
