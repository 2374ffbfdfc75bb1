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

// stockAlertDM is the message about a request for something that the reader has. One press offers as much as they have of it.
func (b matchBot) stockAlertDM(t translator, n core.Notice, r Reply, others []discordgo.MessageComponent) Reply {
	r.cards[0].Footer = t.text(msg.StockAlert, n.Quantity)
	if len(others) > 0 { // the request is open
		offer := button(discord.NewCustomID("offer-stock", n.OrderID, n.Quantity), discordgo.SuccessButton, t.plain(msg.StockOfferButton, n.Quantity))
		others = append([]discordgo.MessageComponent{offer}, others...)
	}
	others = append(others, webLink(b.orderURL(n.OrderID), t.plain(msg.OpenWeb))...)
	if len(others) > 0 {
		r.rows = append(r.rows, row(others...))
	}
	r.rows = append(r.rows, row(
		button(discord.NewCustomID("snooze-stock", n.ID, core.SnoozeHour), discordgo.SecondaryButton, t.plain(msg.SnoozeHour)),
		button(discord.NewCustomID("snooze-stock", n.ID, core.SnoozeTomorrow), discordgo.SecondaryButton, t.plain(msg.SnoozeTomorrow)),
		button(discord.NewCustomID("mute-buyer", n.ID), discordgo.SecondaryButton, t.plain(msg.NotThisBuyer)),
		button(discord.NewCustomID("stop-stock", n.ID), discordgo.SecondaryButton, t.plain(msg.StopWatch)),
		button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.plain(msg.StockTitle)),
	))
	return r
}

// snoozeStockButton holds the alerts of the stock that an alert is about.
func (b matchBot) snoozeStockButton(ctx context.Context, in Input) (Reply, error) {
	stock, err := b.market.SnoozeStock(ctx, in.Actor, core.NoticeID(in.id.Number(0)), core.Snooze(in.id.Word(1)))
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.WatchSnoozed, moment(stock.SnoozedUntil)))
	reply.rows = append(reply.rows, row(button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, in.tr.plain(msg.StockTitle))))
	return reply, nil
}

// stopStockButton ends the alerts of the stock that an alert is about. My Stock turns them on again.
func (b matchBot) stopStockButton(ctx context.Context, in Input) (Reply, error) {
	stock, err := b.market.StopStock(ctx, in.Actor, core.NoticeID(in.id.Number(0)))
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.StockStopped, stock.ItemName))
	reply.rows = append(reply.rows, row(button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, in.tr.plain(msg.StockTitle))))
	return reply, nil
}

// alertAllStock turns the alerts of all stock on.
func (b matchBot) alertAllStock(ctx context.Context, in Input) (Reply, error) {
	stock, err := b.market.Stock(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	for _, s := range stock {
		if !silent(s, b.now()) {
			continue
		}
		actor := in.Actor
		actor.Key, actor.OtherKey = "", "" // it may be repeated
		if _, err := b.market.AlertStock(ctx, actor, s.ID, true); err != nil && core.KindOf(err) != core.NotFound {
			return Reply{}, err
		}
	}
	reply, err := b.stock(ctx, in, in.tr.text(msg.StockAlertsOn))
	reply.redraw = true
	return reply, err
}

// silent reports whether stock alerts its seller to nothing at present.
func silent(s core.Stock, now time.Time) bool {
	return !s.AlertsOffAt.IsZero() || s.SnoozedUntil.After(now)
}

// offerStock offers what the reader has of a request, as the button says.
func (b offersBot) offerStock(ctx context.Context, in Input) (Reply, error) {
	id, many := core.OrderID(in.id.Number(0)), in.id.Number(1)
	in.fields = map[string]string{
		"quantity": fmt.Sprint(many), "message": in.tr.plain(msg.StockOfferMessage, int(many)), "name": discord.Clip(in.i.DisplayName(), core.MaxSellerName),
	}
	return b.offerOn(ctx, in, id, 0)
}
