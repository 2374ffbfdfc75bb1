package channels

import (
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// TradeThread is a private thread of a Discord server in which the two sides of an accept have its receipt.
// It is planned in the transaction of the accept, where the order was shown in a server, made by the bot,
// and forgotten once the handover has ended.
type TradeThread struct {
	Sale        core.SaleID
	CreatedAt   time.Time // when it was planned
	StartedAt   time.Time // when it was first tried to make it; zero before
	NoncePrefix string    // the database's part of the nonce
	GuildID     string    // the server; empty before it was tried
	ChannelID   string    // the channel that contains the thread
	Locale      string    // the Discord locale of the server
	ThreadID    string    // empty before it was made
	MessageID   string    // the receipt's message; empty before it was sent
	Ended       bool      // nothing is sent there any more: it is archived and forgotten

	Trade   *trade.Trade // nil once the accept was undone
	Waiting bool         // notices are still to be sent there
}

// ThreadPlace is a channel of a server in which an order was shown or posted.
type ThreadPlace struct{ GuildID, ChannelID, Locale string }

// Nonce names the receipt to Discord, so that a repeat makes no second one.
func (t TradeThread) Nonce() string { return fmt.Sprintf("%s-t%d", t.NoncePrefix, t.Sale) }

// Over reports whether the thread is to be archived: its trade has ended, was undone, or has lost a side.
func (t TradeThread) Over() bool {
	h := t.Trade
	return t.Ended || h == nil || h.State.Over() || h.Buyer.User == 0 || h.Seller.User == 0
}

const (
	// ThreadWithin is how long the notices of an accept wait for its thread. Then they are sent as direct
	// messages.
	ThreadWithin = 10 * time.Minute
	// ThreadLease is how long one attempt to make or change a thread may take before another may start.
	ThreadLease = time.Minute
)

// settledByThread are the kinds of notice that the receipt in a thread tells: no message is sent for them
// besides.
var settledByThread = []notify.Kind{notify.NoticeOfferAccepted, notify.NoticeStandingAccepted,
	notify.NoticeListingSold, notify.NoticeAskAccepted, notify.NoticeOrderFilled}

// sentToThread are the kinds of notice that are sent to the thread of their trade while there is one.
var sentToThread = []notify.Kind{notify.NoticeHandoverPrompt, notify.NoticeHandoverCancelled,
	notify.NoticeHandoverDisputed, notify.NoticeHandoverSettled, notify.NoticeMeetingTime,
	notify.NoticeMeetingSoon}

// ThreadGone says that a thread does not reach its reader any more: it was deleted, its reader left it, or
// the bot may not write there.
type ThreadGone struct{ Cause error }

func (e *ThreadGone) Error() string { return fmt.Sprintf("the thread is gone: %v", e.Cause) }

func (e *ThreadGone) Unwrap() error { return e.Cause }
