package bot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/emojis"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// Colours of cards, by urgency.
const (
	colourQuiet   = 0x7d8f8a
	colourUsual   = 0x3f7f6f // verdigris
	colourHigh    = 0xd9982b // amber
	colourUrgent  = 0xd9532c // red-orange
	colourDone    = 0x5b6b8c
	colourDanger  = 0xb23a3a
	barLength     = 10
	cardTextLimit = 1200
)

// coinMarks mark the coins by their looks, the same everywhere.
var coinMarks = map[core.CoinStyle]string{"platinum": "💠", "gold": "🟡", "silver": "⚪", "copper": "🟤"}

// coins shows an amount with its marks, the largest coin strongest.
func (t translator) coins(c core.Copper) discord.Markdown {
	counted := t.game.InCoins(c)
	parts := make([]string, len(counted))
	for i, coin := range counted {
		part := t.Count(coin.Count) + coin.Letter
		if i == 0 {
			part = "**" + part + "**"
		}
		parts[i] = string(t.emoji(emojis.Coin(coin.Style), discord.Markdown(coinMarks[coin.Style]))) + " " + part
	}
	return discord.Markdown(strings.Join(parts, " "))
}

// bar draws progress in whole steps: never empty once something is sold, never full before everything is.
func bar(percent int) discord.Markdown {
	full := min(max(percent, 0), 100) * barLength / 100
	if percent > 0 && full == 0 {
		full = 1
	}
	return discord.Markdown(strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full))
}

func colourOf(o core.Order, now time.Time) int {
	switch {
	case !o.Open(now):
		return colourDone
	case o.Importance == core.Urgent:
		return colourUrgent
	case o.Importance == core.High:
		return colourHigh
	case o.Importance == core.Low:
		return colourQuiet
	}
	return colourUsual
}

// orderURL is the page of an order; empty when there is no page.
func (d *Drawer) orderURL(id core.OrderID) string {
	if d.publicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/requests/%d", d.publicURL, id)
}

// itemURL is the page of an item; empty when there is none.
func (d *Drawer) itemURL(id core.ItemID) string {
	if d.publicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/items/%d", d.publicURL, id)
}

// nameURL is where the name of an order leads: to its item, or to the order where the catalogue does not have the item.
func (d *Drawer) nameURL(o core.Order) string {
	if o.Item == 0 {
		return d.orderURL(o.ID)
	}
	return d.itemURL(o.Item)
}

// card shows an order, under the name and picture of the account that posted it, with what is left to pay once some of it was sold. One without a contact, which core leaves out for others once the order is over, names nobody.
func (d *Drawer) card(t translator, o core.Order, poster core.Account, owner bool) *discord.Card {
	now := d.now()
	o = d.market.MarkItem(d.market.MarkLookAlikes(o))
	if o.BuyerContact == "" {
		poster = core.Account{}
	}
	e := &discord.Card{
		Author: shownName(poster), Title: string(discord.Escape(o.ItemName)), URL: d.nameURL(o), Color: colourOf(o, now),
		Description: string(joined(t.badge(o, owner), d.cardText(t, o, now))), Thumbnail: cmp.Or(t.professionPicture(o.Category), picture(poster)),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(msg.CardPrice, t.coins(o.MaxPrice))
	if o.Status == core.Active && (owner || o.Sold > 0) {
		add(msg.CardRemaining, t.coins(o.RemainingValue()))
	} else {
		add(msg.CardTotal, t.coins(o.TotalValue()))
	}
	add(t.leftName(o), t.progress(o))
	if o.BuyerContact != "" {
		add(msg.CardContact, t.contactOf(o, poster, "\n"))
	}
	if !o.CreatedAt.IsZero() {
		e.Footer = t.text(msg.CardPosted) + " " + timestamp(o.CreatedAt)
		if o.Status == core.Active {
			e.Footer += " · " + t.text(expiry(o, now)) + " " + day(o.ExpiresAt) + " (" + timestamp(o.ExpiresAt) + ")"
		}
		if o.ID != 0 { // a preview has no number yet
			e.Footer += " · " + t.text(msg.CardFooter, d.siteName, discord.Markdown(fmt.Sprint(o.ID)))
		}
	}
	return e
}

// smallCard shows an order beside others of its buyer, with a button to offer while it is open.
func (d *Drawer) smallCard(t translator, o core.Order, poster core.Account) *discord.Card {
	now := d.now()
	o = d.market.MarkItem(d.market.MarkLookAlikes(o))
	title := "**" + discord.Escape(o.ItemName) + "**"
	if address := d.nameURL(o); address != "" {
		title = "[" + title + "](" + discord.Markdown(address) + ")"
	}
	lines := []discord.Markdown{title, t.badge(o, false), t.text(msg.Each, t.coins(o.MaxPrice)) + " · " + t.progress(o)}
	if o.BuyerContact != "" {
		lines = append(lines, t.contactOf(o, poster, " · "))
	}
	what := d.cardText(t, o, now)
	if o.Open(now) { // how soon it is needed is said above
		what = discord.Escape(o.Description)
	}
	if what != "" {
		lines = append(lines, discord.ClipMarkdown(what, smallTextLimit))
	}
	item := discord.CardItem{Text: joinedWith(lines, "\n")}
	if o.Open(now) {
		item.Button = button(discord.NewCustomID("make-offer", o.ID), discordgo.PrimaryButton, t.plain(msg.Offer))
	}
	return &discord.Card{Color: colourOf(o, now), Items: []discord.CardItem{item}}
}

// smallTextLimit is how much of a description a small card has.
const smallTextLimit = 160

// contactOf is whom to write to about an order.
func (t translator) contactOf(o core.Order, poster core.Account, between discord.Markdown) discord.Markdown {
	contact := t.marked(t.posterContact(o.BuyerContact, poster), o.LookAlike.Contact)
	if o.InGameName != "" {
		contact += between + t.marked(t.text(msg.InGame, o.InGameName), o.LookAlike.Name)
	}
	return contact
}

// leftName is what the progress of an order is called.
func (t translator) leftName(o core.Order) msg.Key {
	if o.Status == core.Fulfilled {
		return msg.CardSold
	}
	return msg.CardLeft
}

// progress shows how far an order is.
func (t translator) progress(o core.Order) discord.Markdown {
	return bar(o.Bought()) + " " + t.text(msg.Percent, o.Bought()) + " · " + t.leftOf(o)
}

// expiry names when an order expires.
func expiry(o core.Order, now time.Time) msg.Key {
	if o.Expired(now) {
		return msg.Expired
	}
	return msg.CardExpires
}

// cardText is the banner or what has become of the order, and its description.
func (d *Drawer) cardText(t translator, o core.Order, now time.Time) discord.Markdown {
	var lines []string
	switch {
	case o.CloseReason == core.ClosedEarly:
		lines = append(lines, string(t.text(msg.ClosedEarly, o.Sold, o.Quantity)))
	case o.Status == core.Fulfilled && o.Remaining() == 0:
		lines = append(lines, string(t.text(msg.Completed)))
	case o.Status == core.Fulfilled:
		lines = append(lines, string(t.text(msg.Fulfilled)))
	case o.ID != 0 && o.Expired(now):
		lines = append(lines, string(t.text(msg.Expired)))
	case t.banner(o.Importance) != "":
		lines = append(lines, "**"+t.banner(o.Importance)+"**")
	}
	if o.SignedInOnly && o.Open(now) {
		lines = append(lines, string(t.text(msg.SignedInOnly)))
	}
	if o.Description != "" {
		lines = append(lines, string(discord.ClipMarkdown(discord.Escape(o.Description), cardTextLimit)))
	}
	return discord.Markdown(strings.Join(lines, "\n\n"))
}

// importanceMarks tell at a glance how soon an order is needed. They are square, for coins are round.
var importanceMarks = map[core.Importance]discord.Markdown{core.Urgent: "🟥", core.High: "🟧", core.Medium: "🟩", core.Low: "⬜"}

// badge says how soon an order is needed and who makes it, and whether it is the reader's own.
func (t translator) badge(o core.Order, owner bool) discord.Markdown {
	badge := importanceMarks[o.Importance] + " **" + discord.Markdown(t.choice(string(o.Importance))) + "** · " + t.categoryMarked(o.Category) + " · " + t.level(o)
	if owner {
		badge = "**" + t.text(msg.YourRequest) + "** · " + badge
	}
	return badge
}

func (t translator) level(o core.Order) discord.Markdown {
	if o.LevelRequirement == nil {
		return t.text(msg.AnyLevel)
	}
	return t.text(msg.LevelFrom, *o.LevelRequirement)
}

// shownName is who posted a card, as Discord shows the account itself. It is empty when that is not known.
func shownName(a core.Account) string {
	if a.DiscordID == "" {
		return ""
	}
	return discord.Clip(discord.Visible(cmp.Or(a.DisplayName, a.Username)), discord.MaxAuthor)
}

// picture is the address of an account's picture, if the account is known.
func picture(a core.Account) string {
	if a.DiscordID == "" {
		return ""
	}
	return discord.AvatarURL(a.DiscordID, a.Avatar)
}

// posterContact shows a buyer's contact: as a mention where it is the poster's account, and marked where it is not.
func (t translator) posterContact(contact string, poster core.Account) discord.Markdown {
	switch {
	case poster.DiscordID == "":
		return username(contact)
	case poster.Owns(contact):
		return mention(contact, poster)
	}
	return t.unverified(contact, poster)
}

// marked shows a name, and says so if it looks like an established trader's.
func (t translator) marked(name discord.Markdown, lookAlike bool) discord.Markdown {
	if !lookAlike {
		return name
	}
	return name + "\n" + t.text(msg.LookAlike)
}

// username shows a Discord username. It is a name to copy and no mention.
func username(name string) discord.Markdown {
	return "@" + discord.Escape(strings.TrimPrefix(name, "@"))
}

// leftOf says how much is still needed, or how much was bought in the end.
func (t translator) leftOf(o core.Order) discord.Markdown {
	if o.Status == core.Fulfilled {
		return t.text(msg.SoldOf, o.Sold, o.Quantity)
	}
	return t.text(msg.LeftOf, o.Remaining(), o.Quantity)
}

// banner is the line above an order that is needed soon; empty for others.
func (t translator) banner(i core.Importance) string {
	switch i {
	case core.Urgent:
		return t.plain(msg.BannerUrgent)
	case core.High:
		return t.plain(msg.BannerHigh)
	}
	return ""
}

// Buttons.

func button(p discord.CustomID, style discordgo.ButtonStyle, label string) discordgo.MessageComponent {
	return discordgo.Button{CustomID: p.String(), Style: style, Label: discord.Clip(label, discord.MaxButtonLabel)}
}

// webLink is a button to a page, or nothing when there is no page.
func webLink(address, label string) []discordgo.MessageComponent {
	if address == "" {
		return nil
	}
	return []discordgo.MessageComponent{discordgo.Button{Style: discordgo.LinkButton, URL: address, Label: discord.Clip(label, discord.MaxButtonLabel)}}
}

// row puts buttons beside each other, or one select.
func row(parts ...discordgo.MessageComponent) discordgo.MessageComponent {
	return discordgo.ActionsRow{Components: parts}
}

// choose is a select of one thing.
func choose(p discord.CustomID, placeholder string, options []discordgo.SelectMenuOption) discordgo.MessageComponent {
	for i := range options {
		options[i].Label = discord.Clip(options[i].Label, discord.MaxOptionLabel)
		options[i].Description = discord.Clip(options[i].Description, discord.MaxOptionLabel)
	}
	return row(discordgo.SelectMenu{CustomID: p.String(), Placeholder: placeholder, Options: options[:min(len(options), discord.MaxOptions)]})
}
