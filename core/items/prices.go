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
	entry := m.prices.Of(strings.Join(keys, "\n"), func() *cache.Entry[readPrices] {
		return cache.NewTradesEntry[readPrices](m.store.Cache(),
			func(name string) bool { return slices.Contains(keys, m.forms.FoldItem(name)) })
	})
	load := func(ctx context.Context) (readPrices, time.Time, error) { return m.readPrices(ctx, keys, now) }
	if read, known := entry.Within(10*PricesFor, now); known && read.many {
		if now.Sub(read.at) > PricesFor {
			if _, fresh := entry.Fresh(now); !fresh {
				entry.ReloadLater(ctx, now, load) // those in use stay when it fails
			}
		}
		return read.Prices, nil
	}
	read, err := entry.Get(ctx, now, load)
	return read.Prices, err
}

// readPrices reads the prices of an item, and until when they are right if no trade changes.
func (m *Service) readPrices(
	ctx context.Context, keys []string, now time.Time,
) (readPrices, time.Time, error) {
	young, err := m.store.Young(ctx)
	if err != nil {
		return readPrices{}, time.Time{}, fmt.Errorf("whether the market is young: %w", err)
	}
	all, err := m.store.Fills(ctx, keys, now.Add(-fillsFor))
	if err != nil {
		return readPrices{}, time.Time{}, fmt.Errorf("fills of %v: %w", keys, err)
	}
	prices := Prices{Young: young}
	fills, onTheirWay := settledFills(all, now)
	prices.OnTheirWay = onTheirWay
	prices.Lowest = lowestPaid(Since(fills, now.Add(-oddsFor)), prices.Young)
	prices.Windows, prices.Days = priceWindows(fills, prices.Young, now), priceByDay(fills, prices.Young, now)
	return readPrices{prices, now, len(all) >= manyFills}, pricesUntil(all, now), nil
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
