package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// waitingOffers lists the offers on all open requests of the actor's, by request, after a place in the list.
func (b offersBot) waitingOffers(ctx context.Context, in Input, after core.ReceivedPlace, note discord.Markdown) (Reply, error) {
	page, err := b.market.ReceivedOffers(ctx, in.Actor, after, offersShown)
	if err != nil {
		return Reply{}, err
	}
	counts, err := b.market.Counts(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	text := in.tr.text(msg.OffersWaiting, counts.Received)
	if len(page.Offers) == 0 {
		text = in.tr.text(msg.NoOffersWaiting)
	}
	options := make([]discordgo.SelectMenuOption, len(page.Offers))
	sent := make([]core.Offer, len(page.Offers))
	for i, o := range page.Offers {
		sent[i] = o.Offer
	}
	accounts, records := b.sellers(ctx, sent), b.recordLines(ctx, in.tr, sellersOf(sent)...)
	for i, o := range page.Offers {
		if i == 0 || page.Offers[i-1].Order.ID != o.Order.ID {
			text = joined(text, "\n__"+discord.Escape(o.Order.ItemName)+"__ · "+in.tr.leftOf(o.Order))
		}
		text = joined(text, offerLine(in.tr, o.Offer, accounts[o.Offer.Seller]))
		text = joined(text, records[o.Offer.Seller])
		options[i] = discordgo.SelectMenuOption{
			Label: in.tr.liveLabel(o), Value: fmt.Sprint(o.Offer.ID),
			Description: discord.Clip(discord.FirstLine(o.Offer.Message), discord.MaxOptionLabel),
		}
	}
	reply := private(note)
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.OffersReceived)), URL: b.pageURL("/offers/received"), Color: colourUsual, Description: string(text),
	}}
	if len(options) > 0 {
		reply.rows = append(reply.rows, chooseSome(discord.NewCustomID("offers-picked", waitingView(after)), in.tr.plain(msg.PickOffers), options))
	}
	var buttons []discordgo.MessageComponent
	if after != (core.ReceivedPlace{}) {
		buttons = append(buttons, button(discord.NewCustomID("back", waitingView(core.ReceivedPlace{})), discordgo.SecondaryButton, in.tr.plain(msg.Newest)))
	}
	if page.Next != (core.ReceivedPlace{}) {
		buttons = append(buttons, button(discord.NewCustomID("back", waitingView(page.Next)), discordgo.SecondaryButton, in.tr.plain(msg.Older)))
	}
	if buttons = append(buttons, webLink(b.pageURL("/offers/received"), in.tr.plain(msg.OpenWeb))...); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// chooseSome is a select of one thing or several.
func chooseSome(p discord.CustomID, placeholder string, options []discordgo.SelectMenuOption) discordgo.MessageComponent {
	one := 1
	return row(discordgo.SelectMenu{CustomID: p.String(), Placeholder: placeholder, MinValues: &one, MaxValues: len(options), Options: options})
}

// offersPicked shows the one offer that was picked from the list, or asks what to answer to several.
func (b offersBot) offersPicked(ctx context.Context, in Input) (Reply, error) {
	if len(in.values) == 1 {
		return b.offerPicked(ctx, in)
	}
	view := in.id.Word(0)
	chosen, err := b.chosenOffers(ctx, in, in.values)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	id, err := b.keep(ctx, in, draft{Options: map[string]string{"offers": strings.Join(in.values, " "), "view": view}})
	if err != nil {
		return Reply{}, err
	}
	text, cost := in.tr.text(msg.OffersChosen, len(chosen)), core.Copper(0)
	for i, answer := range acceptAll(chosen) {
		o := chosen[i]
		cost += o.Offer.Price * core.Copper(answer.Accept)
		text = joined(text, discord.Escape(o.Order.ItemName)+": "+in.tr.text(msg.OfferFrom, o.Offer.Quantity, o.Offer.SellerName))
	}
	reply := private(joined(text, in.tr.coins(cost)))
	reply.redraw = true
	reply.rows = append(reply.rows, row(
		button(discord.NewCustomID("answer", id, "accept"), discordgo.SuccessButton, in.tr.plain(msg.AcceptChosen)),
		button(discord.NewCustomID("answer", id, "decline"), discordgo.DangerButton, in.tr.plain(msg.DeclineChosen)),
		button(discord.NewCustomID("back", view), discordgo.SecondaryButton, in.tr.plain(msg.Back)),
	))
	return reply, nil
}

// chosenOffers returns those of the offers on the actor's requests that are still there.
func (b offersBot) chosenOffers(ctx context.Context, in Input, ids []string) ([]core.OpenOffer, error) {
	var chosen []core.OpenOffer
	for _, text := range ids {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
		}
		order, offer, err := b.market.Offer(ctx, in.Actor, core.OfferID(id))
		if core.KindOf(err) == core.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, core.OpenOffer{Order: order, Offer: offer})
	}
	if len(chosen) == 0 {
		return nil, core.NewError(core.NotFound, core.NewText("offer_gone", "That offer is no longer here"))
	}
	return chosen, nil
}

// acceptAll is of each offer as much as its request still needs after those before it.
func acceptAll(chosen []core.OpenOffer) []core.OfferAnswer {
	taken := map[core.OrderID]int{}
	answers := make([]core.OfferAnswer, len(chosen))
	for i, o := range chosen {
		accept := min(o.Offer.Quantity, o.Order.Remaining()-taken[o.Order.ID])
		if accept <= 0 {
			accept = o.Offer.Quantity // too much: the result shows the error
		}
		taken[o.Order.ID] += accept
		answers[i] = core.OfferAnswer{Offer: o.Offer.ID, Accept: accept}
	}
	return answers
}

// answerChosen answers the chosen offers, and says what came of each.
func (b offersBot) answerChosen(ctx context.Context, in Input) (Reply, error) {
	saved, err := b.loadDraft(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	view := saved.Options["view"]
	chosen, err := b.chosenOffers(ctx, in, strings.Fields(saved.Options["offers"]))
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	answers := acceptAll(chosen)
	if in.id.Word(1) != "accept" {
		for i := range answers {
			answers[i].Accept = 0
		}
	}
	outcomes, err := b.market.AnswerOffers(ctx, in.Actor, answers)
	if err != nil {
		return Reply{}, err
	}
	var (
		note     discord.Markdown
		accepted []core.OfferID
	)
	for i, outcome := range outcomes {
		note = joined(note, outcomeLine(in.tr, chosen[i], outcome))
		if outcome.Accepted != nil {
			accepted = append(accepted, outcome.Offer)
		}
	}
	reply, err := b.redraw(ctx, in, view, note)
	if err != nil || len(accepted) == 0 {
		return reply, err
	}
	receipts, err := b.receipts(ctx, in, core.ReceiptQuery{Offers: accepted})
	if err != nil {
		b.log.Warn("receipts not found", "error", err)
	}
	reply.ownRows()
	reply.cards = append(reply.cards, receipts...)
	return reply, nil
}

// outcomeLine says what came of the answer to one of several offers.
func outcomeLine(t translator, o core.OpenOffer, came core.OfferOutcome) discord.Markdown {
	switch done := came.Accepted; {
	case came.Err != nil && core.KindOf(came.Err) != 0:
		return t.text(msg.AnswerFailed, o.Offer.SellerName, o.Order.ItemName) + " " + t.errorReply(came.Err).text
	case came.Err != nil:
		return t.text(msg.AnswerFailed, o.Offer.SellerName, o.Order.ItemName) + " " + t.text(msg.InternalError)
	case done != nil:
		cost := t.coins(done.Sale.UnitPrice * core.Copper(done.Sale.Quantity))
		return t.text(msg.OfferAccepted, done.Sale.Quantity, o.Order.ItemName, o.Offer.SellerName, cost)
	}
	return t.text(msg.Declined, o.Offer.Quantity, o.Order.ItemName, o.Offer.SellerName)
}
