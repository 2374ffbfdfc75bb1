// Package core is the kernel of the market: the ids of every noun, Copper, Error, Actor, text forms,
// limits, and how a write runs.
//
// # Packages
//
// Package text has every text for users, one file a language; see docs/translating.md.
//
// Package cache keeps values that were read from the database until they change; see docs/freshness.md.
//
// Each other package below it has a noun's types and pure rules, one Service, and in store.go the
// interface of its storage. A package imports only those before it: game, people, items, notify, trust,
// trade, match, moderation, channels. Package market puts them together, and reactions.go there applies the
// consequences of events in trade.
//
// # Words
//
// An Order is a buyer's request for an item (the interface says "request"). An Offer is a seller's answer to
// it. A Sale records that part of an order was bought (the interface says "sales update"). A Notice informs
// a user of events about their orders and offers. A User is a Discord account; an Actor is the caller, which
// may be a visitor without an account. Copper is money, always in the smallest coin. A Game says which coins
// and which professions (a Category each) there are; it is passed in. A Board is a Discord channel that
// shows new orders.
//
// An Item is a thing of the catalogue that an order may name. A Trade is an accept: what the two sides agreed
// on, how they reach each other, and its handover, which says whether they met. A Record sums up a trader's
// handovers; a Slip is everything open between two traders. A SavedSearch is a search of the board under a
// name; with its bell on (the interface says "watch") it alerts its user to new orders. Stock lists the items
// that a seller has.
//
// # How it is built
//
// Rules are functions over values: they read no clock, open no connection and save nothing, and are in files
// of their own. A Service loads, checks permissions, decides and saves, in one transaction of the store. A
// transaction has no side effects outside the database; messages and events are caused by the rows that it
// writes.
//
// A Write is run by a Runner under the actor's key: a repeat has no second effect and returns the first
// answer. An adapter may say how writes are repeated (WithRepeat).
//
// An error that concerns the caller is an *Error with a kind, a Text that is safe to show and the fields
// that it is about; its Detail is a value of the package that returned it. Every other error is a failure of
// the program or its surroundings.
//
// # What may import what
//
// They import the standard library and the packages before them only; text also imports the plural rules and
// numbers of golang.org/x/text. They know neither SQL, HTTP nor
// Discord; bot, web and sql/postgres import them, and cmd wires them.
package core
