package kernel

import (
	"context"
	"maps"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/items"
	msg "tradepost/core/text"
)

// NothingToFill explains why a user finds nothing to fill, with a hint about the next step. narrowed is the
// text for lists with further filters; it is empty for others.
func (d *Drawer) NothingToFill(
	ctx context.Context, in Input, narrowed discord.Markdown,
) (discord.Markdown, error) {
	stock, err := d.Market.Match.Stock(ctx, in.Actor)
	if err != nil {
		return "", err
	}
	skills, err := d.Market.People.Skills(ctx, in.Actor)
	switch {
	case err != nil:
		return "", err
	case len(stock)+len(skills) == 0:
		return in.Tr.Text(msg.FillUnset), nil
	case narrowed != "":
		return narrowed, nil
	}
	return in.Tr.Text(msg.FillNone), nil
}

// Certainty returns the number of trades behind a price and the certainty of its median.
func (t Translator) Certainty(p items.Price) discord.Markdown {
	counted := t.Text(msg.TradeCount, "count", p.Fills)
	if p.MedianTo == 0 {
		return t.Text(msg.MedianUnsure, "trades", counted)
	}
	return t.Text(msg.MedianSure, "trades", counted, "low", p.MedianFrom, "high", p.MedianTo)
}

// ItemChoices returns items as choices, each with its profession and level.
func (t Translator) ItemChoices(items []items.Item) []*Choice {
	choices := make([]*Choice, len(items))
	for i, item := range items {
		choices[i] = &Choice{Name: Cut(item.LabelIn(t.Category), core.MaxItemName), Value: item.Name}
	}
	return choices
}

// inEnglish returns the label of an item with its profession as core knows it, and any other text as it is.
func (k *Kernel) inEnglish(label string) string {
	at := strings.LastIndex(label, " · ")
	if at < 0 {
		return label
	}
	name, rest := label[:at+len(" · ")], label[at+len(" · "):]
	for _, l := range k.Languages {
		for category, own := range l.Categories {
			if rest == own || strings.HasPrefix(rest, own+" ") {
				return name + category + rest[len(own):]
			}
		}
	}
	return label
}

// SuggestItems completes the name of an item: from the catalogue, else from names asked for before.
func (k *Kernel) SuggestItems(ctx context.Context, in Input) ([]*Choice, error) {
	typed := in.Text(in.Focused)
	items, err := k.Market.Items.Complete(ctx, typed)
	if err != nil {
		return nil, err
	}
	if len(items) > 0 {
		return in.Tr.ItemChoices(items), nil
	}
	names, err := k.Market.Match.ItemNames(ctx, in.Actor, typed, discord.MaxOptions)
	if err != nil {
		return nil, err
	}
	choices := make([]*Choice, len(names))
	for i, name := range names {
		choices[i] = &Choice{Name: name, Value: name}
	}
	return choices, nil
}

// WithItemMeant returns options in which the label of an item is its name: some clients send what they show
// of a choice.
func (k *Kernel) WithItemMeant(ctx context.Context, options map[string]string) map[string]string {
	typed := options["item"]
	name := k.Market.Items.MeantName(ctx, k.inEnglish(typed))
	if name == k.inEnglish(typed) {
		name = typed
	}
	if name == typed {
		return options
	}
	options = maps.Clone(options)
	options["item"] = name
	return options
}

// StockNameShown limits the characters of a name in a line.
const StockNameShown = 60

// StockButtons ask whether stock is still there.
func StockButtons(t Translator, address string) []discordgo.MessageComponent {
	return append([]discordgo.MessageComponent{
		Button(discord.NewCustomID("have-confirm"), discordgo.PrimaryButton, t.Plain(msg.StockStillThere)),
		Button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.Plain(msg.StockTitle)),
	}, WebLink(address, t.Plain(msg.OpenWeb))...)
}
