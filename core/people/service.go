// Package people keeps accounts: Discord accounts, sessions, skills, memberships, and who is a moderator.
package people

import (
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// Service runs the users' actions on their accounts.
type Service struct {
	store      Store
	run        core.Runner[Tx]
	now        func() time.Time
	game       game.Game
	moderators Moderators
	languages  []string // that users can choose
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	g game.Game,
	moderators Moderators,
	languages []string,
) *Service {
	return &Service{
		store:      store,
		run:        run,
		now:        env.Now,
		game:       g,
		moderators: moderators,
		languages:  languages,
	}
}
