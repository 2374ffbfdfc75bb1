// Package trade has requests, the offers on them, and the trades that come of them.
package trade

import (
	"io"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trust"
)

// Service runs the acts of trade: those on orders, on offers and on handovers, each group upon the one
// before it.
type Service struct{ *handoverActs }

// handoverActs are what both sides of an accept say and see.
type handoverActs struct{ *offerActs }

// offerActs are offers and their answers: accepts, sales, terms and undo.
type offerActs struct{ *orderActs }

// orderActs are what buyers do with their requests.
type orderActs struct {
	store Store
	run   core.Runner[Tx]
	// trades runs writes that may have consequences in later packages.
	trades     core.Runner[Scope]
	now        func() time.Time
	forms      core.TextForms
	features   core.Features
	quotas     core.Quotas
	random     io.Reader
	game       game.Game
	moderators people.Moderators
	traders    *trust.Traders
	items      *items.Service
	notify     *notify.Service
	people     *people.Service
	trust      *trust.Service
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	trades core.Runner[Scope],
	g game.Game,
	moderators people.Moderators,
	traders *trust.Traders,
	items *items.Service,
	notify *notify.Service,
	people *people.Service,
	trust *trust.Service,
) *Service {
	return &Service{&handoverActs{&offerActs{&orderActs{
		store:      store,
		run:        run,
		trades:     trades,
		now:        env.Now,
		forms:      env.Forms,
		features:   env.Features,
		quotas:     env.Quotas,
		random:     env.Random,
		game:       g,
		moderators: moderators,
		traders:    traders,
		items:      items,
		notify:     notify,
		people:     people,
		trust:      trust,
	}}}}
}
