package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const sentShown = 10

// sentParts are the parts of one's own offers. Buttons and views name them by their place here.
var sentParts = core.SentParts

// sentPart returns the part at a place; the open offers for a place that there is not, as in messages of earlier versions.
func sentPart(place int64) core.SentPart {
	if place < 0 || place >= int64(len(sentParts)) {
		return core.SentOpen
	}
	return sentParts[place]
}

// myOffers lists what the actor has offered.
func (b offersBot) myOffers(ctx context.Context, in Input) (Reply, error) {
	return b.sentOffers(ctx, in, core.SentOpen, 0, "")
}

func (b offersBot) myOffersButton(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, sentView(core.OfferID(in.id.Number(0)), sentPart(in.id.Number(1))), "")
}

// sentOffers shows a part of the actor's own offers, newest first, below the id before.
func (b offersBot) sentOffers(ctx context.Context, in Input, part core.SentPart, before core.OfferID, note discord.Markdown) (Reply, error) {
	sent, counts, err := b.market.SentOffersIn(ctx, in.Actor, part, before, sentShown+1)
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	if counts == (core.SentCounts{}) {
		reply.text = joined(note, in.tr.text(msg.NoSentOffers))
		return reply, nil
	}
	more := len(sent) > sentShown
	sent = sent[:min(len(sent), sentShown)]
	var text discord.Markdown
	var open, accepted []discordgo.SelectMenuOption
	buyers := b.buyersOf(ctx, in, sent)
	for _, o := range sent {
		text = joined(text, sentLine(in.tr, o, buyers[o.ID]))
		if o.State == core.OfferOpen {
			open = append(open, discordgo.SelectMenuOption{Label: sentLabel(in.tr, o), Value: fmt.Sprint(o.ID)})
		}
		if o.Accepted > 0 {
			accepted = append(accepted, discordgo.SelectMenuOption{Label: in.tr.receiptLabel(o), Value: fmt.Sprint(o.ID)})
		}
	}
	if len(sent) == 0 {
		text = in.tr.text(noneSent(part))
	}
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.SentTitle)), URL: b.pageURL("/offers"), Color: colourUsual, Description: string(text),
	}}
	if len(open) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("withdraw-picked"), in.tr.plain(msg.PickWithdraw), open))
	}
	if len(accepted) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("receipt-picked"), in.tr.plain(msg.PickReceipt), accepted))
	}
	reply.rows = append(reply.rows, row(sentTabs(in.tr, counts, part)...))
	place := slices.Index(sentParts, part)
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, button(discord.NewCustomID("my-offers", 0, place), discordgo.SecondaryButton, in.tr.plain(msg.Newest)))
	}
	if more {
		buttons = append(buttons, button(discord.NewCustomID("my-offers", sent[len(sent)-1].ID, place), discordgo.SecondaryButton, in.tr.plain(msg.Older)))
	}
	if len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// sentTabs are buttons to the parts, with how many offers are in each.
func sentTabs(t translator, counts core.SentCounts, chosen core.SentPart) []discordgo.MessageComponent {
	tabs := make([]discordgo.MessageComponent, len(sentParts))
	for i, part := range sentParts {
		label, n := msg.OpenTab, counts.Open
		switch part {
		case core.SentOpen:
		case core.SentAccepted:
			label, n = msg.AcceptedTab, counts.Accepted
		case core.SentPast:
			label, n = msg.PastTab, counts.Past
		}
		style := discordgo.SecondaryButton
		if part == chosen {
			style = discordgo.PrimaryButton
		}
		tabs[i] = button(discord.NewCustomID("my-offers", 0, i, "tab"), style, t.plain(msg.CategoryCount, t.plain(label), n))
	}
	return tabs
}

func noneSent(part core.SentPart) msg.Key {
	switch part {
	case core.SentOpen:
		return msg.NoneOpen
	case core.SentAccepted:
		return msg.NoneAccepted
	case core.SentPast:
	}
	return msg.NonePast
}

// buyersOf mentions the buyers of offers of which something was accepted, by offer.
func (b offersBot) buyersOf(ctx context.Context, in Input, sent []core.SentOffer) map[core.OfferID]discord.Markdown {
	q := core.ReceiptQuery{Limit: 10 * sentShown}
	for _, o := range sent {
		if o.Accepted > 0 && o.BuyerContact != "" {
			q.Offers = append(q.Offers, o.ID)
		}
	}
	if len(q.Offers) == 0 {
		return nil
	}
	receipts, err := b.market.Receipts(ctx, in.Actor, q)
	if err != nil {
		b.log.Warn("buyers of offers not found", "error", err)
	}
	buyers := map[core.OfferID]discord.Markdown{}
	for _, r := range receipts {
		buyers[r.OfferID] = in.tr.reachShort(r, in.Actor.UserID)
	}
	return buyers
}

// sentLine is a sent offer: its state, what was accepted or may be and by whom, and the seller's own words.
func sentLine(t translator, o core.SentOffer, buyer discord.Markdown) discord.Markdown {
	line := "**" + t.text(msg.OfferTitle, o.Quantity, o.ItemName) + "** · " + t.text(msg.Each, t.coins(o.Price)) + " · " +
		sentState(t, o) + " · " + timestamp(o.UpdatedAt)
	if o.State == core.OfferOpen || o.State == core.OfferLapsed {
		line += goodUntil(t, o.GoodUntil)
	}
	sum := t.coins(o.Price * core.Copper(o.Accepted))
	switch {
	case o.Accepted > 0 && o.BuyerContact == "":
		line = joined(line, t.text(msg.SentTraded, o.Accepted, o.Quantity, sum))
	case o.Accepted > 0:
		line = joined(line, t.text(msg.SentAccepted, o.Accepted, o.Quantity, sum, cmp.Or(buyer, username(o.BuyerContact))))
	case o.State == core.OfferOpen:
		line += " · " + t.text(msg.UpTo, t.coins(o.Price*core.Copper(o.Left())))
	}
	if o.Message == "" {
		return line
	}
	return joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(o.Message)), 120))
}

// sentState is the state of a sent offer. One of which something was accepted says so, however the rest ended.
func sentState(t translator, o core.SentOffer) discord.Markdown {
	state := t.text(stateOf(o.State))
	switch {
	case o.Accepted == 0 || o.State == core.OfferAccepted:
		return state
	case o.State == core.OfferOpen:
		return t.text(msg.StatePartly)
	}
	return t.text(msg.StatePartly) + ", " + state
}

func sentLabel(t translator, o core.SentOffer) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	return discord.Clip(t.plain(msg.OfferTitle, o.Quantity-o.Accepted, o.ItemName), discord.MaxOptionLabel-discord.Size(number)) + number
}

func stateOf(s core.OfferState) msg.Key {
	switch s {
	case core.OfferOpen:
		return msg.StateOpen
	case core.OfferAccepted:
		return msg.StateAccepted
	case core.OfferDeclined:
		return msg.StateDeclined
	case core.OfferWithdrawn:
		return msg.StateWithdrawn
	case core.OfferLapsed:
		return msg.StateLapsed
	case core.OfferReplaced:
		return msg.StateReplaced
	case core.OfferRemoved:
		return msg.StateRemoved
	}
	return msg.StateOther
}
