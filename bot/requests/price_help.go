package requests

import (
	"context"
	"maps"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/items"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// priceHelp has the known prices of a requested item, and the odds that a request is filled.
type priceHelp struct {
	prices items.Prices
	odds   items.Odds
}

// helpWithPrice returns the known prices of the item that a text names; nil where the text names none or
// prices are off.
func (b Requests) helpWithPrice(ctx context.Context, typed string) (*priceHelp, error) {
	if !b.Features.Prices || !b.Features.Items || typed == "" {
		return nil, nil
	}
	named, _, err := b.Market.Items.NameItem(ctx, typed)
	if err != nil || named == nil {
		return nil, err
	}
	var help priceHelp
	if help.prices, err = b.Market.Items.Prices(ctx, named.ID, false); err != nil {
		return nil, err
	}
	help.odds, err = b.Market.Items.Odds(ctx, named.ID)
	return &help, err
}

// suggestPrices completes the price of a request. The typed price comes first, so that Enter never puts in
// another price. After it come a higher price at which clearly more requests were filled, and the median.
func (b Requests) suggestPrices(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	item, err := b.itemOfRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	help, err := b.helpWithPrice(ctx, item)
	if err != nil {
		return nil, err
	}
	typed := in.Text("price")
	price, unreadable := b.Game.ParseCopper("maxPricePerUnit", typed)
	var choices []*kernel.Choice
	add := func(value string, says ...string) {
		name := strings.Join(append([]string{value}, says...), " · ")
		choices = append(choices, &kernel.Choice{Name: kernel.Cut(name, maxChoice), Value: value})
	}
	if help == nil {
		if typed != "" {
			add(kernel.Cut(typed, commands.MaxPriceText))
		}
		return choices, nil
	}
	if unreadable != nil {
		price = 0
	}
	here := help.odds.At(price)
	switch {
	case help.odds.TooLow(price):
		add(kernel.Cut(typed, commands.MaxPriceText), in.Tr.Plain(msg.OddsLowest, "price", help.odds.Lowest))
	case here != nil:
		add(kernel.Cut(typed, commands.MaxPriceText), oddsInShort(in.Tr, *here))
		if better := help.odds.Better(*here); better != nil {
			add(b.Game.Format(better.Price),
				in.Tr.Plain(msg.OddsMore, "more", better.Price-price, "odds", oddsInShort(in.Tr, *better)))
		}
	case typed != "":
		add(kernel.Cut(typed, commands.MaxPriceText))
	}
	if window := help.prices.Usual(); window != nil && (typed == "" || window.Price.Median != price) {
		add(b.Game.Format(window.Price.Median),
			in.Tr.Plain(msg.PriceMedian, "days", window.Days, "low", window.Price.Low,
				"high", window.Price.High))
	}
	return choices, nil
}

// maxChoice is Discord's limit for the name of a choice, in characters.
const maxChoice = 100

// itemOfRequest returns the item of a command: the typed one, otherwise the item of the request that the
// command edits.
func (b Requests) itemOfRequest(ctx context.Context, in kernel.Input) (string, error) {
	if typed := in.Text("item"); typed != "" {
		return b.Market.Items.MeantName(ctx, typed), nil
	}
	id, numbered := kernel.Reference(in.Text("request"))
	if !numbered {
		return "", nil
	}
	order, err := b.Market.Trade.Order(ctx, in.Actor, core.OrderID(id))
	if core.KindOf(err) == core.NotFound {
		return "", nil
	}
	return order.ItemName, err
}

// oddsInShort returns the odds that a request is filled: "about 53% within 2 days, 61% within 7 (18 buyers)".
func oddsInShort(t kernel.Translator, step items.OddsStep) string {
	return t.Plain(msg.OddsShort, "firstPercent", step.Percent[0], "firstDays", items.OddsDays[0],
		"secondPercent", step.Percent[1], "secondDays", items.OddsDays[1],
		"source", oddsFrom(t, step))
}

// oddsFrom names the requests that odds are computed from.
func oddsFrom(t kernel.Translator, step items.OddsStep) string {
	switch step.Of {
	case items.OddsOfKind:
		return t.Plain(msg.OddsFromKind, "count", step.Buyers)
	case items.OddsOfMarket:
		return t.Plain(msg.OddsFromMarket)
	default:
		return t.Plain(msg.OddsFromItem, "count", step.Buyers)
	}
}

// addPriceHelp adds the prices of the previewed item in trades, with a button that puts the median in, and
// the odds that a request at its price is filled. A preview without it is as good, so that a failure is only
// logged.
func (b Requests) addPriceHelp(
	ctx context.Context, in kernel.Input, reply *kernel.Reply, draft int64, order trade.Order,
) {
	help, err := b.helpWithPrice(ctx, order.ItemName)
	if err != nil {
		b.Log.Warn("price of a preview not known", "item", order.ItemName, "error", err)
		return
	}
	if help == nil {
		return
	}
	reply.Text = kernel.Joined(reply.Text, tradedFor(in.Tr, help.prices))
	if odds := oddsAt(in.Tr, help.odds, order.MaxPrice); odds != "" {
		reply.Text = kernel.Joined(reply.Text, odds)
	}
	if window := help.prices.Usual(); window != nil && window.Price.Median != order.MaxPrice {
		use := discord.NewCustomID("use-price", draft, int64(window.Price.Median))
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(use, discordgo.SecondaryButton,
			in.Tr.Plain(msg.UseItem, "value", window.Price.Median))))
	}
}

// tradedFor returns an item's price in trades.
func tradedFor(t kernel.Translator, p items.Prices) discord.Markdown {
	window := p.Usual()
	if window == nil {
		return t.Text(msg.NoPrice)
	}
	price := window.Price
	text := t.Text(msg.PriceTraded, "price", price.Median, "low", price.Low, "high", price.High,
		"days", window.Days, "certainty", t.Certainty(*price))
	if p.Young {
		text = kernel.Joined(text, t.Text(msg.YoungMarket))
	}
	return text
}

// oddsAt says in one sentence how likely a request at a price is filled, and at a higher one where that is
// clearly more. It is empty where too little is known.
func oddsAt(t kernel.Translator, odds items.Odds, price core.Copper) discord.Markdown {
	if odds.TooLow(price) {
		return t.Text(msg.OddsLowest, "price", odds.Lowest)
	}
	here := odds.At(price)
	if here == nil {
		return ""
	}
	short := oddsInShort(t, *here)
	if better := odds.Better(*here); better != nil {
		return t.Text(msg.OddsHereMore, "odds", short, "more", better.Price-price,
			"firstPercent", better.Percent[0], "secondPercent", better.Percent[1])
	}
	return t.Text(msg.OddsHere, "odds", short)
}

// usePrice puts the price of a button into a draft.
func (b Requests) usePrice(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.Begun(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	options := maps.Clone(d.Options)
	options["price"] = b.Game.Format(core.Copper(in.ID.Number(1)))
	reply, err := b.preview(ctx, in, options)
	reply.Redraw = true
	return reply, err
}

// withPriceHint returns the form of a request with what its item was traded for at the field of the price.
// A form that would wait long for it opens without.
func (b Requests) withPriceHint(
	ctx context.Context, in kernel.Input, form *discord.Modal, item string,
) *discord.Modal {
	ctx, cancel := context.WithTimeout(ctx, b.FirstAnswer/3)
	defer cancel()
	help, err := b.helpWithPrice(ctx, item)
	if err != nil {
		b.Log.Warn("price of a form not known", "item", item, "error", err)
	}
	if err != nil || help == nil {
		return form
	}
	for i := range form.Fields {
		if form.Fields[i].Name != "price" {
			continue
		}
		if window := help.prices.Usual(); window != nil {
			form.Fields[i].Hint = in.Tr.Plain(msg.HintPriceTraded, "price", window.Price.Median,
				"low", window.Price.Low, "high", window.Price.High, "days", window.Days)
		}
	}
	return form
}
