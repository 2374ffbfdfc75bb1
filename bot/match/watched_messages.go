package match

import (
	"context"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// alertsShown limits the requests in a message about many.
const alertsShown = 10

// watchedDM is a message about requests that fit the reader's watches, as they are now: one with what one
// needs to act, or several to pick from.
func (b Match) watchedDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	beyond := b.beyondReach(t, d)
	d.Notices = slices.DeleteFunc(slices.Clone(d.Notices), notify.Notice.Beyond)
	if len(d.Notices) == 0 {
		return kernel.Reply{Text: t.Text(msg.WatchedGone)}
	}
	if len(d.Notices) == 1 {
		reply := b.alertDM(t, d.Notices[0], d)
		reply.Text += beyond
		return reply
	}
	var items []discord.CardItem
	var options []discordgo.SelectMenuOption
	listed := 0
	for _, n := range notify.Ranked(d.Notices) {
		if l, there := b.watchedListing(n, d); there {
			if listed++; len(items) < alertsShown {
				items = append(items, discord.CardItem{
					Text: listedLine(t, l) + " · " + discord.Escape(n.Name)})
			}
			continue
		}
		o, open := watchedOrder(n, d.Watched)
		if !open || !o.Open(b.Now()) {
			continue
		}
		if len(items) < alertsShown {
			offer, why := discord.NewCustomID("make-offer", o.ID), discord.Escape(n.Name)
			if n.Search == 0 {
				offer, why = discord.NewCustomID("make-offer", o.ID, 0, n.Quantity),
					t.Text(msg.StockAlert, "quantity", n.Quantity)
			}
			items = append(items, discord.CardItem{
				Text:   kernel.ImportanceMarks[o.Importance] + " " + watchedLine(t, o) + " · " + why,
				Button: kernel.Button(offer, discordgo.PrimaryButton, t.Plain(msg.Offer)),
			})
		}
		options = append(options, discordgo.SelectMenuOption{Label: t.OrderLabel(o), Value: fmt.Sprint(o.ID),
			Description: t.OrderHint(o)})
	}
	count := len(options) + listed
	if count == 0 {
		return kernel.Reply{Text: t.Text(msg.WatchedGone)}
	}
	card := &discord.Card{Color: kernel.ColourUsual, Items: items}
	if rest := count - alertsShown; rest > 0 {
		card.Footer = t.Text(msg.AndMore, "count", rest)
	}
	reply := kernel.Reply{
		Text:  t.Text(alertsTitle(d.Notices, listed), "count", count) + beyond,
		Cards: []*discord.Card{card},
	}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), t.Plain(msg.WatchedPick),
			options[:min(len(options), discord.MaxOptions)]))
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(alertSources(t, d.Notices),
		kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb))...)...))
	return reply
}

// watchedListing returns the listing of an alert, as it is now; false where there is none any more.
func (b Match) watchedListing(n notify.Notice, d channels.Delivery) (match.Listing, bool) {
	i := slices.IndexFunc(d.Listed, func(l match.Listing) bool { return n.Listing != 0 && l.ID == n.Listing })
	if i < 0 || !d.Listed[i].Listed(b.Now()) {
		return match.Listing{}, false
	}
	l := d.Listed[i]
	l.Quantity = min(l.Quantity, n.Quantity) // less what was asked for by then
	return l, true
}

func listedLine(t kernel.Translator, l match.Listing) discord.Markdown {
	return t.Text(msg.ListedLine, "item", "**"+t.Text(msg.OfferTitle, "quantity", l.Quantity,
		"item", l.ItemName)+"**",
		"price", t.Coins(l.Price))
}

// beyondReach counts requests of which the reader gets no message of their own.
func (b Match) beyondReach(t kernel.Translator, d channels.Delivery) discord.Markdown {
	var buyers []core.UserID
	for _, n := range slices.Backward(d.Notices) {
		if o, there := watchedOrder(n, d.Watched); n.Beyond() && there && o.Open(b.Now()) {
			buyers = append(buyers, o.Owner)
		}
	}
	return t.CountedBy(msg.AlsoInInbox, buyers, d.Accounts)
}

func ofStock(n notify.Notice) bool { return n.Search == 0 }

func ofWatch(n notify.Notice) bool { return n.Search != 0 }

// alertsTitle returns the title of a message about many requests: they match watches, stock or both, and may
// be listings.
func alertsTitle(notices []notify.Notice, listed int) msg.Key {
	switch {
	case listed > 0:
		return msg.MatchesDMMany
	case !slices.ContainsFunc(notices, ofStock):
		return msg.WatchedDMMany
	case !slices.ContainsFunc(notices, ofWatch):
		return msg.StockDMMany
	}
	return msg.AlertsDMMany
}

// alertSources lead to what alerts were caused by: watches, stock, or both.
func alertSources(t kernel.Translator, notices []notify.Notice) (buttons []discordgo.MessageComponent) {
	if slices.ContainsFunc(notices, ofWatch) {
		buttons = append(buttons, watchesButton(t))
	}
	if slices.ContainsFunc(notices, ofStock) {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("have-list"), discordgo.SecondaryButton,
			t.Plain(msg.StockTitle)))
	}
	return buttons
}

// watchedOrder returns the request of an alert, as it is now.
func watchedOrder(n notify.Notice, orders []trade.Order) (trade.Order, bool) {
	i := slices.IndexFunc(orders, func(o trade.Order) bool { return n.OrderID != 0 && o.ID == n.OrderID })
	if i < 0 {
		return trade.Order{}, false
	}
	return orders[i], true
}

func watchedLine(t kernel.Translator, o trade.Order) discord.Markdown {
	return t.Text(msg.WatchedLine, "item", "**"+t.Text(msg.OfferTitle, "quantity", o.Remaining(),
		"item", o.ItemName)+"**",
		"price", t.Coins(o.MaxPrice))
}

// alertDM is the message about one request.
func (b Match) alertDM(t kernel.Translator, n notify.Notice, d channels.Delivery) kernel.Reply {
	if n.Listing != 0 {
		return b.listedDM(t, n, d)
	}
	o, there := watchedOrder(n, d.Watched)
	if !there {
		o.ItemName, o.Quantity, o.MaxPrice = n.ItemName, n.Quantity, n.Price
	}
	r := kernel.Reply{Text: t.Text(msg.WatchedDM, "quantity", o.Remaining(), "item", o.ItemName,
		"price", t.Coins(o.MaxPrice))}
	var first []discordgo.MessageComponent
	if there && o.Open(b.Now()) {
		r.Cards = []*discord.Card{b.Card(t, o, d.Accounts[o.Owner], false)}
		first = append(first, kernel.Button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton,
			t.Plain(msg.OfferToFulfill)))
	} else {
		r.Cards = []*discord.Card{{Title: string(discord.Escape(n.ItemName)), Color: kernel.ColourDone,
			Description: string(t.Text(msg.WatchedGone))}}
	}
	if n.Search == 0 {
		return b.stockAlertDM(t, n, o, r, first)
	}
	r.Cards[0].Footer = t.Text(msg.WatchedBy, "watch", n.Name)
	first = append(first, kernel.WebLink(b.OrderURL(n.OrderID), t.Plain(msg.OpenWeb))...)
	if len(first) > 0 {
		r.Rows = append(r.Rows, kernel.Row(first...))
	}
	r.Rows = append(r.Rows, quieter(t, n, msg.NotThisBuyer))
	return r
}

// listedDM is the message about one listing. The page has what is needed to ask for it.
func (b Match) listedDM(t kernel.Translator, n notify.Notice, d channels.Delivery) kernel.Reply {
	card := &discord.Card{Title: string(discord.Escape(n.ItemName)), Color: kernel.ColourUsual,
		Footer: t.Text(msg.WatchedBy, "watch", n.Name)}
	r := kernel.Reply{Text: t.Text(msg.ListedDM, "quantity", n.Quantity, "item", n.ItemName,
		"price", t.Coins(n.Price)), Cards: []*discord.Card{card}}
	if l, there := b.watchedListing(n, d); there {
		r.Text = t.Text(msg.ListedDM, "quantity", l.Quantity, "item", l.ItemName, "price", t.Coins(l.Price))
		card.Description = string(discord.ClipMarkdown(discord.Escape(l.Note), 500))
		if link := kernel.WebLink(b.ForSaleURL(l.ItemName),
			t.Plain(msg.ListedOpen)); len(link) > 0 {
			r.Rows = append(r.Rows, kernel.Row(link...))
		}
	} else {
		card.Color, card.Description = kernel.ColourDone, string(t.Text(msg.ListedGone))
	}
	r.Rows = append(r.Rows, quieter(t, n, msg.NotThisSeller))
	return r
}

// quieter returns the buttons that hold or end the alerts of a saved search, or those about a person.
func quieter(t kernel.Translator, n notify.Notice, mute msg.Key) discordgo.MessageComponent {
	return kernel.Row(
		kernel.Button(discord.NewCustomID("snooze", n.Search, match.SnoozeHour), discordgo.SecondaryButton,
			t.Plain(msg.SnoozeHour)),
		kernel.Button(discord.NewCustomID("snooze", n.Search, match.SnoozeTomorrow),
			discordgo.SecondaryButton, t.Plain(msg.SnoozeTomorrow)),
		kernel.Button(discord.NewCustomID("mute-buyer", n.ID), discordgo.SecondaryButton,
			t.Plain(mute)),
		kernel.Button(discord.NewCustomID("stop-watch", n.Search), discordgo.SecondaryButton,
			t.Plain(msg.StopWatch)),
	)
}

// snoozeButton holds the alerts of a watch for a while.
func (b Match) snoozeButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	watch, err := b.Market.Match.SnoozeBell(ctx, in.Actor, core.SearchID(in.ID.Number(0)),
		match.Snooze(in.ID.Word(1)))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.WatchSnoozed, "time", kernel.Moment(watch.SnoozedUntil)))
	reply.Rows = append(reply.Rows, kernel.Row(resumeButton(in.Tr, watch.ID), watchesButton(in.Tr)))
	return reply, nil
}

// resumeButton has a watch notify again that was snoozed or stopped.
func resumeButton(t kernel.Translator, id core.SearchID) discordgo.MessageComponent {
	return kernel.Button(discord.NewCustomID("watch-pause", id, 0), discordgo.SecondaryButton,
		t.Plain(msg.WatchResumeButton))
}

func watchesButton(t kernel.Translator) discordgo.MessageComponent {
	return kernel.Button(discord.NewCustomID("watches"), discordgo.SecondaryButton,
		t.Plain(msg.WatchesButton))
}

// muteBuyerButton has the reader hear no more of a buyer.
func (b Match) muteBuyerButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Match.MuteBuyer(ctx, in.Actor, core.NoticeID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.BuyerMuted))
	reply.Rows = append(reply.Rows, kernel.Row(watchesButton(in.Tr)))
	return reply, nil
}

// stopWatchButton turns off the bell of an alert's saved search.
func (b Match) stopWatchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.SearchID(in.ID.Number(0))
	note, err := b.setPaused(ctx, in, id, true)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(note)
	reply.Rows = append(reply.Rows, kernel.Row(resumeButton(in.Tr, id), watchesButton(in.Tr)))
	return reply, nil
}
