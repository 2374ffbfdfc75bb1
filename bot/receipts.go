package bot

import (
	"context"
	"fmt"
	"strings"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// receiptsShown is how many receipts one message has: there is room for ten cards, and one may be of the request.
const receiptsShown = 9

// receipt shows one of the two sides what an accept agreed: the other user, quantity, price,
// contact, and a message to copy.
func (d *Drawer) receipt(t translator, r core.Receipt, reader core.UserID) *discord.Card {
	other, who, pay, contact := r.Other(reader), msg.ReceiptBuy, msg.OfferPays, msg.ReceiptSeller
	if !r.BoughtBy(reader) {
		who, pay, contact = msg.ReceiptSell, msg.AcceptedCoins, msg.AcceptedContact
	}
	e := &discord.Card{
		Title: string(t.text(msg.OfferTitle, r.Quantity, r.ItemName)), URL: d.orderURL(r.OrderID), Color: colourUsual,
		Description: string(t.text(who, t.partyName(other))),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(pay, t.text(msg.ReceiptSum, r.Quantity, t.coins(r.UnitPrice), t.coins(r.Total())))
	reach := t.reach(r, reader)
	if reach == "" {
		return e // they have left
	}
	add(contact, reach)
	e.Fields = append(e.Fields, &discord.CardField{
		Name: string(t.text(msg.ReceiptLine)), Value: "```\n" + strings.ReplaceAll(t.lineToSend(r, reader), "`", "'") + "\n```",
	})
	return e
}

// reach is how the reader contacts the other side. It is empty when that is not possible.
func (t translator) reach(r core.Receipt, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	var text discord.Markdown
	switch {
	case r.ContactVerified(reader):
		text = t.marked(mention(other.Contact, other.Account), other.LookAlike.Contact)
	case other.Contact != "":
		text = t.marked(t.unverified(other.Contact, other.Account), other.LookAlike.Contact)
	case other.Account.DiscordID != "":
		text = mention(other.Account.Username, other.Account)
	}
	if other.InGameName != "" {
		text = joined(text, t.marked(t.text(msg.InGame, other.InGameName), other.LookAlike.Name))
	}
	return text
}

func (t translator) partyName(p core.Party) string {
	for _, name := range []string{p.Name, p.InGameName, p.Contact} {
		if name != "" {
			return name
		}
	}
	return t.plain(msg.DeletedUser)
}

// lineToSend is a message for the other side, as the reader would write it.
func (t translator) lineToSend(r core.Receipt, reader core.UserID) string {
	key := msg.LineBuyer
	if !r.BoughtBy(reader) {
		key = msg.LineSeller
	}
	line := t.plain(key, t.partyName(r.Other(reader)), r.Quantity, r.ItemName, r.UnitPrice, r.Total())
	if r.BoughtBy(reader) && r.Buyer.InGameName != "" {
		line += " " + t.plain(msg.LineInGame, r.Buyer.InGameName)
	}
	return line
}

// receiptOf is the seller's receipt of the accept that a notice is about.
func receiptOf(n core.Notice, accounts core.Accounts) core.Receipt {
	buyer := accounts[n.CausedBy]
	return core.Receipt{
		OfferID: n.OfferID, OrderID: n.OrderID, ItemName: n.ItemName, Quantity: n.Quantity, UnitPrice: n.Price, At: n.CreatedAt,
		Buyer:  core.Party{User: n.CausedBy, Name: buyer.DisplayName, Contact: n.Contact, InGameName: n.Name, Account: buyer},
		Seller: core.Party{User: n.User},
	}
}

// boughtReceipt is the buyer's receipt of the accept that a notice is about.
func boughtReceipt(n core.Notice, accounts core.Accounts) core.Receipt {
	r := receiptOf(n, accounts)
	seller := r.Buyer
	seller.Name, seller.InGameName = n.Name, ""
	r.Buyer, r.Seller = core.Party{User: n.User}, seller
	return r
}

// mention shows a contact that belongs to an account: it can be clicked and pings no user. Without
// an account it is a name to copy.
func mention(contact string, a core.Account) discord.Markdown {
	if a.DiscordID == "" {
		return username(contact)
	}
	return discord.Markdown("<@"+a.DiscordID+"> (") + username(contact) + ")"
}

// unverified shows a contact that was typed and need not be the account's.
func (t translator) unverified(contact string, a core.Account) discord.Markdown {
	typed := username(contact) + " " + t.text(msg.Unverified)
	if a.DiscordID == "" {
		return typed
	}
	return discord.Markdown("<@"+a.DiscordID+">\n") + typed
}

// account returns the Discord account of a user, for a card. Cards are worth showing without.
func (d *Drawer) account(ctx context.Context, id core.UserID) core.Account {
	return d.accounts(ctx, id)[id]
}

func (d *Drawer) accounts(ctx context.Context, ids ...core.UserID) core.Accounts {
	accounts, err := d.market.Accounts(ctx, ids...)
	if err != nil {
		d.log.Warn("accounts not found", "error", err)
	}
	return accounts
}

// receipts returns cards of the reader's receipts, newest first.
func (d *Drawer) receipts(ctx context.Context, in Input, q core.ReceiptQuery) ([]*discord.Card, error) {
	q.Limit = receiptsShown
	receipts, err := d.market.Receipts(ctx, in.Actor, q)
	if err != nil {
		return nil, err
	}
	cards := make([]*discord.Card, len(receipts))
	for i, r := range receipts {
		cards[i] = d.receipt(in.tr, r, in.Actor.UserID)
	}
	return cards, nil
}

// receiptsButton shows the receipts of an order below its card.
func (b tradesBot) receiptsButton(ctx context.Context, in Input) (Reply, error) {
	return b.showReceipts(ctx, in, core.ReceiptQuery{Orders: []core.OrderID{core.OrderID(in.id.Number(0))}})
}

// receiptPicked shows the receipts of an offer that was picked from those the actor has sent.
func (b tradesBot) receiptPicked(ctx context.Context, in Input) (Reply, error) {
	return b.showReceipts(ctx, in, core.ReceiptQuery{Offers: []core.OfferID{core.OfferID(in.picked())}})
}

func (b tradesBot) showReceipts(ctx context.Context, in Input, q core.ReceiptQuery) (Reply, error) {
	cards, err := b.receipts(ctx, in, q)
	if err != nil {
		return Reply{}, err
	}
	if len(cards) == 0 {
		return private(in.tr.text(msg.NoReceipts)), nil
	}
	return Reply{cards: cards}, nil
}

// receiptLabel names a sent offer of which something was accepted.
func (t translator) receiptLabel(o core.SentOffer) string {
	number := fmt.Sprintf(" · #%d", o.ID)
	return discord.Clip(t.plain(msg.OfferTitle, o.Accepted, o.ItemName), discord.MaxOptionLabel-discord.Size(number)) + number
}

// reachShort is reach in a sentence.
func (t translator) reachShort(r core.Receipt, reader core.UserID) discord.Markdown {
	other := r.Other(reader)
	if other.Account.DiscordID != "" {
		return discord.Markdown("<@" + other.Account.DiscordID + ">")
	}
	return username(other.Contact)
}
