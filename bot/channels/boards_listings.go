package channels

import (
	"cmp"
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// staleListings starts the posts of new listings, and returns the posts that show an old version of their
// listing.
func (k boardChannel) staleListings(
	ctx context.Context, held channels.HeldEdits,
) ([]channels.BoardPost, error) {
	offered := k.Features.Listings
	if offered {
		fresh, err := k.boards.ListingsForBoard(ctx, k.board.ChannelID, k.Now(), channelsync.PassBatch)
		if err != nil {
			return nil, fmt.Errorf("listings for board: %w", err)
		}
		for _, l := range fresh {
			err := k.boards.StartListingPost(ctx, k.board.ChannelID, l, k.board.Forum, k.Now())
			if err != nil {
				return nil, fmt.Errorf("start post: %w", err)
			}
		}
	}
	return k.boards.StaleListingPosts(ctx, k.board.ChannelID, held, offered, k.Now(), channelsync.PassBatch)
}

// listingNow returns a listing as it is now, or nil once its stock was deleted. Where listings are off, none
// is open.
func (k boardSync) listingNow(ctx context.Context, id core.StockID) (*channels.BoardListing, error) {
	l, err := k.boards.BoardListing(ctx, id, k.Now())
	if err != nil {
		return nil, fmt.Errorf("listing %d: %w", id, err)
	}
	if l == nil {
		return nil, nil
	}
	l.Open = l.Open && k.Features.Listings
	items := k.Market.Items.IndexOrEmpty(ctx)
	item, _ := items.Named(l.ItemName)
	l.Item, l.Category = item.ID, cmp.Or(items.CategoryOf(l.ItemName, k.Game), l.Category)
	return l, nil
}

// askFor returns the button's id for an ask. It is unique among the messages of a channel.
func askFor(id core.StockID) discord.CustomID { return discord.NewCustomID("ask-listing", id) }

// ListingCard shows a listing to a channel, under the name and picture of its seller, with a button to ask
// for it. One that has ended, or was deleted, has left its name only.
func (b Channels) ListingCard(
	t kernel.Translator, itemName string, l *channels.BoardListing, seller people.Account,
) discord.Message {
	reply := kernel.Reply{Public: true}
	if l == nil || !l.Open {
		reply.Cards = []*discord.Card{listingEnded(t, itemName)}
		return reply.Message()
	}
	card := &discord.Card{
		Author: kernel.ShownName(seller), Title: string(discord.Escape(l.ItemName)),
		URL: b.ItemURL(l.Item), Color: kernel.ColourUsual,
		Description: string(kernel.JoinedWith(sellsLines(t, *l), "\n")),
		Thumbnail:   kernel.Picture(t, l.Category, seller),
	}
	add := func(name msg.Key, value discord.Markdown) {
		card.Fields = append(card.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(msg.BoardUnitPrice, t.Coins(l.Price))
	add(msg.BoardInAll, t.Coins(l.TotalValue()))
	add(msg.BoardLeft, leftOfListing(t, *l))
	add(msg.BoardSeller, kernel.Mention(l.Seller.Username, seller))
	if !l.Until.IsZero() {
		card.Footer = t.Text(msg.BoardSaleUntil, "time", kernel.Moment(l.Until))
	}
	reply.Cards = []*discord.Card{card}
	var buttons []discordgo.MessageComponent
	if l.Left() > 0 {
		buttons = append(buttons, askButton(t, *l))
	}
	buttons = append(buttons, kernel.WebLink(b.ForSaleURL(l.ItemName), t.Plain(msg.OpenWeb))...)
	buttons = append(buttons, kernel.Button(kernel.ReportOn{Listing: l.ID}.Press("report"),
		discordgo.SecondaryButton, t.Plain(msg.Report)))
	reply.Rows = []discordgo.MessageComponent{kernel.Row(buttons...)}
	return reply.Message()
}

// groupedListings shows the listings of one seller to a channel, each with a button to ask for it.
func (b Channels) groupedListings(
	t kernel.Translator, posts []channels.BoardPost, subjects []boardSubject, seller people.Account,
) discord.Message {
	reply := kernel.Reply{Public: true}
	for i, s := range subjects {
		l := s.listing
		if l == nil || !l.Open {
			reply.Cards = append(reply.Cards, listingEnded(t, posts[i].ItemName))
			continue
		}
		title := "**" + discord.Escape(l.ItemName) + "**"
		if address := b.ItemURL(l.Item); address != "" {
			title = "[" + title + "](" + discord.Markdown(address) + ")"
		}
		sells := sellsLines(t, *l)
		lines := []discord.Markdown{title, sells[0],
			t.Text(msg.Each, "price", t.Coins(l.Price)) + " · " + leftOfListing(t, *l),
			kernel.Mention(l.Seller.Username, seller)}
		if !l.Until.IsZero() {
			lines = append(lines, t.Text(msg.BoardSaleUntil, "time", kernel.Moment(l.Until)))
		}
		item := discord.CardItem{Text: kernel.JoinedWith(append(lines, sells[1:]...), "\n")}
		if l.Left() > 0 {
			item.Button = askButton(t, *l)
		}
		reply.Cards = append(reply.Cards, &discord.Card{Color: kernel.ColourUsual,
			Items: []discord.CardItem{item}})
	}
	return reply.Message()
}

// listingEnded is the card of a listing that is no longer for sale.
func listingEnded(t kernel.Translator, itemName string) *discord.Card {
	return &discord.Card{Title: string(discord.Escape(itemName)), Color: kernel.ColourDone,
		Description: string(t.Text(msg.ListedGone))}
}

// sellsLines returns the lines that name the side and category of a listing, and its seller's note.
func sellsLines(t kernel.Translator, l channels.BoardListing) []discord.Markdown {
	lines := []discord.Markdown{"🏷️ **" + t.Text(msg.BoardSells) + "**"}
	if l.Category != "" {
		lines[0] += " · " + t.CategoryMarked(l.Category)
	}
	if l.Left() == 0 {
		lines = append(lines, t.Text(msg.BoardAllAsked))
	}
	if l.Note != "" {
		lines = append(lines, discord.Escape(l.Note))
	}
	return lines
}

func leftOfListing(t kernel.Translator, l channels.BoardListing) discord.Markdown {
	return t.Text(msg.LeftOf, "left", l.Left(), "quantity", l.Quantity)
}

func askButton(t kernel.Translator, l channels.BoardListing) discordgo.MessageComponent {
	return kernel.Button(askFor(l.ID), discordgo.PrimaryButton, t.Plain(msg.BoardAsk))
}

// listingLabel names the post of a forum that shows a listing.
func listingLabel(t kernel.Translator, l channels.BoardListing) string {
	item := discord.Clip(l.ItemName, 50)
	return t.Plain(msg.BoardSaleLabel, "item", item, "left", l.Left(), "price", l.Price)
}
