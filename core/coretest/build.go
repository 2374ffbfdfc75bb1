// Package coretest builds orders, offers and drafts for tests, each plain unless the test says otherwise.
package coretest

import (
	"reflect"
	"time"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// Forms are the text forms that the program uses.
var Forms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}

// Noon is the time at which tests begin.
var Noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// OrderDraft returns the draft of a request for 500 Iron Ore at 250 copper, changed by each of change.
func OrderDraft(change ...func(*trade.OrderDraft)) trade.OrderDraft {
	d := trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 500, MaxPrice: 250, BuyerContact: "maple", Category: "Miner",
		Importance: game.Medium,
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

// FullDraft returns a valid draft in which every field has a value that no other text has. Fields that are
// added later have one too, so tests that compare whole drafts fail where a field is forgotten. Texts end
// with the suffix.
func FullDraft(suffix string) trade.OrderDraft {
	level := 100 + len(suffix)
	d := trade.OrderDraft{
		Quantity: 500 + len(suffix), MaxPrice: core.Copper(250 + len(suffix)), LevelRequirement: &level,
		Category: "Miner", Importance: game.High, SignedInOnly: true, NoPrograms: true,
	}
	fields := reflect.ValueOf(&d).Elem()
	for i := range fields.NumField() {
		if text, ok := fields.Field(i).Addr().Interface().(*string); ok {
			*text = fields.Type().Field(i).Name + suffix
		}
	}
	return d
}

// FullEdit returns the edit of version that changes every field to the one of the draft. It panics if the
// edit lacks a field.
func FullEdit(version int, d trade.OrderDraft) trade.OrderEdit {
	edit := trade.OrderEdit{Version: version}
	to, from := reflect.ValueOf(&edit).Elem(), reflect.ValueOf(d)
	for i := range from.NumField() {
		value, target := from.Field(i), to.FieldByName(from.Type().Field(i).Name)
		if !target.IsValid() {
			panic("core.OrderEdit lacks the field " + from.Type().Field(i).Name)
		}
		if value.Kind() != reflect.Pointer {
			pointer := reflect.New(value.Type())
			pointer.Elem().Set(value)
			value = pointer
		}
		target.Set(value)
	}
	return edit
}

// Order returns an open order of user 1 for 500 Iron Ore, changed by each of change.
func Order(change ...func(*trade.Order)) trade.Order {
	o := trade.Order{
		ID: 7, Owner: 1, Version: 1, OrderDraft: OrderDraft(), Status: trade.Active,
		CreatedAt: Noon, UpdatedAt: Noon, ExpiresAt: Noon.Add(trade.OrderLifetime),
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

// Offer returns a visitor's offer of 20 on Order, changed by each of change.
func Offer(change ...func(*trade.Offer)) trade.Offer {
	o := trade.Offer{
		ID: 70, OrderID: 7, SellerName: "Fern", SellerContact: "fern", Message: "I have plenty", Price: 250,
		Quantity: 20, CreatedAt: Noon,
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

// OfferDraft returns the draft of an offer of 20, changed by each of change.
func OfferDraft(change ...func(*trade.OfferDraft)) trade.OfferDraft {
	d := trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have plenty", Quantity: 20}
	for _, c := range change {
		c(&d)
	}
	return d
}
