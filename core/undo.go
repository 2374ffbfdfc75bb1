package core

import "time"

// UndoKind names a kind of act that can be undone. Every other act has a counterpart that can be used at any
// time, such as blocking and unblocking, or stays.
type UndoKind string

// The kinds.
const (
	UndoSale    UndoKind = "sale"    // an accept or a logged sale
	UndoOffer   UndoKind = "offer"   // the end of an offer: it was declined or withdrawn
	UndoClose   UndoKind = "close"   // closing a request
	UndoWord    UndoKind = "word"    // a side's word on a trade, while it is disputed
	UndoStock   UndoKind = "stock"   // removing an entry of stock
	UndoRemoval UndoKind = "removal" // a moderator's removal, or their decision on a name or a dispute
)

// UndoKinds lists every kind.
var UndoKinds = []UndoKind{UndoSale, UndoOffer, UndoClose, UndoWord, UndoStock, UndoRemoval}

// UndoWindow is how long users can undo what they did, but for their word on a trade.
const UndoWindow = 10 * time.Minute

// SettledAfter is how long an accept without a handover has to stand until it counts for prices and trust.
// One with a handover counts once both sides have met.
const SettledAfter = 24 * time.Hour

// Undo is an act that may be undone. Each kind declares its own in the package of its noun.
type Undo struct {
	Kind  UndoKind
	ID    int64             // the number of the sale, offer, request, stock or log entry
	By    func(Actor) error // returns an error for an actor who may not undo it
	Until time.Time         // zero for no end but Acted
	Done  bool              // it was undone
	Acted error             // the reason when another act has come since that the undo would take back
	Gone  Text              // the message once it is done or too late; the usual ones when empty
}

// May is the rule of every undo: it may be undone by its user alone, once, until a time, and not after
// another has acted on it. It returns the error of By, or Conflict.
func (u Undo) May(by Actor, now time.Time) error {
	if err := u.By(by); err != nil {
		return err
	}
	late := !u.Until.IsZero() && !now.Before(u.Until)
	switch {
	case (u.Done || late) && !u.Gone.IsZero():
		return NewError(Conflict, u.Gone)
	case u.Done:
		return NewError(Conflict, NewText("undo_done"))
	case late:
		return NewError(Conflict, NewText("undo_too_late", "minutes", int(UndoWindow/time.Minute)))
	}
	return u.Acted
}
