package bot

import (
	"context"
	"maps"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// withPrices completes the price of a request.
func withPrices(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		for _, command := range c.Options {
			if c.Name != "request" || command.Name != "post" && command.Name != "edit" {
				continue
			}
			for _, option := range command.Options {
				if option.Name == "price" {
					suggested(option)
				}
			}
		}
	}
	return tree
}

// priceHelp is what is known of the price of a requested item.
type priceHelp struct {
	prices core.ItemPrices
	odds   core.ItemOdds
}

// helpWithPrice returns what is known of the price of the item that a text names; nil where the text names none or prices are off.
func (b requestsBot) helpWithPrice(ctx context.Context, typed string) (*priceHelp, error) {
	if !b.features.Prices || !b.features.Items || typed == "" {
		return nil, nil
	}
	named, _, err := b.market.NameItem(ctx, typed)
	if err != nil || named == nil {
		return nil, err
	}
	var help priceHelp
	if help.prices, err = b.market.ItemPrices(ctx, named.ID, false); err != nil {
		return nil, err
	}
	help.odds, err = b.market.ItemOdds(ctx, named.ID)
	return &help, err
}

// suggestPrices completes the price of a request. What was typed comes first, so that Enter never puts in another price. After it come
// a higher price at which clearly more requests were filled, and the median.
func (b requestsBot) suggestPrices(ctx context.Context, in Input) ([]*choice, error) {
	item, err := b.itemOfRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	help, err := b.helpWithPrice(ctx, item)
	if err != nil {
		return nil, err
	}
	typed := in.text("price")
	price, unreadable := b.game.ParseCopper("maxPricePerUnit", typed)
	var choices []*choice
	add := func(value string, says ...string) {
		name := strings.Join(append([]string{value}, says...), " · ")
		choices = append(choices, &choice{Name: cut(name, maxChoice), Value: value})
	}
	if help == nil {
		if typed != "" {
			add(cut(typed, maxPriceText))
		}
		return choices, nil
	}
	if unreadable != nil {
		price = 0
	}
	here := help.odds.At(price)
	switch {
	case help.odds.TooLow(price):
		add(cut(typed, maxPriceText), in.tr.plain(msg.OddsLowest, help.odds.Lowest))
	case here != nil:
		add(cut(typed, maxPriceText), oddsInShort(in.tr, *here))
		if better := help.odds.Better(*here); better != nil {
			add(b.game.Format(better.Price), in.tr.plain(msg.OddsMore, better.Price-price, oddsInShort(in.tr, *better)))
		}
	case typed != "":
		add(cut(typed, maxPriceText))
	}
	if window := help.prices.Usual(); window != nil && (typed == "" || window.Price.Median != price) {
		add(b.game.Format(window.Price.Median), in.tr.plain(msg.PriceMedian, window.Days, window.Price.Low, window.Price.High))
	}
	return choices, nil
}

// maxChoice is Discord's limit for the name of a choice, in characters.
const maxChoice = 100

// itemOfRequest returns the item of a command: the one that is typed, else that of the request which the command edits.
func (b requestsBot) itemOfRequest(ctx context.Context, in Input) (string, error) {
	if typed := in.text("item"); typed != "" {
		return b.market.MeantItem(ctx, typed), nil
	}
	id, numbered := reference(in.text("request"))
	if !numbered {
		return "", nil
	}
	order, err := b.market.Order(ctx, in.Actor, core.OrderID(id))
	if core.KindOf(err) == core.NotFound {
		return "", nil
	}
	return order.ItemName, err
}

// oddsInShort says how likely a request is filled: "about 53% within 2 days, 61% within 7 (18 buyers)".
func oddsInShort(t translator, step core.OddsStep) string {
	return t.plain(msg.OddsShort, step.Percent[0], core.OddsDays[0], step.Percent[1], core.OddsDays[1], oddsFrom(t, step))
}

// oddsFrom says whose requests odds come from.
func oddsFrom(t translator, step core.OddsStep) string {
	switch step.Of {
	case core.OddsOfKind:
		return t.plain(msg.OddsFromKind, step.Buyers)
	case core.OddsOfMarket:
		return t.plain(msg.OddsFromMarket)
	default:
		return t.plain(msg.OddsFromItem, step.Buyers)
	}
}

// addPriceHelp adds what the item of a preview was traded for, with a button that puts the median in, and how likely a request at its price
// is filled. A preview without it is as good, so that a failure is only logged.
func (b requestsBot) addPriceHelp(ctx context.Context, in Input, reply *Reply, draft int64, order core.Order) {
	help, err := b.helpWithPrice(ctx, order.ItemName)
	if err != nil {
		b.log.Warn("price of a preview not known", "item", order.ItemName, "error", err)
		return
	}
	if help == nil {
		return
	}
	reply.text = joined(reply.text, tradedFor(in.tr, help.prices))
	if odds := oddsAt(in.tr, help.odds, order.MaxPrice); odds != "" {
		reply.text = joined(reply.text, odds)
	}
	if window := help.prices.Usual(); window != nil && window.Price.Median != order.MaxPrice {
		use := discord.NewCustomID("use-price", draft, int64(window.Price.Median))
		reply.rows = append(reply.rows, row(button(use, discordgo.SecondaryButton, in.tr.plain(msg.UseItem, window.Price.Median))))
	}
}

// tradedFor says what an item was traded for.
func tradedFor(t translator, p core.ItemPrices) discord.Markdown {
	window := p.Usual()
	if window == nil {
		return t.text(msg.NoPrice)
	}
	price := window.Price
	text := t.text(msg.PriceTraded, price.Median, price.Low, price.High, window.Days, t.certainty(*price))
	if p.Young {
		text = joined(text, t.text(msg.YoungMarket))
	}
	return text
}

// oddsAt says in one sentence how likely a request at a price is filled, and at a higher one where that is clearly more. It is empty where
// too little is known.
func oddsAt(t translator, odds core.ItemOdds, price core.Copper) discord.Markdown {
	if odds.TooLow(price) {
		return t.text(msg.OddsLowest, odds.Lowest)
	}
	here := odds.At(price)
	if here == nil {
		return ""
	}
	short := oddsInShort(t, *here)
	if better := odds.Better(*here); better != nil {
		return t.text(msg.OddsHereMore, short, better.Price-price, better.Percent[0], better.Percent[1])
	}
	return t.text(msg.OddsHere, short)
}

// usePrice puts the price of a button into a draft.
func (b requestsBot) usePrice(ctx context.Context, in Input) (Reply, error) {
	d, err := b.begun(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	options := maps.Clone(d.Options)
	options["price"] = b.game.Format(core.Copper(in.id.Number(1)))
	reply, err := b.preview(ctx, in, options)
	reply.redraw = true
	return reply, err
}

// withPriceHint returns the form of a request with what its item was traded for at the field of the price. A form that would wait long
// for it opens without.
func (b requestsBot) withPriceHint(ctx context.Context, in Input, form *discord.Modal, item string) *discord.Modal {
	ctx, cancel := context.WithTimeout(ctx, b.firstAnswer/3)
	defer cancel()
	help, err := b.helpWithPrice(ctx, item)
	if err != nil {
		b.log.Warn("price of a form not known", "item", item, "error", err)
	}
	if err != nil || help == nil {
		return form
	}
	for i := range form.Fields {
		if form.Fields[i].Name != "price" {
			continue
		}
		if window := help.prices.Usual(); window != nil {
			form.Fields[i].Hint = in.tr.plain(msg.HintPriceTraded, window.Price.Median, window.Price.Low, window.Price.High, window.Days)
		}
	}
	return form
}
