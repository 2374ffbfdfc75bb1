// Package channels keeps Discord's channels and threads in step, and delivers notices.
package channels

import (
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Service delivers notices and keeps Discord's channels in step.
type Service struct {
	*Deliverer

	store      Store
	run        core.Runner[Tx]
	now        func() time.Time
	moderators people.Moderators
	match      *match.Service
	moderation *moderation.Service
	notify     *notify.Service
	people     *people.Service
	trade      *trade.Service
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	moderators people.Moderators,
	deliverer *Deliverer,
	match *match.Service,
	moderation *moderation.Service,
	notify *notify.Service,
	people *people.Service,
	trade *trade.Service,
) *Service {
	return &Service{
		Deliverer:  deliverer,
		store:      store,
		run:        run,
		now:        env.Now,
		moderators: moderators,
		match:      match,
		moderation: moderation,
		notify:     notify,
		people:     people,
		trade:      trade,
	}
}
