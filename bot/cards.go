package bot

import (
	"fmt"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

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
var coinMarks = map[core.Look]string{"platinum": "💠", "gold": "🟡", "silver": "⚪", "copper": "🟤"}

// coins shows an amount with its marks, the largest coin strongest.
func coins(c core.Copper) safe {
	counted := c.Coins()
	parts := make([]string, len(counted))
	for i, coin := range counted {
		part := fmt.Sprint(coin.Count) + coin.Letter
		if i == 0 {
			part = "**" + part + "**"
		}
		parts[i] = coinMarks[coin.Look] + " " + part
	}
	return safe(strings.Join(parts, " "))
}

// bar draws progress in whole steps: never empty once something is sold, never full before everything is.
func bar(percent int) safe {
	full := min(max(percent, 0), 100) * barLength / 100
	if percent > 0 && full == 0 {
		full = 1
	}
	return safe(strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full))
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
func (b *Bot) orderURL(id core.OrderID) string {
	if b.publicURL == "" || id == 0 {
		return ""
	}
	return fmt.Sprintf("%s/requests/%d", b.publicURL, id)
}

// card shows an order. Its owner sees what is left to pay, everybody else what the whole pays.
func (b *Bot) card(t tongue, o core.Order, owner bool) *discordgo.MessageEmbed {
	now := b.now()
	e := &discordgo.MessageEmbed{
		Title: string(escape(o.ItemName)), URL: b.orderURL(o.ID), Color: colourOf(o, now),
		Description: string(b.cardText(t, o, now)),
	}
	badge := t.choice(string(o.Importance))
	if owner {
		badge = t.plain(msgYourRequest) + " · " + badge
	}
	e.Author = &discordgo.MessageEmbedAuthor{Name: badge}
	add := func(name msg, value safe) {
		e.Fields = append(e.Fields, &discordgo.MessageEmbedField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(msgCardPrice, coins(o.MaxPrice))
	if owner && o.Status == core.Active {
		add(msgCardRemaining, coins(o.RemainingValue()))
	} else {
		add(msgCardTotal, coins(o.TotalValue()))
	}
	left := msgCardLeft
	if o.Status == core.Fulfilled {
		left = msgCardSold
	}
	add(left, bar(o.Progress())+safe(fmt.Sprintf(" %d%%\n", o.Progress()))+t.leftOf(o))
	level := t.text(msgAnyLevel)
	if o.LevelRequirement != nil {
		level = t.text(msgLevelFrom, *o.LevelRequirement)
	}
	add(msgCardCategory, escape(t.category(o.Category))+" · "+level)
	contact := username(o.BuyerContact)
	if o.InGameName != "" {
		contact += "\n" + t.text(msgInGame, o.InGameName)
	}
	add(msgCardContact, contact)
	if o.ID != 0 {
		add(msgCardPosted, stamp(o.CreatedAt))
		e.Footer = &discordgo.MessageEmbedFooter{Text: t.plain(msgCardFooter, b.siteName, safe(fmt.Sprint(o.ID)))}
	}
	return e
}

// cardText is the banner or what has become of the order, and its description.
func (b *Bot) cardText(t tongue, o core.Order, now time.Time) safe {
	var lines []string
	switch {
	case o.CloseReason == core.ClosedEarly:
		lines = append(lines, string(t.text(msgClosedEarly, o.Sold, o.Quantity)))
	case o.Status == core.Fulfilled && o.Remaining() == 0:
		lines = append(lines, string(t.text(msgCompleted)))
	case o.Status == core.Fulfilled:
		lines = append(lines, string(t.text(msgFulfilled)))
	case o.ID != 0 && o.Expired(now):
		lines = append(lines, string(t.text(msgExpired)))
	case o.Importance.Banner() != "":
		lines = append(lines, "**"+t.sentence(o.Importance.Banner())+"**")
	}
	if o.SignedInOnly && o.Open(now) {
		lines = append(lines, string(t.text(msgSignedInOnly)))
	}
	if o.Description != "" {
		lines = append(lines, string(clipSafe(escape(o.Description), cardTextLimit)))
	}
	return safe(strings.Join(lines, "\n\n"))
}

// username shows a Discord username. It is a name to copy and no mention.
func username(name string) safe { return "@" + escape(strings.TrimPrefix(name, "@")) }

// leftOf says how much is still needed, or how much was bought in the end.
func (t tongue) leftOf(o core.Order) safe {
	if o.Status == core.Fulfilled {
		return t.text(msgSoldOf, o.Sold, o.Quantity)
	}
	return t.text(msgLeftOf, o.Remaining(), o.Quantity)
}

// category is the name of a category: the game's own, or ours for one that we know in this language.
func (t tongue) category(c core.Category) string { return orElse(t.categories[c], string(c)) }

// choice is the name of an importance or other fixed word.
func (t tongue) choice(value string) string {
	if own, ok := t.choices[value]; ok {
		return own
	}
	return title(value)
}

// Buttons.

func button(p press, style discordgo.ButtonStyle, label string) discordgo.MessageComponent {
	return discordgo.Button{CustomID: p.String(), Style: style, Label: clip(label, maxButtonLabel)}
}

// webLink is a button to a page, or nothing when there is no page.
func webLink(address, label string) []discordgo.MessageComponent {
	if address == "" {
		return nil
	}
	return []discordgo.MessageComponent{discordgo.Button{Style: discordgo.LinkButton, URL: address, Label: clip(label, maxButtonLabel)}}
}

// row puts buttons beside each other, or one select.
func row(parts ...discordgo.MessageComponent) discordgo.MessageComponent {
	return discordgo.ActionsRow{Components: parts}
}

// choose is a select of one thing.
func choose(p press, placeholder string, options []discordgo.SelectMenuOption) discordgo.MessageComponent {
	for i := range options {
		options[i].Label = clip(options[i].Label, maxOptionLabel)
		options[i].Description = clip(options[i].Description, maxOptionLabel)
	}
	return row(discordgo.SelectMenu{CustomID: p.String(), Placeholder: placeholder, Options: options[:min(len(options), maxSelect)]})
}
