package items

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

// Prices are cached until a trade of the item changes, or a trade becomes too old for a window. A
// much-traded item's prices are used for PricesFor even so, and while they are refreshed: that takes long,
// and no single trade changes them noticeably.
const (
	PricesFor = time.Minute
	manyFills = 2000
	manyAsked = 500 // with so many buyers, the asked prices of an item are cached for as long
	maxItems  = 2000
)

// readPrices are the prices of an item as they were read.
type readPrices struct {
	Prices
	at   time.Time
	many bool
}

// Prices returns the prices that an item was traded for over the last 7, 30 and 90 days, with daily also
// day by day, and the prices that open requests offer. PriceOf documents the minimum data. It fails with
// NotFound.
func (m *Service) Prices(ctx context.Context, id core.ItemID, daily bool) (Prices, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return Prices{}, err
	}
	item, known := index.Item(id)
	if !m.features.Prices || !known || !item.Known() {
		return Prices{}, NotFound()
	}
	keys, now := index.KeysOf(index.NamesOf(item.ID)), m.now()
	prices, err := m.PricesOf(ctx, keys, now)
	if err != nil {
		return Prices{}, err
	}
	prices.Item = item
	if !daily {
		prices.Days = nil
	}
	entry := m.asked.Of(item.ID, func() *cache.Entry[Asked] {
		return cache.NewEntry[Asked](m.store.Cache(), cache.Orders)
	})
	if prices.Asked, known = entry.Within(PricesFor, now); known && prices.Asked.Buyers >= manyAsked {
		return prices, nil
	}
	prices.Asked, err = entry.Reload(ctx, now, func(ctx context.Context) (Asked, time.Time, error) {
		asked, err := m.store.Asked(ctx, keys, 0, now)
		return asked, now, err // it is used for no other call, unless there are many
	})
	if err != nil {
		return Prices{}, fmt.Errorf("what is asked for item %d: %w", id, err)
	}
	return prices, nil
}

// PricesOf returns the prices of an item, found by the keys of its names.
func (m *Service) PricesOf(ctx context.Context, keys []string, now time.Time) (Prices, error) {
	prices, err := m.pricesOfAll(ctx, [][]string{keys}, now)
	if err != nil {
		return Prices{}, err
	}
	return prices[0], nil
}

// pricesOfAll returns the prices of several items, each found by the keys of its names. Those that are not
// cached are read together.
func (m *Service) pricesOfAll(ctx context.Context, keys [][]string, now time.Time) ([]Prices, error) {
	prices := make([]Prices, len(keys))
	var places []int
	var entries []*cache.Entry[readPrices]
	for i, of := range keys {
		entry := m.prices.Of(strings.Join(of, "\n"), func() *cache.Entry[readPrices] {
			return cache.NewTradesEntry[readPrices](m.store.Cache(),
				func(name string) bool { return slices.Contains(of, m.forms.FoldItem(name)) })
		})
		if read, known := entry.Within(10*PricesFor, now); known && read.many {
			if now.Sub(read.at) > PricesFor {
				if _, fresh := entry.Fresh(now); !fresh {
					entry.ReloadLater(ctx, now, // those in use stay when it fails
						func(ctx context.Context) (readPrices, time.Time, error) {
							read, err := m.readPrices(ctx, [][]string{of}, now)
							if err != nil {
								return readPrices{}, time.Time{}, err
							}
							return read[0].Value, read[0].ValidUntil, nil
						})
				}
			}
			prices[i] = read.Prices
			continue
		}
		places, entries = append(places, i), append(entries, entry)
	}
	read, err := cache.GetAll(ctx, now, entries,
		func(ctx context.Context, missing []int) ([]cache.Loaded[readPrices], error) {
			return m.readPrices(ctx, picked(keys, picked(places, missing)), now)
		})
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		prices[i] = read[n].Prices
	}
	return prices, nil
}

// readPrices reads the prices of items, and until when they are right if no trade changes.
func (m *Service) readPrices(
	ctx context.Context, keys [][]string, now time.Time,
) ([]cache.Loaded[readPrices], error) {
	young, err := m.store.Young(ctx)
	if err != nil {
		return nil, fmt.Errorf("whether the market is young: %w", err)
	}
	latest, err := m.store.Fills(ctx, slices.Concat(keys...), now.Add(-fillsFor))
	if err != nil {
		return nil, fmt.Errorf("fills of %v: %w", keys, err)
	}
	read := make([]cache.Loaded[readPrices], len(keys))
	for i, all := range fillsByKeys(latest, keys) {
		prices := Prices{Young: young}
		fills, onTheirWay := settledFills(all, now)
		prices.OnTheirWay = onTheirWay
		prices.Lowest = lowestPaid(Since(fills, now.Add(-oddsFor)), prices.Young)
		prices.Windows = priceWindows(fills, prices.Young, now)
		prices.Days = priceByDay(fills, prices.Young, now)
		read[i] = cache.Loaded[readPrices]{
			Value: readPrices{prices, now, len(all) >= manyFills}, ValidUntil: pricesUntil(all, now)}
	}
	return read, nil
}

// fillsByKeys returns the fills of each item, in their order, by the keys of its names.
func fillsByKeys(latest []NamedFill, keys [][]string) [][]Fill {
	places := map[string][]int{}
	for i, of := range keys {
		for _, key := range of {
			if !slices.Contains(places[key], i) {
				places[key] = append(places[key], i)
			}
		}
	}
	fills := make([][]Fill, len(keys))
	for _, f := range latest {
		for _, i := range places[f.Key] {
			fills[i] = append(fills[i], f.Fill)
		}
	}
	return fills
}

// FillUsual fills in the usual price of a line that says none. It reports whether there is one.
func (m *Service) FillUsual(ctx context.Context, index *Index, fix *LineFix) (bool, error) {
	if !fix.Usual {
		return true, nil
	}
	item, known := index.Named(fix.ItemName)
	if !known || !m.features.Prices {
		return false, nil
	}
	prices, err := m.PricesOf(ctx, index.KeysOf(index.NamesOf(item.ID)), m.now())
	if err != nil {
		return false, fmt.Errorf("prices of item %d: %w", item.ID, err)
	}
	usual := prices.Usual()
	if usual == nil {
		return false, nil
	}
	fix.Price = usual.Price.Median
	return true, nil
}

// ForgetPrices has prices read again: which accounts count has changed.
func (m *Service) ForgetPrices() { m.prices.Clear() }
