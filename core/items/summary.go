package items

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

// Completions and the list show a summary of each item. The summaries of all items are read together and
// cached, so that a completion and each sort of the list read nothing.
const (
	// summariesFor is how long summaries are used before they are read again in the background.
	summariesFor = 2 * time.Minute
	// maxSummaryNames and maxSummaryFills limit the rows that are read: the names that most requests have,
	// and the latest accepts of the market.
	maxSummaryNames = 20_000
	maxSummaryFills = 20_000
)

// NamedFill is a fill with the folded name of its item.
type NamedFill struct {
	Key string
	Fill
}

// Summaries returns the summaries of the items that have open requests or a price. They may be some minutes
// old. A market that cannot read them has none.
func (m *Service) Summaries(ctx context.Context) map[core.ItemID]Summary {
	read, err := m.latestSummaries(ctx, m.now())
	if err != nil {
		return nil
	}
	return read
}

func (m *Service) latestSummaries(ctx context.Context, now time.Time) (map[core.ItemID]Summary, error) {
	if fresh, ok := m.summaries.Fresh(now); ok {
		return fresh, nil
	}
	wait := m.summaries.ReloadLater(ctx, now, func(
		ctx context.Context,
	) (map[core.ItemID]Summary, time.Time, error) {
		read, err := m.readSummaries(ctx, now)
		return read, now.Add(summariesFor), err
	})
	if latest, ok := m.summaries.Latest(); ok {
		return latest, nil
	}
	return wait(ctx)
}

// ItemPrice is an item with its usual price.
type ItemPrice struct {
	Item  Item
	Usual PriceWindow // its Price is never nil
}

// UsualPrices returns the items that have a price, by their ids: those with some ids alone, or all. They may
// be some minutes old.
func (m *Service) UsualPrices(ctx context.Context, ids []core.ItemID) ([]ItemPrice, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return nil, err
	}
	summaries, err := m.latestSummaries(ctx, m.now())
	if err != nil {
		return nil, fmt.Errorf("summaries of items: %w", err)
	}
	var prices []ItemPrice
	for id, s := range summaries {
		item, known := index.Item(id)
		if s.Usual != nil && known && item.Known() && (ids == nil || slices.Contains(ids, id)) {
			prices = append(prices, ItemPrice{item, *s.Usual})
		}
	}
	slices.SortFunc(prices, func(a, b ItemPrice) int { return cmp.Compare(a.Item.ID, b.Item.ID) })
	return prices, nil
}

func (m *Service) readSummaries(ctx context.Context, now time.Time) (map[core.ItemID]Summary, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return nil, err
	}
	open, err := m.store.OpenByName(ctx, now, maxSummaryNames)
	if err != nil {
		return nil, fmt.Errorf("count open requests by name: %w", err)
	}
	summaries := map[core.ItemID]Summary{}
	for name, requests := range open {
		if item, known := index.Named(name); known {
			s := summaries[item.ID]
			s.Open += requests
			summaries[item.ID] = s
		}
	}
	if !m.features.Prices {
		return summaries, nil
	}
	young, err := m.store.Young(ctx)
	if err != nil {
		return nil, fmt.Errorf("whether the market is young: %w", err)
	}
	latest, err := m.store.LatestFills(ctx, now.Add(-fillsFor), maxSummaryFills)
	if err != nil {
		return nil, fmt.Errorf("latest fills: %w", err)
	}
	for id, usual := range usualPrices(latest, index, young, now) {
		s := summaries[id]
		s.Traded, s.Usual = usual.Price.Median, usual
		summaries[id] = s
	}
	return summaries, nil
}

// usualPrices returns the usual price of each item that has one, from fills that are the latest first.
func usualPrices(
	latest []NamedFill, index *Index, young bool, now time.Time,
) map[core.ItemID]*PriceWindow {
	fills := map[core.ItemID][]Fill{}
	for _, f := range latest {
		if item, known := index.Named(f.Key); known {
			fills[item.ID] = append(fills[item.ID], f.Fill)
		}
	}
	prices := map[core.ItemID]*PriceWindow{}
	for id, all := range fills {
		settled, _ := settledFills(all, now)
		if usual := (Prices{Windows: priceWindows(settled, young, now)}).Usual(); usual != nil {
			prices[id] = usual
		}
	}
	return prices
}
