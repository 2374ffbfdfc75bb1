package kernel

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/emojis"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Colours of cards, by urgency.
const (
	colourQuiet   = 0x7d8f8a
	ColourUsual   = 0x3f7f6f // verdigris
	ColourHigh    = 0xd9982b // amber
	colourUrgent  = 0xd9532c // red-orange
	ColourDone    = 0x5b6b8c
	ColourDanger  = 0xb23a3a
	barLength     = 10
	cardTextLimit = 1200
)

// coinMarks mark the coins by their looks, the same everywhere.
var coinMarks = map[game.CoinStyle]string{"platinum": "💠", "gold": "🟡", "silver": "⚪", "copper": "🟤"}

// Coins shows an amount with its marks, the largest coin strongest.
func (t Translator) Coins(c core.Copper) discord.Markdown {
	counted := t.Game.InCoins(c)
	parts := make([]string, len(counted))
	for i, coin := range counted {
		part := t.Count(coin.Count) + coin.Letter
		if i == 0 {
			part = "**" + part + "**"
		}
		parts[i] = string(t.emoji(emojis.Coin(coin.Style), discord.Markdown(coinMarks[coin.Style]))) +
			" " + part
	}
	return discord.Markdown(strings.Join(parts, " "))
}

// Bar draws progress in whole steps: never empty once something is sold, never full before everything is.
func Bar(percent int) discord.Markdown {
	full := min(max(percent, 0), 100) * barLength / 100
	if percent > 0 && full == 0 {
		full = 1
	}
	return discord.Markdown(strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full))
}

// ColourOf returns the colour of a request's card.
func ColourOf(o trade.Order, now time.Time) int {
	switch {
	case !o.Open(now):
		return ColourDone
	case o.Importance == game.Urgent:
		return colourUrgent
	case o.Importance == game.High:
		return ColourHigh
	case o.Importance == game.Low:
		return colourQuiet
	}
	return ColourUsual
}

// Card shows an order, under the name and picture of the account that posted it, with the remaining price
// once a part was sold. A card without a contact names no account: core leaves the contact out for others
// once the order is over.
func (d *Drawer) Card(t Translator, o trade.Order, poster people.Account, owner bool) *discord.Card {
	now := d.Now()
	o = d.Market.Trade.MarkItem(d.Market.MarkLookAlikes(o))
	if o.BuyerContact == "" {
		poster = people.Account{}
	}
	e := &discord.Card{
		Author: ShownName(poster), Title: string(discord.Escape(o.ItemName)), URL: d.nameURL(o),
		Color:       ColourOf(o, now),
		Description: string(Joined(t.badge(o, owner), d.cardText(t, o, now))),
		Thumbnail:   Picture(t, o.Category, poster),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(msg.CardPrice, t.Coins(o.MaxPrice))
	if o.Status == trade.Active && (owner || o.Sold > 0) {
		add(msg.CardRemaining, t.Coins(o.RemainingValue()))
	} else {
		add(msg.CardTotal, t.Coins(o.TotalValue()))
	}
	add(t.leftName(o), t.progress(o))
	if o.BuyerContact != "" {
		add(msg.CardContact, t.contactOf(o, poster, "\n"))
	}
	for _, detail := range detailsOf(o) {
		add(detail.label, detail.text)
	}
	if !o.CreatedAt.IsZero() {
		e.Footer = t.Text(msg.CardPosted) + " " + Timestamp(o.CreatedAt)
		if o.Status == trade.Active {
			e.Footer += " · " + t.Text(expiry(o, now)) + " " + Day(o.ExpiresAt) + " (" +
				Timestamp(o.ExpiresAt) + ")"
		}
		if o.ID != 0 { // a preview has no number yet
			e.Footer += " · " + t.Text(msg.CardFooter, "site", d.SiteName,
				"number", discord.Markdown(fmt.Sprint(o.ID)))
		}
	}
	return e
}

// SmallCard shows an order beside others of its buyer, with a button to offer while it is open.
func (d *Drawer) SmallCard(t Translator, o trade.Order, poster people.Account) *discord.Card {
	now := d.Now()
	o = d.Market.Trade.MarkItem(d.Market.MarkLookAlikes(o))
	title := "**" + discord.Escape(o.ItemName) + "**"
	if address := d.nameURL(o); address != "" {
		title = "[" + title + "](" + discord.Markdown(address) + ")"
	}
	lines := []discord.Markdown{title, t.badge(o, false),
		t.Text(msg.Each, "price", t.Coins(o.MaxPrice)) + " · " + t.progress(o)}
	if o.BuyerContact != "" {
		lines = append(lines, t.contactOf(o, poster, " · "))
	}
	for _, detail := range detailsOf(o) {
		lines = append(lines, t.Text(detail.label)+": "+detail.text)
	}
	what := d.cardText(t, o, now)
	if o.Open(now) { // how soon it is needed is said above
		what = discord.Escape(o.Description)
	}
	if what != "" {
		lines = append(lines, discord.ClipMarkdown(what, smallTextLimit))
	}
	item := discord.CardItem{Text: JoinedWith(lines, "\n")}
	if o.Open(now) {
		item.Button = Button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton,
			t.Plain(msg.Offer))
	}
	return &discord.Card{Color: ColourOf(o, now), Items: []discord.CardItem{item}}
}

// smallTextLimit limits the description on a small card.
const smallTextLimit = 160

// contactOf returns the contact of an order, with the in-game name.
func (t Translator) contactOf(
	o trade.Order, poster people.Account, between discord.Markdown,
) discord.Markdown {
	contact := t.Marked(t.posterContact(o.BuyerContact, poster), o.LookAlike.Contact)
	if o.InGameName != "" {
		contact += between + t.Marked(t.Text(msg.InGame, "name", o.InGameName), o.LookAlike.Name)
	}
	return contact
}

// leftName returns the label of an order's progress.
func (t Translator) leftName(o trade.Order) msg.Key {
	if o.Status == trade.Fulfilled {
		return msg.CardSold
	}
	return msg.CardLeft
}

// progress shows how far an order is.
func (t Translator) progress(o trade.Order) discord.Markdown {
	return Bar(o.Bought()) + " " + t.Text(msg.Percent, "percent", o.Bought()) + " · " + t.LeftOf(o)
}

// expiry names when an order expires.
func expiry(o trade.Order, now time.Time) msg.Key {
	if o.Expired(now) {
		return msg.Expired
	}
	return msg.CardExpires
}

// cardText is the banner or what has become of the order, and its description.
func (d *Drawer) cardText(t Translator, o trade.Order, now time.Time) discord.Markdown {
	var lines []string
	switch {
	case o.CloseReason == trade.ClosedEarly:
		lines = append(lines, string(t.Text(msg.ClosedEarly, "sold", o.Sold, "quantity", o.Quantity)))
	case o.Status == trade.Fulfilled && o.Remaining() == 0:
		lines = append(lines, string(t.Text(msg.Completed)))
	case o.Status == trade.Fulfilled:
		lines = append(lines, string(t.Text(msg.Fulfilled)))
	case o.ID != 0 && o.Expired(now):
		lines = append(lines, string(t.Text(msg.Expired)))
	case bannerOf(t, o.Importance) != "":
		lines = append(lines, "**"+bannerOf(t, o.Importance)+"**")
	}
	if o.SignedInOnly && o.Open(now) {
		lines = append(lines, string(t.Text(msg.SignedInOnly)))
	}
	if o.Description != "" {
		lines = append(lines, string(discord.ClipMarkdown(discord.Escape(o.Description), cardTextLimit)))
	}
	return discord.Markdown(strings.Join(lines, "\n\n"))
}

// ImportanceMarks tell at a glance how soon an order is needed. They are square, for coins are round.
var ImportanceMarks = map[game.Importance]discord.Markdown{game.Urgent: "🟥", game.High: "🟧", game.Medium: "🟩",
	game.Low: "⬜"}

// badge shows an order's importance and category, and marks the reader's own order.
func (t Translator) badge(o trade.Order, owner bool) discord.Markdown {
	badge := ImportanceMarks[o.Importance] + " **" + discord.Markdown(t.Choice(string(o.Importance))) +
		"** · " + t.CategoryMarked(o.Category) + " · " + levelText(t, o)
	if owner {
		badge = "**" + t.Text(msg.YourRequest) + "** · " + badge
	}
	return badge
}

func levelText(t Translator, o trade.Order) discord.Markdown {
	if o.LevelRequirement == nil {
		return t.Text(msg.AnyLevel)
	}
	return t.Text(msg.LevelFrom, "level", *o.LevelRequirement)
}

// ShownName returns the name of a card's poster, as Discord shows the account itself. It is empty when that
// is not known.
func ShownName(a people.Account) string {
	if a.DiscordID == "" {
		return ""
	}
	return discord.Clip(discord.Visible(cmp.Or(a.DisplayName, a.Username)), discord.MaxAuthor)
}

// Picture is the address of what a card shows beside its title: the profession, or else the account's
// picture.
func Picture(t Translator, c game.Category, a people.Account) string {
	return cmp.Or(t.professionPicture(c), picture(a))
}

// picture is the address of an account's picture, if the account is known.
func picture(a people.Account) string {
	if a.DiscordID == "" {
		return ""
	}
	return discord.AvatarURL(a.DiscordID, a.Avatar)
}

// posterContact shows a buyer's contact: as a mention where it is the poster's account, and marked where it
// is not.
func (t Translator) posterContact(contact string, poster people.Account) discord.Markdown {
	switch {
	case poster.DiscordID == "":
		return Username(contact)
	case poster.Owns(contact):
		return Mention(contact, poster)
	}
	return t.unverified(contact, poster)
}

// Marked shows a name, and says so if it looks like an established trader's.
func (t Translator) Marked(name discord.Markdown, lookAlike bool) discord.Markdown {
	if !lookAlike {
		return name
	}
	return name + "\n" + t.Text(msg.LookAlike)
}

// AllowNames returns the button by which a moderator has marked names not marked: the buyer's, or the
// seller's of an offer.
func AllowNames(t Translator, order core.OrderID, of core.OfferID, view string) discordgo.MessageComponent {
	return Button(discord.NewCustomID("allow-names", order, of, view), discordgo.SecondaryButton,
		t.Plain(msg.AllowNames))
}

// LeftOf returns the quantity that is still needed, or the quantity that was bought in the end.
func (t Translator) LeftOf(o trade.Order) discord.Markdown {
	if o.Status == trade.Fulfilled {
		return t.Text(msg.SoldOf, "sold", o.Sold, "quantity", o.Quantity)
	}
	return t.Text(msg.LeftOf, "left", o.Remaining(), "quantity", o.Quantity)
}

// bannerOf is the line above an order that is needed soon; empty for others.
func bannerOf(t Translator, i game.Importance) string {
	switch i {
	case game.Urgent:
		return t.Plain(msg.BannerUrgent)
	case game.High:
		return t.Plain(msg.BannerHigh)
	}
	return ""
}

// OrderURL is the page of an order; empty when there is no page.
func (d *Drawer) OrderURL(id core.OrderID) string {
	if d.PublicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/requests/%d", d.PublicURL, id)
}

// ItemURL is the page of an item; empty when there is none.
func (d *Drawer) ItemURL(id core.ItemID) string {
	if d.PublicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/items/%d", d.PublicURL, id)
}

// ForSaleURL is the page of what is for sale under a name; empty when there is none.
func (d *Drawer) ForSaleURL(itemName string) string {
	return d.PageURL("/?side=sale&q=" + url.QueryEscape(itemName))
}

// nameURL is where the name of an order leads: to its item, or to the order where the catalogue does not
// have the item.
func (d *Drawer) nameURL(o trade.Order) string {
	if o.Item == 0 {
		return d.OrderURL(o.ID)
	}
	return d.ItemURL(o.Item)
}

// TradeURL is the page of a trade, which only its two sides can read. Where there is none it is the page of
// its order.
func (d *Drawer) TradeURL(t trade.Trade) string {
	if t.Sale == 0 || !d.Market.Features.Handover {
		return d.OrderURL(t.Order)
	}
	return d.PageURL("/trades/" + IDText(t.Sale))
}

// NoticeURL is the page of the trade that a notice tells one of its sides about, or else of the order.
func (d *Drawer) NoticeURL(n notify.Notice) string {
	if n.Kind == notify.NoticeDisputeReceived { // its reader is no side
		return d.OrderURL(n.OrderID)
	}
	return d.TradeURL(trade.Trade{Sale: n.Sale, Order: n.OrderID})
}

// MineURL returns the address of the page with the reader's own requests; empty without a page.
func (d *Drawer) MineURL() string { return d.PageURL("/mine") }

// PageURL is the address of a page of the site; empty without a site.
func (d *Drawer) PageURL(path string) string {
	if d.PublicURL == "" {
		return ""
	}
	return d.PublicURL + path
}
