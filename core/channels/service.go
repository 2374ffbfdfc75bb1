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
	store       Store
	run         core.Runner[Tx]
	now         func() time.Time
	features    core.Features
	quotas      core.Quotas
	moderators  people.Moderators
	steady      func() time.Duration
	noticeEnded func(notify.Notice)
	mark        func(Delivery) Delivery
	match       *match.Service
	moderation  *moderation.Service
	notify      *notify.Service
	people      *people.Service
	trade       *trade.Service
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	moderators people.Moderators,
	steady func() time.Duration,
	noticeEnded func(notify.Notice),
	mark func(Delivery) Delivery,
	match *match.Service,
	moderation *moderation.Service,
	notify *notify.Service,
	people *people.Service,
	trade *trade.Service,
) *Service {
	return &Service{
		store:       store,
		run:         run,
		now:         env.Now,
		features:    env.Features,
		quotas:      env.Quotas,
		moderators:  moderators,
		steady:      steady,
		noticeEnded: noticeEnded,
		mark:        mark,
		match:       match,
		moderation:  moderation,
		notify:      notify,
		people:      people,
		trade:       trade,
	}
}
