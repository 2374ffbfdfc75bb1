package channels

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Delivery is one direct message: the notices it contains, and its message ID once it was sent.
type Delivery struct {
	ID      core.DeliveryID
	To      notify.Mailbox
	Kind    notify.Kind
	Notices []notify.Notice // oldest first; more than one only for kinds that are gathered
	Offers  []trade.OpenOffer
	Watched []trade.Order   // the requests of its alerts, as they are now
	Listed  []match.Listing // the listings of its alerts, as they are now
	// the reader's: of the offers that it lists, newest first, or those that its notices are about
	Trades []trade.Trade
	// The reader is asked when they could come: of an accept without a time to meet.
	AsksHours bool
	Accounts  people.Accounts // of everyone it names
	ChannelID string          // where it was sent; empty before
	// the thread of a trade that it is sent to instead of the reader's direct messages; empty for none
	Thread    string
	MessageID string // empty before it was sent: then it is a new message, else an edit
	// NoncePrefix is the database's part of the nonce, as it was when the message was first tried.
	NoncePrefix string
	// Uncertain means that an earlier attempt may have sent it without our learning of it, too long ago for
	// the nonce to tell: look for it before sending again.
	Uncertain bool
	// FindOnly asks the sender to find the message of an earlier attempt and send nothing. A SentDM without
	// a message means that there is none.
	FindOnly bool
	// EditOnly asks the sender to redraw a message that was sent, because its subject has changed. A message
	// that its reader has deleted stays deleted.
	EditOnly  bool
	StartedAt time.Time // when it was first tried; zero before
	SentAt    time.Time
	CausedBy  core.UserID // of the notice that it was started for; zero for a digest

	plannedAt time.Time                // when this attempt began
	ends      map[core.NoticeID]ending // how notices end when the message is not found
}

// Nonce names the message to Discord, so that a repeat makes no second one. It has at most 18 of the 25
// characters that Discord takes.
func (d Delivery) Nonce() string {
	if d.NoncePrefix == "" { // first tried before there were prefixes
		return fmt.Sprintf("tradepost-%d", d.ID)
	}
	return d.NoncePrefix + "-" + strconv.FormatInt(int64(d.ID), 36)
}

// DMSender sends direct messages, or with FindOnly finds a sent one. SendDM returns *Undeliverable,
// *RetryLater when the message was surely not sent, or another error when it is not known whether the
// message was sent.
type DMSender interface {
	SendDM(ctx context.Context, d Delivery) (notify.SentDM, error)
}

// RetryLater says that a notice must wait.
type RetryLater struct {
	After time.Duration
	Cause error // of an attempt with an unknown outcome; nil when nothing went wrong

	Thread *ThreadGone // a thread did not reach its reader, who gets a direct message instead; nil for none
}

func (e *RetryLater) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("try again after %s: %v", e.After, e.Cause)
	}
	return fmt.Sprintf("try again after %s", e.After)
}

func (e *RetryLater) Unwrap() error { return e.Cause }

func (d Delivery) pending() (pending []notify.Notice) {
	for _, n := range d.Notices {
		if n.State == notify.NoticePending {
			pending = append(pending, n)
		}
	}
	return pending
}

// dropGone removes the notices of offers and watched requests that are no longer open, and the prompts of
// handovers that were answered, from the delivery, and returns them.
func (d *Delivery) dropGone(now time.Time) (gone []notify.Notice) {
	d.Notices = slices.DeleteFunc(d.Notices, func(n notify.Notice) bool {
		isOpen := func(o trade.OpenOffer) bool { return o.Offer.ID == n.OfferID }
		isWanted := func(o trade.Order) bool { return o.ID == n.OrderID && o.Open(now) }
		isListed := func(l match.Listing) bool { return l.ID == n.Listing && l.Listed(now) }
		waits := func(h trade.Trade) bool { return h.Sale == n.Sale && h.WaitsFor(n.User) }
		switch {
		case n.State != notify.NoticePending,
			n.Kind != notify.NoticeOfferReceived && n.Kind != notify.NoticeRequestWatched &&
				n.Kind != notify.NoticeHandoverPrompt,
			n.Kind == notify.NoticeOfferReceived && slices.ContainsFunc(d.Offers, isOpen),
			n.Kind == notify.NoticeHandoverPrompt && slices.ContainsFunc(d.Trades, waits),
			n.Listing == 0 && n.Kind == notify.NoticeRequestWatched &&
				slices.ContainsFunc(d.Watched, isWanted),
			n.Listing != 0 && slices.ContainsFunc(d.Listed, isListed):
			return false
		}
		gone = append(gone, n)
		return true
	})
	return gone
}
