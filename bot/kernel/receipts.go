package kernel

import (
	"context"
	"fmt"
	"strings"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// ReceiptsShown limits the receipts in one message: there is room for ten cards, and one may show the
// request.
const ReceiptsShown = 9

// Receipt shows one of the two sides what an accept agreed: the other user, quantity, price,
// contact, and a message to copy.
func (d *Drawer) Receipt(t Translator, r trade.Receipt, reader core.UserID) *discord.Card {
	other, who, pay, contact := r.Other(reader), msg.ReceiptBuy, msg.OfferPays, msg.ReceiptSeller
	if !r.BoughtBy(reader) {
		who, pay, contact = msg.ReceiptSell, msg.AcceptedCoins, msg.AcceptedContact
	}
	e := &discord.Card{
		Title: string(t.Text(msg.OfferTitle, r.Quantity, r.ItemName)), URL: d.OrderURL(r.OrderID),
		Color:       ColourUsual,
		Description: string(t.Text(who, t.PartyName(other))),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(pay, t.Text(msg.ReceiptSum, r.Quantity, t.Coins(r.UnitPrice), t.Coins(r.Total())))
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
func (t Translator) reach(r trade.Receipt, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	var text discord.Markdown
	switch {
	case r.ContactVerified(reader):
		text = t.Marked(Mention(other.Contact, other.Account), other.LookAlike.Contact)
	case other.Contact != "":
		text = t.Marked(t.unverified(other.Contact, other.Account), other.LookAlike.Contact)
	case other.Account.DiscordID != "":
		text = Mention(other.Account.Username, other.Account)
	}
	if other.InGameName != "" {
		text = Joined(text, t.Marked(t.Text(msg.InGame, other.InGameName), other.LookAlike.Name))
	}
	return text
}

// PartyName returns the name of a side of a trade.
func (t Translator) PartyName(p trade.Party) string {
	for _, name := range []string{p.Name, p.InGameName, p.Contact} {
		if name != "" {
			return name
		}
	}
	return t.Plain(msg.DeletedUser)
}

// lineToSend is a message for the other side, as the reader would write it.
func lineToSend(t Translator, r trade.Receipt, reader core.UserID) string {
	key := msg.LineBuyer
	if !r.BoughtBy(reader) {
		key = msg.LineSeller
	}
	line := t.Plain(key, t.PartyName(r.Other(reader)), r.Quantity, r.ItemName, r.UnitPrice, r.Total())
	if r.BoughtBy(reader) && r.Buyer.InGameName != "" {
		line += " " + t.Plain(msg.LineInGame, r.Buyer.InGameName)
	}
	return line
}

// ReceiptOf is the seller's receipt of the accept that a notice is about.
func ReceiptOf(n notify.Notice, accounts people.Accounts) trade.Receipt {
	buyer := accounts[n.CausedBy]
	return trade.Receipt{
		OfferID: n.OfferID, OrderID: n.OrderID, ItemName: n.ItemName, Quantity: n.Quantity,
		UnitPrice: n.Price, At: n.CreatedAt,
		Buyer: trade.Party{User: n.CausedBy, Name: buyer.DisplayName, Contact: n.Contact, InGameName: n.Name,
			Account: buyer},
		Seller: trade.Party{User: n.User},
	}
}

// BoughtReceipt is the buyer's receipt of the accept that a notice is about.
func BoughtReceipt(n notify.Notice, accounts people.Accounts) trade.Receipt {
	r := ReceiptOf(n, accounts)
	seller := r.Buyer
	seller.Name, seller.InGameName = n.Name, ""
	r.Buyer, r.Seller = trade.Party{User: n.User}, seller
	return r
}

// Receipts returns cards of the reader's receipts, newest first.
func (d *Drawer) Receipts(ctx context.Context, in Input, q trade.ReceiptQuery) ([]*discord.Card, error) {
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
	return discord.Clip(t.Plain(msg.OfferTitle, o.Accepted, o.ItemName),
		discord.MaxOptionLabel-discord.Size(number)) + number
}

// ReachShort is reach in a sentence.
func (t Translator) ReachShort(r trade.Receipt, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	if other.Account.DiscordID != "" {
		return discord.Markdown("<@" + other.Account.DiscordID + ">")
	}
	return Username(other.Contact)
}
