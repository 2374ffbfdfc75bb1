package panel

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/market"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// thing is one thing that waits for the actor, with the button that does something about it.
type thing struct {
	discord.CardItem
	count int // as in the sentence above
}

// things returns the first things that wait: one of each kind, then more of the first kinds.
func (b Panel) things(ctx context.Context, in kernel.Input, todos []market.Todo) ([]thing, error) {
	byKind := make([][]thing, len(todos))
	for i, todo := range todos {
		var err error
		switch todo.Kind {
		case market.TodoAnswerOffers:
			byKind[i], err = b.offered(ctx, in)
		case market.TodoAnswerAsks:
			byKind[i], err = b.asked(ctx, in)
		case market.TodoConfirmTrades:
			byKind[i], err = b.toConfirm(ctx, in)
		case market.TodoRenewRequests:
			byKind[i], err = b.ending(ctx, in)
		}
		if err != nil {
			return nil, err
		}
	}
	room, shown := thingsShown, make([]int, len(todos))
	for range thingsShown {
		for i, found := range byKind {
			if room > 0 && shown[i] < len(found) {
				shown[i], room = shown[i]+1, room-1
			}
		}
	}
	var things []thing
	for i, found := range byKind {
		things = append(things, found[:shown[i]]...)
	}
	return things, nil
}

// waitingRead limits the offers that are read for the first requests with offers.
const waitingRead = 25

// offered returns the first requests with offers that wait for the actor's answer.
func (b Panel) offered(ctx context.Context, in kernel.Input) ([]thing, error) {
	page, err := b.Market.Trade.ReceivedOffers(ctx, in.Actor, trade.ReceivedPlace{}, waitingRead)
	if err != nil {
		return nil, err
	}
	var things []thing
	for len(page.Offers) > 0 {
		order, many := page.Offers[0].Order, 1
		most := page.Offers[0].Offer
		for many < len(page.Offers) && page.Offers[many].Order.ID == order.ID {
			if o := page.Offers[many].Offer; o.Quantity > most.Quantity {
				most = o
			}
			many++
		}
		page.Offers = page.Offers[many:]
		things = append(things, thing{count: many, CardItem: discord.CardItem{
			Text: kernel.Joined("**"+in.Tr.Text(msg.PanelOffers, "count", many, "item", order.ItemName)+"**",
				in.Tr.LeftOf(order)+" · "+in.Tr.Text(msg.PanelMostOffered, "seller", most.SellerName,
					"quantity", most.Quantity, "sum", in.Tr.Coins(kernel.Worth(most)))),
			Button: kernel.Button(discord.NewCustomID(kernel.PanelReceived, order.ID),
				discordgo.PrimaryButton, in.Tr.Plain(msg.PanelAnswer)),
		}})
	}
	return things, nil
}

// asked returns the first asks for the actor's listings.
func (b Panel) asked(ctx context.Context, in kernel.Input) ([]thing, error) {
	listings, err := b.Market.Match.OwnListings(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var things []thing
	for _, l := range listings {
		for _, a := range l.Asks {
			things = append(things, thing{count: 1, CardItem: discord.CardItem{
				Text: kernel.Joined(in.Tr.Text(msg.AskReceivedDM, "buyer", a.Buyer.DisplayName, "quantity",
					a.Quantity, "item", a.ItemName), in.Tr.Coins(a.RemainingValue())),
				Button: kernel.Button(discord.NewCustomID(kernel.PanelAsk, a.ID),
					discordgo.PrimaryButton, in.Tr.Plain(msg.PanelAnswer)),
			}})
		}
	}
	return things, nil
}

// toConfirm returns the first trades that wait for the actor's word.
func (b Panel) toConfirm(ctx context.Context, in kernel.Input) ([]thing, error) {
	found, err := b.Market.Trade.Handovers(ctx, in.Actor,
		trade.Query{States: []trust.HandoverState{trust.HandoverAgreed}, Limit: waitingRead})
	if err != nil {
		return nil, err
	}
	var things []thing
	for _, h := range found {
		side := h.SideOf(in.Actor.UserID)
		if h.On(side).Word != "" || h.MaySay(in.Actor.UserID, b.Now()) != nil {
			continue
		}
		other := in.Tr.PartyName(h.Other(in.Actor.UserID))
		title := in.Tr.Text(msg.PanelMeet, "partner", other, "time", kernel.Moment(h.AgreedBy))
		if h.Other(in.Actor.UserID).Word == trade.SaidMet {
			title = in.Tr.Text(msg.PanelTheyMet, "partner", other)
		}
		pays := msg.PanelYouGet
		if side == trust.BuyerSide {
			pays = msg.PanelYouPay
		}
		things = append(things, thing{count: 1, CardItem: discord.CardItem{
			Text: kernel.Joined("**"+title+"**", in.Tr.Text(pays, "quantity", h.Quantity, "item", h.ItemName,
				"sum", in.Tr.Coins(h.Total()))),
			Button: kernel.Button(discord.NewCustomID("met-one", h.Sale, kernel.PanelView),
				discordgo.SuccessButton, in.Tr.Plain(msg.WeMet)),
		}})
	}
	return things, nil
}

// ending returns the actor's requests that end soonest.
func (b Panel) ending(ctx context.Context, in kernel.Input) ([]thing, error) {
	page, err := b.Market.Match.OwnOrders(ctx, in.Actor,
		match.OrderQuery{List: match.OpenOrders, Sort: match.EndingSoon, Limit: waitingRead})
	if err != nil {
		return nil, err
	}
	var things []thing
	for _, o := range page.Orders {
		if o.ExpiresAt.Sub(b.Now()) >= trade.ExpiryWarning {
			break
		}
		if o.Listing != 0 || len(things) == thingsShown { // an ask cannot be renewed
			continue
		}
		things = append(things, thing{count: 1, CardItem: discord.CardItem{
			Text: kernel.Joined("**"+in.Tr.Text(msg.PanelEnds, "item", o.ItemName,
				"time", kernel.Timestamp(o.ExpiresAt))+"**", in.Tr.LeftOf(o.Order)),
			Button: kernel.Button(discord.NewCustomID("renew", o.ID, kernel.PanelView).At(o.Version),
				discordgo.SecondaryButton, in.Tr.Plain(msg.Renew)),
		}})
	}
	return things, nil
}
