package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

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
}

// args are what a press carries of the state: places in fixed lists and numbers, short enough for a custom_id.
func (s browsing) args() []any {
	return []any{
		s.page, 1 + slices.Index(core.Categories, s.category), slices.Index(core.Sorts, s.sort),
		1 + slices.Index(core.Importances, s.importance), s.level,
		strconv.FormatInt(int64(s.minPrice), 36), strconv.FormatInt(int64(s.maxPrice), 36), s.text,
	}
}

func (s browsing) press(action string) press { return on(action, s.args()...) }

// browsingOf reads the state from a press. What makes no sense counts as left out.
func browsingOf(p press) browsing {
	s := browsing{page: int(min(p.number(0), maxPages-1)), sort: core.Newest, level: int(min(p.number(4), core.MaxLevel)), text: clip(visible(p.word(7)), maxSearchText)}
	if n := p.number(1); 1 <= n && n <= int64(len(core.Categories)) {
		s.category = core.Categories[n-1]
	}
	if n := p.number(2); n < int64(len(core.Sorts)) {
		s.sort = core.Sorts[n]
	}
	if n := p.number(3); 1 <= n && n <= int64(len(core.Importances)) {
		s.importance = core.Importances[n-1]
	}
	s.minPrice, s.maxPrice = price36(p.word(5)), price36(p.word(6))
	return s
}

func price36(word string) core.Copper {
	n, err := strconv.ParseInt(word, 36, 64)
	if err != nil || n < 0 || n > int64(core.MaxPrice) {
		return 0
	}
	return core.Copper(n)
}

func (s browsing) filter() core.OrderFilter {
	f := core.OrderFilter{Category: s.category, Text: s.text, Level: s.level, MinPrice: s.minPrice, MaxPrice: s.maxPrice}
	if s.importance != "" {
		f.Importance = []core.Importance{s.importance}
	}
	return f
}

// browse lists open requests as the options narrow them.
func (b *Bot) browse(ctx context.Context, in Input) (Reply, error) {
	s := browsing{
		category: core.Category(in.text("category")), sort: core.Sort(orElse(in.text("sort"), string(core.Newest))),
		importance: core.Importance(in.text("importance")), text: clip(visible(in.text("search")), maxSearchText),
	}
	if level := in.level("level"); level != nil {
		s.level = *level
	}
	var c core.Checks
	var err error
	if s.minPrice, err = core.ParseCopper("minPrice", in.text("min-price")); err != nil {
		c.Add(err)
	}
	if s.maxPrice, err = core.ParseCopper("maxPrice", in.text("max-price")); err != nil {
		c.Add(err)
	}
	if err := c.Err(); err != nil {
		return Reply{}, err
	}
	return b.browsePage(ctx, in, s)
}

// browsePressed turns a page, or shows all again.
func (b *Bot) browsePressed(ctx context.Context, in Input) (Reply, error) {
	return b.browseAgain(ctx, in, browsingOf(in.press))
}

// categoryPicked narrows the list to a category.
func (b *Bot) categoryPicked(ctx context.Context, in Input) (Reply, error) {
	s := browsingOf(in.press)
	s.page, s.category = 0, core.Category(in.word())
	if !s.category.Valid() {
		s.category = ""
	}
	return b.browseAgain(ctx, in, s)
}

// sortPicked sorts the list.
func (b *Bot) sortPicked(ctx context.Context, in Input) (Reply, error) {
	s := browsingOf(in.press)
	s.page = 0
	if by := core.Sort(in.word()); slices.Contains(core.Sorts, by) {
		s.sort = by
	}
	return b.browseAgain(ctx, in, s)
}

func (b *Bot) browseAgain(ctx context.Context, in Input, s browsing) (Reply, error) {
	reply, err := b.browsePage(ctx, in, s)
	reply.redraw = true
	return reply, err
}

func (b *Bot) browsePage(ctx context.Context, in Input, s browsing) (Reply, error) {
	counts, err := b.market.CountOrders(ctx, s.filter())
	if err != nil {
		return Reply{}, err
	}
	orders, total, page, err := b.pageOf(s.page, func(q core.OrderQuery) (core.OrderPage, error) {
		q.OrderFilter, q.Sort = s.filter(), s.sort
		return b.market.BrowseOrders(ctx, q)
	})
	if err != nil {
		return Reply{}, err
	}
	s.page = page
	var reply Reply
	text := in.say.text(msgShowing, total)
	if total == 0 {
		text = joined(in.say.text(msgNoRequests), in.say.text(msgNoRequestsHint))
	}
	text, options := in.say.orderLines(text, orders)
	reply.embeds = []*discordgo.MessageEmbed{{
		Title: string(b.browseTitle(in.say, s)), URL: b.publicURL, Color: colourUsual, Description: string(text),
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(on("open"), in.say.plain(msgPickOrder), options))
	}
	reply.rows = append(reply.rows,
		choose(s.press("category"), in.say.plain(msgPickCategory), in.say.categoryOptions(counts, s.category)),
		choose(s.press("sort"), in.say.plain(msgPickSort), in.say.sortOptions(s.sort)))
	pages := min(max(1, (total+ordersShown-1)/ordersShown), maxPages)
	buttons := pager(in.say, s.page, pages, func(n int) press {
		s.page = n
		return s.press("browse")
	})
	if buttons = append(buttons, webLink(b.publicURL, in.say.plain(msgOpenWeb))...); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

func (b *Bot) browseTitle(t tongue, s browsing) safe {
	title := t.text(msgAllRequests)
	if s.category != "" {
		title = escape(t.category(s.category))
	}
	if s.text != "" {
		title += " · “" + escape(s.text) + "”"
	}
	return title
}

// pageOf returns a page of a list, the last one when there are not so many. Lists come by cursors, so a page far behind costs
// reading those before it, sixty at a time.
func (b *Bot) pageOf(page int, read func(core.OrderQuery) (core.OrderPage, error)) (orders []core.ListedOrder, total, shown int, err error) {
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

// orderLines lists orders under a text, and as options to pick one.
func (t tongue) orderLines(text safe, orders []core.ListedOrder) (safe, []discordgo.SelectMenuOption) {
	options := make([]discordgo.SelectMenuOption, len(orders))
	for i, o := range orders {
		text = joined(text, "\n"+t.orderLine(o))
		options[i] = discordgo.SelectMenuOption{Label: t.orderLabel(o.Order), Value: fmt.Sprint(o.ID), Description: t.orderHint(o.Order)}
	}
	return text, options
}

func (t tongue) orderLine(o core.ListedOrder) safe {
	mark := map[core.Importance]safe{core.Urgent: "🔴 ", core.High: "🟠 "}[o.Importance]
	line := mark + "**" + escape(o.ItemName) + "** · " + t.text(msgEach, coins(o.MaxPrice)) + "\n" + bar(o.Progress()) + " " + t.leftOf(o.Order) +
		" · " + escape(t.category(o.Category))
	if o.LevelRequirement != nil {
		line += " · " + t.text(msgLevelFrom, *o.LevelRequirement)
	}
	if o.Offers > 0 {
		line += " · **" + t.text(msgOfferCount, o.Offers) + "**"
	}
	return line
}

func (t tongue) categoryOptions(counts core.CategoryCounts, chosen core.Category) []discordgo.SelectMenuOption {
	options := []discordgo.SelectMenuOption{{Label: t.plain(msgCategoryCount, t.plain(msgAllCategories), counts.All), Value: "all", Default: chosen == ""}}
	for _, c := range core.Categories {
		options = append(options, discordgo.SelectMenuOption{
			Label: t.plain(msgCategoryCount, t.category(c), counts.ByCategory[c]), Value: string(c), Default: c == chosen,
		})
	}
	return options
}

var sortNames = map[core.Sort]msg{
	core.Newest: msgSortNewest, core.HighestPay: msgSortPrice, core.TotalValue: msgSortTotal, core.EndingSoon: msgSortEnding,
}

func (t tongue) sortOptions(chosen core.Sort) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, len(core.Sorts))
	for i, s := range core.Sorts {
		options[i] = discordgo.SelectMenuOption{Label: t.plain(sortNames[s]), Value: string(s), Default: s == chosen}
	}
	return options
}
