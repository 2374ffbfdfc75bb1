// Package core is the market: its types, its rules and the Market service that both adapters call.
//
// # Words
//
// An Order is what a buyer asks for (the interface says "request"). An Offer is a seller's answer
// to it. A Sale records that part of an order was bought (the interface says "sales update"). A
// Notice informs a user of what happened to their orders and offers. A User is a Discord account;
// an Actor is the caller, which may be a visitor without an account. Copper is money, always in
// the smallest coin. A Game says which coins and which professions (a Category each) there are; it
// is passed in. A Board is a Discord channel that shows new orders.
//
// An Item is what the catalogue knows of the thing an order names. A Handover is whether the two sides of an accept met, and
// a Record what a trader's handovers came to; a Slip is everything open between two traders. A Watch is a search that alerts
// its user to new orders, and Stock what a seller says they have.
//
// # How it is built
//
// Rules are functions over values: they read no clock, open no connection and save nothing. Market loads, checks
// permissions, decides and saves, in one transaction of the Store. A transaction has no side effects outside the
// database; messages and events are caused by the rows that it writes.
//
// An error that concerns the caller is an *Error with a kind, a message that is safe to show and the fields that it is
// about. Every other error is a failure of the program or its surroundings.
//
// # What may import what
//
// This package imports the standard library only. It knows neither SQL, HTTP nor Discord; bot, web and sql/postgres
// import it, and cmd wires them.
package core
