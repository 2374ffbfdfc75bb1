package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// offerMore is what else an owner can do about an offer, and whoever sent it.
func (b *Bot) offerMore(t tongue, offer core.Offer, view string) []discordgo.MessageComponent {
	buttons := []discordgo.MessageComponent{
		button(reportOn{offer: offer.ID}.press("report"), discordgo.SecondaryButton, t.plain(msgReport)),
	}
	if offer.Verified() {
		buttons = append(buttons, button(on("block-seller", offer.ID, view), discordgo.SecondaryButton, t.plain(msgBlockSeller)))
	}
	return buttons
}

// blockSeller takes no more offers of whoever sent one.
func (b *Bot) blockSeller(ctx context.Context, in Input) (Reply, error) {
	id, view := core.OfferID(in.press.number(0)), in.press.word(1)
	_, offer, err := b.market.Offer(ctx, in.Actor, id)
	if err == nil {
		err = b.market.BlockSeller(ctx, in.Actor, id)
	}
	if err != nil {
		return b.refusedOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.say.text(msgSellerBlocked, username(offer.SellerContact)))
}

// unblockSeller takes offers again of a seller who was named.
func (b *Bot) unblockSeller(ctx context.Context, in Input) (Reply, error) {
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
			return private(in.say.text(msgSellerUnblocked, username(s.Username))), nil
		}
	}
	return private(in.say.text(msgSellerNotBlocked, name)), nil
}

// suggestBlockedSellers completes a seller whom the actor has blocked.
func (b *Bot) suggestBlockedSellers(ctx context.Context, in Input) ([]choice, error) {
	sellers, err := b.market.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var choices []choice
	for _, s := range sellers {
		if strings.Contains(strings.ToLower(s.Username), strings.ToLower(in.text("seller"))) {
			choices = append(choices, choice{Name: "@" + s.Username, Value: fmt.Sprint(s.Seller)})
		}
	}
	return choices, nil
}
