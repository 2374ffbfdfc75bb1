package match

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// showAsk shows a buyer's ask for a listing, with buttons to answer it.
func (b Match) showAsk(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	listings, err := b.Market.Match.OwnListings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, l := range listings {
		for _, a := range l.Asks {
			if a.ID != core.OrderID(in.ID.Number(0)) {
				continue
			}
			reply := kernel.Private(kernel.Joined(in.Tr.Text(msg.AskReceivedDM, "buyer", a.Buyer.DisplayName,
				"quantity", a.Quantity, "item", a.ItemName), in.Tr.Text(msg.AskReceivedNext,
				"time", kernel.Timestamp(a.ExpiresAt))))
			reply.Rows = []discordgo.MessageComponent{kernel.Row(
				kernel.Button(discord.NewCustomID("ask-yes", a.ID, a.Quantity), discordgo.SuccessButton,
					in.Tr.Plain(msg.AskYes, "quantity", a.Quantity)),
				kernel.Button(discord.NewCustomID("ask-no", a.ID), discordgo.SecondaryButton,
					in.Tr.Plain(msg.AskNo)))}
			return reply, nil
		}
	}
	return kernel.Reply{}, trade.OrderNotFound()
}

// askYes sells what a buyer asks for of a listing, as many as the button says.
func (b Match) askYes(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	done, err := b.Market.Match.AnswerAsk(ctx, in.Actor, core.OrderID(in.ID.Number(0)), match.AskAnswer{
		Accept: int(in.ID.Number(1)), Message: in.Tr.Plain(msg.OfferReady),
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.AskSaidYes, "quantity", done.Sale.Quantity,
		"item", done.Sale.ItemName))
	reply.Redraw = true
	return reply, nil
}

// askNo ends what a buyer asks for of a listing.
func (b Match) askNo(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	_, err := b.Market.Match.AnswerAsk(ctx, in.Actor, core.OrderID(in.ID.Number(0)), match.AskAnswer{})
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.AskSaidNo))
	reply.Redraw = true
	return reply, nil
}

// askForm asks a buyer how many of a listing they ask for. Any user may press for it on a board.
func (b Match) askForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if !b.Features.Listings {
		return kernel.Reply{}, listingGone
	}
	page, err := b.Market.Match.Listings(ctx, in.Actor, match.ListingQuery{ListingFilter: match.ListingFilter{
		IDs: []core.StockID{core.StockID(in.ID.Number(0))},
	}})
	switch {
	case err != nil:
		return kernel.Reply{}, err
	case len(page.Listings) == 0:
		return kernel.Reply{}, listingGone
	}
	l := page.Listings[0]
	switch {
	case in.Actor.MustBe(l.User) == nil:
		return kernel.Reply{}, core.NewError(core.Forbidden, core.NewText("own_listing"))
	case l.Left() == 0:
		return kernel.Reply{}, core.NewError(core.Conflict, core.NewText("listing_asked"))
	}
	hint := in.Tr.Plain(msg.BoardAskHint, "quantity", l.Left(), "price", l.Price)
	if b.Features.Crossing && l.SellsDaily > 0 { // a press may agree at once
		hint = in.Tr.Plain(msg.BoardAskHintAtOnce,
			"quantity", l.Left(), "price", l.Price, "daily", l.SellsDaily)
	}
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("ask-sent", l.ID, int64(l.Price)).OpenedBy(in.Interaction),
		Title: in.Tr.Plain(msg.BoardAsk), Fields: []discord.Field{
			{Name: "quantity", Label: in.Tr.Plain(msg.FieldQuantity),
				Hint: hint, Value: fmt.Sprint(l.Left()), MaxLength: 12},
			{Name: "name", Label: in.Tr.Plain(msg.FieldIgn), Optional: true, MaxLength: core.MaxInGameName},
		},
	}}, nil
}

// askSubmitted asks the seller of a listing, at the price that the form has shown.
func (b Match) askSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if !b.Features.Listings {
		return kernel.Reply{}, listingGone
	}
	order, err := b.Market.Match.Ask(ctx, in.Actor, core.StockID(in.ID.Number(0)), match.AskDraft{
		Quantity: in.Quantity(), InGameName: in.Text("name"), PriceSeen: core.Copper(in.ID.Number(1)),
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	said := msg.BoardAsked
	if order.Remaining() == 0 {
		said = msg.BoardAgreed
	}
	return kernel.Private(in.Tr.Text(said, "quantity", order.Quantity, "item", order.ItemName)), nil
}

var listingGone = core.NewError(core.NotFound, core.NewText("listing_gone"))
