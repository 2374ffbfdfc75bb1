// Package moderation has reports, removals, blocks and decisions on names, each with its entry in the log.
package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// Service runs the moderators' actions.
type Service struct {
	store      Store
	run        core.Runner[Tx]
	now        func() time.Time
	forms      core.TextForms
	features   core.Features
	quotas     core.Quotas
	moderators people.Moderators
	traders    *trust.Traders
	learn      func(context.Context)
	items      *items.Service
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
	traders *trust.Traders,
	learn func(context.Context), // reads which names are allowed now
	items *items.Service,
	notify *notify.Service,
	people *people.Service,
	trade *trade.Service,
) *Service {
	return &Service{
		store:      store,
		run:        run,
		now:        env.Now,
		forms:      env.Forms,
		features:   env.Features,
		quotas:     env.Quotas,
		moderators: moderators,
		traders:    traders,
		learn:      learn,
		items:      items,
		notify:     notify,
		people:     people,
		trade:      trade,
	}
}
