// Package history compares what clients were answered with what is stored.
//
// A Recorder keeps every write: who sent it, through which adapter, under which key, when it was called and
// when its answer was definite, and what the answer was. Check compares the writes with the stored orders,
// offers, sales and notices and with the messages that the stand-in Discord received, one by one.
// Linearizable checks the history of one order.
package history

import "time"

// Operation is what a write does.
type Operation string

// The operations.
const (
	Post   Operation = "post"
	Edit   Operation = "edit"
	Renew  Operation = "renew"
	Close  Operation = "close"
	Delete Operation = "delete"
	Offer  Operation = "offer"
	Remove Operation = "remove offer" // its buyer declines it, or its seller withdraws it
	Accept Operation = "accept"
	Sell   Operation = "log sale"
	Say    Operation = "say what happened" // in a handover

	UndoSale  Operation = "undo sale"
	UndoClose Operation = "undo close"
	UndoOffer Operation = "undo offer" // its end: its buyer had declined it, or its seller withdrawn it

	PutStock    Operation = "put stock"
	DeleteStock Operation = "delete stock"
	SetStanding Operation = "accept automatically"
	EndStanding Operation = "end accepting automatically"
	PostList    Operation = "post list"
	OfferOnList Operation = "offer on list"

	BlockSeller   Operation = "block seller" // by a buyer
	UnblockSeller Operation = "unblock seller"
	BlockUser     Operation = "block user" // by a moderator
	Vouch         Operation = "vouch"
	UnblockUser   Operation = "unblock user"
	RemoveOrder   Operation = "remove order" // by a moderator, as the others below
	RemoveOffer   Operation = "remove somebody's offer"
	MergeItem     Operation = "merge item"
	UndoRemoval   Operation = "undo removal" // of an order, an offer or a merge
	TakeBack      Operation = "take back a word"
	Look          Operation = "look at dispute"
	Settle        Operation = "settle dispute"

	// Of the histories that make histories checks.
	SetLeast  Operation = "ask for small offers"
	EndLeast  Operation = "ask for any offer"
	AgreeTime Operation = "agree on a time"
	Report    Operation = "report"
	Set       Operation = "set" // a value of a user's own

	Read       Operation = "read"
	ReadList   Operation = "read the list"
	ReadOffers Operation = "read the offers"
)

// Adapter is the way a write came in.
type Adapter string

// The adapters.
const (
	Web Adapter = "web"
	Bot Adapter = "bot"
)

// Status says what is known about a write.
type Status int

// The statuses. A write whose status is Unknown may have happened or not.
const (
	Unknown Status = iota
	Acknowledged
	Refused
)

func (s Status) String() string {
	return [...]string{"unknown", "acknowledged", "refused"}[s]
}

// Outcome is the answer to a write.
type Outcome struct {
	Status Status
	// of an error: invalid, conflict, not_found, forbidden; empty where the adapter does not say
	Kind   string
	Detail string // of an error or of an unknown outcome, for a reader
	Answer Answer // of an acknowledged write, as far as its adapter says
}

// Answer is what an acknowledged write returned. A zero field was not part of the answer.
type Answer struct {
	Order int64 // id of the posted order
	Offer int64 // id of the sent offer
	Sale  int64 // id of the logged sale
	Price int64 // of one, of the offer or the sale
	State State // of the order after the write

	Accepted int    // of the offer that was sent, by a standing acceptance
	List     int64  // id of the posted list
	Lines    []Line // of a list that was posted, or offered on
}

// Line is a line of a list, with the ids that an answer gives it.
type Line struct {
	Item         string
	Quantity     int
	Price        int64
	Order, Offer int64
}

// State is an order as an answer shows it.
type State struct {
	Version  int
	Quantity int
	Sold     int
	Closed   bool
}

// Write is one write with its outcome.
type Write struct {
	Number    int
	Operation Operation
	Adapter   Adapter
	Actor     string // Discord username; empty for a visitor
	Key       string

	Order    int64  // that the write is about; zero when it posts one
	Offer    int64  // that the write is about; zero when it sends one
	Sale     int64  // whose handover the write is about
	Word     string // that is said of it
	Quantity int    // asked for; of an edit zero where the quantity stays
	Price    int64  // of one, in copper; of an edit zero where the price stays
	Version  int    // that an edit was made from
	Mark     string // a text that is stored with it and with no other write

	Subject string // the item of a stock or a merge, or the user of a block
	Lines   []Line // of a list, as they are asked for

	Called   time.Duration // on one monotonic clock
	Returned time.Duration // when the outcome was definite
	Attempts int
	Outcome  Outcome
}

func (w Write) acknowledged() bool { return w.Outcome.Status == Acknowledged }

// mayHaveHappened reports whether the write may be stored.
func (w Write) mayHaveHappened() bool { return w.Outcome.Status != Refused }
