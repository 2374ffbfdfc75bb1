package people

import (
	"context"
	"fmt"
	"strings"

	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
)

// blockSeller blocks the seller of an offer for the actor's requests.
func (b People) blockSeller(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, view := core.OfferID(in.ID.Number(0)), in.ID.Word(1)
	_, offer, err := b.Market.Trade.Offer(ctx, in.Actor, id)
	if err == nil {
		err = b.Market.Trade.BlockSeller(ctx, in.Actor, id)
	}
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, in.Tr.Text(msg.SellerBlocked,
		"seller", kernel.Username(offer.SellerContact)))
}

// unblockSeller takes offers again of a seller who was named.
func (b People) unblockSeller(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	sellers, err := b.Market.Trust.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	name := in.Text("seller")
	id, numbered := kernel.Reference(name)
	for _, s := range sellers {
		if numbered && s.Seller == core.UserID(id) ||
			strings.EqualFold(s.Username, strings.TrimPrefix(name, "@")) {
			if err := b.Market.Trust.UnblockSeller(ctx, in.Actor, s.Seller); err != nil {
				return kernel.Reply{}, err
			}
			return kernel.Private(in.Tr.Text(msg.SellerUnblocked, "seller", kernel.Username(s.Username))), nil
		}
	}
	return kernel.Private(in.Tr.Text(msg.SellerNotBlocked, "typed", name)), nil
}

// suggestBlockedSellers completes a seller that the actor has blocked.
func (b People) suggestBlockedSellers(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	sellers, err := b.Market.Trust.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var choices []*kernel.Choice
	for _, s := range sellers {
		if strings.Contains(strings.ToLower(s.Username), strings.ToLower(in.Text("seller"))) {
			choices = append(choices, &kernel.Choice{Name: "@" + s.Username, Value: fmt.Sprint(s.Seller)})
		}
	}
	return choices, nil
}
