package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/moderation"
	msg "tradepost/core/text"
)

// allowReported returns the button that has marked names of a report's subject not marked, nil when none is.
func allowReported(m *market.Market, t kernel.Translator, r moderation.Report) discordgo.MessageComponent {
	view := reportView(r.ID)
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Offer.LookAlike.Any():
		return kernel.AllowNames(t, r.OrderID, r.OfferID, view)
	case r.OfferID == 0 && r.Order != nil && m.MarkLookAlikes(*r.Order).LookAlike.Any():
		return kernel.AllowNames(t, r.OrderID, 0, view)
	}
	return nil
}

// allowNamesButton lets the seller of the offer that is shown, or else the buyer of the request, use their
// names.
func (b Moderation) allowNamesButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	var err error
	if offer := core.OfferID(in.ID.Number(1)); offer != 0 {
		err = b.Market.Moderation.AllowOfferNames(ctx, in.Actor, offer)
	} else {
		err = b.Market.Moderation.AllowOrderNames(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return b.Redraw(ctx, in, in.ID.Word(2), in.Tr.Text(msg.NamesAllowed))
}
