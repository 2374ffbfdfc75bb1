// Package notify keeps notices. A notice is a kind, ids and texts for one reader; a mailbox says when it
// may be sent.
package notify

import (
	"time"

	"tradepost/core"
)

// Service keeps notices and the inbox.
type Service struct {
	store       Store
	run         core.Runner[Tx]
	now         func() time.Time
	redrawEvery time.Duration
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	redrawEvery time.Duration,
) *Service {
	return &Service{
		store:       store,
		run:         run,
		now:         env.Now,
		redrawEvery: redrawEvery,
	}
}
