package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// maxPauseHours is the longest pause of a watch.
const maxPauseHours = int(core.MaxWatchPause / time.Hour)

// withWatches adds what there is with watches.
func withWatches(game core.Game, tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	ways := make([]*namedChoice, len(core.Ways))
	for i, way := range core.Ways {
		ways[i] = fixedChoice(string(way))
	}
	return append(tree, group("watch",
		sub("add",
			text("item", core.MaxItemName, suggested),
			text("kind", core.MaxItemName, suggested),
			text("search", maxSearchText),
			text("category", 0, of(categoryChoices(game))),
			yes("for-me"),
			text("min-price", maxPriceText),
			number("quantity", 1, core.MaxQuantity),
			text("way", 0, of(ways)),
			number("pause", 0, maxPauseHours),
		),
		sub("list"),
		sub("pause", text("watch", maxReference, required, suggested)),
		sub("remove", text("watch", maxReference, required, suggested)),
	))
}

// addWatch shows what the options would watch, and how often that would have told of a request. Nothing is saved before the user says
// so.
func (b matchBot) addWatch(ctx context.Context, in Input) (Reply, error) {
	asked, err := b.watchDraft(ctx, in)
	if err != nil {
		return Reply{}, err
	}
	tried, err := b.market.TryWatch(ctx, in.Actor, asked)
	if err != nil {
		return Reply{}, err
	}
	id, err := b.keep(ctx, in, draft{Options: in.options})
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.WatchPreview, tried.Name, in.tr.plain(msg.WatchFired, tried.Fired)))
	reply.rows = append(reply.rows, row(
		button(discord.NewCustomID("watch-save", id), discordgo.SuccessButton, in.tr.plain(msg.WatchSaveButton)),
		watchesButton(in.tr),
	))
	return reply, nil
}

// saveWatch saves the watch of a draft. The draft is the key: two presses save one watch.
func (b matchBot) saveWatch(ctx context.Context, in Input) (Reply, error) {
	id := in.id.Number(0)
	kept, err := b.loadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	in = in.with(kept.Options).repeated(id, "watch")
	asked, err := b.watchDraft(ctx, in)
	if err != nil {
		return Reply{}, err
	}
	watch, err := b.market.AddWatch(ctx, in.Actor, asked)
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.WatchAdded, watch.Name))
	reply.redraw = true
	reply.rows = append(reply.rows, row(watchesButton(in.tr)))
	return reply, nil
}

// watchDraft is the watch that options describe.
func (b matchBot) watchDraft(ctx context.Context, in Input) (core.WatchDraft, error) {
	price, err := b.game.ParseCopper("minPrice", in.text("min-price"))
	if err != nil {
		return core.WatchDraft{}, err
	}
	d := core.WatchDraft{
		Text: discord.Visible(in.text("search")), Kind: discord.Visible(in.text("kind")), ForMe: in.yes("for-me"), MinPrice: price, Way: core.Way(in.text("way")),
	}
	if in.has("quantity") {
		d.MinQuantity = in.quantity()
	}
	if hours, ok := parseQuantity(in.text("pause")); ok {
		d.Pause = time.Duration(hours) * time.Hour
	}
	if category := in.text("category"); category != "" {
		d.Categories = []core.Category{core.Category(category)}
	}
	name := b.market.MeantItem(ctx, in.text("item"))
	if name == "" {
		return d, nil
	}
	item, _, err := b.market.NameItem(ctx, name)
	if err != nil {
		return core.WatchDraft{}, err
	}
	if item != nil {
		d.Items = []core.ItemID{item.ID}
	} else { // a name that no item has
		d.Text = discord.Visible(name + " " + d.Text)
	}
	return d, nil
}

// listWatches shows the actor's watches.
func (b matchBot) listWatches(ctx context.Context, in Input) (Reply, error) {
	return b.watches(ctx, in, "")
}

func (b matchBot) watches(ctx context.Context, in Input, note discord.Markdown) (Reply, error) {
	watches, err := b.market.Watches(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	muted, err := b.market.MutedBuyers(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	text := in.tr.text(msg.WatchesHelp)
	switch {
	case !b.features.Watches: // muted buyers are here all the same
		text = ""
	case len(watches) == 0:
		text = in.tr.text(msg.WatchesNone)
	}
	var list discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(watches))
	for i, w := range watches {
		list = joined(list, "**"+discord.Escape(w.Name)+"** · "+watchState(in.tr, w, b.now()))
		options[i] = discordgo.SelectMenuOption{Label: discord.Clip(w.Name, discord.MaxOptionLabel), Value: fmt.Sprint(w.ID)}
	}
	reply := private(note)
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.WatchesTitle)), Color: colourUsual, Description: string(joined(text, "\n"+list)),
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("watch-picked"), in.tr.plain(msg.WatchPick), options))
	}
	if len(muted) > 0 {
		reply.cards[0].Description += "\n\n" + string(in.tr.text(msg.WatchesMuted, len(muted)))
		reply.rows = append(reply.rows, row(button(discord.NewCustomID("hear-all"), discordgo.SecondaryButton, in.tr.plain(msg.WatchesHearAll))))
	}
	return reply, nil
}

// watchState says what a watch does at present, in a few words.
func watchState(t translator, w core.Watch, now time.Time) discord.Markdown {
	state := t.text(msg.WatchStateOn)
	switch {
	case w.Paused():
		state = t.text(msg.WatchStatePaused)
	case w.SnoozedUntil.After(now):
		state = t.text(msg.WatchStateSnoozed, moment(w.SnoozedUntil))
	case w.Way == core.WayDigest:
		state = t.text(msg.WatchWayDigest)
	case w.Way == core.WayInbox:
		state = t.text(msg.WatchWayInbox)
	}
	if w.MinPrice > 0 {
		state += " · " + t.text(msg.WatchFromPrice, t.coins(w.MinPrice))
	}
	if w.MinQuantity > 0 {
		state += " · " + t.text(msg.WatchAtLeast, w.MinQuantity)
	}
	return state
}

// watchPicked offers what can be done with a watch.
func (b matchBot) watchPicked(ctx context.Context, in Input) (Reply, error) {
	watches, err := b.market.Watches(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	reply, err := b.watches(ctx, in, "")
	reply.redraw = true
	for _, w := range watches {
		if int64(w.ID) != in.picked() {
			continue
		}
		label, pause := msg.WatchPauseButton, 1
		if w.Paused() {
			label, pause = msg.WatchResumeButton, 0
		}
		reply.text = "**" + discord.Escape(w.Name) + "**"
		reply.rows = append(reply.rows, row(
			button(discord.NewCustomID("watch-pause", w.ID, pause), discordgo.SecondaryButton, in.tr.plain(label)),
			button(discord.NewCustomID("watch-remove", w.ID), discordgo.DangerButton, in.tr.plain(msg.WatchRemoveButton)),
		))
	}
	return reply, err
}

// pauseWatch pauses a watch that is named, or has it notify again.
func (b matchBot) pauseWatch(ctx context.Context, in Input) (Reply, error) {
	watch, ask, err := b.namedWatch(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	note, err := b.setPaused(ctx, in, watch.ID, !watch.Paused())
	return private(note), err
}

func (b matchBot) setPaused(ctx context.Context, in Input, id core.WatchID, paused bool) (discord.Markdown, error) {
	watch, err := b.market.PauseWatch(ctx, in.Actor, id, paused)
	if err != nil {
		return "", err
	}
	if paused {
		return in.tr.text(msg.WatchPaused, watch.Name), nil
	}
	return in.tr.text(msg.WatchResumed, watch.Name), nil
}

func (b matchBot) pauseWatchButton(ctx context.Context, in Input) (Reply, error) {
	note, err := b.setPaused(ctx, in, core.WatchID(in.id.Number(0)), in.id.Number(1) == 1)
	if err != nil {
		return Reply{}, err
	}
	reply, err := b.watches(ctx, in, note)
	reply.redraw = true
	return reply, err
}

// removeWatch removes a watch that is named.
func (b matchBot) removeWatch(ctx context.Context, in Input) (Reply, error) {
	watch, ask, err := b.namedWatch(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return private(in.tr.text(msg.WatchRemoved, watch.Name)), b.market.DeleteWatch(ctx, in.Actor, watch.ID)
}

func (b matchBot) removeWatchButton(ctx context.Context, in Input) (Reply, error) {
	watch, err := b.ownWatch(ctx, in, core.WatchID(in.id.Number(0)))
	if err != nil {
		return Reply{}, err
	}
	if err := b.market.DeleteWatch(ctx, in.Actor, watch.ID); err != nil {
		return Reply{}, err
	}
	reply, err := b.watches(ctx, in, in.tr.text(msg.WatchRemoved, watch.Name))
	reply.redraw = true
	return reply, err
}

// hearAll undoes every mute.
func (b matchBot) hearAll(ctx context.Context, in Input) (Reply, error) {
	muted, err := b.market.MutedBuyers(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	for _, m := range muted {
		actor := in.Actor
		actor.Key, actor.OtherKey = "", "" // it may be repeated
		if err := b.market.UnmuteBuyer(ctx, actor, m.Buyer); err != nil {
			return Reply{}, err
		}
	}
	reply, err := b.watches(ctx, in, in.tr.text(msg.BuyersUnmuted))
	reply.redraw = true
	return reply, err
}

func (b matchBot) ownWatch(ctx context.Context, in Input, id core.WatchID) (core.Watch, error) {
	watches, err := b.market.Watches(ctx, in.Actor)
	for _, w := range watches {
		if w.ID == id {
			return w, nil
		}
	}
	return core.Watch{ID: id}, err // removing it says that it is gone
}

// namedWatch finds the watch that an option means: by its id, or by words of its name.
func (b matchBot) namedWatch(ctx context.Context, in Input) (core.Watch, *Reply, error) {
	text := discord.Visible(in.text("watch"))
	if id, ok := reference(text); ok {
		watch, err := b.ownWatch(ctx, in, core.WatchID(id))
		return watch, nil, err
	}
	watches, err := b.market.Watches(ctx, in.Actor)
	if err != nil {
		return core.Watch{}, nil, err
	}
	var fit []core.Watch
	var options []discordgo.SelectMenuOption
	for _, w := range watches {
		if containsWords(w.Name, text) {
			fit = append(fit, w)
			options = append(options, discordgo.SelectMenuOption{Label: discord.Clip(w.Name, discord.MaxOptionLabel), Value: fmt.Sprint(w.ID)})
		}
	}
	switch len(fit) {
	case 0:
		reply := private(in.tr.text(msg.NoSuchWatch, text))
		return core.Watch{}, &reply, nil
	case 1:
		return fit[0], nil, nil
	}
	ask, err := b.askWhich(ctx, in, "watch", options, in.tr.text(msg.WhichWatch, text))
	return core.Watch{}, ask, err
}

// suggestKinds completes a kind of items.
func (b matchBot) suggestKinds(ctx context.Context, in Input) ([]*choice, error) {
	kinds, err := b.market.ItemKinds(ctx, in.text(in.focused), discord.MaxOptions)
	if err != nil {
		return nil, err
	}
	choices := make([]*choice, len(kinds))
	for i, kind := range kinds {
		choices[i] = &choice{Name: cut(kind, core.MaxItemName), Value: kind}
	}
	return choices, nil
}

// suggestWatches completes a watch of one's own.
func (b matchBot) suggestWatches(ctx context.Context, in Input) ([]*choice, error) {
	watches, err := b.market.Watches(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, w := range watches {
		if containsWords(w.Name, in.text(in.focused)) {
			choices = append(choices, &choice{Name: discord.Clip(w.Name, discord.MaxOptionLabel), Value: fmt.Sprint(w.ID)})
		}
	}
	return choices, nil
}
