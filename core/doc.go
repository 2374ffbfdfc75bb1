// Package core is the market: its nouns, its rules and the Market service that both doors call.
//
// # Words
//
// An Order is what a buyer asks for (the interface says "request"). An Offer is a seller's answer to it. A Sale
// records that part of an order was bought (the interface says "sales update"). A Notice tells a user what happened to
// something of theirs. A User is a Discord account; an Actor is whoever is asking, which may be a visitor without
// one. Copper is money, always in the smallest coin. A Game says which coins and which professions (a Category each) there
// are; one is played, by the whole program. A Board is a Discord channel that shows new orders.
//
// # How it is built
//
// Rules are functions over values: they read no clock, open no connection and save nothing. Market loads, asks who,
// decides and saves, in one transaction of the Store. Nothing outside the database happens inside a transaction; news
// leaves through the rows written in it.
//
// A refusal is an *Error with a kind, a sentence safe to show and the fields it is about. Every other error is ours.
//
// # What may import what
//
// This package imports the standard library only. It knows neither SQL, HTTP nor Discord; bot, web and sql/postgres
// import it, and cmd wires them.
package core
