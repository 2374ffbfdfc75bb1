package match

import (
	"slices"
	"strings"
	"unicode"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/text"
	"tradepost/core/trade"
)

const (
	// MaxReady limits the orders on which one press offers.
	MaxReady = 200

	// messagesRead is among how many of a seller's latest offers the remembered message is looked for.
	messagesRead = 20
)

// Ready is what a seller offers with one press.
type Ready struct {
	Offers  []ReadyOffer // those that earn most first
	Message string       // the seller's own, as Remembered says; empty for none
}

// ReadyOffer is an open order with the quantity that one press offers: what is left of the order, at most
// what is free of the seller's stock.
type ReadyOffer struct {
	trade.Order
	Quantity int
	Refused  error // the error of that offer; nil when it would be sent
}

// On returns what one press offers on an order.
func (r Ready) On(id core.OrderID) (ReadyOffer, bool) {
	at := slices.IndexFunc(r.Offers, func(o ReadyOffer) bool { return o.ID == id })
	if at < 0 {
		return ReadyOffer{}, false
	}
	return r.Offers[at], true
}

// MessageIn returns the message of an offer with one press, in the seller's language when it is not their
// own.
func (r Ready) MessageIn(p text.Printer) string {
	if r.Message != "" {
		return r.Message
	}
	return p.Sprint(text.OfferReady)
}

// Remembered returns the seller's own message that suits the next offer too, given those of their latest
// offers, the latest first; empty for none. A message with a number does not: it is about a quantity, a price
// or a time of that offer. The message that the program writes is not their own.
func Remembered(messages []string) string {
	for _, message := range messages {
		if !strings.ContainsFunc(message, unicode.IsNumber) && !written(message) {
			return message
		}
	}
	return ""
}

// written reports whether the program writes a message, in any language.
func written(message string) bool {
	return slices.ContainsFunc(text.Languages, func(l *text.Language) bool {
		return text.Printer{Language: l}.Sprint(text.OfferReady) == message
	})
}

// FreeStock returns a seller's stock without what is in their open offers.
func FreeStock(stock []Stock, open []trade.SentOffer, index *items.Index) []Stock {
	free := slices.Clone(stock)
	for i := range free {
		for _, offer := range open {
			if index.SameItem(free[i].ItemName, offer.ItemName) {
				free[i].Quantity -= offer.Left()
			}
		}
		free[i].Quantity = max(free[i].Quantity, 0)
	}
	return free
}
