package offers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

const sentShown = 10

// sentParts are the parts of one's own offers. Buttons and views name them by their place here.
var sentParts = trade.SentParts

// sentPart returns the part at a place; the open offers for a place that there is not, as in messages of
// earlier versions.
func sentPart(place int64) trade.SentPart {
	if place < 0 || place >= int64(len(sentParts)) {
		return trade.SentOpen
	}
	return sentParts[place]
}

// myOffers lists the actor's sent offers.
func (b Offers) myOffers(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.sentOffers(ctx, in, trade.SentOpen, 0, "")
}

func (b Offers) myOffersButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, sentView(core.OfferID(in.ID.Number(0)), sentPart(in.ID.Number(1))), "")
}

// sentOffers shows a part of the actor's own offers, newest first, below the id before.
func (b Offers) sentOffers(
	ctx context.Context, in kernel.Input, part trade.SentPart, before core.OfferID, note discord.Markdown,
) (kernel.Reply, error) {
	sent, counts, err := b.Market.Trade.SentOffersIn(ctx, in.Actor, part, before, sentShown+1)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(note)
	if counts == (trade.SentCounts{}) {
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.NoSentOffers))
		return reply, nil
	}
	more := len(sent) > sentShown
	sent = sent[:min(len(sent), sentShown)]
	var text discord.Markdown
	var open, accepted []discordgo.SelectMenuOption
	buyers := b.buyersOf(ctx, in, sent)
	for _, o := range sent {
		text = kernel.Joined(text, sentLine(in.Tr, o, buyers[o.ID]))
		if o.State == trade.OfferOpen {
			open = append(open, discordgo.SelectMenuOption{Label: sentLabel(in.Tr, o),
				Value: fmt.Sprint(o.ID)})
		}
		if o.Accepted > 0 {
			accepted = append(accepted, discordgo.SelectMenuOption{Label: in.Tr.ReceiptLabel(o),
				Value: fmt.Sprint(o.ID)})
		}
	}
	if len(sent) == 0 {
		text = in.Tr.Text(noneSent(part))
	}
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.SentTitle)), URL: b.PageURL("/offers"), Color: kernel.ColourUsual,
		Description: string(text),
	}}
	if len(open) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("withdraw-picked"),
			in.Tr.Plain(msg.PickWithdraw), open))
	}
	if len(accepted) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("receipt-picked"),
			in.Tr.Plain(msg.PickReceipt), accepted))
	}
	reply.Rows = append(reply.Rows, kernel.Row(sentTabs(in.Tr, counts, part)...))
	place := slices.Index(sentParts, part)
	var buttons []discordgo.MessageComponent
	if before > 0 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("my-offers", 0, place),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Newest)))
	}
	if more {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("my-offers", sent[len(sent)-1].ID, place),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Older)))
	}
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

// sentTabs are buttons to the parts, with how many offers are in each.
func sentTabs(
	t kernel.Translator, counts trade.SentCounts, chosen trade.SentPart,
) []discordgo.MessageComponent {
	tabs := make([]discordgo.MessageComponent, len(sentParts))
	for i, part := range sentParts {
		label, n := msg.OpenTab, counts.Open
		switch part {
		case trade.SentOpen:
		case trade.SentAccepted:
			label, n = msg.AcceptedTab, counts.Accepted
		case trade.SentPast:
			label, n = msg.PastTab, counts.Past
		}
		style := discordgo.SecondaryButton
		if part == chosen {
			style = discordgo.PrimaryButton
		}
		tabs[i] = kernel.Button(discord.NewCustomID("my-offers", 0, i, "tab"), style,
			t.Plain(msg.CategoryCount, "category", t.Plain(label), "count", n))
	}
	return tabs
}

func noneSent(part trade.SentPart) msg.Key {
	switch part {
	case trade.SentOpen:
		return msg.NoneOpen
	case trade.SentAccepted:
		return msg.NoneAccepted
	case trade.SentPast:
	}
	return msg.NonePast
}

// buyersOf mentions the buyers of offers of which something was accepted, by offer.
func (b Offers) buyersOf(
	ctx context.Context, in kernel.Input, sent []trade.SentOffer,
) map[core.OfferID]discord.Markdown {
	q := trade.Query{Limit: 10 * sentShown}
	for _, o := range sent {
		if o.Accepted > 0 && o.BuyerContact != "" {
			q.Offers = append(q.Offers, o.ID)
		}
	}
	if len(q.Offers) == 0 {
		return nil
	}
	receipts, err := b.Market.Trade.Receipts(ctx, in.Actor, q)
	if err != nil {
		b.Log.Warn("buyers of offers not found", "error", err)
	}
	buyers := map[core.OfferID]discord.Markdown{}
	for _, r := range receipts {
		buyers[r.Offer] = in.Tr.ReachShort(r, in.Actor.UserID)
	}
	return buyers
}

// sentLine describes a sent offer: its state, the accepted quantity or the quantity that may be accepted, the
// buyer, and the seller's own words.
func sentLine(t kernel.Translator, o trade.SentOffer, buyer discord.Markdown) discord.Markdown {
	line := "**" + t.Text(msg.OfferTitle, "quantity", o.Quantity,
		"item", o.ItemName) + "** · " + t.Text(msg.Each,
		"price", t.Coins(o.Price)) + " · " +
		sentState(t, o) + " · " + kernel.Timestamp(o.UpdatedAt)
	if o.State == trade.OfferOpen || o.State == trade.OfferLapsed {
		line += goodUntil(t, o.GoodUntil)
	}
	sum := t.Coins(o.Price * core.Copper(o.Accepted))
	switch {
	case o.Accepted > 0 && o.BuyerContact == "":
		line = kernel.Joined(line, t.Text(msg.SentTraded, "accepted", o.Accepted, "quantity", o.Quantity,
			"sum", sum))
	case o.Accepted > 0:
		line = kernel.Joined(line, t.Text(msg.SentAccepted, "accepted", o.Accepted, "quantity", o.Quantity,
			"sum", sum,
			"buyer", cmp.Or(buyer, kernel.Username(o.BuyerContact))))
	case o.State == trade.OfferOpen:
		line += " · " + t.Text(msg.UpTo, "sum", t.Coins(o.Price*core.Copper(o.Left())))
	}
	if o.Message == "" {
		return line
	}
	return kernel.Joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(o.Message)), 120))
}

// sentState is the state of a sent offer. One of which something was accepted says so, however the rest
// ended.
func sentState(t kernel.Translator, o trade.SentOffer) discord.Markdown {
	state := t.Text(stateOf(o.State))
	switch {
	case o.Accepted == 0 || o.State == trade.OfferAccepted:
		return state
	case o.State == trade.OfferOpen:
		return t.Text(msg.StatePartly)
	}
	return t.Text(msg.StatePartly) + ", " + state
}

func sentLabel(t kernel.Translator, o trade.SentOffer) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	return discord.Clip(t.Plain(msg.OfferTitle, "quantity", o.Quantity-o.Accepted, "item", o.ItemName),
		discord.MaxOptionLabel-discord.Size(number)) + number
}

func stateOf(s trade.OfferState) msg.Key {
	switch s {
	case trade.OfferOpen:
		return msg.StateOpen
	case trade.OfferAccepted:
		return msg.StateAccepted
	case trade.OfferDeclined:
		return msg.StateDeclined
	case trade.OfferWithdrawn:
		return msg.StateWithdrawn
	case trade.OfferLapsed:
		return msg.StateLapsed
	case trade.OfferReplaced:
		return msg.StateReplaced
	case trade.OfferRemoved:
		return msg.StateRemoved
	}
	return msg.StateOther
}
