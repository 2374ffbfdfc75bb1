// Package match brings requests and sellers together: searches, stock, alerts and the report of unmet demand.
package match

import (
	"io"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// Service finds requests for sellers, and alerts them: searches, stock and alerts, each group upon the one
// before it.
type Service struct{ *alertActs }

// alertActs are alerts to requests that fit saved searches or stock.
type alertActs struct{ *stockActs }

// stockActs are what sellers say they have.
type stockActs struct{ *searchActs }

// searchActs are lists of requests and saved searches.
type searchActs struct {
	store     Store
	run       core.Runner[Tx]
	asks      core.Runner[AskTx]
	now       func() time.Time
	forms     core.TextForms
	features  core.Features
	quotas    core.Quotas
	random    io.Reader
	game      game.Game
	suggested []string
	wanted    *lastWanted
	items     *items.Service
	notify    *notify.Service
	people    *people.Service
	trade     *trade.Service
	trust     *trust.Service
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	asks core.Runner[AskTx],
	g game.Game,
	suggested []string,
	items *items.Service,
	notify *notify.Service,
	people *people.Service,
	trade *trade.Service,
	trust *trust.Service,
) *Service {
	return &Service{&alertActs{&stockActs{&searchActs{
		store:     store,
		run:       run,
		asks:      asks,
		now:       env.Now,
		forms:     env.Forms,
		features:  env.Features,
		quotas:    env.Quotas,
		random:    env.Random,
		game:      g,
		suggested: suggested,
		wanted:    &lastWanted{},
		items:     items,
		notify:    notify,
		people:    people,
		trade:     trade,
		trust:     trust,
	}}}}
}
