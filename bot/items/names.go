package items

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/moderation"
	msg "tradepost/core/text"
)

// namesShown limits the names that a message decides on: a row of buttons each, and one to go on.
const namesShown = 4

// newNames lists the names that wait for a moderator.
func (b Items) newNames(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.newNamesAfter(ctx, in, 0, "")
}

func (b Items) newNamesButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, namesView(core.ItemID(in.ID.Number(0))), "")
}

// newNamesAfter lists names with the buttons that decide on each. Decided names are no longer there: the
// names after them move up.
func (b Items) newNamesAfter(
	ctx context.Context, in kernel.Input, after core.ItemID, note discord.Markdown,
) (kernel.Reply, error) {
	waiting, err := b.Market.Items.Provisional(ctx, in.Actor, after, namesShown+1)
	if err == nil && len(waiting) == 0 && after > 0 {
		after = 0
		waiting, err = b.Market.Items.Provisional(ctx, in.Actor, after, namesShown+1)
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(note)
	if len(waiting) == 0 {
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.NoNames))
		return reply, nil
	}
	more := len(waiting) > namesShown
	waiting = waiting[:min(len(waiting), namesShown)]
	text := in.Tr.Text(msg.NamesExplained)
	for _, w := range waiting {
		line := "**" + discord.Escape(w.Item.Name) + "** · " + in.Tr.Text(msg.NameRequests,
			"count", w.Requests)
		buttons := []discordgo.MessageComponent{
			kernel.Button(discord.NewCustomID("confirm-name", int64(w.Item.ID), after),
				discordgo.SuccessButton, in.Tr.Plain(msg.ConfirmName, "name", w.Item.Name)),
		}
		if w.Near != nil {
			line += " · " + in.Tr.Text(msg.NameNear, "item", w.Near.Name)
			buttons = append(buttons, kernel.Button(discord.NewCustomID("merge-name", int64(w.Item.ID), after,
				int64(w.Near.ID)), discordgo.PrimaryButton, in.Tr.Plain(msg.MergeName, "item", w.Near.Name)))
		}
		text = kernel.Joined(text, line)
		buttons = append(buttons, kernel.Button(discord.NewCustomID("ignore-name", int64(w.Item.ID), after),
			discordgo.SecondaryButton, in.Tr.Plain(msg.IgnoreName, "name", w.Item.Name)))
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.NamesTitle)), Color: kernel.ColourUsual,
		Description: string(text)}}
	var pages []discordgo.MessageComponent
	if after > 0 {
		pages = append(pages, kernel.Button(discord.NewCustomID("names", 0), discordgo.SecondaryButton,
			in.Tr.Plain(msg.Back)))
	}
	if more {
		pages = append(pages, kernel.Button(discord.NewCustomID("names",
			int64(waiting[namesShown-1].Item.ID)), discordgo.SecondaryButton, in.Tr.Plain(msg.NextPage)))
	}
	if len(waiting) > 1 {
		pages = append(pages, kernel.Button(discord.NewCustomID("ignore-names", after,
			int64(waiting[len(waiting)-1].Item.ID)), discordgo.DangerButton, in.Tr.Plain(msg.IgnoreNames)))
	}
	if len(pages) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(pages...))
	}
	return reply, nil
}

// confirmName and the two below decide on the name of a button.
func (b Items) confirmName(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.decideName(ctx, in, moderation.ConfirmItem, 0)
}

func (b Items) mergeName(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.decideName(ctx, in, moderation.MergeItem, core.ItemID(in.ID.Number(2)))
}

func (b Items) ignoreName(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.decideName(ctx, in, moderation.IgnoreItem, 0)
}

// ignoreNames ignores the names that a message showed, except names that were decided on meanwhile or that no
// request has any more.
func (b Items) ignoreNames(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	after, last := core.ItemID(in.ID.Number(0)), core.ItemID(in.ID.Number(1))
	waiting, err := b.Market.Items.Provisional(ctx, in.Actor, after, namesShown)
	if err != nil {
		return b.ErrorOn(ctx, in, namesView(after), err)
	}
	ignored := 0
	for _, w := range waiting {
		if w.Item.ID > last {
			break
		}
		_, err := b.Market.Moderation.DecideItem(ctx, in.Actor.KeyedFor(int64(w.Item.ID)), w.Item.ID,
			moderation.IgnoreItem, 0)
		if kind := core.KindOf(err); kind == core.Conflict || kind == core.NotFound {
			continue
		}
		if err != nil {
			return b.ErrorOn(ctx, in, namesView(after), err)
		}
		ignored++
	}
	return b.Redraw(ctx, in, namesView(after), in.Tr.Text(msg.NamesIgnored, "count", ignored))
}

func (b Items) decideName(
	ctx context.Context, in kernel.Input, decision moderation.ItemDecision, into core.ItemID,
) (kernel.Reply, error) {
	id, view := core.ItemID(in.ID.Number(0)), namesView(core.ItemID(in.ID.Number(1)))
	note, err := b.decideItem(ctx, in, id, decision, into)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, note)
}

// decideItem decides on a name, and returns the text about the effect.
func (b Items) decideItem(
	ctx context.Context, in kernel.Input, id core.ItemID, decision moderation.ItemDecision, into core.ItemID,
) (discord.Markdown, error) {
	name, err := b.nameOfNew(ctx, in, id)
	if err != nil {
		return "", err
	}
	item, err := b.Market.Moderation.DecideItem(ctx, in.Actor, id, decision, into)
	if err != nil {
		return "", err
	}
	if name == "" { // a repeat
		name = item.Name
	}
	switch decision {
	case moderation.MergeItem:
		return in.Tr.Text(msg.NameMerged, "name", name, "item", item.Name), nil
	case moderation.IgnoreItem:
		return in.Tr.Text(msg.NameIgnored, "name", item.Name), nil
	case moderation.ConfirmItem:
	}
	return in.Tr.Text(msg.NameConfirmed, "item", item.Name), nil
}

// nameOfNew returns the name of an item that waits, or nothing.
func (b Items) nameOfNew(ctx context.Context, in kernel.Input, id core.ItemID) (string, error) {
	waiting, err := b.Market.Items.Provisional(ctx, in.Actor, id-1, 1)
	if err != nil || len(waiting) == 0 || waiting[0].Item.ID != id {
		return "", err
	}
	return waiting[0].Item.Name, nil
}

// newNamesSearched limits the names searched for a typed name.
const newNamesSearched = 500

// mergeNamed merges a name that was typed into an item that was.
func (b Items) mergeNamed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	waiting, err := b.Market.Items.Provisional(ctx, in.Actor, 0, newNamesSearched)
	if err != nil {
		return kernel.Reply{}, err
	}
	typed := in.Text("name")
	id, numbered := kernel.Reference(typed)
	for _, w := range waiting {
		if !(numbered && w.Item.ID == core.ItemID(id)) && !strings.EqualFold(w.Item.Name, typed) {
			continue
		}
		into, ask, err := b.namedItem(ctx, in, in.Text("into"))
		if err != nil || ask != nil {
			return kernel.OrAsk(ask), err
		}
		note, err := b.decideItem(ctx, in, w.Item.ID, moderation.MergeItem, into.ID)
		if err != nil {
			return kernel.Reply{}, err
		}
		return kernel.Private(note), nil
	}
	return kernel.Private(in.Tr.Text(msg.NoNewName, "typed", typed)), nil
}

// suggestNewNames completes a name that waits for a moderator.
func (b Items) suggestNewNames(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	waiting, err := b.Market.Items.Provisional(ctx, in.Actor, 0, newNamesSearched)
	if core.KindOf(err) == core.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []*kernel.Choice
	for _, w := range waiting {
		if len(choices) < discord.MaxOptions &&
			strings.Contains(strings.ToLower(w.Item.Name), strings.ToLower(in.Text("name"))) {
			choices = append(choices, &kernel.Choice{Name: kernel.Cut(w.Item.Name, core.MaxItemName),
				Value: fmt.Sprint(w.Item.ID)})
		}
	}
	return choices, nil
}

// suggestKnownItems completes an item of the catalogue.
func (b Items) suggestKnownItems(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	items, err := b.Market.Items.Complete(ctx, in.Text(in.Focused))
	if err != nil {
		return nil, err
	}
	return in.Tr.ItemChoices(items), nil
}

// namedItem returns the item that a text names, or a reply that there is none, with the item that was
// probably meant.
func (b Items) namedItem(
	ctx context.Context, in kernel.Input, typed string,
) (items.Item, *kernel.Reply, error) {
	named, near, err := b.Market.Items.NameItem(ctx, typed)
	if err != nil {
		return items.Item{}, nil, err
	}
	if named != nil {
		return *named, nil, nil
	}
	none := kernel.Private(in.Tr.Text(msg.NoItem, "typed", typed))
	if near != nil {
		none.Text = kernel.Joined(none.Text, in.Tr.Text(msg.DidYouMean, "item", near.Name))
	}
	return items.Item{}, &none, nil
}

// namesView is the list of names that wait for a moderator, after one.
func namesView(after core.ItemID) string { return fmt.Sprintf("n%d", after) }
