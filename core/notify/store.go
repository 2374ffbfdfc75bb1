package notify

import (
	"context"
	"time"

	"tradepost/core"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	// Notices returns a user's notices, newest first, below the id before (zero: from the top).
	Notices(ctx context.Context, user core.UserID, before core.NoticeID, limit int) (Page, error)
	// ReadNotices marks a user's notices up to an id as read.
	ReadNotices(ctx context.Context, user core.UserID, upTo core.NoticeID, now time.Time) error
	Mailbox(ctx context.Context, user core.UserID) (Mailbox, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	core.WriteTx

	// RedrawOffers has the messages that list offers on an order drawn again.
	RedrawOffers(ctx context.Context, r RedrawnOffers) error
	// AddNotices stores notices, and with each the job that delivers it. A notice that Mailbox.endsUnsent
	// ends for its reader's settings ends here, without a job.
	AddNotices(ctx context.Context, notices []Notice) error
	// SaveNoticeSettings stores a user's wishes and has their pending notices checked again.
	SaveNoticeSettings(ctx context.Context, user core.UserID, s Settings) error
}
