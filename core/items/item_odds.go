package items

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

// Odds come from requests that are a week old or more, so they are cached: an item's odds for oddsUsedFor,
// the market's for marketOddsFor and while they are refreshed.
const (
	oddsUsedFor   = 10 * time.Minute
	marketOddsFor = time.Hour
)

// readOdds are the odds of an item as they were read.
type readOdds struct {
	steps []OddsStep
	own   []Outcome // of the item itself
	keys  []string  // of the names that they are made of
}

// Odds returns how likely requests for an item are filled, by price. While the market is young it has no
// steps. It fails with NotFound.
func (m *Service) Odds(ctx context.Context, id core.ItemID) (Odds, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return Odds{}, err
	}
	item, known := index.Item(id)
	if !m.features.Prices || !known || !item.Known() {
		return Odds{}, NotFound()
	}
	own, now := index.KeysOf(index.NamesOf(item.ID)), m.now()
	prices, err := m.PricesOf(ctx, own, now)
	if err != nil {
		return Odds{}, err
	}
	odds := Odds{Item: item}
	if prices.Young { // anybody may have made them
		return odds, nil
	}
	keys := slices.Concat(own, index.KeysOf(index.namesOfKind(item.Kind)))
	entry := m.odds.Of(item.ID, func() *cache.Entry[readOdds] {
		return cache.NewEntry[readOdds](m.store.Cache(), cache.Never)
	})
	read, fresh := entry.Fresh(now)
	if !fresh || !slices.Equal(read.keys, keys) {
		usual := core.Copper(0)
		if window := prices.Usual(); window != nil {
			usual = window.Price.Median
		}
		wait := entry.ReloadLater(ctx, now, func(ctx context.Context) (readOdds, time.Time, error) {
			steps, own, err := m.readOdds(ctx, index, item, keys, usual, now)
			return readOdds{steps, own, keys}, now.Add(oddsUsedFor), err
		})
		if read, err = wait(ctx); err != nil {
			return Odds{}, fmt.Errorf("odds of item %d: %w", id, err)
		}
	}
	odds.Steps = read.steps
	if window := prices.Usual(); window != nil {
		odds.Near = filledAt(read.own, window.Price.Low, window.Price.Median, window.Price.High)
	}
	return odds.from(prices.Lowest), nil
}

// readOdds reads the odds of an item and the results of its requests, from requests for items with one of the
// keys.
func (m *Service) readOdds(
	ctx context.Context, index *Index, item Item, keys []string, usual core.Copper, now time.Time,
) (steps []OddsStep, outcomesOfItem []Outcome, err error) {
	market, err := m.marketOdds(ctx, index, now)
	if err != nil {
		return nil, nil, err
	}
	outcomes, err := m.store.Outcomes(ctx, keys, now.Add(-oddsFor), now.Add(-oddsAge))
	if err != nil {
		return nil, nil, err
	}
	var own oddsGroup
	var kind []oddsGroup
	for id, g := range groupOutcomes(outcomes, index) {
		if id == item.ID {
			own = *g
		}
		if item.Kind != "" && g.kind == item.Kind {
			kind = append(kind, *g)
		}
	}
	return market.of(own, kind, usual), own.outcomes, nil
}

// marketOdds returns the odds of the market, cached where they were read lately. A reading goes on when a
// caller stops waiting for it: callers that suggest prices have little time, and the next one finds it done.
func (m *Service) marketOdds(ctx context.Context, index *Index, now time.Time) (*marketOdds, error) {
	if market, fresh := m.market.Fresh(now); fresh {
		return market, nil
	}
	read := m.market.ReloadLater(ctx, now, func(ctx context.Context) (*marketOdds, time.Time, error) {
		market, err := m.readMarketOdds(ctx, index, now)
		return market, now.Add(marketOddsFor), err
	})
	if market, known := m.market.Within(24*marketOddsFor, now); known {
		return market, nil
	}
	return read(ctx)
}

func (m *Service) readMarketOdds(ctx context.Context, index *Index, now time.Time) (*marketOdds, error) {
	outcomes, err := m.store.Outcomes(ctx, nil, now.Add(-oddsFor), now.Add(-oddsAge))
	if err != nil {
		return nil, fmt.Errorf("odds of the market: %w", err)
	}
	var unknown map[string]*oddsGroup // by key: each name outside the catalogue is an item of its own
	groups := []oddsGroup{}
	for id, g := range groupOutcomes(outcomes, index) {
		if id != 0 {
			groups = append(groups, *g)
			continue
		}
		unknown = map[string]*oddsGroup{}
		for _, o := range g.outcomes {
			if unknown[o.Key] == nil {
				unknown[o.Key] = &oddsGroup{}
			}
			unknown[o.Key].outcomes = append(unknown[o.Key].outcomes, o)
		}
	}
	for _, g := range unknown {
		groups = append(groups, *g)
	}
	return newMarketOdds(groups), nil
}

// groupOutcomes returns the outcomes of trusted buyers by item; those without an item of the catalogue are
// under 0.
func groupOutcomes(outcomes []Outcome, index *Index) map[core.ItemID]*oddsGroup {
	groups := map[core.ItemID]*oddsGroup{}
	for _, o := range outcomes {
		if o.Trust == 0 {
			continue
		}
		item, _ := index.Named(o.Key)
		if groups[item.ID] == nil {
			groups[item.ID] = &oddsGroup{kind: item.Kind}
		}
		groups[item.ID].outcomes = append(groups[item.ID].outcomes, o)
	}
	return groups
}
