// Package model computes what a market needs in its busiest hour from what its parts cost. The costs are
// measured by `make bench-model`, which also plays a mixture of them and compares it with what this package
// predicts.
//
// Everything is a pure function. Rates are a second, times of the processor microseconds, sizes bytes; Busy
// counts processors.
package model

import "slices"

// Kind is something that people ask for, as the bench asks for it.
type Kind string

// The kinds that the bench measures.
const (
	Document   Kind = "the document"
	FirstPage  Kind = "first page"
	Counts     Kind = "counts"
	AnyPage    Kind = "any page"
	Filter     Kind = "filter"
	Search     Kind = "search"
	OneRequest Kind = "one request"
	OwnLists   Kind = "own lists"
	Offer      Kind = "offer"
	Post       Kind = "post"
	Accept     Kind = "accept"
	Command    Kind = "command"
	Message    Kind = "message" // a direct message of the bot
)

// Kinds are all of them, reads first.
var Kinds = []Kind{Document, FirstPage, Counts, AnyPage, Filter, Search, OneRequest, OwnLists, Command, Offer,
	Post, Accept, Message}

// Writes reports whether it changes the market.
func (k Kind) Writes() bool { return slices.Contains([]Kind{Offer, Post, Accept}, k) }

// Reads reports whether a person reads something by it.
func (k Kind) Reads() bool { return !k.Writes() && k != Message }

// Public reports whether a standby may answer it (decision 245).
func (k Kind) Public() bool {
	return slices.Contains([]Kind{FirstPage, Counts, AnyPage, Filter, Search, OneRequest}, k)
}

// Cached reports whether a cache in front of the program may answer it, as the one of deploy/cache does: it
// is the same for everybody.
func (k Kind) Cached() bool {
	return slices.Contains([]Kind{Document, FirstPage, Counts, AnyPage, Filter}, k)
}

// Share is the percentage of actions of a kind.
type Share struct {
	Kind  Kind
	Share int
}

// Evening is the mixture of actions of a market's users: 90 of a hundred look, and half of these at the first
// page.
var Evening = []Share{
	{FirstPage, 36}, {Counts, 9}, {AnyPage, 15}, {Filter, 8}, {Search, 7}, {OneRequest, 7}, {OwnLists, 8},
	{Offer, 5}, {Post, 3}, {Accept, 2},
}

// CommandsByThing is the number of commands in Discord for each action on the page.
const CommandsByThing = 0.1

// shareOf returns the share of a kind, of one.
func shareOf(kind Kind) float64 {
	for _, s := range Evening {
		if s.Kind == kind {
			return float64(s.Share) / 100
		}
	}
	return 0
}
