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

// tradesShown is how many trades one message lists.
const tradesShown = 10

// The places of what a list of trades shows. Those of one state are behind them, in the order of core.HandoverStates.
const (
	allTrades = iota // open ones first
	pastTrades
	tradesOfState
)

// tradesView is the list of one's own trades below a number (zero: from the top).
func tradesView(place int64, before core.SaleID) string { return fmt.Sprintf("h%d.%d", place, before) }

// listTrades lists the actor's own trades: open ones first, then those that are over; or those in one state.
func (b tradesBot) listTrades(ctx context.Context, in Input) (Reply, error) {
	place := int64(allTrades)
	if i := slices.Index(core.HandoverStates, core.HandoverState(in.text("state"))); i >= 0 {
		place = int64(tradesOfState + i)
	}
	return b.trades(ctx, in, place, 0, "")
}

func (b tradesBot) tradesButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, tradesView(in.id.Number(0), core.SaleID(in.id.Number(1))), "")
}

// tradesAt returns the states that a list shows, one group after the other. The number below which it continues is of the first group.
func tradesAt(place int64) [][]core.HandoverState {
	switch {
	case place == pastTrades:
		return [][]core.HandoverState{core.PastHandovers}
	case place >= tradesOfState && place < int64(tradesOfState+len(core.HandoverStates)):
		return [][]core.HandoverState{{core.HandoverStates[place-tradesOfState]}}
	}
	return [][]core.HandoverState{core.OpenHandovers, core.PastHandovers}
}

func (b tradesBot) trades(ctx context.Context, in Input, place int64, before core.SaleID, note discord.Markdown) (Reply, error) {
	var found []core.Handover
	for i, states := range tradesAt(place) {
		q := core.HandoverQuery{States: states, Limit: tradesShown + 1 - len(found)}
		if i == 0 {
			q.Before = before
		}
		if q.Limit == 0 {
			break
		}
		some, err := b.market.Handovers(ctx, in.Actor, q)
		if err != nil {
			return Reply{}, err
		}
		found = append(found, some...)
	}
	reply := private(note)
	if len(found) == 0 {
		reply.text = joined(note, in.tr.text(msg.NoTrades))
		return reply, nil
	}
	more := len(found) > tradesShown
	found = found[:min(len(found), tradesShown)]
	var (
		text   discord.Markdown
		asked  []discordgo.SelectMenuOption
		people []core.UserID
	)
	for _, h := range found {
		people = append(people, h.On(h.SideOf(in.Actor.UserID).Other()).User)
	}
	accounts := b.accounts(ctx, people...)
	for _, h := range found {
		side := h.SideOf(in.Actor.UserID)
		text = joined(text, b.handoverLine(in.tr, h, in.Actor.UserID)+" · "+tradePartner(in.tr, h.On(side.Other()), accounts))
		if h.MaySay(in.Actor.UserID, b.now()) == nil && (h.On(side).Word == "" || h.State == core.HandoverDisputed) {
			asked = append(asked, discordgo.SelectMenuOption{Label: in.tr.plain(msg.OfferTitle, h.Quantity, h.ItemName), Value: fmt.Sprint(int64(h.Sale))})
		}
	}
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.TradesTitle)), URL: b.pageURL("/trades"), Color: colourUsual, Description: string(text),
	}}
	if len(asked) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("trade-picked", tradesView(place, before)), in.tr.plain(msg.PickTrade), asked))
	}
	var buttons []discordgo.MessageComponent
	if before > 0 || place == pastTrades {
		first := place
		if place == pastTrades {
			first = allTrades
		}
		buttons = append(buttons, button(discord.NewCustomID("trades", first, 0), discordgo.SecondaryButton, in.tr.plain(msg.Newest)))
	}
	if last := found[len(found)-1]; more {
		if place == allTrades && last.State.Over() {
			place = pastTrades
		}
		buttons = append(buttons, button(discord.NewCustomID("trades", place, last.Sale), discordgo.SecondaryButton, in.tr.plain(msg.Older)))
	}
	if len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

func tradePartner(t translator, side core.HandoverSide, accounts core.Accounts) discord.Markdown {
	if side.Contact == "" {
		return t.text(msg.DeletedUser)
	}
	return mention(side.Contact, accounts[side.User])
}

// tradePicked asks what happened in one trade of the list.
func (b tradesBot) tradePicked(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(0)
	found, err := b.market.Handovers(ctx, in.Actor, core.HandoverQuery{Sales: []core.SaleID{core.SaleID(in.picked())}, Limit: 1})
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	if len(found) == 0 {
		return b.redraw(ctx, in, view, in.tr.text(msg.Outdated))
	}
	h := found[0]
	off := msg.NotMet
	other := h.On(h.SideOf(in.Actor.UserID).Other())
	if b.now().Before(h.AgreedBy) && other.Word != core.SaidMet {
		off = msg.CallOff
	}
	reply := Reply{redraw: true, cards: []*discord.Card{{
		Title: string(in.tr.text(msg.OfferTitle, h.Quantity, h.ItemName)), URL: b.orderURL(h.Order), Color: colourUsual,
		Description: string(b.handoverLine(in.tr, h, in.Actor.UserID) + " · " + tradePartner(in.tr, other, b.accounts(ctx, other.User))),
	}}}
	back := button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.tr.plain(msg.Back))
	if answers := b.disputeAnswers(in.tr, h, in.Actor.UserID, view); len(answers) > 0 {
		reply.rows = append(reply.rows, row(append(answers, back)...))
		return reply, nil
	}
	reply.rows = append(reply.rows, row(
		button(discord.NewCustomID("met-one", h.Sale, view), discordgo.SuccessButton, in.tr.plain(msg.WeMet)),
		button(discord.NewCustomID("call-off", h.Sale, view), discordgo.DangerButton, in.tr.plain(off)),
		back,
	))
	return reply, nil
}
