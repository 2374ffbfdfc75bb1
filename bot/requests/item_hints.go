package requests

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/items"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// requestItem opens the form of a new request with an item filled in.
func (b Requests) requestItem(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	item, err := b.Market.Items.Item(ctx, core.ItemID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	options := map[string]string{"item": item.Name}
	id, err := b.Keep(ctx, in, kernel.Draft{Options: options})
	if err != nil {
		return kernel.Reply{}, err
	}
	filled, err := b.withCategory(ctx, options)
	if err != nil {
		return kernel.Reply{}, err
	}
	form := newOrderForm(in.Tr, discord.NewCustomID("composed", id), 1,
		func(name string) string { return filled[name] })
	return kernel.Reply{Form: b.withPriceHint(ctx, in, form, item.Name)}, nil
}

// addItemHint adds the known facts about the item of a preview, with a button that applies them: the item
// that was probably meant, or the profession and level that make it. A kind comes with a list of its items,
// and an unknown name with similar names. Nothing changes before a press.
func (b Requests) addItemHint(
	ctx context.Context, in kernel.Input, reply *kernel.Reply, draft int64, order trade.Order,
) error {
	named, near, err := b.Market.Items.NameItem(ctx, order.ItemName)
	if err != nil {
		return err
	}
	if near != nil {
		reply.Text += "\n" + in.Tr.Text(msg.DidYouMean, "item", near.Name)
		use := kernel.Button(discord.NewCustomID("use-item", draft, int64(near.ID)), discordgo.PrimaryButton,
			kernel.Cut(in.Tr.Plain(msg.UseItem, "value", near.Name), kernel.MaxButtonLabel))
		reply.Rows = append(reply.Rows, kernel.Row(use))
		return nil
	}
	if named == nil {
		return b.addItemsMeant(ctx, in, reply, draft, order.ItemName)
	}
	proposal := named.Proposal(b.Game)
	if proposal.Category == "" || proposal.Category == order.Category &&
		sameLevel(proposal.Level, order.LevelRequirement) {
		return nil
	}
	use := in.Tr.Category(proposal.Category)
	if proposal.Level != nil {
		use = fmt.Sprintf("%s %d+", use, *proposal.Level)
	}
	reply.Text += "\n" + in.Tr.Text(msg.ItemMadeBy, "item", named.Name, "category", use)
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("use-maker", draft,
		int64(named.ID)), discordgo.SecondaryButton, in.Tr.Plain(msg.UseItem, "value", use))))
	return nil
}

// addItemsMeant adds the items that the name of a preview may mean, to pick from.
func (b Requests) addItemsMeant(
	ctx context.Context, in kernel.Input, reply *kernel.Reply, draft int64, name string,
) error {
	if !b.Features.Items {
		return nil
	}
	meant, err := b.Market.Items.Meant(ctx, name)
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
	reply.Text += "\n" + in.Tr.Text(note, "typed", name)
	if len(meant.Items) == 0 {
		return nil
	}
	options := make([]discordgo.SelectMenuOption, len(meant.Items))
	for i, item := range meant.Items {
		options[i] = discordgo.SelectMenuOption{Label: item.LabelIn(in.Tr.Category),
			Value: fmt.Sprint(item.ID)}
	}
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("pick-item", draft),
		in.Tr.Plain(msg.PickItem), options))
	return nil
}

func sameLevel(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// withCategory returns the options of a draft with the category that a form shows for them: where none was
// chosen, the profession of the item, else the default of the game.
func (b Requests) withCategory(ctx context.Context, options map[string]string) (map[string]string, error) {
	if options["category"] != "" {
		return options, nil
	}
	filled := map[string]string{}
	maps.Copy(filled, options)
	filled["category"] = string(b.Game.Default)
	if options["item"] == "" {
		return filled, nil
	}
	named, _, err := b.Market.Items.NameItem(ctx, options["item"])
	if err == nil && named != nil {
		filled["category"] = cmp.Or(string(named.Proposal(b.Game).Category), filled["category"])
	}
	return filled, err
}

// useItem takes the item that was offered into a draft.
func (b Requests) useItem(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.ID.Number(1)), itemNamed)
}

// itemPicked takes the item that was picked from a list into a draft.
func (b Requests) itemPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.Picked()), itemNamed)
}

func itemNamed(item items.Item) map[string]string { return map[string]string{"item": item.Name} }

// useMaker takes the profession and level of an item into a draft.
func (b Requests) useMaker(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.fillIn(ctx, in, core.ItemID(in.ID.Number(1)), func(item items.Item) map[string]string {
		proposal := item.Proposal(b.Game)
		filled := map[string]string{"category": string(proposal.Category), "level": ""}
		if proposal.Level != nil {
			filled["level"] = fmt.Sprint(*proposal.Level)
		}
		return filled
	})
}

// fillIn fills in options of a draft from an item and shows the draft again.
func (b Requests) fillIn(
	ctx context.Context, in kernel.Input, id core.ItemID, fill func(items.Item) map[string]string,
) (kernel.Reply, error) {
	d, err := b.Begun(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	item, err := b.Market.Items.Item(ctx, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	options := maps.Clone(d.Options)
	maps.Copy(options, fill(item))
	reply, err := b.preview(ctx, in, options)
	reply.Redraw = true
	return reply, err
}
