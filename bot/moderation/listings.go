package moderation

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// listingReports are the handlers of what people report about listings, and of taking them off sale.
type listingReports struct{ Moderation }

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

// reportWhich asks which of several listings in a message is reported.
func (b listingReports) reportWhich(
	ctx context.Context, in kernel.Input, listings []core.StockID,
) (kernel.Reply, error) {
	page, err := b.Market.Match.Listings(ctx, in.Actor, match.ListingQuery{
		ListingFilter: match.ListingFilter{IDs: listings},
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(page.Listings) == 0 {
		return kernel.Reply{}, match.ListingGone()
	}
	options := make([]discordgo.SelectMenuOption, min(len(page.Listings), discord.MaxOptions))
	for i, l := range page.Listings[:len(options)] {
		options[i] = discordgo.SelectMenuOption{
			Label: discord.Clip(l.ItemName+" · @"+l.Seller.Username, discord.MaxOptionLabel),
			Value: fmt.Sprint(l.ID),
		}
	}
	reply := kernel.Private(in.Tr.Text(msg.ReportWhich))
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("report-listing"),
		in.Tr.Plain(msg.ReportPick), options))
	return reply, nil
}

// reportPickedListing opens the form of a report about the listing that was picked.
func (b listingReports) reportPickedListing(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	in.ID = kernel.ReportOn{Listing: core.StockID(in.Picked())}.Press("report")
	return b.reportForm(ctx, in)
}

// listingReference begins the value that names a listing where a command takes a request. The completion of
// the option offers both.
const listingReference = "for-sale-"

// listingsSuggested is how many listings are offered beside requests.
const listingsSuggested = 8

// removeAny takes a request off the market, or a listing off sale.
func (b listingReports) removeAny(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	number, named := strings.CutPrefix(in.Text("request"), listingReference)
	id, err := strconv.ParseInt(number, 10, 64)
	if !named || err != nil {
		return b.ForOpenOrder(b.removeNamed)(ctx, in)
	}
	err = b.Market.Moderation.RemoveListing(ctx, in.Actor, core.StockID(id), in.Text("reason"))
	if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return kernel.Private(in.Tr.Text(msg.ListingRemoved)), nil
}

// suggestRemovable completes a request that is open, or a listing.
func (b listingReports) suggestRemovable(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	choices, err := b.SuggestAnyOrders(ctx, in)
	if err != nil || !b.Features.Listings {
		return choices, err
	}
	page, err := b.Market.Match.Listings(ctx, in.Actor, match.ListingQuery{
		ListingFilter: match.ListingFilter{Text: discord.Clip(in.Text(in.Focused), core.MaxItemName)},
		Limit:         listingsSuggested,
	})
	if err != nil {
		return nil, err
	}
	choices = choices[:min(len(choices), discord.MaxOptions-len(page.Listings))]
	for _, l := range page.Listings {
		choices = append(choices, &kernel.Choice{
			Name: discord.Clip(in.Tr.Plain(msg.ReportListing, "item", l.ItemName,
				"user", "@"+l.Seller.Username), discord.MaxOptionLabel),
			Value: fmt.Sprint(listingReference, l.ID),
		})
	}
	return choices, nil
}

func (b listingReports) removeListingForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-listing", msg.RemoveListingTitle, msg.HintRemove)
}

func (b listingReports) removeListingSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	err := b.Market.Moderation.RemoveListing(ctx, in.Actor, core.StockID(in.ID.Number(0)), in.Text("reason"))
	if err != nil {
		return b.WhyAgain(ctx, in, kernel.Reply{}, err, again(in, "remove-listing"))
	}
	b.WakeSync()
	reply := kernel.Private(in.Tr.Text(msg.ListingRemoved))
	reply.Redraw = true
	return reply, nil
}
