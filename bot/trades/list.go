package trades

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// tradesShown limits the trades that one message lists.
const tradesShown = 10

// The places of a list of trades in its view.
const (
	allTrades = iota // open ones first
	pastTrades
)

// tradesView is the list of one's own trades below a number (zero: from the top).
func tradesView(place int64, before core.SaleID) string { return fmt.Sprintf("h%d.%d", place, before) }

// listTrades lists the actor's own trades: open ones first, then those that are over.
func (b Trades) listTrades(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.trades(ctx, in, allTrades, 0, "")
}

func (b Trades) tradesButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, tradesView(in.ID.Number(0), core.SaleID(in.ID.Number(1))), "")
}

// tradesAt returns the states that a list shows, one group after the other. The number below which it
// continues is of the first group.
func tradesAt(place int64) [][]trust.HandoverState {
	if place == pastTrades {
		return [][]trust.HandoverState{trade.PastHandovers}
	}
	return [][]trust.HandoverState{trade.OpenHandovers, trade.PastHandovers}
}

func (b Trades) trades(
	ctx context.Context, in kernel.Input, place int64, before core.SaleID, note discord.Markdown,
) (kernel.Reply, error) {
	var found []trade.Trade
	for i, states := range tradesAt(place) {
		q := trade.Query{States: states, Limit: tradesShown + 1 - len(found)}
		if i == 0 {
			q.Before = before
		}
		if q.Limit == 0 {
			break
		}
		some, err := b.Market.Trade.Handovers(ctx, in.Actor, q)
		if err != nil {
			return kernel.Reply{}, err
		}
		found = append(found, some...)
	}
	reply := kernel.Private(note)
	if len(found) == 0 {
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.NoTrades))
		return reply, nil
	}
	more := len(found) > tradesShown
	found = found[:min(len(found), tradesShown)]
	var (
		text  discord.Markdown
		asked []discordgo.SelectMenuOption
	)
	for _, h := range found {
		side := h.SideOf(in.Actor.UserID)
		text = kernel.Joined(text, handoverLine(in.Tr, h, in.Actor.UserID, b.Now())+" · "+tradePartner(in.Tr,
			h.On(side.Other())))
		if h.MaySay(in.Actor.UserID, b.Now()) == nil &&
			(h.On(side).Word == "" || h.State == trust.HandoverDisputed) {
			asked = append(asked, discordgo.SelectMenuOption{Label: in.Tr.Plain(msg.OfferTitle,
				"quantity", h.Quantity,
				"item", h.ItemName), Value: fmt.Sprint(int64(h.Sale))})
		}
	}
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.TradesTitle)), URL: b.PageURL("/trades"), Color: kernel.ColourUsual,
		Description: string(text),
	}}
	if len(asked) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("trade-picked",
			tradesView(place, before)), in.Tr.Plain(msg.PickTrade), asked))
	}
	var buttons []discordgo.MessageComponent
	if before > 0 || place == pastTrades {
		first := place
		if place == pastTrades {
			first = allTrades
		}
		buttons = append(buttons, kernel.Button(discord.NewCustomID("trades", first, 0),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Newest)))
	}
	if last := found[len(found)-1]; more {
		if place == allTrades && last.State.Over() {
			place = pastTrades
		}
		buttons = append(buttons, kernel.Button(discord.NewCustomID("trades", place, last.Sale),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Older)))
	}
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

func tradePartner(t kernel.Translator, side trade.Party) discord.Markdown {
	if side.Contact == "" {
		return t.Text(msg.DeletedUser)
	}
	return kernel.Mention(side.Contact, side.Account())
}

// tradePicked asks for the result of one trade of the list.
func (b Trades) tradePicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(0)
	found, err := b.Market.Trade.Handovers(ctx, in.Actor,
		trade.Query{Sales: []core.SaleID{core.SaleID(in.Picked())}, Limit: 1})
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	if len(found) == 0 {
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.Outdated))
	}
	h := found[0]
	off := msg.NotMet
	other := h.Other(in.Actor.UserID)
	if b.Now().Before(h.AgreedBy) && other.Word != trade.SaidMet {
		off = msg.CallOff
	}
	reply := kernel.Reply{Redraw: true, Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName)), URL: b.TradeURL(h),
		Color: kernel.ColourUsual,
		Description: string(handoverLine(in.Tr, h, in.Actor.UserID, b.Now()) + " · " + tradePartner(in.Tr,
			other)),
	}}}
	back := kernel.Button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.Tr.Plain(msg.Back))
	if answers := b.disputeAnswers(in.Tr, h, in.Actor.UserID, view); len(answers) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(append(answers, back)...))
		return reply, nil
	}
	buttons := []discordgo.MessageComponent{
		kernel.Button(discord.NewCustomID("met-one", h.Sale, view), discordgo.SuccessButton,
			in.Tr.Plain(msg.WeMet)),
		kernel.Button(discord.NewCustomID("call-off", h.Sale, view), discordgo.DangerButton,
			in.Tr.Plain(off)),
	}
	buttons = append(append(buttons, slipOf(in.Tr, h, in.Actor.UserID)...), back)
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}
