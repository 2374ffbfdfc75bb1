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

// reference parses an ID from a completion's value or as users write it, "#12".
func reference(text string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(text), "#"), 10, 64)
	return id, err == nil && id > 0
}

// orAsk returns a question, or nothing.
func orAsk(ask *Reply) Reply {
	if ask == nil {
		return Reply{}
	}
	return *ask
}

// openOrder finds the open order that an option means: by its id, or by words in its name. When several fit, it returns a
// question instead.
func (k *Kernel) openOrder(ctx context.Context, in Input) (core.Order, *Reply, error) {
	return k.findOrder(ctx, in, func(text string) (core.OrderPage, error) {
		return k.market.BrowseOrders(ctx, core.OrderQuery{OrderFilter: core.OrderFilter{Text: text}, Limit: discord.MaxOptions})
	}, msg.NoOpenOrder)
}

// ownOrder finds the actor's order that the option means, in any state; open ones first.
func (k *Kernel) ownOrder(ctx context.Context, in Input) (core.Order, *Reply, error) {
	order, ask, err := k.findOrder(ctx, in, func(text string) (core.OrderPage, error) {
		for _, which := range []core.OrderList{core.OpenOrders, core.ExpiredOrders, core.FulfilledOrders, core.ArchivedOrders} {
			page, err := k.market.OwnOrders(ctx, in.Actor, core.OrderQuery{
				OrderFilter: core.OrderFilter{Text: text}, List: which, Limit: discord.MaxOptions,
			})
			if err != nil || len(page.Orders) > 0 {
				return page, err
			}
		}
		return core.OrderPage{}, nil
	}, msg.NoOwnOrder)
	if err == nil && ask == nil {
		err = in.Actor.MustOwn(order)
	}
	return order, ask, err
}

func (k *Kernel) findOrder(ctx context.Context, in Input, search func(text string) (core.OrderPage, error), none msg.Key,
) (core.Order, *Reply, error) {
	const option = "request"
	text := discord.Visible(in.text(option))
	if id, ok := reference(text); ok {
		listed, err := k.market.Order(ctx, in.Actor, core.OrderID(id))
		return listed.Order, nil, err
	}
	page, err := search(discord.Clip(text, core.MaxItemName))
	if err != nil {
		return core.Order{}, nil, err
	}
	exact := exactMatches(page.Orders, text)
	switch {
	case len(page.Orders) == 0:
		reply := private(in.tr.text(none, text))
		return core.Order{}, &reply, nil
	case len(page.Orders) == 1:
		return page.Orders[0].Order, nil, nil
	case len(exact) == 1:
		return exact[0].Order, nil, nil
	}
	options := make([]discordgo.SelectMenuOption, len(page.Orders))
	for i, o := range page.Orders {
		options[i] = discordgo.SelectMenuOption{Label: in.tr.orderLabel(o.Order), Value: fmt.Sprint(o.ID), Description: in.tr.orderHint(o.Order)}
	}
	ask, err := k.askWhich(ctx, in, option, options, in.tr.text(msg.WhichOrder, text))
	return core.Order{}, ask, err
}

func exactMatches(orders []core.ListedOrder, name string) []core.ListedOrder {
	var exact []core.ListedOrder
	for _, o := range orders {
		if strings.EqualFold(o.ItemName, name) {
			exact = append(exact, o)
		}
	}
	return exact
}

// askWhich asks which of several things an option meant, and goes on with the command afterwards.
func (k *Kernel) askWhich(ctx context.Context, in Input, option string, options []discordgo.SelectMenuOption, question discord.Markdown) (*Reply, error) {
	path, _ := in.i.Command()
	id, err := k.keep(ctx, in, draft{Command: path, Options: in.options})
	if err != nil {
		return nil, err
	}
	reply := private(question)
	reply.rows = append(reply.rows, choose(discord.NewCustomID("go-on", id, option), in.tr.plain(msg.Pick), options))
	return &reply, nil
}

// suggestOpenOrders completes a request of another user.
func (b offersBot) suggestOpenOrders(ctx context.Context, in Input) ([]*choice, error) {
	page, err := b.search(ctx, in)
	if err != nil {
		return nil, err
	}
	choices := make([]*choice, 0, len(page.Orders))
	for _, o := range page.Orders {
		if o.Owner != in.Actor.UserID {
			choices = append(choices, &choice{Name: in.tr.orderLabel(o.Order), Value: fmt.Sprint(o.ID)})
		}
	}
	return choices, nil
}

// suggestAnyOrders completes a request that is open.
func (k *Kernel) suggestAnyOrders(ctx context.Context, in Input) ([]*choice, error) {
	page, err := k.search(ctx, in)
	if err != nil {
		return nil, err
	}
	return in.tr.orderChoices(page.Orders), nil
}

func (k *Kernel) search(ctx context.Context, in Input) (core.OrderPage, error) {
	return k.market.BrowseOrders(ctx, core.OrderQuery{
		OrderFilter: core.OrderFilter{Text: discord.Clip(in.text(in.focused), core.MaxItemName)}, Limit: core.PageSize,
	})
}

// suggestOwn completes the actor's own requests of these states.
func (k *Kernel) suggestOwn(states ...core.OrderList) suggester {
	return func(ctx context.Context, in Input) ([]*choice, error) {
		var choices []*choice
		for _, which := range states {
			page, err := k.market.OwnOrders(ctx, in.Actor, core.OrderQuery{
				OrderFilter: core.OrderFilter{Text: discord.Clip(in.text(in.focused), core.MaxItemName)}, List: which, Limit: discord.MaxOptions,
			})
			if err != nil {
				return nil, err
			}
			choices = append(choices, in.tr.orderChoices(page.Orders)...)
			if len(choices) >= discord.MaxOptions {
				break
			}
		}
		return choices, nil
	}
}

func (t translator) orderChoices(orders []core.ListedOrder) []*choice {
	choices := make([]*choice, len(orders))
	for i, o := range orders {
		choices[i] = &choice{Name: t.orderLabel(o.Order), Value: fmt.Sprint(o.ID)}
	}
	return choices
}

// orderLabel is an order in one line. Its number is at the end and is never cut off.
func (t translator) orderLabel(o core.Order) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	var label string
	switch {
	case o.Status == core.Fulfilled:
		label = t.plain(msg.OrderLabelDone, discord.Clip(o.ItemName, 50), o.Sold, o.Quantity)
	default:
		label = t.plain(msg.OrderLabel, discord.Clip(o.ItemName, 50), o.Remaining(), o.MaxPrice)
	}
	return discord.Clip(label, discord.MaxOptionLabel-discord.Size(number)) + number
}

// orderHint is the second line of an order in a list.
func (t translator) orderHint(o core.Order) string {
	hint := t.category(o.Category) + " · " + t.choice(string(o.Importance))
	if o.LevelRequirement != nil {
		hint += " · " + t.plain(msg.LevelFrom, *o.LevelRequirement)
	}
	return discord.Clip(hint+" · @"+o.BuyerContact, discord.MaxOptionLabel)
}
