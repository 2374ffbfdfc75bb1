package bot

import (
	"context"
	"fmt"
	"strings"

	msg "tradepost/bot/text"
	"tradepost/core"
)

// blockSeller blocks the seller of an offer for the actor's requests.
func (b peopleBot) blockSeller(ctx context.Context, in Input) (Reply, error) {
	id, view := core.OfferID(in.id.Number(0)), in.id.Word(1)
	_, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil {
		err = b.market.BlockSeller(ctx, in.Actor, id)
	}
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.tr.text(msg.SellerBlocked, username(offer.SellerContact)))
}

// unblockSeller takes offers again of a seller who was named.
func (b peopleBot) unblockSeller(ctx context.Context, in Input) (Reply, error) {
	sellers, err := b.market.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	name := in.text("seller")
	id, numbered := reference(name)
	for _, s := range sellers {
		if numbered && s.Seller == core.UserID(id) || strings.EqualFold(s.Username, strings.TrimPrefix(name, "@")) {
			if err := b.market.UnblockSeller(ctx, in.Actor, s.Seller); err != nil {
				return Reply{}, err
			}
			return private(in.tr.text(msg.SellerUnblocked, username(s.Username))), nil
		}
	}
	return private(in.tr.text(msg.SellerNotBlocked, name)), nil
}

// suggestBlockedSellers completes a seller that the actor has blocked.
func (b peopleBot) suggestBlockedSellers(ctx context.Context, in Input) ([]*choice, error) {
	sellers, err := b.market.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, s := range sellers {
		if strings.Contains(strings.ToLower(s.Username), strings.ToLower(in.text("seller"))) {
			choices = append(choices, &choice{Name: "@" + s.Username, Value: fmt.Sprint(s.Seller)})
		}
	}
	return choices, nil
}
