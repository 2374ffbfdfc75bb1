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
	all, err := m.OddsOfItems(ctx, []core.ItemID{id})
	if err != nil {
		return Odds{}, err
	}
	odds, known := all[id]
	if !known {
		return Odds{}, NotFound()
	}
	return odds, nil
}

// OddsOfItems returns the odds of several items, as Odds does; those that have none are left out. What is not
// cached is read together: the trades of all, and the requests of all.
func (m *Service) OddsOfItems(ctx context.Context, ids []core.ItemID) (map[core.ItemID]Odds, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return nil, err
	}
	all := map[core.ItemID]Odds{}
	var named []Item
	var own [][]string // the keys of each
	for _, id := range ids {
		item, known := index.Item(id)
		if _, twice := all[id]; twice || !m.features.Prices || !known || !item.Known() {
			continue
		}
		all[id] = Odds{Item: item}
		named, own = append(named, item), append(own, index.KeysOf(index.NamesOf(id)))
	}
	if len(named) == 0 {
		return nil, nil
	}
	now := m.now()
	prices, err := m.pricesOfAll(ctx, own, now)
	if err != nil {
		return nil, err
	}
	if prices[0].Young { // anybody may have made them
		return all, nil
	}
	asked := make([]oddsQuery, len(named))
	for i, item := range named {
		asked[i] = oddsQuery{item: item,
			keys: slices.Concat(own[i], index.KeysOf(index.namesOfKind(item.Kind)))}
		if window := prices[i].Usual(); window != nil {
			asked[i].usual = window.Price.Median
		}
	}
	read, err := m.cachedOdds(ctx, index, asked, now)
	if err != nil {
		return nil, fmt.Errorf("odds of %d items: %w", len(named), err)
	}
	for i, item := range named {
		odds := Odds{Item: item, Steps: read[i].steps}
		if window := prices[i].Usual(); window != nil {
			odds.Near = filledAt(read[i].own, window.Price.Low, window.Price.Median, window.Price.High)
		}
		all[item.ID] = odds.from(prices[i].Lowest)
	}
	return all, nil
}

// oddsQuery asks for the odds of an item.
type oddsQuery struct {
	item  Item
	keys  []string // of the names that they are made of: its own and those of its kind
	usual core.Copper
}

// cachedOdds returns the odds of items. Those that are not cached are read together.
func (m *Service) cachedOdds(
	ctx context.Context, index *Index, asked []oddsQuery, now time.Time,
) ([]readOdds, error) {
	entries := make([]*cache.Entry[readOdds], len(asked))
	for i, q := range asked {
		add := func() *cache.Entry[readOdds] { return cache.NewEntry[readOdds](m.store.Cache(), cache.Never) }
		entries[i] = m.odds.Of(q.item.ID, add)
		if read, known := entries[i].Latest(); known && !slices.Equal(read.keys, q.keys) {
			m.odds.Drop(q.item.ID)
			entries[i] = m.odds.Of(q.item.ID, add)
		}
	}
	return cache.GetAll(ctx, now, entries,
		func(ctx context.Context, missing []int) ([]cache.Loaded[readOdds], error) {
			return m.readOdds(ctx, index, picked(asked, missing), now)
		})
}

func picked[V any](all []V, places []int) []V {
	some := make([]V, len(places))
	for n, i := range places {
		some[n] = all[i]
	}
	return some
}

// readOdds reads the odds of items and the results of their requests, from requests for items of the same
// names and kinds. Items of one kind share what is read.
func (m *Service) readOdds(
	ctx context.Context, index *Index, asked []oddsQuery, now time.Time,
) ([]cache.Loaded[readOdds], error) {
	market, err := m.marketOdds(ctx, index, now)
	if err != nil {
		return nil, err
	}
	var groups [][]string
	group := make([]int, len(asked)) // of each item
	ofKind := map[string]int{}
	for i, q := range asked {
		at, shared := ofKind[q.item.Kind]
		if q.item.Kind == "" || !shared {
			at = len(groups)
			groups = append(groups, nil)
			ofKind[q.item.Kind] = at
		}
		group[i] = at
		groups[at] = append(groups[at], q.keys...)
	}
	for at, keys := range groups {
		slices.Sort(keys)
		groups[at] = slices.Compact(keys)
	}
	outcomes, err := m.store.Outcomes(ctx, groups, now.Add(-oddsFor), now.Add(-oddsAge))
	if err != nil {
		return nil, err
	}
	grouped := make([]map[core.ItemID]*oddsGroup, len(groups))
	for at := range groups {
		grouped[at] = groupOutcomes(outcomes[at], index)
	}
	read := make([]cache.Loaded[readOdds], len(asked))
	for i, q := range asked {
		var own oddsGroup
		var kind []oddsGroup
		for id, g := range grouped[group[i]] {
			if id == q.item.ID {
				own = *g
			}
			if q.item.Kind != "" && g.kind == q.item.Kind {
				kind = append(kind, *g)
			}
		}
		read[i] = cache.Loaded[readOdds]{
			Value:      readOdds{market.of(own, kind, q.usual), own.outcomes, q.keys},
			ValidUntil: now.Add(oddsUsedFor)}
	}
	return read, nil
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
	outcomes, err := m.store.MarketOutcomes(ctx, now.Add(-oddsFor), now.Add(-oddsAge))
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
