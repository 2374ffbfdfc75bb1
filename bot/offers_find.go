package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// ordersSearched is how many requests of an owner are looked through for offers.
const ordersSearched = 12

// received are the offers on the actor's open orders, of the newest requests that have any.
func (b offersBot) received(ctx context.Context, in Input) ([]core.OpenOffer, error) {
	page, err := b.market.OwnOrders(ctx, in.Actor, core.OrderQuery{List: core.OpenOrders})
	if err != nil {
		return nil, err
	}
	var found []core.OpenOffer
	searched := 0
	for _, o := range page.Orders {
		if o.Offers == 0 {
			continue
		}
		order, offers, err := b.market.Offers(ctx, in.Actor, o.ID)
		if core.KindOf(err) == core.NotFound {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		for _, offer := range offers {
			found = append(found, core.OpenOffer{Offer: offer, Order: order})
		}
		if searched++; searched == ordersSearched {
			break
		}
	}
	return found, nil
}

// liveLabel is an offer in one line, with its request.
func (t translator) liveLabel(o core.OpenOffer) string {
	number := fmt.Sprintf(" · #%d", o.Offer.ID)
	label := t.plain(msg.OfferTitle, o.Offer.Quantity, discord.Clip(o.Order.ItemName, 40)) + " · " + o.Offer.SellerName + " (@" + o.Offer.SellerContact + ")"
	return discord.Clip(label, discord.MaxOptionLabel-discord.Size(number)) + number
}

// receivedOffer finds an offer on an order of the actor's: by its id, or by words of its item or seller.
func (b offersBot) receivedOffer(ctx context.Context, in Input, option string) (core.OfferID, *Reply, error) {
	text := discord.Visible(in.text(option))
	if id, ok := reference(text); ok {
		return core.OfferID(id), nil, nil
	}
	all, err := b.received(ctx, in)
	if err != nil {
		return 0, nil, err
	}
	var options []discordgo.SelectMenuOption
	for _, o := range all {
		if label := in.tr.liveLabel(o); containsWords(label, text) {
			options = append(options, discordgo.SelectMenuOption{Label: label, Value: fmt.Sprint(o.Offer.ID), Description: discord.FirstLine(o.Offer.Message)})
		}
	}
	return b.oneOffer(ctx, in, option, text, options, msg.NoSuchOffer)
}

// sentOffer finds an open offer of the actor's own.
func (b offersBot) sentOffer(ctx context.Context, in Input, option string) (core.OfferID, *Reply, error) {
	text := discord.Visible(in.text(option))
	if id, ok := reference(text); ok {
		return core.OfferID(id), nil, nil
	}
	sent, err := b.market.SentOffers(ctx, in.Actor, 0, core.PageSize)
	if err != nil {
		return 0, nil, err
	}
	var options []discordgo.SelectMenuOption
	for _, o := range sent {
		if label := sentLabel(in.tr, o); o.State == core.OfferOpen && containsWords(label, text) {
			options = append(options, discordgo.SelectMenuOption{Label: label, Value: fmt.Sprint(o.ID)})
		}
	}
	return b.oneOffer(ctx, in, option, text, options, msg.NoSentOffer)
}

func (b offersBot) oneOffer(ctx context.Context, in Input, option, text string, options []discordgo.SelectMenuOption, none msg.Key) (core.OfferID, *Reply, error) {
	switch len(options) {
	case 0:
		reply := private(in.tr.text(none, text))
		return 0, &reply, nil
	case 1:
		id, _ := reference(options[0].Value)
		return core.OfferID(id), nil, nil
	}
	ask, err := b.askWhich(ctx, in, option, options, in.tr.text(msg.WhichOffer, text))
	return 0, ask, err
}

// suggestReceived completes an offer on one's own requests.
func (b offersBot) suggestReceived(ctx context.Context, in Input) ([]*choice, error) {
	all, err := b.received(ctx, in)
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, o := range all {
		if label := in.tr.liveLabel(o); containsWords(label, in.text(in.focused)) {
			choices = append(choices, &choice{Name: label, Value: fmt.Sprint(o.Offer.ID)})
		}
	}
	return choices, nil
}

// suggestSent completes an open offer of one's own.
func (b offersBot) suggestSent(ctx context.Context, in Input) ([]*choice, error) {
	sent, err := b.market.SentOffers(ctx, in.Actor, 0, core.PageSize)
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, o := range sent {
		if label := sentLabel(in.tr, o); o.State == core.OfferOpen && containsWords(label, in.text(in.focused)) {
			choices = append(choices, &choice{Name: label, Value: fmt.Sprint(o.ID)})
		}
	}
	return choices, nil
}

// containsWords reports whether a label contains every typed word.
func containsWords(label, text string) bool {
	label = strings.ToLower(label)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(label, word) {
			return false
		}
	}
	return true
}
