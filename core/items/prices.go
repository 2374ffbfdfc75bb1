package items

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

// ItemPrices returns the prices that an item was traded for over the last 7, 30 and 90 days, with daily also
// day by day, and the prices that open requests offer. PriceOf documents the minimum data. It fails with
// NotFound.
func (m *Service) ItemPrices(ctx context.Context, id core.ItemID, daily bool) (ItemPrices, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return ItemPrices{}, err
	}
	item, known := index.Item(id)
	if !m.features.Prices || !known || !item.Known() {
		return ItemPrices{}, ItemNotFound()
	}
	keys, now := index.KeysOf(index.NamesOf(item.ID)), m.now()
	prices, err := m.PricesOf(ctx, item.ID, keys, now)
	if err != nil {
		return ItemPrices{}, err
	}
	prices.Item = item
	if !daily {
		prices.Days = nil
	}
	if prices.Asked, known = m.prices.latestAsked(item.ID, now); known {
		return prices, nil
	}
	if prices.Asked, err = m.store.Asked(ctx, keys, 0, now); err != nil {
		return ItemPrices{}, fmt.Errorf("what is asked for item %d: %w", id, err)
	}
	m.prices.putAsked(item.ID, prices.Asked, now)
	return prices, nil
}

// PricesOf returns the prices of an item, as they were read before where these are still right.
func (m *Service) PricesOf(
	ctx context.Context, id core.ItemID, keys []string, now time.Time,
) (ItemPrices, error) {
	entry, known := m.prices.get(id)
	traded := m.store.TradedSince(ctx, entry.mark)
	if !known || !slices.Equal(entry.keys, keys) {
		return m.readPrices(ctx, id, keys, traded.Mark, now)
	}
	changed := traded.Any || slices.ContainsFunc(traded.Names,
		func(name string) bool { return slices.Contains(keys, m.forms.FoldItem(name)) })
	age := now.Sub(entry.at)
	switch {
	case !changed && !traded.Behind && !now.Before(entry.at) && now.Before(entry.validUntil):
		m.prices.seen(id, entry.mark, traded.Mark)
	case !entry.many || age < 0 || age > 10*PricesFor:
		return m.readPrices(ctx, id, keys, traded.Mark, now)
	case (traded.Any || age > PricesFor) && m.prices.refresh(id, true):
		go func() {
			if _, err := m.readPrices(context.WithoutCancel(ctx), id, keys, traded.Mark, now); err != nil {
				m.prices.refresh(id, false) // those in use stay
			}
		}()
	}
	return entry.prices, nil
}

// readPrices reads the prices of an item, of which all trades before a mark are known.
func (m *Service) readPrices(
	ctx context.Context, id core.ItemID, keys []string, mark uint64, now time.Time,
) (ItemPrices, error) {
	established, err := m.store.CountEstablished(ctx)
	if err != nil {
		return ItemPrices{}, fmt.Errorf("count established traders: %w", err)
	}
	fills, err := m.store.Fills(ctx, keys, now.Add(-fillsFor))
	if err != nil {
		return ItemPrices{}, fmt.Errorf("fills of item %d: %w", id, err)
	}
	prices := ItemPrices{Young: established < YoungMarketTraders}
	prices.Lowest = lowestPaid(Since(fills, now.Add(-oddsFor)), prices.Young)
	prices.Windows, prices.Days = priceWindows(fills, prices.Young, now), priceByDay(fills, prices.Young, now)
	m.prices.put(id, pricesEntry{
		prices: prices, keys: keys, mark: mark, at: now, validUntil: pricesUntil(fills, now),
		many: len(fills) >= manyFills,
	})
	return prices, nil
}

// FillUsual fills in the usual price of a line that says none. It reports whether there is one.
func (m *Service) FillUsual(ctx context.Context, index *ItemIndex, fix *LineFix) (bool, error) {
	if !fix.Usual {
		return true, nil
	}
	item, known := index.Named(fix.ItemName)
	if !known || !m.features.Prices {
		return false, nil
	}
	prices, err := m.PricesOf(ctx, item.ID, index.KeysOf(index.NamesOf(item.ID)), m.now())
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
func (m *Service) ForgetPrices() { m.prices.forget() }
