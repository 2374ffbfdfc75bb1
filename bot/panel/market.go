package panel

import (
	"context"
	"strings"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/market"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// thingsShown limits the things with a button of their own.
const thingsShown = 3

// market shows the actor's todos and the buttons of every place.
func (b Panel) market(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.panel(ctx, in, "")
}

func (b Panel) panel(ctx context.Context, in kernel.Input, note discord.Markdown) (kernel.Reply, error) {
	waiting, err := b.Market.Counts(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	counts, err := b.counts(ctx, in, waiting)
	if err != nil {
		return kernel.Reply{}, err
	}
	todos := waiting.Todos()
	things, err := b.things(ctx, in, todos)
	if err != nil {
		return kernel.Reply{}, err
	}
	card := &discord.Card{
		Title: string(in.Tr.Text(msg.PanelTitle)), URL: b.PublicURL, Color: kernel.ColourUsual,
		Description: string(sentence(in.Tr, todos)), Rows: b.PanelRows(in.Tr, counts),
		Footer: in.Tr.Text(msg.PanelAsOf, "time", kernel.TimeOfDay(b.Now())),
	}
	rest := 0
	for _, todo := range todos {
		rest += todo.Count
	}
	for _, t := range things {
		card.Items, rest = append(card.Items, t.CardItem), rest-t.count
	}
	if len(things) > 0 && rest > 0 {
		card.Footer = in.Tr.Text(msg.AndMore, "count", rest) + " · " + card.Footer
	}
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{card}
	return reply, nil
}

// counts returns the numbers on the buttons.
func (b Panel) counts(ctx context.Context, in kernel.Input, c market.Counts) (kernel.PanelCounts, error) {
	counts := kernel.PanelCounts{Requests: c.Active}
	_, sent, err := b.Market.Trade.SentOffersIn(ctx, in.Actor, trade.SentOpen, 0, 1)
	if err != nil {
		return counts, err
	}
	counts.Offers = sent.Open
	if b.Features.Stock {
		fillable, err := b.Market.Match.BrowseFillable(ctx, in.Actor, match.OrderQuery{Limit: 1})
		if err != nil {
			return counts, err
		}
		counts.Work = fillable.Total
	}
	if b.Features.Handover {
		partners, err := b.Market.Trade.SlipPartners(ctx, in.Actor)
		if err != nil {
			return counts, err
		}
		for _, p := range partners {
			counts.Trades += p.Open
		}
	}
	return counts, nil
}

// sentence lists the todos in one line.
func sentence(t kernel.Translator, todos []market.Todo) discord.Markdown {
	if len(todos) == 0 {
		return t.Text(msg.PanelNothing)
	}
	parts := make([]string, len(todos))
	for i, todo := range todos {
		switch todo.Kind {
		case market.TodoAnswerOffers:
			parts[i] = string(t.Text(msg.TodoOffers, "count", todo.Count))
		case market.TodoAnswerAsks:
			parts[i] = string(t.Text(msg.TodoAsks, "count", todo.Count))
		case market.TodoConfirmTrades:
			parts[i] = string(t.Text(msg.TodoTrades, "count", todo.Count))
		case market.TodoRenewRequests:
			parts[i] = string(t.Text(msg.TodoEnds, "count", todo.Count,
				"time", kernel.Timestamp(todo.EndsAt)))
		}
	}
	return discord.Markdown(strings.Join(parts, " · "))
}
