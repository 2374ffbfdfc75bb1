package moderation

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// listed reports whether the reported listing is for sale now.
func (b Moderation) listed(r moderation.Report) bool {
	return b.Features.Listings && r.Listing != nil && r.Listing.Listed(b.Now())
}

// listingCard shows a listing to moderators.
func listingCard(t kernel.Translator, l match.Listing, seller people.Account) *discord.Card {
	card := &discord.Card{
		Author: kernel.ShownName(seller), Title: string(t.Text(msg.OfferTitle, "quantity", l.Quantity,
			"item", l.ItemName)),
		Color: kernel.ColourUsual, Description: string(discord.Escape(l.Note)),
	}
	for _, f := range []struct {
		name  msg.Key
		value discord.Markdown
	}{
		{msg.BoardUnitPrice, t.Coins(l.Price)},
		{msg.BoardSeller, kernel.Mention(l.Seller.Username, seller)},
	} {
		card.Fields = append(card.Fields, &discord.CardField{Name: string(t.Text(f.name)),
			Value: string(f.value), Inline: true})
	}
	return card
}

// removeListing is the button by which a moderator takes a listing off sale.
func removeListing(t kernel.Translator, id core.StockID) discordgo.MessageComponent {
	return kernel.Button(discord.NewCustomID("remove-listing", id, ""), discordgo.DangerButton,
		t.Plain(msg.RemoveListing))
}

func (b Moderation) removeListingForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-listing", msg.RemoveListingTitle, msg.HintRemove)
}

func (b Moderation) removeListingSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	err := b.Market.Moderation.RemoveListing(ctx, in.Actor, core.StockID(in.ID.Number(0)), in.Text("reason"))
	if err != nil {
		return b.WhyAgain(ctx, in, kernel.Reply{}, err, again(in, "remove-listing"))
	}
	b.WakeSync()
	reply := kernel.Private(in.Tr.Text(msg.ListingRemoved))
	reply.Redraw = true
	return reply, nil
}
