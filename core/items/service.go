// Package items is the catalogue of the game's items: names, completion, prices and odds.
package items

import (
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// Service answers queries about the catalogue.
type Service struct {
	store     Store
	run       core.Runner[Tx]
	now       func() time.Time
	forms     core.TextForms
	features  core.Features
	game      game.Game
	suggested []string
	prices    pricesInUse
	odds      oddsInUse
	beyond    *ordersBeyond
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	g game.Game,
	suggested []string,
) *Service {
	return &Service{
		store:     store,
		run:       run,
		now:       env.Now,
		forms:     env.Forms,
		features:  env.Features,
		game:      g,
		suggested: suggested,
		beyond:    &ordersBeyond{},
	}
}
