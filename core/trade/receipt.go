package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// Receipt records the terms of one accept. Only its buyer and its seller may read it, and only here do they
// learn how to reach each other's Discord account.
type Receipt struct {
	ID        core.SaleID
	OfferID   core.OfferID // zero when not known; the offer may be gone
	OrderID   core.OrderID // zero once the order is deleted
	ItemName  string
	Quantity  int
	UnitPrice core.Copper
	At        time.Time
	Buyer     Party
	Seller    Party
}

// Party is a side of a receipt. Name and contact are empty once their order is deleted or the user has left.
type Party struct {
	User       core.UserID // zero for a visitor, and once they have left
	Name       string      // the seller's as typed in the offer; the buyer's of their account
	Contact    string      // as typed: a Discord username
	InGameName string      // the buyer's; empty for none
	Account    people.Account

	LookAlike core.LookAlike // of the contact, and of the seller's name or the buyer's in-game name
}

// Total is the exact sum that the buyer pays.
func (r Receipt) Total() core.Copper { return r.UnitPrice * core.Copper(r.Quantity) }

// BoughtBy reports whether the reader is the buyer. Otherwise they are the seller.
func (r Receipt) BoughtBy(reader core.UserID) bool { return r.Buyer.User == reader }

// Other returns the side that is not the reader.
func (r Receipt) Other(reader core.UserID) Party {
	if r.BoughtBy(reader) {
		return r.Seller
	}
	return r.Buyer
}

// ContactVerified reports whether the other side's contact belongs to their account: a seller's does by
// rule, and a buyer types theirs.
func (r Receipt) ContactVerified(reader core.UserID) bool {
	if r.BoughtBy(reader) {
		return r.Seller.Account.DiscordID != "" && r.Seller.Contact != ""
	}
	return r.Buyer.Account.Owns(r.Buyer.Contact)
}

// ReceiptQuery selects receipts. Empty lists select the receipts of every order and offer.
type ReceiptQuery struct {
	Orders []core.OrderID
	Offers []core.OfferID
	Before core.SaleID // only older ones; zero for the newest
	Limit  int
}

// Receipts lists the receipts of accepts in which the actor was the buyer or the seller, newest first. It
// returns Unauthenticated.
func (m *offerActs) Receipts(ctx context.Context, actor core.Actor, q ReceiptQuery) ([]Receipt, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	receipts, err := m.store.Receipts(ctx, actor.UserID, q)
	if err != nil {
		return nil, fmt.Errorf("receipts of user %d: %w", actor.UserID, err)
	}
	return receipts, nil
}
