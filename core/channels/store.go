package channels

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	match.Store
	moderation.Store

	// Delivery returns a direct message to a user with its notices, their offers that are still open, the
	// reader's receipts of the others, and the accounts of everyone it names.
	Delivery(ctx context.Context, user core.UserID, id core.DeliveryID) (Delivery, error)
	// NoteActed stores that a user has pressed something on a direct message to them that was sent after a
	// time. Other messages are left out.
	NoteActed(ctx context.Context, user core.UserID, messageID string, since, now time.Time) error
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	match.Tx
	moderation.Tx
	DeliveryTx

	// EndBoard deletes a board, and returns it; nothing where there is none.
	EndBoard(ctx context.Context, guildID, channelID string) ([]Board, error)
	// LockTraderRole locks the role of a server, so that no other program settles a step of it meanwhile. It
	// returns NotFound.
	LockTraderRole(ctx context.Context, guildID string) (TraderRole, error)
	// SaveHeldRole stores whether a user has a role, and when that is looked after again. It reports whether
	// the bot had given it before.
	SaveHeldRole(ctx context.Context, s RoleStep, given bool, due time.Time) (bool, error)
	// RemoveHeldRole forgets that a user had a role. It reports whether the bot had given it.
	RemoveHeldRole(ctx context.Context, s RoleStep) (bool, error)
	// SetRoleTrouble stores why the role of a server cannot be given; an empty text clears it.
	SetRoleTrouble(ctx context.Context, guildID, trouble string) error
	// RemoveTraderRole forgets the role of a server and who has it.
	RemoveTraderRole(ctx context.Context, guildID string) error
	// EndServer deletes the boards and pings of a server, keeps them without who made them, and returns the
	// boards. The role for established traders ends, too.
	EndServer(ctx context.Context, guildID string, now time.Time) ([]Board, error)
	// RemoveReportChannel ends that reports arrive in a channel. It reports whether they did.
	RemoveReportChannel(ctx context.Context, channelID string) (bool, error)
}

// DeliveryTx is the part of a transaction that delivers notices.
type DeliveryTx interface {
	notify.Tx

	// TradeThread returns the thread of a sale without its handover, nil for none.
	TradeThread(ctx context.Context, sale core.SaleID) (*TradeThread, error)
	// GiveUpTradeThread ends a thread that was not opened in time. It returns false while an attempt goes on.
	GiveUpTradeThread(ctx context.Context, sale core.SaleID, now time.Time) (bool, error)
	// EndTradeThread ends a thread that does not reach its people any more.
	EndTradeThread(ctx context.Context, sale core.SaleID) error
	// SettleNotices ends the notices that are still pending.
	SettleNotices(ctx context.Context, ids []core.NoticeID, state notify.State, reason string,
		now time.Time) error
	// LockMailbox locks the mailbox of a notice's reader and returns it with the notice.
	LockMailbox(ctx context.Context, id core.NoticeID) (notify.Mailbox, notify.Notice, error)
	// SaveMailbox stores the channel, lease, pause and closed reason of a locked mailbox.
	SaveMailbox(ctx context.Context, b notify.Mailbox) error
	// Line returns the notices among which notify.First finds the one that is first in a reader's line:
	// the oldest trade and the oldest alert, of those that are pending, due, in no message yet, and not for
	// the thread of a trade.
	Line(ctx context.Context, reader core.UserID, now time.Time) ([]notify.Notice, error)
	// DeliveryFor returns the direct message that is to be sent next for a notice: the reader's oldest one
	// that was started and has an unknown outcome, with the notices it was started with, whatever notice it
	// is; else the one that the notice was already given to; else, for kinds that are gathered, the reader's
	// newest one of that kind when it was sent after fresh, has room among most and was not acted on; else a
	// new one without an id. For NoticeOfferReceived it takes in the reader's other pending notices of that
	// kind, up to most, and Offers has the offers that are still open.
	DeliveryFor(ctx context.Context, n notify.Notice, fresh time.Time, most int) (Delivery, error)
	// SentDelivery returns the message that a notice was given to, with all that DeliveryFor adds; a
	// delivery without an id when it is no longer stored.
	SentDelivery(ctx context.Context, n notify.Notice) (Delivery, error)
	// MessageTimes returns when the reader of a notice was sent messages other than digests, as far back as
	// the quotas count: in all, and of the kinds, caused by the same user.
	MessageTimes(ctx context.Context, n notify.Notice, kinds []notify.Kind,
		q core.Quotas) (notify.MessageTimes, error)
	// DigestFor returns the newest digest that the notice's reader was sent after a time, or a new one
	// without an id. While it has fewer than most notices, it takes in the notice and others without a
	// message: all of the reader's, or the ones that the same person caused.
	DigestFor(ctx context.Context, n notify.Notice, since time.Time, most int, all bool) (Delivery, error)
	// StartDelivery stores that a message is about to be sent and gives its notices to it. StartedAt is set
	// the first time only.
	StartDelivery(ctx context.Context, d Delivery, now time.Time) (Delivery, error)
	// FinishDelivery stores where the message is. SentAt is when it was sent, not edited.
	FinishDelivery(ctx context.Context, d Delivery, now time.Time) error
}
