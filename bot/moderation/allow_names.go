package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/moderation"
)

// allowReported returns the button that has marked names of a report's subject not marked, nil when none is.
func (b Moderation) allowReported(t kernel.Translator, r moderation.Report) discordgo.MessageComponent {
	view := reportView(r.ID)
	switch {
	case r.OfferID != 0 && r.Offer != nil && r.Offer.LookAlike.Any():
		return kernel.AllowNames(t, "allow-seller", int64(r.OfferID), view)
	case r.OfferID == 0 && r.Order != nil && b.Market.MarkLookAlikes(*r.Order).LookAlike.Any():
		return kernel.AllowNames(t, "allow-buyer", int64(r.OrderID), view)
	}
	return nil
}

// allowBuyerButton lets the buyer of the request that is shown use its names.
func (b Moderation) allowBuyerButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	err := b.Market.Moderation.AllowOrderNames(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	return b.namesAllowed(ctx, in, err)
}

// allowSellerButton lets the seller of the offer that is shown use its names.
func (b Moderation) allowSellerButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	err := b.Market.Moderation.AllowOfferNames(ctx, in.Actor, core.OfferID(in.ID.Number(0)))
	return b.namesAllowed(ctx, in, err)
}

func (b Moderation) namesAllowed(ctx context.Context, in kernel.Input, err error) (kernel.Reply, error) {
	if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return b.Redraw(ctx, in, in.ID.Word(1), in.Tr.Text(msg.NamesAllowed))
}
