package core

import "time"

// Retention sets how long past data is kept. Zero keeps it for ever. Sales and sent offers are always kept.
type Retention struct {
	Notices    time.Duration // since they were written, once they have ended
	Deliveries time.Duration // since they were begun, once their notices have ended
	BoardPosts time.Duration // since they were posted, once their order is over
	Closed     time.Duration // under Completed, since the order was closed; then it is archived
	Archived   time.Duration // in the archive of the owner; then the order is deleted
	Expired    time.Duration // since an order expired that was neither renewed nor closed; then it is deleted
	Visitors   time.Duration // visitors' input in offers: name, contact and message, since then
	Reports    time.Duration // since they were settled
	Keys       time.Duration // since the write; a repeat after that is a new write
}

// AnswerRetention is how long the answer of a write is kept under its key. A repeat after that
// returns Conflict and has no effect, for as long as the key is kept.
const AnswerRetention = time.Hour

// DraftRetention is how long a form that a user filled in in Discord and did not send is kept.
const DraftRetention = 7 * 24 * time.Hour

// DefaultRetention is the retention of a market without its own settings.
var DefaultRetention = Retention{
	Notices: 180 * Day, Deliveries: 180 * Day, BoardPosts: 90 * Day,
	Closed: 90 * Day, Archived: 730 * Day, Expired: 365 * Day, Keys: 7 * Day,
	Visitors: 180 * Day, Reports: 365 * Day,
}

// answerGone returns the error of a repeat after the stored answer was deleted. The write has happened once.
func answerGone() *Error {
	return NewError(Conflict, NewText("done_long_ago"))
}
