// Package items is the catalogue of the game's items: names, completion, prices and odds.
package items

import (
	"time"

	"tradepost/core"
	"tradepost/core/cache"
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

	prices cache.Entries[string, readPrices] // by the keys of an item
	asked  cache.Entries[core.ItemID, Asked] // of items that many buyers ask for
	odds   cache.Entries[core.ItemID, readOdds]
	market *cache.Entry[*marketOdds]    // the odds of all items
	beyond *cache.Entry[[]core.OrderID] // the requests far beyond the known price
	// of the items that have open requests or a price
	summaries *cache.Entry[map[core.ItemID]Summary]
	history   *cache.Entry[readHistory]
}

// New returns the service of a market.
func New(
	env core.Env,
	store Store,
	run core.Runner[Tx],
	g game.Game,
	suggested []string,
) *Service {
	timed := cache.New(nil) // of values that no change makes stale
	s := &Service{
		store:     store,
		run:       run,
		now:       env.Now,
		forms:     env.Forms,
		features:  env.Features,
		game:      g,
		suggested: suggested,
		market:    cache.NewEntry[*marketOdds](timed, cache.Never),
		beyond:    cache.NewEntry[[]core.OrderID](timed, cache.Never),
		summaries: cache.NewEntry[map[core.ItemID]Summary](timed, cache.Never),
		history:   cache.NewEntry[readHistory](timed, cache.Never),
	}
	s.prices.Most, s.asked.Most, s.odds.Most = maxItems, maxItems, maxItems
	return s
}
