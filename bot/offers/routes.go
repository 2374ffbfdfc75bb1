package offers

import (
	"context"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Routes returns the package's handlers and drawers.
func (b Offers) Routes() kernel.Routes {
	terms := terms{b.Kernel}
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"offer standing":     {Do: b.ForOwnOrder(terms.setStanding)},
			"offer least-record": {Do: b.ForOwnOrder(terms.setLeastRecord)},
			"offer send":         {Do: b.ForOpenOrder(b.sendOffer)},
			"offer list":         {Do: b.listOffers},
			"offer accept":       {Do: b.acceptNamed},
			"offer delete":       {Do: b.declineNamed},
			"offer mine":         {Do: b.myOffers},
			"offer withdraw":     {Do: b.withdrawOffer},
			commands.OfferOnThis: {Do: b.offerOnMessage, Form: kernel.Always},
		},
		Components: map[string]kernel.Route{
			"make-offer":      {Do: b.offerForm, Form: kernel.Always},
			"offered":         {Do: b.offerSubmitted},
			"replace":         {Do: b.replaceOffer, Redraws: true},
			"keep-offer":      {Do: keepOffer, Redraws: true},
			"withdraw":        {Do: b.withdrawButton, Redraws: true, Write: kernel.PerDrawing},
			"withdraw-picked": {Do: b.withdrawPicked, Redraws: true, Write: kernel.PerDrawing},
			"my-offers":       {Do: b.myOffersButton, Redraws: true},
			"offers":          {Do: b.offersButton, Redraws: true},
			"offer-picked":    {Do: b.offerPicked, Redraws: true},
			"offers-picked":   {Do: b.offersPicked, Redraws: true},
			"answer":          {Do: b.answerChosen, Redraws: true},
			"accept":          {Do: b.acceptButton, Redraws: true},
			"accept-more":     {Do: b.acceptMore, Redraws: true},
			"part":            {Do: b.acceptForm, Form: kernel.Always},
			"parted":          {Do: b.acceptSubmitted, Redraws: true},
			"decline":         {Do: b.declineButton, Redraws: true, Write: kernel.PerDrawing},
			"offer-stock":     {Do: b.offerStock},

			"standing":     {Do: terms.standingForm, Form: kernel.Always},
			"standing-set": {Do: terms.termsSubmitted(terms.setStanding), Redraws: true},
			"least":        {Do: terms.leastForm, Form: kernel.Always},
			"least-set":    {Do: terms.termsSubmitted(terms.setLeastRecord), Redraws: true},

			kernel.PanelOffers:   {Do: b.myOffers},
			kernel.PanelReceived: {Do: b.receivedButton},
		},
		Suggestions: map[string]kernel.Suggester{
			"offer send request":         b.suggestOpenOrders,
			"offer standing request":     b.SuggestOwn(match.OpenOrders),
			"offer least-record request": b.SuggestOwn(match.OpenOrders),
			"offer list request":         b.SuggestOwn(match.OpenOrders),
			"offer accept offer":         b.suggestReceived,
			"offer delete offer":         b.suggestReceived,
			"offer withdraw offer":       b.suggestSent,
		},
		Views: map[byte]kernel.ViewDrawer{
			'l': func(ctx context.Context, in kernel.Input, order, page int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.offersOn(ctx, in, core.OrderID(order), int(page), note)
			},
			'w': func(ctx context.Context, in kernel.Input, order, offer int64,
				note discord.Markdown) (kernel.Reply, error) {
				after := trade.ReceivedPlace{Order: core.OrderID(order), Offer: core.OfferID(offer)}
				return b.waitingOffers(ctx, in, after, note)
			},
			's': func(ctx context.Context, in kernel.Input, before, place int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.sentOffers(ctx, in, sentPart(place), core.OfferID(before), note)
			},
		},
		Messages: map[notify.Kind]kernel.MessageDrawer{notify.NoticeOfferReceived: b.offersDM},
		Answered: []func(context.Context,
			kernel.AnsweredCall){func(_ context.Context, call kernel.AnsweredCall) {
			if call.Reply.Accepted != 0 {
				b.shown.add(call.Reply.Accepted, b.Now())
			}
		}},
	}
}
