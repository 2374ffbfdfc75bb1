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

// namesShown is how many names a message decides on: a row of buttons each, and one to go on.
const namesShown = 4

// newNames lists the names that wait for a moderator.
func (b itemsBot) newNames(ctx context.Context, in Input) (Reply, error) {
	return b.newNamesAfter(ctx, in, 0, "")
}

func (b itemsBot) newNamesButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, namesView(core.ItemID(in.id.Number(0))), "")
}

// newNamesAfter lists names with the buttons that decide on each. What was decided on is no longer there: those after it move up.
func (b itemsBot) newNamesAfter(ctx context.Context, in Input, after core.ItemID, note discord.Markdown) (Reply, error) {
	waiting, err := b.market.ProvisionalItems(ctx, in.Actor, after, namesShown+1)
	if err == nil && len(waiting) == 0 && after > 0 {
		after = 0
		waiting, err = b.market.ProvisionalItems(ctx, in.Actor, after, namesShown+1)
	}
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	if len(waiting) == 0 {
		reply.text = joined(note, in.tr.text(msg.NoNames))
		return reply, nil
	}
	more := len(waiting) > namesShown
	waiting = waiting[:min(len(waiting), namesShown)]
	text := in.tr.text(msg.NamesExplained)
	for _, w := range waiting {
		line := "**" + discord.Escape(w.Item.Name) + "** · " + in.tr.text(msg.NameRequests, w.Requests)
		buttons := []discordgo.MessageComponent{
			button(discord.NewCustomID("confirm-name", int64(w.Item.ID), after), discordgo.SuccessButton, in.tr.plain(msg.ConfirmName, w.Item.Name)),
		}
		if w.Near != nil {
			line += " · " + in.tr.text(msg.NameNear, w.Near.Name)
			buttons = append(buttons, button(discord.NewCustomID("merge-name", int64(w.Item.ID), after, int64(w.Near.ID)), discordgo.PrimaryButton, in.tr.plain(msg.MergeName, w.Near.Name)))
		}
		text = joined(text, line)
		buttons = append(buttons, button(discord.NewCustomID("ignore-name", int64(w.Item.ID), after), discordgo.SecondaryButton, in.tr.plain(msg.IgnoreName, w.Item.Name)))
		reply.rows = append(reply.rows, row(buttons...))
	}
	reply.cards = []*discord.Card{{Title: string(in.tr.text(msg.NamesTitle)), Color: colourUsual, Description: string(text)}}
	var pages []discordgo.MessageComponent
	if after > 0 {
		pages = append(pages, button(discord.NewCustomID("names", 0), discordgo.SecondaryButton, in.tr.plain(msg.Back)))
	}
	if more {
		pages = append(pages, button(discord.NewCustomID("names", int64(waiting[namesShown-1].Item.ID)), discordgo.SecondaryButton, in.tr.plain(msg.NextPage)))
	}
	if len(pages) > 0 {
		reply.rows = append(reply.rows, row(pages...))
	}
	return reply, nil
}

// confirmName and the two below decide on the name of a button.
func (b itemsBot) confirmName(ctx context.Context, in Input) (Reply, error) {
	return b.decideName(ctx, in, core.ConfirmItem, 0)
}

func (b itemsBot) mergeName(ctx context.Context, in Input) (Reply, error) {
	return b.decideName(ctx, in, core.MergeItem, core.ItemID(in.id.Number(2)))
}

func (b itemsBot) ignoreName(ctx context.Context, in Input) (Reply, error) {
	return b.decideName(ctx, in, core.IgnoreItem, 0)
}

func (b itemsBot) decideName(ctx context.Context, in Input, decision core.ItemDecision, into core.ItemID) (Reply, error) {
	id, view := core.ItemID(in.id.Number(0)), namesView(core.ItemID(in.id.Number(1)))
	note, err := b.decideItem(ctx, in, id, decision, into)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, note)
}

// decideItem decides on a name, and says what it means from now on.
func (b itemsBot) decideItem(ctx context.Context, in Input, id core.ItemID, decision core.ItemDecision, into core.ItemID) (discord.Markdown, error) {
	name, err := b.nameOfNew(ctx, in, id)
	if err != nil {
		return "", err
	}
	item, err := b.market.DecideItem(ctx, in.Actor, id, decision, into)
	if err != nil {
		return "", err
	}
	if name == "" { // a repeat
		name = item.Name
	}
	switch decision {
	case core.MergeItem:
		return in.tr.text(msg.NameMerged, name, item.Name), nil
	case core.IgnoreItem:
		return in.tr.text(msg.NameIgnored, item.Name), nil
	case core.ConfirmItem:
	}
	return in.tr.text(msg.NameConfirmed, item.Name), nil
}

// nameOfNew returns the name of an item that waits, or nothing.
func (b itemsBot) nameOfNew(ctx context.Context, in Input, id core.ItemID) (string, error) {
	waiting, err := b.market.ProvisionalItems(ctx, in.Actor, id-1, 1)
	if err != nil || len(waiting) == 0 || waiting[0].Item.ID != id {
		return "", err
	}
	return waiting[0].Item.Name, nil
}

// newNamesSearched is how many names are looked through for one that was typed.
const newNamesSearched = 500

// mergeNamed merges a name that was typed into an item that was.
func (b itemsBot) mergeNamed(ctx context.Context, in Input) (Reply, error) {
	waiting, err := b.market.ProvisionalItems(ctx, in.Actor, 0, newNamesSearched)
	if err != nil {
		return Reply{}, err
	}
	typed := in.text("name")
	id, numbered := reference(typed)
	for _, w := range waiting {
		if !(numbered && w.Item.ID == core.ItemID(id)) && !strings.EqualFold(w.Item.Name, typed) {
			continue
		}
		into, ask, err := b.namedItem(ctx, in, in.text("into"))
		if err != nil || ask != nil {
			return orAsk(ask), err
		}
		note, err := b.decideItem(ctx, in, w.Item.ID, core.MergeItem, into.ID)
		if err != nil {
			return Reply{}, err
		}
		return private(note), nil
	}
	return private(in.tr.text(msg.NoNewName, typed)), nil
}

// suggestNewNames completes a name that waits for a moderator.
func (b itemsBot) suggestNewNames(ctx context.Context, in Input) ([]*choice, error) {
	waiting, err := b.market.ProvisionalItems(ctx, in.Actor, 0, newNamesSearched)
	if core.KindOf(err) == core.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, w := range waiting {
		if len(choices) < discord.MaxOptions && strings.Contains(strings.ToLower(w.Item.Name), strings.ToLower(in.text("name"))) {
			choices = append(choices, &choice{Name: cut(w.Item.Name, core.MaxItemName), Value: fmt.Sprint(w.Item.ID)})
		}
	}
	return choices, nil
}

// suggestKnownItems completes an item of the catalogue.
func (b itemsBot) suggestKnownItems(ctx context.Context, in Input) ([]*choice, error) {
	items, err := b.market.CompleteItems(ctx, in.text(in.focused))
	if err != nil {
		return nil, err
	}
	return in.tr.itemChoices(items), nil
}

func (t translator) itemChoices(items []core.Item) []*choice {
	choices := make([]*choice, len(items))
	for i, item := range items {
		choices[i] = &choice{Name: cut(item.LabelIn(t.category), core.MaxItemName), Value: item.Name}
	}
	return choices
}

// inEnglish returns the label of an item with its profession as core knows it, and any other text as it is.
func inEnglish(label string) string {
	at := strings.LastIndex(label, " · ")
	if at < 0 {
		return label
	}
	name, rest := label[:at+len(" · ")], label[at+len(" · "):]
	for _, l := range msg.Languages {
		for category, own := range l.Categories {
			if rest == own || strings.HasPrefix(rest, own+" ") {
				return name + category + rest[len(own):]
			}
		}
	}
	return label
}

// namedItem returns the item that a text names, or says that there is none, and which one was probably meant.
func (b itemsBot) namedItem(ctx context.Context, in Input, typed string) (core.Item, *Reply, error) {
	named, near, err := b.market.NameItem(ctx, typed)
	if err != nil {
		return core.Item{}, nil, err
	}
	if named != nil {
		return *named, nil, nil
	}
	none := private(in.tr.text(msg.NoItem, typed))
	if near != nil {
		none.text = joined(none.text, in.tr.text(msg.DidYouMean, near.Name))
	}
	return core.Item{}, &none, nil
}
