package kernel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

var (
	noRequestThere   = core.NewText("message_without_request")
	manyRequestThere = core.NewText("message_with_requests")
)

// ShownThere is the order that the message of a message command shows.
func ShownThere(in Input) (core.OrderID, error) {
	var order core.OrderID
	for _, text := range in.Interaction.TargetIDs {
		id, ok := discord.ParseCustomID(text)
		switch {
		case !ok:
		case id.Action == "open", id.Action == "make-offer" && order != 0 &&
			order != core.OrderID(id.Number(0)):
			return 0, core.NewError(core.Invalid, manyRequestThere)
		case id.Action == "make-offer":
			order = core.OrderID(id.Number(0))
		}
	}
	if order == 0 {
		return 0, core.NewError(core.Invalid, noRequestThere)
	}
	return order, nil
}

// ListingsThere are the listings that the message of a message command shows.
func ListingsThere(in Input) []core.StockID {
	var listings []core.StockID
	for _, text := range in.Interaction.TargetIDs {
		id, ok := discord.ParseCustomID(text)
		if !ok || id.Action != "ask-listing" && (id.Action != "report" || id.Word(0) != "listing") {
			continue
		}
		shown := core.StockID(id.Number(len(id.Args) - 1))
		if !slices.Contains(listings, shown) {
			listings = append(listings, shown)
		}
	}
	return listings
}

// OrAsk returns a question, or nothing.
func OrAsk(ask *Reply) Reply {
	if ask == nil {
		return Reply{}
	}
	return *ask
}

// OrderHandler answers an interaction about an order.
type OrderHandler func(ctx context.Context, in Input, o trade.Order) (Reply, error)

// ForOpenOrder handles a command about the open order that its option means: by its id, or by words in its
// name. When several fit, it asks which.
func (k *Kernel) ForOpenOrder(do OrderHandler) Handler { return forOrder(k.openOrder, do) }

// ForOwnOrder handles a command about an order of the actor's, in any state; open ones first.
func (k *Kernel) ForOwnOrder(do OrderHandler) Handler { return forOrder(k.OwnOrder, do) }

func forOrder(find func(context.Context, Input) (trade.Order, *Reply, error), do OrderHandler) Handler {
	return func(ctx context.Context, in Input) (Reply, error) {
		order, ask, err := find(ctx, in)
		if err != nil || ask != nil {
			return OrAsk(ask), err
		}
		return do(ctx, in, order)
	}
}

func (k *Kernel) openOrder(ctx context.Context, in Input) (trade.Order, *Reply, error) {
	return k.findOrder(ctx, in, func(text string) (match.OrderPage, error) {
		return k.Market.Match.BrowseOrders(ctx,
			match.OrderQuery{OrderFilter: match.OrderFilter{Text: text}, Limit: discord.MaxOptions})
	}, msg.NoOpenOrder)
}

// OwnOrder finds the actor's order that the option means, in any state; open ones first.
func (k *Kernel) OwnOrder(ctx context.Context, in Input) (trade.Order, *Reply, error) {
	order, ask, err := k.findOrder(ctx, in, func(text string) (match.OrderPage, error) {
		for _, which := range []match.OrderList{match.OpenOrders, match.ExpiredOrders, match.FulfilledOrders,
			match.ArchivedOrders} {
			page, err := k.Market.Match.OwnOrders(ctx, in.Actor, match.OrderQuery{
				OrderFilter: match.OrderFilter{Text: text}, List: which, Limit: discord.MaxOptions,
			})
			if err != nil || len(page.Orders) > 0 {
				return page, err
			}
		}
		return match.OrderPage{}, nil
	}, msg.NoOwnOrder)
	if err == nil && ask == nil {
		err = in.Actor.MustBe(order.Owner)
	}
	return order, ask, err
}

func (k *Kernel) findOrder(
	ctx context.Context, in Input, search func(text string) (match.OrderPage, error), none msg.Key,
) (trade.Order, *Reply, error) {
	const option = "request"
	text := discord.Visible(in.Text(option))
	if id, ok := Reference(text); ok {
		listed, err := k.Market.Trade.Order(ctx, in.Actor, core.OrderID(id))
		return listed.Order, nil, err
	}
	page, err := search(discord.Clip(text, core.MaxItemName))
	if err != nil {
		return trade.Order{}, nil, err
	}
	exact := exactMatches(page.Orders, text)
	switch {
	case len(page.Orders) == 0:
		reply := Private(in.Tr.Text(none, "typed", text))
		return trade.Order{}, &reply, nil
	case len(page.Orders) == 1:
		return page.Orders[0].Order, nil, nil
	case len(exact) == 1:
		return exact[0].Order, nil, nil
	}
	options := make([]discordgo.SelectMenuOption, len(page.Orders))
	for i, o := range page.Orders {
		options[i] = discordgo.SelectMenuOption{Label: in.Tr.OrderLabel(o.Order), Value: fmt.Sprint(o.ID),
			Description: in.Tr.OrderHint(o.Order)}
	}
	ask, err := k.AskWhich(ctx, in, option, options, in.Tr.Text(msg.WhichOrder, "typed", text))
	return trade.Order{}, ask, err
}

func exactMatches(orders []trade.ListedOrder, name string) []trade.ListedOrder {
	var exact []trade.ListedOrder
	for _, o := range orders {
		if strings.EqualFold(o.ItemName, name) {
			exact = append(exact, o)
		}
	}
	return exact
}

// AskWhich asks which of several things an option meant, and goes on with the command afterwards.
func (k *Kernel) AskWhich(
	ctx context.Context, in Input, option string, options []discordgo.SelectMenuOption,
	question discord.Markdown,
) (*Reply, error) {
	path, _ := in.Interaction.Command()
	id, err := k.Keep(ctx, in, Draft{Command: path, Options: in.Options})
	if err != nil {
		return nil, err
	}
	reply := Private(question)
	reply.Rows = append(reply.Rows, Choose(discord.NewCustomID("go-on", id, option), in.Tr.Plain(msg.Pick),
		options))
	return &reply, nil
}

// SuggestAnyOrders completes a request that is open.
func (k *Kernel) SuggestAnyOrders(ctx context.Context, in Input) ([]*Choice, error) {
	page, err := k.Search(ctx, in)
	if err != nil {
		return nil, err
	}
	return in.Tr.orderChoices(page.Orders), nil
}

// Search returns open requests that fit the text which is being typed.
func (k *Kernel) Search(ctx context.Context, in Input) (match.OrderPage, error) {
	return k.Market.Match.BrowseOrders(ctx, match.OrderQuery{
		OrderFilter: match.OrderFilter{Text: discord.Clip(in.Text(in.Focused), core.MaxItemName)},
		Limit:       core.PageSize,
	})
}

// SuggestOwn completes the actor's own requests of these states.
func (k *Kernel) SuggestOwn(states ...match.OrderList) Suggester {
	return func(ctx context.Context, in Input) ([]*Choice, error) {
		var choices []*Choice
		for _, which := range states {
			page, err := k.Market.Match.OwnOrders(ctx, in.Actor, match.OrderQuery{
				OrderFilter: match.OrderFilter{Text: discord.Clip(in.Text(in.Focused), core.MaxItemName)},
				List:        which, Limit: discord.MaxOptions,
			})
			if err != nil {
				return nil, err
			}
			choices = append(choices, in.Tr.orderChoices(page.Orders)...)
			if len(choices) >= discord.MaxOptions {
				break
			}
		}
		return choices, nil
	}
}

func (t Translator) orderChoices(orders []trade.ListedOrder) []*Choice {
	choices := make([]*Choice, len(orders))
	for i, o := range orders {
		choices[i] = &Choice{Name: t.OrderLabel(o.Order), Value: fmt.Sprint(o.ID)}
	}
	return choices
}

// OrderLabel is an order in one line. Its number is at the end and is never cut off.
func (t Translator) OrderLabel(o trade.Order) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	var label string
	switch {
	case o.Status == trade.Fulfilled:
		label = t.Plain(msg.OrderLabelDone, "item", discord.Clip(o.ItemName, 50), "sold", o.Sold,
			"quantity", o.Quantity)
	default:
		label = t.Plain(msg.OrderLabel, "item", discord.Clip(o.ItemName, 50), "left", o.Remaining(),
			"price", o.MaxPrice)
	}
	return discord.Clip(label, discord.MaxOptionLabel-discord.Size(number)) + number
}

// OrderHint is the second line of an order in a list.
func (t Translator) OrderHint(o trade.Order) string {
	hint := t.Category(o.Category) + " · " + t.Choice(string(o.Importance))
	if o.LevelRequirement != nil {
		hint += " · " + t.Plain(msg.LevelFrom, "level", *o.LevelRequirement)
	}
	return discord.Clip(hint+" · @"+o.BuyerContact, discord.MaxOptionLabel)
}
