package bot

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/core"
)

// offersBot sends, lists, accepts and declines offers.
type offersBot struct {
	*Kernel
	shown *shownAccepts
}

func newOffersBot(k *Kernel) offersBot { return offersBot{k, &shownAccepts{}} }

func (b offersBot) offersRoutes() routes {
	return routes{
		commands: map[string]route{
			"offer standing":     {do: b.setStanding},
			"offer least-record": {do: b.setLeastRecord},
			"offer send":         {do: b.sendOffer},
			"offer list":         {do: b.listOffers},
			"offer accept":       {do: b.acceptNamed},
			"offer delete":       {do: b.declineNamed},
			"offer mine":         {do: b.myOffers},
			"offer withdraw":     {do: b.withdrawOffer},
			offerOnThis:          {do: b.offerOnMessage, form: always},
		},
		components: map[string]route{
			"make-offer":      {do: b.offerForm, form: always},
			"offered":         {do: b.offerSubmitted},
			"replace":         {do: b.replaceOffer, redraws: true},
			"keep-offer":      {do: b.keepOffer, redraws: true},
			"withdraw":        {do: b.withdrawButton, redraws: true, write: perDrawing},
			"withdraw-picked": {do: b.withdrawPicked, redraws: true, write: perDrawing},
			"my-offers":       {do: b.myOffersButton, redraws: true},
			"offers":          {do: b.offersButton, redraws: true},
			"offer-picked":    {do: b.offerPicked, redraws: true},
			"offers-picked":   {do: b.offersPicked, redraws: true},
			"answer":          {do: b.answerChosen, redraws: true},
			"accept":          {do: b.acceptButton, redraws: true},
			"accept-more":     {do: b.acceptMore, redraws: true},
			"part":            {do: b.acceptForm, form: always},
			"parted":          {do: b.acceptSubmitted, redraws: true},
			"decline":         {do: b.declineButton, redraws: true, write: perDrawing},
			"offer-stock":     {do: b.offerStock},
		},
		suggestions: map[string]suggester{
			"offer send request":         b.suggestOpenOrders,
			"offer standing request":     b.suggestOwn(core.OpenOrders),
			"offer least-record request": b.suggestOwn(core.OpenOrders),
			"offer list request":         b.suggestOwn(core.OpenOrders),
			"offer accept offer":         b.suggestReceived,
			"offer delete offer":         b.suggestReceived,
			"offer withdraw offer":       b.suggestSent,
		},
		views: map[byte]viewDrawer{
			'l': func(ctx context.Context, in Input, order, page int64, note discord.Markdown) (Reply, error) {
				return b.offersOn(ctx, in, core.OrderID(order), int(page), note)
			},
			'w': func(ctx context.Context, in Input, order, offer int64, note discord.Markdown) (Reply, error) {
				after := core.ReceivedPlace{Order: core.OrderID(order), Offer: core.OfferID(offer)}
				return b.waitingOffers(ctx, in, after, note)
			},
			's': func(ctx context.Context, in Input, before, place int64, note discord.Markdown) (Reply, error) {
				return b.sentOffers(ctx, in, sentPart(place), core.OfferID(before), note)
			},
		},
		messages: map[core.NoticeKind]messageDrawer{core.NoticeOfferReceived: b.offersDM},
		answered: []func(context.Context, answeredCall){func(_ context.Context, call answeredCall) {
			if call.reply.accepted != 0 {
				b.shown.add(call.reply.accepted, b.now())
			}
		}},
	}
}
