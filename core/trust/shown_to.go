package trust

import (
	"time"

	"tradepost/core"
)

// ShownTo says who can see a trader's page.
type ShownTo struct {
	Everybody bool // the trader has an open request
	SignedIn  bool // the trader has bought or sold
	Reader    bool // one of the two made the other an offer
}

// Includes reports whether a reader sees the page. Without it, users who only read could be listed by their
// IDs.
func (s ShownTo) Includes(reader core.Actor, trader core.UserID) bool {
	return s.Everybody || reader.Moderator || reader.UserID != 0 &&
		(s.SignedIn || s.Reader || reader.UserID == trader)
}

// month returns the beginning of a time's month in UTC: the exact time of joining would link an account
// to activity elsewhere.
func month(t time.Time) time.Time {
	year, month, _ := t.UTC().Date()
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}
