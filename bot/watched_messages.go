package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// alertsShown is how many requests a message about many lists.
const alertsShown = 10

// watchedDM is a message about requests that fit the reader's watches, as they are now: one with what one needs to act, or several to
// pick from.
func (b matchBot) watchedDM(t translator, d core.Delivery) Reply {
	if len(d.Notices) == 0 {
		return Reply{text: t.text(msg.WatchedGone)}
	}
	if len(d.Notices) == 1 {
		return b.alertDM(t, d.Notices[0], d)
	}
	var items []discord.CardItem
	var options []discordgo.SelectMenuOption
	notices := slices.Clone(d.Notices)
	slices.Reverse(notices) // the newest first
	for _, n := range notices {
		o, open := watchedOrder(n, d.Watched)
		if !open || !o.Open(b.now()) {
			continue
		}
		if len(options) < alertsShown {
			offer, why := discord.NewCustomID("make-offer", o.ID), discord.Escape(n.Name)
			if n.Watch == 0 {
				offer, why = discord.NewCustomID("make-offer", o.ID, 0, n.Quantity), t.text(msg.StockAlert, n.Quantity)
			}
			items = append(items, discord.CardItem{
				Text:   importanceMarks[o.Importance] + " " + watchedLine(t, o) + " · " + why,
				Button: button(offer, discordgo.PrimaryButton, t.plain(msg.Offer)),
			})
		}
		options = append(options, discordgo.SelectMenuOption{Label: t.orderLabel(o), Value: fmt.Sprint(o.ID), Description: t.orderHint(o)})
	}
	if len(options) == 0 {
		return Reply{text: t.text(msg.WatchedGone)}
	}
	card := &discord.Card{Color: colourUsual, Items: items}
	if rest := len(options) - alertsShown; rest > 0 {
		card.Footer = t.text(msg.AndMore, rest)
	}
	return Reply{
		text:  t.text(alertsTitle(d.Notices), len(options)),
		cards: []*discord.Card{card},
		rows: []discordgo.MessageComponent{
			choose(discord.NewCustomID("open"), t.plain(msg.WatchedPick), options[:min(len(options), discord.MaxOptions)]),
			row(append(alertSources(t, d.Notices), webLink(b.pageURL("/inbox"), t.plain(msg.OpenWeb))...)...),
		},
	}
}

func ofStock(n core.Notice) bool { return n.Watch == 0 }

func ofWatch(n core.Notice) bool { return n.Watch != 0 }

// alertsTitle is the title of a message about many requests, by what they fit.
func alertsTitle(notices []core.Notice) msg.Key {
	switch {
	case !slices.ContainsFunc(notices, ofStock):
		return msg.WatchedDMMany
	case !slices.ContainsFunc(notices, ofWatch):
		return msg.StockDMMany
	}
	return msg.AlertsDMMany
}

// alertSources lead to what alerts were caused by: watches, stock, or both.
func alertSources(t translator, notices []core.Notice) (buttons []discordgo.MessageComponent) {
	if slices.ContainsFunc(notices, ofWatch) {
		buttons = append(buttons, watchesButton(t))
	}
	if slices.ContainsFunc(notices, ofStock) {
		buttons = append(buttons, button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.plain(msg.StockTitle)))
	}
	return buttons
}

// watchedOrder returns the request of an alert, as it is now.
func watchedOrder(n core.Notice, orders []core.Order) (core.Order, bool) {
	i := slices.IndexFunc(orders, func(o core.Order) bool { return n.OrderID != 0 && o.ID == n.OrderID })
	if i < 0 {
		return core.Order{}, false
	}
	return orders[i], true
}

func watchedLine(t translator, o core.Order) discord.Markdown {
	return t.text(msg.WatchedLine, "**"+t.text(msg.OfferTitle, o.Remaining(), o.ItemName)+"**", t.coins(o.MaxPrice))
}

// alertDM is the message about one request.
func (b matchBot) alertDM(t translator, n core.Notice, d core.Delivery) Reply {
	o, there := watchedOrder(n, d.Watched)
	if !there {
		o.ItemName, o.Quantity, o.MaxPrice = n.ItemName, n.Quantity, n.Price
	}
	r := Reply{text: t.text(msg.WatchedDM, o.Remaining(), o.ItemName, t.coins(o.MaxPrice))}
	var first []discordgo.MessageComponent
	if there && o.Open(b.now()) {
		r.cards = []*discord.Card{b.card(t, o, d.Accounts[o.Owner], false)}
		first = append(first, button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton, t.plain(msg.OfferToFulfill)))
	} else {
		r.cards = []*discord.Card{{Title: string(discord.Escape(n.ItemName)), Color: colourDone, Description: string(t.text(msg.WatchedGone))}}
	}
	if n.Watch == 0 {
		return b.stockAlertDM(t, n, r, first)
	}
	r.cards[0].Footer = t.text(msg.WatchedBy, n.Name)
	first = append(first, webLink(b.orderURL(n.OrderID), t.plain(msg.OpenWeb))...)
	if len(first) > 0 {
		r.rows = append(r.rows, row(first...))
	}
	quieter := []discordgo.MessageComponent{
		button(discord.NewCustomID("snooze", n.Watch, core.SnoozeHour), discordgo.SecondaryButton, t.plain(msg.SnoozeHour)),
		button(discord.NewCustomID("snooze", n.Watch, core.SnoozeTomorrow), discordgo.SecondaryButton, t.plain(msg.SnoozeTomorrow)),
		button(discord.NewCustomID("mute-buyer", n.ID), discordgo.SecondaryButton, t.plain(msg.NotThisBuyer)),
		button(discord.NewCustomID("stop-watch", n.Watch), discordgo.SecondaryButton, t.plain(msg.StopWatch)),
	}
	r.rows = append(r.rows, row(quieter...))
	return r
}

// snoozeButton holds the alerts of a watch for a while.
func (b matchBot) snoozeButton(ctx context.Context, in Input) (Reply, error) {
	watch, err := b.market.SnoozeWatch(ctx, in.Actor, core.WatchID(in.id.Number(0)), core.Snooze(in.id.Word(1)))
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.WatchSnoozed, moment(watch.SnoozedUntil)))
	reply.rows = append(reply.rows, row(resumeButton(in.tr, watch.ID), watchesButton(in.tr)))
	return reply, nil
}

// resumeButton has a watch notify again that was snoozed or stopped.
func resumeButton(t translator, id core.WatchID) discordgo.MessageComponent {
	return button(discord.NewCustomID("watch-pause", id, 0), discordgo.SecondaryButton, t.plain(msg.WatchResumeButton))
}

func watchesButton(t translator) discordgo.MessageComponent {
	return button(discord.NewCustomID("watches"), discordgo.SecondaryButton, t.plain(msg.WatchesButton))
}

// muteBuyerButton has the reader hear no more of a buyer.
func (b matchBot) muteBuyerButton(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.MuteBuyer(ctx, in.Actor, core.NoticeID(in.id.Number(0))); err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.BuyerMuted))
	reply.rows = append(reply.rows, row(watchesButton(in.tr)))
	return reply, nil
}

// stopWatchButton pauses the watch of an alert. My Watches has it notify again.
func (b matchBot) stopWatchButton(ctx context.Context, in Input) (Reply, error) {
	id := core.WatchID(in.id.Number(0))
	note, err := b.setPaused(ctx, in, id, true)
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	reply.rows = append(reply.rows, row(resumeButton(in.tr, id), watchesButton(in.tr)))
	return reply, nil
}
