//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/tools/lab/faults/history"
)

// adapter is what a write goes through.
type adapter string

const (
	overHTTP    adapter = "http"
	overDiscord adapter = "discord"
)

// op is a kind of write.
type op string

const (
	opPost       op = "post"
	opEdit       op = "edit"
	opRenew      op = "renew"
	opClose      op = "close"
	opDelete     op = "delete"
	opOffer      op = "offer"
	opWithdraw   op = "withdraw"
	opDecline    op = "decline"
	opAccept     op = "accept"
	opSell       op = "sell"
	opReport     op = "report"
	opSay        op = "say what happened"
	opTest       op = "test notice" // over HTTP only, as all that follow
	opAddWebhook op = "add webhook"
	opWatch      op = "watch"
	opUnwatch    op = "remove watch"

	opUndoSale    op = "undo sale"
	opUndoClose   op = "undo close"
	opUndoOffer   op = "undo the end of an offer"
	opPutStock    op = "put stock"
	opQuietStock  op = "turn off the alerts of stock"
	opDeleteStock op = "delete stock"
	opSetStanding op = "accept automatically"
	opEndStanding op = "end accepting automatically"
	opPostList    op = "post list"
	opOfferOnList op = "offer on list"

	opBlockSeller   op = "block seller"
	opUnblockSeller op = "unblock seller"
	opBlockUser     op = "block user"
	opUnblockUser   op = "unblock user"
	opRemoveOrder   op = "remove order"
	opRemoveOffer   op = "remove offer"
	opMergeItem     op = "merge item"
	opUndoRemoval   op = "undo removal"
	opTakeBack      op = "take back a word"
	opLook          op = "look at dispute"
	opSettle        op = "settle dispute"
	opVouch         op = "vouch"
	opConfirmItem   op = "confirm item"
)

// write is one change that a person asks for. Fields that its op does not have stay zero.
type write struct {
	adapter adapter
	op      op
	// key is the Idempotency-Key; every repeat carries the same. Over Discord the interaction's ID takes
	// its place, and outcome.key says it.
	key     string
	actor   *person // nil for a visitor
	address at      // of a visitor
	order   int64   // written about: edit, renew, close, delete, offer, sell, report
	offer   int64   // written about: withdraw, decline, accept
	sales   []int64 // written about: say, take back
	// say; over Discord "met" only. Settle: "met" or "cancelled". Merge: the item that it means then
	word string
	// in the path of an op that is about neither an order nor an offer: of a sale, a list, a user, an item,
	// an entry
	number   int64
	into     int64  // merge
	subject  string // the item or the user that the number is of
	lines    []history.Line
	version  int   // an edit is made from; over HTTP only
	quantity int   // post, edit, offer, accept, sell
	price    int64 // for one, in copper: post, edit
	// name is an item (post), a seller's name (offer), a word (watch) or notes (sell): different in each
	// write, so that its effect can be found.
	name string
	// button asks for the write with buttons and forms instead of a command, where the bot has both. Over
	// Discord only.
	button bool
	// once asks for the write once over HTTP too. What is over a limit is refused then.
	once bool
	sure bool // post: also at a price that is far from the usual one; over HTTP only

	// of an op of make histories: its request, and its command where the bot has one
	method, path string
	body         map[string]any
	command      string
	options      []discordtest.Option
}

// certainty is what is known of a write.
type certainty int

// An outcome of which nothing is known is the zero value.
const (
	unknown certainty = iota
	acknowledged
	refused // definitely not done
)

func (c certainty) String() string { return [...]string{"unknown", "acknowledged", "refused"}[c] }

// outcome is what came back from a write.
type outcome struct {
	certainty
	key      string // that named the write, see write.key; empty when nothing was sent
	status   int    // of the last HTTP answer; 0 for none
	answer   []byte // the JSON over HTTP, the text of the message over Discord
	err      error  // why there is no answer
	attempts int
}

func (o outcome) String() string {
	return fmt.Sprintf("%s: status %d, %q, %v, %d attempts", o.certainty, o.status, o.answer, o.err,
		o.attempts)
}

// write does a write through its adapter and returns its outcome. Every write of every scene goes through
// here: over HTTP it is repeated under its key until the outcome is definite or the round is over, over
// Discord it is asked for once.
func (s *scene) write(w write) outcome {
	if w.key == "" {
		w.key = fmt.Sprintf("faults-%d", rand.Uint64())
	}
	began := time.Now()
	var o outcome
	switch w.adapter {
	case overHTTP:
		o = s.writeOverHTTP(w)
	case overDiscord:
		o = s.writeOverDiscord(w)
	default:
		panic("a write without an adapter")
	}
	s.wrote(w, o, began, time.Now())
	return o
}

// wrote hears of every write when it has ended.
func (s *scene) wrote(w write, o outcome, called, returned time.Time) {
	s.countWrite(w, o)
	s.keep(w, o, called, returned)
}

// mustWrite does a write over HTTP that has to be acknowledged, and reads the answer.
func (s *scene) mustWrite(w write, answer any) {
	w.adapter = overHTTP
	o := s.write(w)
	if o.certainty != acknowledged {
		s.Fatalf("%s was not acknowledged: %s", w.op, o)
	}
	if answer != nil {
		s.must(json.Unmarshal(o.answer, answer))
	}
}
