package kernel

import (
	"context"
	"fmt"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// ReceiptsShown limits the receipts in one message: there is room for ten cards, and one may show the
// request.
const ReceiptsShown = 9

// Receipt shows one of the two sides what an accept agreed: the other user, quantity, price,
// contact, and a message to copy.
func (d *Drawer) Receipt(t Translator, r trade.Trade, reader core.UserID) *discord.Card {
	other, who, pay, contact := r.Other(reader), msg.ReceiptBuy, msg.OfferPays, msg.ReceiptSeller
	if !r.BoughtBy(reader) {
		who, pay, contact = msg.ReceiptSell, msg.AcceptedCoins, msg.AcceptedContact
	}
	e := &discord.Card{
		Title: string(t.Text(msg.OfferTitle, "quantity", r.Quantity,
			"item", r.ItemName)), URL: d.TradeURL(r),
		Color:       ColourUsual,
		Description: string(t.Text(who, "partner", t.PartyName(other))),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(pay, t.Text(msg.ReceiptSum, "quantity", r.Quantity, "price", t.Coins(r.UnitPrice),
		"sum", t.Coins(r.Total())))
	reach := t.reach(r, reader)
	if reach == "" {
		return e // they have left
	}
	add(contact, reach)
	e.Fields = append(e.Fields, &discord.CardField{
		Name:  string(t.Text(msg.ReceiptLine)),
		Value: "```\n" + strings.ReplaceAll(lineToSend(t, r, reader), "`", "'") + "\n```",
	})
	return e
}

// reach returns the other side's contact. It is empty when the reader cannot contact them.
func (t Translator) reach(r trade.Trade, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	var text discord.Markdown
	switch {
	case r.ContactVerified(reader):
		text = t.Marked(Mention(other.Typed.Contact, other.Account()), other.LookAlike.Contact)
	case other.Typed.Contact != "":
		text = t.Marked(t.unverified(other.Typed.Contact, other.Account()), other.LookAlike.Contact)
	case other.DiscordID != "":
		text = Mention(other.Contact, other.Account())
	}
	if other.Typed.InGameName != "" {
		text = Joined(text, t.Marked(t.Text(msg.InGame,
			"name", other.Typed.InGameName), other.LookAlike.Name))
	}
	return text
}

// PartyName returns the name of a side of a trade.
func (t Translator) PartyName(p trade.Party) string {
	for _, name := range []string{p.Typed.Name, p.Typed.InGameName, p.Typed.Contact} {
		if name != "" {
			return name
		}
	}
	return t.Plain(msg.DeletedUser)
}

// lineToSend is a message for the other side, as the reader would write it.
func lineToSend(t Translator, r trade.Trade, reader core.UserID) string {
	key := msg.LineBuyer
	if !r.BoughtBy(reader) {
		key = msg.LineSeller
	}
	line := t.Plain(key, "partner", t.PartyName(r.Other(reader)), "quantity", r.Quantity, "item", r.ItemName,
		"price", r.UnitPrice, "sum", r.Total())
	if name := r.Buyer.Typed.InGameName; r.BoughtBy(reader) && name != "" {
		line += " " + t.Plain(msg.LineInGame, "name", name)
	}
	return line
}

// SoldTrade is the trade of the accept that a notice tells its seller about.
func SoldTrade(n notify.Notice, accounts people.Accounts) trade.Trade {
	buyer := accounts[n.CausedBy]
	return trade.Trade{
		Sale: n.Sale, Offer: n.OfferID, Order: n.OrderID, ItemName: n.ItemName, Quantity: n.Quantity,
		UnitPrice: n.Price, AcceptedAt: n.CreatedAt,
		Buyer: trade.Party{User: n.CausedBy, Name: buyer.DisplayName, Contact: buyer.Username,
			DiscordID: buyer.DiscordID,
			Typed:     trade.Typed{Name: buyer.DisplayName, Contact: n.Contact, InGameName: n.Name}},
		Seller: trade.Party{User: n.User},
	}
}

// BoughtTrade is the trade of the accept that a notice tells its buyer about.
func BoughtTrade(n notify.Notice, accounts people.Accounts) trade.Trade {
	t := SoldTrade(n, accounts)
	t.Buyer, t.Seller = t.Seller, t.Buyer
	t.Seller.Typed.Name, t.Seller.Typed.InGameName = n.Name, ""
	return t
}

// Receipts returns cards of the reader's receipts, newest first.
func (d *Drawer) Receipts(ctx context.Context, in Input, q trade.Query) ([]*discord.Card, error) {
	q.Limit = ReceiptsShown
	receipts, err := d.Market.Trade.Receipts(ctx, in.Actor, q)
	if err != nil {
		return nil, err
	}
	cards := make([]*discord.Card, len(receipts))
	for i, r := range receipts {
		cards[i] = d.Receipt(in.Tr, r, in.Actor.UserID)
	}
	return cards, nil
}

// ReceiptLabel names a sent offer of which something was accepted.
func (t Translator) ReceiptLabel(o trade.SentOffer) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	return discord.Clip(t.Plain(msg.OfferTitle, "quantity", o.Accepted, "item", o.ItemName),
		discord.MaxOptionLabel-discord.Size(number)) + number
}

// ReachShort is reach in a sentence.
func (t Translator) ReachShort(r trade.Trade, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	if other.DiscordID != "" {
		return discord.Markdown("<@" + other.DiscordID + ">")
	}
	return Username(other.Typed.Contact)
}
