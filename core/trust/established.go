package trust

import (
	"time"

	"tradepost/core"
)

// TraderOrigin says how a user became an established trader. It is empty for users who did before it was
// stored.
type TraderOrigin string

// The origins. Moderators and users they vouch for are the first, whom trust flows from; all others are
// established while they are trusted.
const (
	OriginModerator TraderOrigin = "moderator"
	OriginVouched   TraderOrigin = "vouched"
	OriginTrades    TraderOrigin = "trades"
)

// TraderOrigins lists every origin.
var TraderOrigins = []TraderOrigin{OriginModerator, OriginVouched, OriginTrades}

// NewTrader is a user who became an established trader at a time.
type NewTrader struct {
	User core.UserID
	At   time.Time
}
