package offers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// waitingOffers lists the offers on all open requests of the actor's, by request, after a place in the list.
func (b Offers) waitingOffers(
	ctx context.Context, in kernel.Input, after trade.ReceivedPlace, note discord.Markdown,
) (kernel.Reply, error) {
	page, err := b.Market.Trade.Choices(ctx, in.Actor, after, offersShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	counts, err := b.Market.Counts(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	text := in.Tr.Text(msg.OffersWaiting, "count", counts.Received)
	if len(page.Choices) == 0 {
		text = in.Tr.Text(msg.NoOffersWaiting)
	}
	options := make([]discordgo.SelectMenuOption, len(page.Choices))
	sent := offersOf(page.Choices)
	accounts, records := sellers(ctx, &b.Drawer, sent), b.RecordLines(ctx, in.Tr, sellersOf(sent)...)
	for i, o := range page.Choices {
		if i == 0 || page.Choices[i-1].Order.ID != o.Order.ID {
			text = kernel.Joined(text, "\n__"+discord.Escape(o.Order.ItemName)+"__ · "+in.Tr.LeftOf(o.Order))
		}
		text = kernel.Joined(text, choiceLine(in.Tr, o, accounts[o.Offer.Seller]))
		text = kernel.Joined(text, records[o.Offer.Seller])
		options[i] = discordgo.SelectMenuOption{
			Label: in.Tr.LiveLabel(o.OpenOffer), Value: fmt.Sprint(o.Offer.ID),
			Description: discord.Clip(discord.FirstLine(o.Offer.Message), discord.MaxOptionLabel),
		}
	}
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.OffersReceived)), URL: b.PageURL("/offers/received"),
		Color: kernel.ColourUsual, Description: string(text),
	}}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.ChooseSome(discord.NewCustomID("offers-picked",
			waitingView(after)), in.Tr.Plain(msg.PickOffers), options))
	}
	var buttons []discordgo.MessageComponent
	if after != (trade.ReceivedPlace{}) {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("back",
			waitingView(trade.ReceivedPlace{})), discordgo.SecondaryButton, in.Tr.Plain(msg.Newest)))
	}
	if page.Next != (trade.ReceivedPlace{}) {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("back", waitingView(page.Next)),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Older)))
	}
	if buttons = append(buttons, kernel.WebLink(b.PageURL("/offers/received"),
		in.Tr.Plain(msg.OpenWeb))...); len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

// offersPicked shows the one offer that was picked from the list, or asks for the answer to several.
func (b Offers) offersPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if len(in.Values) == 1 {
		return b.offerPicked(ctx, in)
	}
	view := in.ID.Word(0)
	chosen, err := b.chosenOffers(ctx, in, in.Values)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	id, err := b.Keep(ctx, in, kernel.Draft{Options: map[string]string{"offers": strings.Join(in.Values, " "),
		"view": view}})
	if err != nil {
		return kernel.Reply{}, err
	}
	text, cost := in.Tr.Text(msg.OffersChosen, "count", len(chosen)), core.Copper(0)
	for i, answer := range acceptAll(chosen) {
		o := chosen[i]
		cost += o.Offer.Price * core.Copper(answer.Accept)
		text = kernel.Joined(text, discord.Escape(o.Order.ItemName)+": "+in.Tr.Text(msg.OfferFrom,
			"quantity", o.Offer.Quantity, "seller", o.Offer.SellerName))
	}
	reply := kernel.Private(kernel.Joined(text, in.Tr.Coins(cost)))
	reply.Redraw = true
	reply.Rows = append(reply.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("answer", id, "accept"), discordgo.SuccessButton,
			in.Tr.Plain(msg.AcceptChosen)),
		kernel.Button(discord.NewCustomID("answer", id, "decline"), discordgo.DangerButton,
			in.Tr.Plain(msg.DeclineChosen)),
		kernel.Button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.Tr.Plain(msg.Back)),
	))
	return reply, nil
}

// chosenOffers returns the chosen offers on the actor's requests that still exist.
func (b Offers) chosenOffers(ctx context.Context, in kernel.Input, ids []string) ([]trade.OpenOffer, error) {
	var chosen []trade.OpenOffer
	for _, text := range ids {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
		}
		order, offer, err := b.Market.Trade.Offer(ctx, in.Actor, core.OfferID(id))
		if core.KindOf(err) == core.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, trade.OpenOffer{Order: order, Offer: offer})
	}
	if len(chosen) == 0 {
		return nil, core.NewError(core.NotFound, core.NewText("offer_gone"))
	}
	return chosen, nil
}

// acceptAll is of each offer as much as its request still needs after those before it.
func acceptAll(chosen []trade.OpenOffer) []trade.OfferAnswer {
	taken := map[core.OrderID]int{}
	answers := make([]trade.OfferAnswer, len(chosen))
	for i, o := range chosen {
		accept := min(o.Offer.Quantity, o.Order.Remaining()-taken[o.Order.ID])
		if accept <= 0 {
			accept = o.Offer.Quantity // too much: the result shows the error
		}
		taken[o.Order.ID] += accept
		answers[i] = trade.OfferAnswer{Offer: o.Offer.ID, Accept: accept}
	}
	return answers
}

// answerChosen answers the chosen offers, and reports the result of each.
func (b Offers) answerChosen(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	saved, err := b.LoadDraft(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	view := saved.Options["view"]
	chosen, err := b.chosenOffers(ctx, in, strings.Fields(saved.Options["offers"]))
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	answers := acceptAll(chosen)
	if in.ID.Word(1) != "accept" {
		for i := range answers {
			answers[i].Accept = 0
		}
	}
	outcomes, err := b.Market.Trade.AnswerOffers(ctx, in.Actor, answers)
	if err != nil {
		return kernel.Reply{}, err
	}
	var (
		note     discord.Markdown
		accepted []core.OfferID
	)
	for i, outcome := range outcomes {
		note = kernel.Joined(note, outcomeLine(in.Tr, chosen[i], outcome))
		if outcome.Accepted != nil {
			accepted = append(accepted, outcome.Offer)
		}
	}
	reply, err := b.Redraw(ctx, in, view, note)
	if err != nil || len(accepted) == 0 {
		return reply, err
	}
	receipts, err := b.Receipts(ctx, in, trade.Query{Offers: accepted})
	if err != nil {
		b.Log.Warn("receipts not found", "error", err)
	}
	reply.OwnRows()
	reply.Cards = append(reply.Cards, receipts...)
	return reply, nil
}

// outcomeLine reports the result of the answer to one of several offers.
func outcomeLine(t kernel.Translator, o trade.OpenOffer, came trade.OfferOutcome) discord.Markdown {
	switch done := came.Accepted; {
	case came.Err != nil && core.KindOf(came.Err) != 0:
		return t.Text(msg.AnswerFailed, "seller", o.Offer.SellerName, "item", o.Order.ItemName) + " " +
			t.ErrorReply(came.Err).Text
	case came.Err != nil:
		return t.Text(msg.AnswerFailed, "seller", o.Offer.SellerName, "item", o.Order.ItemName) + " " +
			t.Text(msg.InternalError)
	case done != nil:
		cost := t.Coins(done.Sale.UnitPrice * core.Copper(done.Sale.Quantity))
		return t.Text(msg.OfferAccepted, "quantity", done.Sale.Quantity, "item", o.Order.ItemName,
			"seller", o.Offer.SellerName, "sum", cost)
	}
	return t.Text(msg.Declined, "quantity", o.Offer.Quantity, "item", o.Order.ItemName,
		"seller", o.Offer.SellerName)
}
