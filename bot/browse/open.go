package browse

import (
	"context"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

const (
	ordersShown = 6
	maxPages    = 100 // behind them a search helps more than turning pages
)

// browsing is the state of a list of open requests. All of it fits into a custom_id.
type browsing struct {
	page       int
	category   game.Category // empty for all
	sort       match.Sort
	importance game.Importance // empty for any
	level      int
	minPrice   core.Copper
	maxPrice   core.Copper
	text       string

	// forMe shows the requests that the reader can fill with their stock and skills. It takes the place of
	// level, so that the buttons of all filters fit into one row.
	forMe bool
}

// args returns the state as the arguments of a press: places in fixed lists and numbers, short enough for a
// custom_id.
func (s browsing) args(g game.Game) []any {
	sort := slices.Index(match.Sorts, s.sort)
	switch {
	case s.forMe && s.sort == match.Earnings:
		sort = 2 * len(match.Sorts)
	case s.forMe:
		sort += len(match.Sorts) // a button of the version before is without
	}
	return []any{
		s.page, 1 + slices.Index(g.Categories(), s.category), sort,
		1 + slices.Index(game.Importances, s.importance), s.level,
		strconv.FormatInt(int64(s.minPrice), 36), strconv.FormatInt(int64(s.maxPrice), 36), s.text,
	}
}

func (s browsing) press(action string, game game.Game) discord.CustomID {
	return discord.NewCustomID(action, s.args(game)...)
}

// browsingOf reads the state from a press. It ignores invalid values.
func browsingOf(p discord.CustomID, g game.Game) browsing {
	s := browsing{page: int(min(p.Number(0), maxPages-1)), sort: match.Newest,
		level: int(min(p.Number(4), core.MaxLevel)),
		text:  discord.Clip(discord.Visible(p.Word(7)), commands.MaxSearchText)}
	if n := p.Number(1); 1 <= n && n <= int64(len(g.Professions)) {
		s.category = g.Professions[n-1].Name
	}
	if n, sorts := p.Number(2), int64(len(match.Sorts)); n < 2*sorts {
		s.sort, s.forMe = match.Sorts[n%sorts], n >= sorts
	} else if n == 2*sorts {
		s.sort, s.forMe = match.Earnings, true
	}
	if n := p.Number(3); 1 <= n && n <= int64(len(game.Importances)) {
		s.importance = game.Importances[n-1]
	}
	s.minPrice, s.maxPrice = price36(p.Word(5)), price36(p.Word(6))
	return s
}

func price36(word string) core.Copper {
	n, err := strconv.ParseInt(word, 36, 64)
	if err != nil || n < 0 || n > int64(core.MaxPrice) {
		return 0
	}
	return core.Copper(n)
}

// forEverybody returns the list of all open requests, of which only the reader's can be sorted by earnings.
func (s browsing) forEverybody() browsing {
	if s.forMe = false; s.sort == match.Earnings {
		s.sort = match.Newest
	}
	return s
}

// filter returns the filter of the list; skills are the reader's.
func (s browsing) filter(skills []people.Skill) match.OrderFilter {
	f := match.OrderFilter{Text: s.text, Level: s.level, MinPrice: s.minPrice, MaxPrice: s.maxPrice,
		Skills: skills}
	if s.category != "" {
		f.Categories = []game.Category{s.category}
	}
	if s.importance != "" {
		f.Importance = []game.Importance{s.importance}
	}
	return f
}

// browse lists open requests as the options narrow them.
func (b Browse) browse(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	usual := match.Newest
	if in.Yes("for-me") && b.Features.Stock {
		usual = match.Earnings
	}
	s := browsing{
		category:   game.Category(in.Text("category")),
		sort:       match.Sort(kernel.OrElse(in.Text("sort"), string(usual))),
		importance: game.Importance(in.Text("importance")),
		text:       discord.Clip(discord.Visible(in.Text("search")), commands.MaxSearchText),
		forMe:      in.Yes("for-me"),
	}
	if level := in.Level("level"); level != nil && !s.forMe {
		s.level = *level
	}
	if err := b.readPrices(in, &s); err != nil {
		return kernel.Reply{}, err
	}
	return b.browsePage(ctx, in, s)
}

// readPrices reads the prices of the options or of the form.
func (b Browse) readPrices(in kernel.Input, s *browsing) (err error) {
	var c core.Checks
	if s.minPrice, err = b.Game.ParseCopper("minPrice", in.Text("min-price")); err != nil {
		c.Add(err)
	}
	if s.maxPrice, err = b.Game.ParseCopper("maxPrice", in.Text("max-price")); err != nil {
		c.Add(err)
	}
	return c.Err()
}

// work lists the open requests that the actor can fill, those with the best earnings first.
func (b Browse) work(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	s := browsing{sort: match.Newest, forMe: true}
	if b.Features.Stock {
		s.sort = match.Earnings
	}
	return b.browsePage(ctx, in, s)
}

// browseButton turns a page, or shows all again.
func (b Browse) browseButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.browseAgain(ctx, in, browsingOf(in.ID, b.Game))
}

// categoryPicked narrows the list to a category.
func (b Browse) categoryPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	s := browsingOf(in.ID, b.Game)
	s.page, s.category = 0, game.Category(in.Word())
	if !b.Game.HasCategory(s.category) {
		s.category = ""
	}
	return b.browseAgain(ctx, in, s)
}

// sortPicked sorts the list.
func (b Browse) sortPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	s := browsingOf(in.ID, b.Game)
	s.page = 0
	if by := match.Sort(in.Word()); slices.Contains(b.sortsOf(s), by) {
		s.sort = by
	}
	return b.browseAgain(ctx, in, s)
}

func (b Browse) browseAgain(ctx context.Context, in kernel.Input, s browsing) (kernel.Reply, error) {
	reply, err := b.browsePage(ctx, in, s)
	reply.Redraw = true
	return reply, err
}

func (b Browse) browsePage(ctx context.Context, in kernel.Input, s browsing) (kernel.Reply, error) {
	fillable := s.forMe && b.Features.Stock
	var skills []people.Skill
	if s.forMe && !fillable {
		var err error
		if skills, err = b.Market.People.Skills(ctx, in.Actor); err != nil {
			return kernel.Reply{}, err
		}
	}
	filter := s.filter(skills)
	var counts match.CategoryCounts
	if filter.OnlyCategories() && !fillable {
		var err error
		if counts, err = b.Market.Match.CountOrders(ctx, filter); err != nil {
			return kernel.Reply{}, err
		}
	}
	var also string
	showing := msg.Showing
	orders, total, page, err := b.pageOf(s.page, func(q match.OrderQuery) (match.OrderPage, error) {
		q.OrderFilter, q.Sort = filter, s.sort
		if fillable {
			return b.Market.Match.BrowseFillable(ctx, in.Actor, q)
		}
		page, err := b.Market.Match.BrowseOrders(ctx, q)
		if also = page.Also; page.AtLeast {
			showing = msg.ShowingAtLeast
		}
		return page, err
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	s.page = page
	var reply kernel.Reply
	filters := b.filterButtons(in.Tr, s)
	text := in.Tr.Text(showing, "count", total)
	switch {
	case total == 0 && fillable:
		narrowed := discord.Markdown("")
		if len(filters) > 1 || s.category != "" {
			narrowed = nothingFound(in.Tr, s, true)
		}
		if text, err = b.NothingToFill(ctx, in, narrowed); err != nil {
			return kernel.Reply{}, err
		}
	case total == 0:
		text = nothingFound(in.Tr, s, len(filters) > 0)
	}
	if s.forMe && !fillable && len(skills) == 0 {
		text = kernel.Joined(text, in.Tr.Text(msg.ForMeNoSkills))
	}
	if also != "" {
		text = kernel.Joined(text, in.Tr.Text(msg.AlsoShowing, "item", also))
	}
	offered, err := b.OfferedOn(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	items, options := b.OrderItems(in, orders, offered)
	reply.Cards = []*discord.Card{{
		Title: string(b.browseTitle(in.Tr, s)), URL: b.PublicURL, Color: kernel.ColourUsual,
		Description: string(text), Items: items,
	}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), in.Tr.Plain(msg.PickOrder),
			options))
	}
	reply.Rows = append(reply.Rows,
		kernel.Choose(s.press("category", b.Game), in.Tr.Plain(msg.PickCategory),
			categoryOptions(in.Tr, counts, s.category)),
		kernel.Choose(s.press("sort", b.Game), in.Tr.Plain(msg.PickSort),
			sortOptions(in.Tr, b.sortsOf(s), s.sort)))
	if len(filters) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(filters...))
	}
	find := kernel.Button(s.press("find", b.Game), discordgo.SecondaryButton, in.Tr.Plain(msg.FindButton))
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	buttons := kernel.Pager(in.Tr, s.page, pages, func(n int) discord.CustomID {
		s.page = n
		return s.press("browse", b.Game)
	})
	buttons = append(append(buttons, find), kernel.WebLink(b.PublicURL, in.Tr.Plain(msg.OpenWeb))...)
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}

// nothingFound returns the text of an empty list, with a hint about the next step.
func nothingFound(t kernel.Translator, s browsing, filtered bool) discord.Markdown {
	what, hint := msg.NoRequests, msg.NoRequestsHint
	switch {
	case filtered && s.category != "":
		what, hint = msg.NoMatches, msg.NoMatchesCategoryHint
	case filtered:
		what, hint = msg.NoMatches, msg.NoMatchesHint
	case s.category != "":
		hint = msg.NoRequestsCategoryHint
	}
	return kernel.Joined(t.Text(what), t.Text(hint))
}

func (b Browse) browseTitle(t kernel.Translator, s browsing) discord.Markdown {
	title := t.Text(msg.AllRequests)
	if s.forMe {
		title = t.Text(msg.FilterForMe)
	}
	if s.category != "" {
		title = discord.Escape(t.Category(s.category))
	}
	if s.text != "" {
		title += " · " + t.Text(msg.Quoted, "words", s.text)
	}
	return title
}

// filterButtons shows each filter beside the category; a press shows the list without it.
func (b Browse) filterButtons(t kernel.Translator, s browsing) (buttons []discordgo.MessageComponent) {
	s.page = 0
	add := func(on bool, label string, remove func(*browsing)) {
		if on {
			without := s
			remove(&without)
			buttons = append(buttons, kernel.Button(without.press("browse", b.Game),
				discordgo.SecondaryButton, t.Plain(msg.FilterOff, "filter", label)))
		}
	}
	add(s.text != "", t.Plain(msg.Quoted, "words", s.text), func(s *browsing) { s.text = "" })
	add(s.importance != "", t.Choice(string(s.importance)), func(s *browsing) { s.importance = "" })
	add(s.forMe, t.Plain(msg.FilterForMe), func(s *browsing) { *s = s.forEverybody() })
	add(s.level > 0, t.Plain(msg.FilterLevel, "level", s.level), func(s *browsing) { s.level = 0 })
	add(s.minPrice > 0, t.Plain(msg.FilterMinPrice,
		"price", s.minPrice), func(s *browsing) { s.minPrice = 0 })
	add(s.maxPrice > 0, t.Plain(msg.FilterMaxPrice,
		"price", s.maxPrice), func(s *browsing) { s.maxPrice = 0 })
	return buttons
}

// pageOf returns a page of a list, the last one when there are not so many. Lists come by cursors, so a
// page far behind costs reading those before it, sixty at a time.
func (b Browse) pageOf(
	page int, read func(match.OrderQuery) (match.OrderPage, error),
) (orders []trade.ListedOrder, total, shown int, err error) {
	for range 2 {
		first, seen := page*ordersShown, 0
		var after *match.Cursor
		orders = nil
		for {
			part, err := read(match.OrderQuery{After: after, Limit: core.PageSize})
			if err != nil {
				return nil, 0, 0, err
			}
			total = part.Total
			for _, o := range part.Orders {
				if seen >= first && len(orders) < ordersShown {
					orders = append(orders, o)
				}
				seen++
			}
			if after = part.Next; after == nil || len(orders) == ordersShown {
				break
			}
		}
		if len(orders) > 0 || page == 0 {
			return orders, total, page, nil
		}
		page = max(0, min(seen-1, total-1)) / ordersShown
	}
	return orders, total, page, nil
}

// categoryOptions are the categories to choose from, with what each has open where that was counted: with a
// filter it is not.
func categoryOptions(
	t kernel.Translator, counts match.CategoryCounts, chosen game.Category,
) []discordgo.SelectMenuOption {
	label := func(name string, n int) string {
		if counts.ByCategory == nil {
			return name
		}
		return t.Plain(msg.CategoryCount, "category", name, "count", n)
	}
	options := []discordgo.SelectMenuOption{{Label: label(t.Plain(msg.AllCategories), counts.All),
		Value: "all", Default: chosen == ""}}
	for _, c := range t.Game.Categories() {
		options = append(options, discordgo.SelectMenuOption{Label: label(t.Category(c),
			counts.ByCategory[c]), Value: string(c), Default: c == chosen, Emoji: t.CategoryEmoji(c)})
	}
	return options
}

var sortNames = map[match.Sort]msg.Key{
	match.Earnings: msg.SortEarnings, match.Newest: msg.SortNewest, match.HighestPay: msg.SortPrice,
	match.TotalValue: msg.SortTotal, match.EndingSoon: msg.SortEnding,
}

// sortsOf returns the sorts of a list. A list of requests that the reader can fill can also be sorted by
// earnings.
func (b Browse) sortsOf(s browsing) []match.Sort {
	if s.forMe && b.Features.Stock {
		return match.FillSorts
	}
	return match.Sorts
}

func sortOptions(t kernel.Translator, sorts []match.Sort, chosen match.Sort) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, len(sorts))
	for i, s := range sorts {
		options[i] = discordgo.SelectMenuOption{Label: t.Plain(sortNames[s]), Value: string(s),
			Default: s == chosen}
	}
	return options
}
