package people

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
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

// blockedSellers lists the sellers that the actor has blocked, to pick one that may offer again.
func (b People) blockedSellers(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.blockedList(ctx, in, "")
}

func (b People) blockedList(
	ctx context.Context, in kernel.Input, note discord.Markdown,
) (kernel.Reply, error) {
	sellers, err := b.Market.Trust.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(sellers) == 0 {
		return kernel.Private(kernel.Joined(note, in.Tr.Text(msg.NoBlockedSellers))), nil
	}
	options := make([]discordgo.SelectMenuOption, len(sellers))
	for i, s := range sellers {
		options[i] = discordgo.SelectMenuOption{Label: "@" + s.Username, Value: fmt.Sprint(s.Seller)}
	}
	reply := kernel.Private(kernel.Joined(note, in.Tr.Text(msg.BlockedSellers)))
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("unblock-picked"),
		in.Tr.Plain(msg.PickUnblock), options))
	return reply, nil
}

// unblockPicked takes offers of the picked seller again.
func (b People) unblockPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	sellers, err := b.Market.Trust.BlockedSellers(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	note := discord.Markdown("")
	for _, s := range sellers {
		if int64(s.Seller) == in.Picked() {
			note = in.Tr.Text(msg.SellerUnblocked, "seller", kernel.Username(s.Username))
			err = b.Market.Trust.UnblockSeller(ctx, in.Actor, s.Seller)
		}
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.blockedList(ctx, in, note)
	reply.Redraw = true
	return reply, err
}
