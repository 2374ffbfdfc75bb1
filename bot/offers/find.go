package offers

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

// ordersSearched limits the requests of an owner that are searched for offers.
const ordersSearched = 12

// received are the offers on the actor's open orders, of the newest requests that have any.
func (b Offers) received(ctx context.Context, in kernel.Input) ([]trade.OpenOffer, error) {
	page, err := b.Market.Match.OwnOrders(ctx, in.Actor, match.OrderQuery{List: match.OpenOrders})
	if err != nil {
		return nil, err
	}
	var found []trade.OpenOffer
	searched := 0
	for _, o := range page.Orders {
		if o.Offers == 0 {
			continue
		}
		order, offers, err := b.Market.Trade.Offers(ctx, in.Actor, o.ID)
		if core.KindOf(err) == core.NotFound {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		for _, offer := range offers {
			found = append(found, trade.OpenOffer{Offer: offer, Order: order})
		}
		if searched++; searched == ordersSearched {
			break
		}
	}
	return found, nil
}

// receivedOffer finds an offer on an order of the actor's: by its id, or by words of its item or seller.
func (b Offers) receivedOffer(
	ctx context.Context, in kernel.Input, option string,
) (core.OfferID, *kernel.Reply, error) {
	text := discord.Visible(in.Text(option))
	if id, ok := kernel.Reference(text); ok {
		return core.OfferID(id), nil, nil
	}
	all, err := b.received(ctx, in)
	if err != nil {
		return 0, nil, err
	}
	var options []discordgo.SelectMenuOption
	for _, o := range all {
		if label := in.Tr.LiveLabel(o); kernel.ContainsWords(label, text) {
			options = append(options, discordgo.SelectMenuOption{Label: label, Value: fmt.Sprint(o.Offer.ID),
				Description: discord.FirstLine(o.Offer.Message)})
		}
	}
	return b.oneOffer(ctx, in, option, text, options, msg.NoSuchOffer)
}

// sentOffer finds an open offer of the actor's own.
func (b Offers) sentOffer(
	ctx context.Context, in kernel.Input, option string,
) (core.OfferID, *kernel.Reply, error) {
	text := discord.Visible(in.Text(option))
	if id, ok := kernel.Reference(text); ok {
		return core.OfferID(id), nil, nil
	}
	sent, err := b.Market.Trade.SentOffers(ctx, in.Actor, 0, core.PageSize)
	if err != nil {
		return 0, nil, err
	}
	var options []discordgo.SelectMenuOption
	for _, o := range sent {
		if label := sentLabel(in.Tr, o); o.State == trade.OfferOpen && kernel.ContainsWords(label, text) {
			options = append(options, discordgo.SelectMenuOption{Label: label, Value: fmt.Sprint(o.ID)})
		}
	}
	return b.oneOffer(ctx, in, option, text, options, msg.NoSentOffer)
}

func (b Offers) oneOffer(
	ctx context.Context, in kernel.Input, option, text string, options []discordgo.SelectMenuOption,
	none msg.Key,
) (core.OfferID, *kernel.Reply, error) {
	switch len(options) {
	case 0:
		reply := kernel.Private(in.Tr.Text(none, "typed", text))
		return 0, &reply, nil
	case 1:
		id, _ := kernel.Reference(options[0].Value)
		return core.OfferID(id), nil, nil
	}
	ask, err := b.AskWhich(ctx, in, option, options, in.Tr.Text(msg.WhichOffer, "typed", text))
	return 0, ask, err
}

// suggestReceived completes an offer on one's own requests.
func (b Offers) suggestReceived(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	all, err := b.received(ctx, in)
	if err != nil {
		return nil, err
	}
	var choices []*kernel.Choice
	for _, o := range all {
		if label := in.Tr.LiveLabel(o); kernel.ContainsWords(label, in.Text(in.Focused)) {
			choices = append(choices, &kernel.Choice{Name: label, Value: fmt.Sprint(o.Offer.ID)})
		}
	}
	return choices, nil
}

// suggestSent completes an open offer of one's own.
func (b Offers) suggestSent(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	sent, err := b.Market.Trade.SentOffers(ctx, in.Actor, 0, core.PageSize)
	if err != nil {
		return nil, err
	}
	var choices []*kernel.Choice
	for _, o := range sent {
		if label := sentLabel(in.Tr, o); o.State == trade.OfferOpen &&
			kernel.ContainsWords(label, in.Text(in.Focused)) {
			choices = append(choices, &kernel.Choice{Name: label, Value: fmt.Sprint(o.ID)})
		}
	}
	return choices, nil
}

// suggestOpenOrders completes a request of another user.
func (b Offers) suggestOpenOrders(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	page, err := b.Search(ctx, in)
	if err != nil {
		return nil, err
	}
	choices := make([]*kernel.Choice, 0, len(page.Orders))
	for _, o := range page.Orders {
		if o.Owner != in.Actor.UserID {
			choices = append(choices, &kernel.Choice{Name: in.Tr.OrderLabel(o.Order),
				Value: fmt.Sprint(o.ID)})
		}
	}
	return choices, nil
}
