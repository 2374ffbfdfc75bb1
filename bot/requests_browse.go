package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const (
	ordersShown = 6
	maxPages    = 100 // behind them a search helps more than turning pages
)

// browsing is the state of a list of open requests. All of it fits into a custom_id.
type browsing struct {
	page       int
	category   core.Category // empty for all
	sort       core.Sort
	importance core.Importance // empty for any
	level      int
	minPrice   core.Copper
	maxPrice   core.Copper
	text       string

	// forMe shows what the reader can fill with their stock and skills. It takes the place of level, so that the buttons of all
	// filters fit into one row.
	forMe bool
}

// args are what a press carries of the state: places in fixed lists and numbers, short enough for a custom_id.
func (s browsing) args(game core.Game) []any {
	sort := slices.Index(core.Sorts, s.sort)
	switch {
	case s.forMe && s.sort == core.Earnings:
		sort = 2 * len(core.Sorts)
	case s.forMe:
		sort += len(core.Sorts) // a button of the version before is without
	}
	return []any{
		s.page, 1 + slices.Index(game.Categories(), s.category), sort,
		1 + slices.Index(core.Importances, s.importance), s.level,
		strconv.FormatInt(int64(s.minPrice), 36), strconv.FormatInt(int64(s.maxPrice), 36), s.text,
	}
}

func (s browsing) press(action string, game core.Game) discord.CustomID {
	return discord.NewCustomID(action, s.args(game)...)
}

// browsingOf reads the state from a press. What makes no sense counts as left out.
func browsingOf(p discord.CustomID, game core.Game) browsing {
	s := browsing{page: int(min(p.Number(0), maxPages-1)), sort: core.Newest, level: int(min(p.Number(4), core.MaxLevel)), text: discord.Clip(discord.Visible(p.Word(7)), maxSearchText)}
	if n := p.Number(1); 1 <= n && n <= int64(len(game.Professions)) {
		s.category = game.Professions[n-1].Name
	}
	if n, sorts := p.Number(2), int64(len(core.Sorts)); n < 2*sorts {
		s.sort, s.forMe = core.Sorts[n%sorts], n >= sorts
	} else if n == 2*sorts {
		s.sort, s.forMe = core.Earnings, true
	}
	if n := p.Number(3); 1 <= n && n <= int64(len(core.Importances)) {
		s.importance = core.Importances[n-1]
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

// filter returns what the list is narrowed to; skills are those of the reader.
func (s browsing) filter(skills []core.Skill) core.OrderFilter {
	f := core.OrderFilter{Text: s.text, Level: s.level, MinPrice: s.minPrice, MaxPrice: s.maxPrice, Skills: skills}
	if s.category != "" {
		f.Categories = []core.Category{s.category}
	}
	if s.importance != "" {
		f.Importance = []core.Importance{s.importance}
	}
	return f
}

// browse lists open requests as the options narrow them.
func (b browseBot) browse(ctx context.Context, in Input) (Reply, error) {
	usual := core.Newest
	if in.yes("for-me") && b.features.Stock {
		usual = core.Earnings
	}
	s := browsing{
		category: core.Category(in.text("category")), sort: core.Sort(orElse(in.text("sort"), string(usual))),
		importance: core.Importance(in.text("importance")), text: discord.Clip(discord.Visible(in.text("search")), maxSearchText),
		forMe: in.yes("for-me"),
	}
	if level := in.level("level"); level != nil && !s.forMe {
		s.level = *level
	}
	var c core.Checks
	var err error
	if s.minPrice, err = b.game.ParseCopper("minPrice", in.text("min-price")); err != nil {
		c.Add(err)
	}
	if s.maxPrice, err = b.game.ParseCopper("maxPrice", in.text("max-price")); err != nil {
		c.Add(err)
	}
	if err := c.Err(); err != nil {
		return Reply{}, err
	}
	return b.browsePage(ctx, in, s)
}

// browseButton turns a page, or shows all again.
func (b browseBot) browseButton(ctx context.Context, in Input) (Reply, error) {
	return b.browseAgain(ctx, in, browsingOf(in.id, b.game))
}

// categoryPicked narrows the list to a category.
func (b browseBot) categoryPicked(ctx context.Context, in Input) (Reply, error) {
	s := browsingOf(in.id, b.game)
	s.page, s.category = 0, core.Category(in.word())
	if !b.game.HasCategory(s.category) {
		s.category = ""
	}
	return b.browseAgain(ctx, in, s)
}

// sortPicked sorts the list.
func (b browseBot) sortPicked(ctx context.Context, in Input) (Reply, error) {
	s := browsingOf(in.id, b.game)
	s.page = 0
	if by := core.Sort(in.word()); slices.Contains(b.sortsOf(s), by) {
		s.sort = by
	}
	return b.browseAgain(ctx, in, s)
}

func (b browseBot) browseAgain(ctx context.Context, in Input, s browsing) (Reply, error) {
	reply, err := b.browsePage(ctx, in, s)
	reply.redraw = true
	return reply, err
}

func (b browseBot) browsePage(ctx context.Context, in Input, s browsing) (Reply, error) {
	fillable := s.forMe && b.features.Stock
	var skills []core.Skill
	if s.forMe && !fillable {
		var err error
		if skills, err = b.market.Skills(ctx, in.Actor); err != nil {
			return Reply{}, err
		}
	}
	filter := s.filter(skills)
	var counts core.CategoryCounts
	if filter.OnlyCategories() && !fillable {
		var err error
		if counts, err = b.market.CountOrders(ctx, filter); err != nil {
			return Reply{}, err
		}
	}
	var also string
	showing := msg.Showing
	orders, total, page, err := b.pageOf(s.page, func(q core.OrderQuery) (core.OrderPage, error) {
		q.OrderFilter, q.Sort = filter, s.sort
		if fillable {
			return b.market.BrowseFillable(ctx, in.Actor, q)
		}
		page, err := b.market.BrowseOrders(ctx, q)
		if also = page.Also; page.AtLeast {
			showing = msg.ShowingAtLeast
		}
		return page, err
	})
	if err != nil {
		return Reply{}, err
	}
	s.page = page
	var reply Reply
	filters := b.filterButtons(in.tr, s)
	text := in.tr.text(showing, total)
	switch {
	case total == 0 && fillable:
		narrowed := discord.Markdown("")
		if len(filters) > 1 || s.category != "" {
			narrowed = nothingFound(in.tr, s, true)
		}
		if text, err = b.nothingToFill(ctx, in, narrowed); err != nil {
			return Reply{}, err
		}
	case total == 0:
		text = nothingFound(in.tr, s, len(filters) > 0)
	}
	if s.forMe && !fillable && len(skills) == 0 {
		text = joined(text, in.tr.text(msg.ForMeNoSkills))
	}
	if also != "" {
		text = joined(text, in.tr.text(msg.AlsoShowing, also))
	}
	offered, err := b.offeredOn(ctx, in)
	if err != nil {
		return Reply{}, err
	}
	items, options := b.orderItems(in, orders, offered)
	reply.cards = []*discord.Card{{
		Title: string(b.browseTitle(in.tr, s)), URL: b.publicURL, Color: colourUsual, Description: string(text), Items: items,
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("open"), in.tr.plain(msg.PickOrder), options))
	}
	reply.rows = append(reply.rows,
		choose(s.press("category", b.game), in.tr.plain(msg.PickCategory), categoryOptions(in.tr, counts, s.category)),
		choose(s.press("sort", b.game), in.tr.plain(msg.PickSort), sortOptions(in.tr, b.sortsOf(s), s.sort)))
	if len(filters) > 0 {
		reply.rows = append(reply.rows, row(filters...))
	}
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	buttons := pager(in.tr, s.page, pages, func(n int) discord.CustomID {
		s.page = n
		return s.press("browse", b.game)
	})
	if buttons = append(buttons, webLink(b.publicURL, in.tr.plain(msg.OpenWeb))...); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// nothingFound says that a list is empty, and what to do about it.
func nothingFound(t translator, s browsing, filtered bool) discord.Markdown {
	what, hint := msg.NoRequests, msg.NoRequestsHint
	switch {
	case filtered && s.category != "":
		what, hint = msg.NoMatches, msg.NoMatchesCategoryHint
	case filtered:
		what, hint = msg.NoMatches, msg.NoMatchesHint
	case s.category != "":
		hint = msg.NoRequestsCategoryHint
	}
	return joined(t.text(what), t.text(hint))
}

func (b browseBot) browseTitle(t translator, s browsing) discord.Markdown {
	title := t.text(msg.AllRequests)
	if s.forMe {
		title = t.text(msg.FilterForMe)
	}
	if s.category != "" {
		title = discord.Escape(t.category(s.category))
	}
	if s.text != "" {
		title += " · “" + discord.Escape(s.text) + "”"
	}
	return title
}

// filterButtons shows each filter beside the category; a press shows the list without it.
func (b browseBot) filterButtons(t translator, s browsing) (buttons []discordgo.MessageComponent) {
	s.page = 0
	add := func(on bool, label string, remove func(*browsing)) {
		if on {
			without := s
			remove(&without)
			buttons = append(buttons, button(without.press("browse", b.game), discordgo.SecondaryButton, t.plain(msg.FilterOff, label)))
		}
	}
	add(s.text != "", "“"+s.text+"”", func(s *browsing) { s.text = "" })
	add(s.importance != "", t.choice(string(s.importance)), func(s *browsing) { s.importance = "" })
	add(s.forMe, t.plain(msg.FilterForMe), func(s *browsing) {
		if s.forMe = false; s.sort == core.Earnings {
			s.sort = core.Newest
		}
	})
	add(s.level > 0, t.plain(msg.FilterLevel, s.level), func(s *browsing) { s.level = 0 })
	add(s.minPrice > 0, t.plain(msg.FilterMinPrice, s.minPrice), func(s *browsing) { s.minPrice = 0 })
	add(s.maxPrice > 0, t.plain(msg.FilterMaxPrice, s.maxPrice), func(s *browsing) { s.maxPrice = 0 })
	return buttons
}

// pageOf returns a page of a list, the last one when there are not so many. Lists come by cursors, so a page far behind costs
// reading those before it, sixty at a time.
func (b browseBot) pageOf(page int, read func(core.OrderQuery) (core.OrderPage, error)) (orders []core.ListedOrder, total, shown int, err error) {
	for range 2 {
		first, seen := page*ordersShown, 0
		var after *core.Cursor
		orders = nil
		for {
			part, err := read(core.OrderQuery{After: after, Limit: core.PageSize})
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

// offeredOn are the actor's open offers, by request.
func (d *Drawer) offeredOn(ctx context.Context, in Input) (map[core.OrderID]core.SentOffer, error) {
	offers, err := d.market.OpenOffers(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	on := make(map[core.OrderID]core.SentOffer, len(offers))
	for _, o := range offers {
		on[o.OrderID] = o
	}
	return on, nil
}

// orderItems lists orders, each with what the reader offered on it and a button for what they do most, and as options to pick one.
func (d *Drawer) orderItems(in Input, orders []core.ListedOrder, offered map[core.OrderID]core.SentOffer) ([]discord.CardItem, []discordgo.SelectMenuOption) {
	items, options := make([]discord.CardItem, len(orders)), make([]discordgo.SelectMenuOption, len(orders))
	for i, o := range orders {
		items[i].Text = in.tr.orderLine(o, d.itemURL(o.Item))
		mine, ok := offered[o.ID]
		if ok {
			items[i].Text += " · **" + in.tr.youOffered(mine) + "**"
		}
		items[i].Button = d.orderButton(in, o, ok)
		options[i] = discordgo.SelectMenuOption{Label: in.tr.orderLabel(o.Order), Value: fmt.Sprint(o.ID), Description: in.tr.orderHint(o.Order)}
	}
	return items, options
}

// orderButton is what the reader does most with an order of a list: see the offers on their own, and offer on others'.
func (d *Drawer) orderButton(in Input, o core.ListedOrder, offered bool) discordgo.MessageComponent {
	switch {
	case in.Actor.MustOwn(o.Order) == nil && o.Status == core.Active && o.Expired(d.now()):
		return button(discord.NewCustomID("renew", o.ID).At(o.Version), discordgo.PrimaryButton, in.tr.plain(msg.Renew))
	case in.Actor.MustOwn(o.Order) == nil && o.Open(d.now()) && o.Offers > 0:
		return button(discord.NewCustomID("offers", o.ID, 0), discordgo.PrimaryButton, in.tr.plain(msg.ViewOffers, o.Offers))
	case in.Actor.MustOwn(o.Order) == nil || !o.Open(d.now()):
		return button(discord.NewCustomID("look", o.ID), discordgo.SecondaryButton, in.tr.plain(msg.Look))
	case offered:
		return button(discord.NewCustomID("make-offer", o.ID), discordgo.SecondaryButton, in.tr.plain(msg.OfferChange))
	}
	return button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton, in.tr.plain(msg.Offer))
}

// orderLine shows an order in two lines. Its name leads to the page of its item, if there is one.
func (t translator) orderLine(o core.ListedOrder, item string) discord.Markdown {
	name := "**" + discord.Escape(o.ItemName) + "**"
	if item != "" {
		name = "[" + name + "](" + discord.Markdown(item) + ")"
	}
	line := importanceMarks[o.Importance] + " " + name + " · " + t.text(msg.Each, t.coins(o.MaxPrice)) + "\n"
	if o.Bought() > 0 {
		line += bar(o.Bought()) + " "
	}
	line += t.leftOf(o.Order) + " · " + t.categoryMarked(o.Category)
	if o.LevelRequirement != nil {
		line += " · " + t.text(msg.LevelFrom, *o.LevelRequirement)
	}
	if o.Offers > 0 {
		line += " · **" + t.text(msg.OfferCount, o.Offers) + "**"
	}
	return line
}

// categoryOptions are the categories to choose from, with what each has open where that was counted: with a filter it is not.
func categoryOptions(t translator, counts core.CategoryCounts, chosen core.Category) []discordgo.SelectMenuOption {
	label := func(name string, n int) string {
		if counts.ByCategory == nil {
			return name
		}
		return t.plain(msg.CategoryCount, name, n)
	}
	options := []discordgo.SelectMenuOption{{Label: label(t.plain(msg.AllCategories), counts.All), Value: "all", Default: chosen == ""}}
	for _, c := range t.game.Categories() {
		options = append(options, discordgo.SelectMenuOption{Label: label(t.category(c), counts.ByCategory[c]), Value: string(c), Default: c == chosen, Emoji: t.categoryEmoji(c)})
	}
	return options
}

var sortNames = map[core.Sort]msg.Key{
	core.Earnings: msg.SortEarnings, core.Newest: msg.SortNewest, core.HighestPay: msg.SortPrice, core.TotalValue: msg.SortTotal, core.EndingSoon: msg.SortEnding,
}

// sortsOf are the sorts of a list. What one can fill can come by what it earns.
func (b browseBot) sortsOf(s browsing) []core.Sort {
	if s.forMe && b.features.Stock {
		return core.FillSorts
	}
	return core.Sorts
}

func sortOptions(t translator, sorts []core.Sort, chosen core.Sort) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, len(sorts))
	for i, s := range sorts {
		options[i] = discordgo.SelectMenuOption{Label: t.plain(sortNames[s]), Value: string(s), Default: s == chosen}
	}
	return options
}
