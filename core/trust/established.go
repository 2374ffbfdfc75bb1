package trust

import (
	"time"

	"tradepost/core"
)

// EstablishedPartners is the number of different established traders that a user must have traded with to
// become one.
const EstablishedPartners = 3

// TraderOrigin says how a user became an established trader. It is empty for users who did before it was
// stored.
type TraderOrigin string

// The origins. Moderators and users they vouch for are the first; all others become established by trading
// with established traders.
const (
	OriginModerator TraderOrigin = "moderator"
	OriginVouched   TraderOrigin = "vouched"
	OriginTrades    TraderOrigin = "trades"
)

// TraderOrigins lists every origin.
var TraderOrigins = []TraderOrigin{OriginModerator, OriginVouched, OriginTrades}

// Trades lists when a user first traded with each of their established partners, in accepts that can no
// longer be undone.
type Trades struct {
	User     core.UserID
	Partners []time.Time // the earliest, EstablishedPartners at most
}

// Established returns the time of the accept with which they became an established trader: the one with the
// third different partner who was established by then. They stay one.
func (t Trades) Established() (time.Time, bool) {
	if len(t.Partners) < EstablishedPartners {
		return time.Time{}, false
	}
	return t.Partners[EstablishedPartners-1], true
}

// NewTrader is a user who became an established trader at a time.
type NewTrader struct {
	User core.UserID
	At   time.Time
}
