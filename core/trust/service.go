// Package trust covers established traders, records of traders' handovers, names that look alike and sellers
// that buyers block. It reads rows of ids and knows no orders.
package trust

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// Service keeps records and established traders.
type Service struct {
	store        Store
	run          core.Runner[Tx]
	now          func() time.Time
	forms        core.TextForms
	features     core.Features
	quotas       core.Quotas
	moderators   people.Moderators
	traders      *Traders
	ringsChanged func()
	namesChanged func()
	notify       *notify.Service
	people       *people.Service
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	moderators people.Moderators,
	traders *Traders,
	ringsChanged func(),
	namesChanged func(),
	notify *notify.Service,
	people *people.Service,
) *Service {
	return &Service{
		store:        store,
		run:          run,
		now:          env.Now,
		forms:        env.Forms,
		features:     env.Features,
		quotas:       env.Quotas,
		moderators:   moderators,
		traders:      traders,
		ringsChanged: ringsChanged,
		namesChanged: namesChanged,
		notify:       notify,
		people:       people,
	}
}
