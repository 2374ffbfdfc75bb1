package bot

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// suggestItems completes the name of an item: from the catalogue, else from names asked for before.
func (k *Kernel) suggestItems(ctx context.Context, in Input) ([]*choice, error) {
	typed := in.text(in.focused)
	items, err := k.market.CompleteItems(ctx, typed)
	if err != nil {
		return nil, err
	}
	if len(items) > 0 {
		return in.tr.itemChoices(items), nil
	}
	names, err := k.market.ItemNames(ctx, in.Actor, typed, discord.MaxOptions)
	if err != nil {
		return nil, err
	}
	choices := make([]*choice, len(names))
	for i, name := range names {
		choices[i] = &choice{Name: name, Value: name}
	}
	return choices, nil
}

// withItemMeant returns options in which the label of an item is its name: some clients send what they show of a choice.
func (k *Kernel) withItemMeant(ctx context.Context, options map[string]string) map[string]string {
	typed := options["item"]
	name := k.market.MeantItem(ctx, inEnglish(typed))
	if name == inEnglish(typed) {
		name = typed
	}
	if name == typed {
		return options
	}
	options = maps.Clone(options)
	options["item"] = name
	return options
}

// addItemHint adds what is known of the item of a preview, with a button that takes it: which one was probably meant, or the profession
// and level that make it. A kind comes with a list of its items, and an unknown name with those near it. Nothing changes before a press.
func (b requestsBot) addItemHint(ctx context.Context, in Input, reply *Reply, draft int64, order core.Order) error {
	named, near, err := b.market.NameItem(ctx, order.ItemName)
	if err != nil {
		return err
	}
	if near != nil {
		reply.text += "\n" + in.tr.text(msg.DidYouMean, near.Name)
		use := button(discord.NewCustomID("use-item", draft, int64(near.ID)), discordgo.PrimaryButton, cut(in.tr.plain(msg.UseItem, near.Name), maxButtonLabel))
		reply.rows = append(reply.rows, row(use))
		return nil
	}
	if named == nil {
		return b.addItemsMeant(ctx, in, reply, draft, order.ItemName)
	}
	proposal := named.Proposal(b.game)
	if proposal.Category == "" || proposal.Category == order.Category && sameLevel(proposal.Level, order.LevelRequirement) {
		return nil
	}
	use := in.tr.category(proposal.Category)
	if proposal.Level != nil {
		use = fmt.Sprintf("%s %d+", use, *proposal.Level)
	}
	reply.text += "\n" + in.tr.text(msg.ItemMadeBy, named.Name, use)
	reply.rows = append(reply.rows, row(button(discord.NewCustomID("use-maker", draft, int64(named.ID)), discordgo.SecondaryButton, in.tr.plain(msg.UseItem, use))))
	return nil
}

// addItemsMeant adds the items that the name of a preview may mean, to pick from.
func (b requestsBot) addItemsMeant(ctx context.Context, in Input, reply *Reply, draft int64, name string) error {
	if !b.features.Items {
		return nil
	}
	meant, err := b.market.ItemsMeant(ctx, name)
	if err != nil || !meant.Any {
		return err
	}
	note := msg.ItemUnknown
	switch {
	case meant.OfKind:
		note = msg.ItemOfKind
	case len(meant.Items) > 0:
		note = msg.ItemNear
	}
	reply.text += "\n" + in.tr.text(note, name)
	if len(meant.Items) == 0 {
		return nil
	}
	options := make([]discordgo.SelectMenuOption, len(meant.Items))
	for i, item := range meant.Items {
		options[i] = discordgo.SelectMenuOption{Label: item.LabelIn(in.tr.category), Value: fmt.Sprint(item.ID)}
	}
	reply.rows = append(reply.rows, choose(discord.NewCustomID("pick-item", draft), in.tr.plain(msg.PickItem), options))
	return nil
}

func sameLevel(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// maxButtonLabel is Discord's limit, in characters.
const maxButtonLabel = 80

// withCategory returns the options of a draft with the category that a form shows for them: where none was chosen, the profession of the
// item, else the default of the game.
func (b requestsBot) withCategory(ctx context.Context, options map[string]string) (map[string]string, error) {
	if options["category"] != "" {
		return options, nil
	}
	filled := map[string]string{}
	maps.Copy(filled, options)
	filled["category"] = string(b.game.Default)
	if options["item"] == "" {
		return filled, nil
	}
	named, _, err := b.market.NameItem(ctx, options["item"])
	if err == nil && named != nil {
		filled["category"] = cmp.Or(string(named.Proposal(b.game).Category), filled["category"])
	}
	return filled, err
}

// useItem takes the item that was offered into a draft.
func (b requestsBot) useItem(ctx context.Context, in Input) (Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.id.Number(1)), itemNamed)
}

// itemPicked takes the item that was picked from a list into a draft.
func (b requestsBot) itemPicked(ctx context.Context, in Input) (Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.picked()), itemNamed)
}

func itemNamed(item core.Item) map[string]string { return map[string]string{"item": item.Name} }

// useMaker takes the profession and level of an item into a draft.
func (b requestsBot) useMaker(ctx context.Context, in Input) (Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.id.Number(1)), func(item core.Item) map[string]string {
		proposal := item.Proposal(b.game)
		filled := map[string]string{"category": string(proposal.Category), "level": ""}
		if proposal.Level != nil {
			filled["level"] = fmt.Sprint(*proposal.Level)
		}
		return filled
	})
}

// fillIn fills in options of a draft from an item and shows the draft again.
func (b requestsBot) fillIn(ctx context.Context, in Input, id core.ItemID, fill func(core.Item) map[string]string) (Reply, error) {
	d, err := b.begun(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	item, err := b.market.Item(ctx, id)
	if err != nil {
		return Reply{}, err
	}
	options := maps.Clone(d.Options)
	maps.Copy(options, fill(item))
	reply, err := b.preview(ctx, in, options)
	reply.redraw = true
	return reply, err
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most-1]) + "…"
}
