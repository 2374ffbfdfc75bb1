package match

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// stockAlertDM is the message about a request for something that the reader has. One press offers as much
// as they have of it.
func (b Match) stockAlertDM(
	t kernel.Translator, n notify.Notice, o trade.Order, r kernel.Reply, others []discordgo.MessageComponent,
) kernel.Reply {
	r.Cards[0].Footer = t.Text(msg.StockAlert, "quantity", n.Quantity)
	if len(others) > 0 { // the request is open
		offer := kernel.OfferStock(t, o, min(n.Quantity, o.Remaining()))
		others = append([]discordgo.MessageComponent{offer}, others...)
	}
	others = append(others, kernel.WebLink(b.OrderURL(n.OrderID), t.Plain(msg.OpenWeb))...)
	if len(others) > 0 {
		r.Rows = append(r.Rows, kernel.Row(others...))
	}
	r.Rows = append(r.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("snooze-stock", n.ID, match.SnoozeHour), discordgo.SecondaryButton,
			t.Plain(msg.SnoozeHour)),
		kernel.Button(discord.NewCustomID("snooze-stock", n.ID, match.SnoozeTomorrow),
			discordgo.SecondaryButton, t.Plain(msg.SnoozeTomorrow)),
		kernel.Button(discord.NewCustomID("mute-buyer", n.ID), discordgo.SecondaryButton,
			t.Plain(msg.NotThisBuyer)),
		kernel.Button(discord.NewCustomID("stop-stock", n.ID), discordgo.SecondaryButton,
			t.Plain(msg.StopWatch)),
		kernel.Button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.Plain(msg.StockTitle)),
	))
	return r
}

// snoozeStockButton holds the alerts of the stock that an alert is about.
func (b Match) snoozeStockButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	stock, err := b.Market.Match.SnoozeStock(ctx, in.Actor, core.NoticeID(in.ID.Number(0)),
		match.Snooze(in.ID.Word(1)))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.WatchSnoozed, "time", kernel.Moment(stock.SnoozedUntil)))
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("have-list"),
		discordgo.SecondaryButton, in.Tr.Plain(msg.StockTitle))))
	return reply, nil
}

// stopStockButton ends the alerts of the stock that an alert is about. My Stock turns them on again.
func (b Match) stopStockButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	stock, err := b.Market.Match.StopStock(ctx, in.Actor, core.NoticeID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.StockStopped, "item", stock.ItemName))
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("have-list"),
		discordgo.SecondaryButton, in.Tr.Plain(msg.StockTitle))))
	return reply, nil
}

// alertAllStock turns the alerts of all stock on.
func (b Match) alertAllStock(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	stock, err := b.Market.Match.Stock(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, s := range stock {
		if !silent(s, b.Now()) {
			continue
		}
		actor := in.Actor
		actor.Key, actor.OtherKey = "", "" // it may be repeated
		if _, err := b.Market.Match.AlertStock(ctx, actor, s.ID, true); err != nil &&
			core.KindOf(err) != core.NotFound {
			return kernel.Reply{}, err
		}
	}
	reply, err := b.stock(ctx, in, in.Tr.Text(msg.StockAlertsOn))
	reply.Redraw = true
	return reply, err
}

// silent reports whether stock alerts its seller to nothing at present.
func silent(s match.Stock, now time.Time) bool {
	return !s.AlertsOffAt.IsZero() || s.SnoozedUntil.After(now)
}
