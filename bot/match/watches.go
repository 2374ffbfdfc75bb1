package match

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// Categories of a watch for all professions, and for the requests that the actor's skills are enough for.
const (
	anyCategory = "any"
	forMe       = "for-me"
)

// watchForm asks what to watch for.
func (b Match) watchForm(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	t := in.Tr
	ways := make([]discordgo.SelectMenuOption, len(match.Ways))
	for i, way := range match.Ways {
		ways[i] = discordgo.SelectMenuOption{Label: t.Choice(string(way)), Value: string(way),
			Default: i == 0}
	}
	categories := append([]discordgo.SelectMenuOption{
		{Label: t.Plain(msg.AllCategories), Value: anyCategory, Default: true},
		{Label: t.Plain(msg.FilterForMe), Value: forMe},
	}, t.CategoryOptions("")...)
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("watch-typed"),
		Title: t.Plain(msg.WatchNew), Fields: []discord.Field{
			{Name: "item", Label: t.Plain(msg.FieldItem), Hint: t.Plain(msg.HintWatchItem), Optional: true,
				MaxLength: core.MaxItemName},
			{Name: "category", Label: t.Plain(msg.FieldCategory),
				Options: categories[:min(len(categories), discord.MaxOptions)]},
			{Name: "min-price", Label: t.Plain(msg.FieldMinPrice), Optional: true,
				MaxLength: commands.MaxPriceText},
			{Name: "quantity", Label: t.Plain(msg.FieldMinQuantity), Optional: true, MaxLength: 12},
			{Name: "way", Label: t.Plain(msg.FieldWay), Options: ways},
		}}}, nil
}

// addWatch previews the watch of the form, with the number of requests that it would have matched. Nothing is
// saved before the user confirms.
func (b Match) addWatch(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.tryWatch(ctx, in.With(in.Fields))
}

func (b Match) tryWatch(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	asked, err := b.watchDraft(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	tried, err := b.Market.Match.TrySearch(ctx, in.Actor, asked)
	if err != nil {
		return kernel.Reply{}, err
	}
	id, err := b.Keep(ctx, in, kernel.Draft{Options: in.Options})
	if err != nil {
		return kernel.Reply{}, err
	}
	found := msg.WatchFired
	if tried.Side == match.SaleSide {
		found = msg.WatchFiredSale
	}
	reply := kernel.Private(in.Tr.Text(msg.WatchPreview, "watch", tried.Name,
		"requests", in.Tr.Plain(found, "count", tried.Fired)))
	reply.Rows = append(reply.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("watch-save", id), discordgo.SuccessButton,
			in.Tr.Plain(msg.WatchSaveButton)),
		watchesButton(in.Tr),
	))
	return reply, nil
}

// saveWatch saves the watch of a draft. The draft is the key: two presses save one watch.
func (b Match) saveWatch(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := in.ID.Number(0)
	kept, err := b.LoadDraft(ctx, in, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	in = in.With(kept.Options).Repeated(id, "watch")
	asked, err := b.watchDraft(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	watch, err := b.Market.Match.AddSearch(ctx, in.Actor, asked)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.WatchAdded, "watch", watch.Name))
	reply.Redraw = true
	reply.Rows = append(reply.Rows, kernel.Row(watchesButton(in.Tr)))
	return reply, nil
}

// watchDraft is the watch that options describe.
func (b Match) watchDraft(ctx context.Context, in kernel.Input) (match.SearchDraft, error) {
	price, err := b.Game.ParseCopper("minPrice", in.Text("min-price"))
	if err != nil {
		return match.SearchDraft{}, err
	}
	d := match.SearchDraft{Bell: match.BellOn, MinPrice: price, Way: match.Way(in.Text("way"))}
	if in.Text("quantity") != "" {
		d.MinQuantity = in.Quantity()
	}
	switch category := in.Text("category"); category {
	case anyCategory, "":
	case forMe:
		d.ForMe = true
	default:
		d.Categories = []game.Category{game.Category(category)}
	}
	name := b.Market.Items.MeantName(ctx, in.Text("item"))
	if name == "" {
		if d.ForMe { // the core would name it in English
			d.Name = in.Tr.Plain(msg.FilterForMe)
		}
		return d, nil
	}
	item, _, err := b.Market.Items.NameItem(ctx, name)
	if err != nil {
		return match.SearchDraft{}, err
	}
	if item != nil {
		d.Items = []core.ItemID{item.ID}
		if in.Text("price") != "" {
			return priceAlerts{b}.atPrice(in, d, item.Name)
		}
	} else { // a name that no item has
		d.Text = discord.Visible(name)
	}
	return d, nil
}

// listWatches shows the actor's saved searches, with a bell and without.
func (b Match) listWatches(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.watches(ctx, in, "")
}

func (b Match) watches(ctx context.Context, in kernel.Input, note discord.Markdown) (kernel.Reply, error) {
	searches, err := b.Market.Match.AllSearches(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	muted, err := b.Market.Match.MutedBuyers(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	text := in.Tr.Text(msg.WatchesHelp)
	switch {
	case !b.Features.Watches: // muted buyers are here all the same
		text = ""
	case len(searches) == 0:
		text = in.Tr.Text(msg.WatchesNone)
	}
	if b.Features.Listings && b.Features.Watches {
		text = kernel.Joined(text, in.Tr.Text(msg.WatchesNeeded))
	}
	var list discord.Markdown
	var options, without []discordgo.SelectMenuOption // apart, since each kind has its own numbers
	for _, s := range searches {
		if !b.Features.Watches {
			break
		}
		list = kernel.Joined(list, "**"+discord.Escape(s.Name)+"** · "+watchState(in.Tr, s, b.Now()))
		option := discordgo.SelectMenuOption{Label: discord.Clip(s.Name, discord.MaxOptionLabel),
			Value: fmt.Sprint(s.ID)}
		if s.Bell {
			options = append(options, option)
		} else {
			without = append(without, option)
		}
	}
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.WatchesTitle)), Color: kernel.ColourUsual,
		Description: string(kernel.Joined(text, "\n"+list)),
	}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("watch-picked"),
			in.Tr.Plain(msg.WatchPick), options))
	}
	if len(without) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("plain-picked"),
			in.Tr.Plain(msg.WatchPickPlain), without))
	}
	if b.Features.Watches {
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("watch-new"),
			discordgo.PrimaryButton, in.Tr.Plain(msg.WatchNewButton))))
	}
	if len(muted) > 0 {
		reply.Cards[0].Description += "\n\n" + string(in.Tr.Text(msg.WatchesMuted, "count", len(muted)))
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("hear-all"),
			discordgo.SecondaryButton, in.Tr.Plain(msg.WatchesHearAll))))
	}
	return reply, nil
}

// watchState returns the current state of a saved search's bell, in a few words.
func watchState(t kernel.Translator, w match.SavedSearch, now time.Time) discord.Markdown {
	state := t.Text(msg.WatchStateOn)
	switch {
	case !w.Rings():
		state = t.Text(msg.WatchStatePaused)
	case w.SnoozedUntil.After(now):
		state = t.Text(msg.WatchStateSnoozed, "time", kernel.Moment(w.SnoozedUntil))
	case w.Way == match.WayDigest:
		state = t.Text(msg.WatchWayDigest)
	case w.Way == match.WayInbox:
		state = t.Text(msg.WatchWayInbox)
	}
	switch w.Side {
	case match.SaleSide:
		state += " · " + t.Text(msg.WatchForSale)
	case match.EitherSide:
		state += " · " + t.Text(msg.WatchBothSides)
	case match.WantedSide:
	}
	if w.MaxPrice > 0 {
		state += " · " + t.Text(msg.WatchUpToPrice, "price", t.Coins(w.MaxPrice))
	}
	if w.MinPrice > 0 {
		state += " · " + t.Text(msg.WatchFromPrice, "price", t.Coins(w.MinPrice))
	}
	if w.MinQuantity > 0 {
		state += " · " + t.Text(msg.WatchAtLeast, "quantity", w.MinQuantity)
	}
	return state
}

// watchPicked offers what can be done with a watch.
func (b Match) watchPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	watches, err := b.Market.Match.Searches(ctx, in.Actor, match.BellOn)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, "")
	reply.Redraw = true
	for _, w := range watches {
		if int64(w.ID) != in.Picked() {
			continue
		}
		label, pause := msg.WatchPauseButton, 1
		if w.Paused() {
			label, pause = msg.WatchResumeButton, 0
		}
		reply.Text = "**" + discord.Escape(w.Name) + "**"
		reply.Rows = append(reply.Rows, kernel.Row(
			kernel.Button(discord.NewCustomID("watch-pause", w.ID, pause), discordgo.SecondaryButton,
				in.Tr.Plain(label)),
			kernel.Button(discord.NewCustomID("watch-remove", w.ID), discordgo.DangerButton,
				in.Tr.Plain(msg.WatchRemoveButton)),
		))
	}
	return reply, err
}

// searchPicked offers what can be done with a saved search that has no bell.
func (b Match) searchPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	search, err := b.plainSearch(ctx, in, core.SearchID(in.Picked()))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, "**"+discord.Escape(search.Name)+"**")
	reply.Redraw = true
	reply.Rows = append(reply.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("plain-bell", search.ID), discordgo.SecondaryButton,
			in.Tr.Plain(msg.WatchResumeButton)),
		kernel.Button(discord.NewCustomID("plain-remove", search.ID), discordgo.DangerButton,
			in.Tr.Plain(msg.WatchRemoveButton)),
	))
	return reply, err
}

// giveBell gives a bell to a saved search that has none.
func (b Match) giveBell(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	search, err := b.Market.Match.GiveBell(ctx, in.Actor, core.SearchID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, in.Tr.Text(msg.WatchResumed, "watch", search.Name))
	reply.Redraw = true
	return reply, err
}

func (b Match) removeSearchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	search, err := b.plainSearch(ctx, in, core.SearchID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := b.Market.Match.DeleteSearch(ctx, in.Actor, match.BellOff, search.ID); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, in.Tr.Text(msg.WatchRemoved, "watch", search.Name))
	reply.Redraw = true
	return reply, err
}

// plainSearch returns a saved search of the actor's that has no bell, or only its id when it is gone.
func (b Match) plainSearch(
	ctx context.Context, in kernel.Input, id core.SearchID,
) (match.SavedSearch, error) {
	searches, err := b.Market.Match.Searches(ctx, in.Actor, match.BellOff)
	for _, s := range searches {
		if s.ID == id {
			return s, nil
		}
	}
	return match.SavedSearch{ID: id}, err
}

func (b Match) setPaused(
	ctx context.Context, in kernel.Input, id core.SearchID, paused bool,
) (discord.Markdown, error) {
	watch, err := b.Market.Match.PauseBell(ctx, in.Actor, id, paused)
	if err != nil {
		return "", err
	}
	if paused {
		return in.Tr.Text(msg.WatchPaused, "watch", watch.Name), nil
	}
	return in.Tr.Text(msg.WatchResumed, "watch", watch.Name), nil
}

func (b Match) pauseWatchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	note, err := b.setPaused(ctx, in, core.SearchID(in.ID.Number(0)), in.ID.Number(1) == 1)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, note)
	reply.Redraw = true
	return reply, err
}

func (b Match) removeWatchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	watch, err := b.ownWatch(ctx, in, core.SearchID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := b.Market.Match.DeleteSearch(ctx, in.Actor, match.BellOn, watch.ID); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.watches(ctx, in, in.Tr.Text(msg.WatchRemoved, "watch", watch.Name))
	reply.Redraw = true
	return reply, err
}

// hearAll undoes every mute.
func (b Match) hearAll(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	muted, err := b.Market.Match.MutedBuyers(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, m := range muted {
		actor := in.Actor
		actor.Key, actor.OtherKey = "", "" // it may be repeated
		if err := b.Market.Match.UnmuteBuyer(ctx, actor, m.Buyer); err != nil {
			return kernel.Reply{}, err
		}
	}
	reply, err := b.watches(ctx, in, in.Tr.Text(msg.BuyersUnmuted))
	reply.Redraw = true
	return reply, err
}

func (b Match) ownWatch(ctx context.Context, in kernel.Input, id core.SearchID) (match.SavedSearch, error) {
	watches, err := b.Market.Match.Searches(ctx, in.Actor, match.BellOn)
	for _, w := range watches {
		if w.ID == id {
			return w, nil
		}
	}
	return match.SavedSearch{ID: id}, err // removing it reports that it is gone
}
