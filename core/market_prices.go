package core

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// PricesFor is for how long the prices of a much-traded item are used again. Reading its fills takes long, and none of them alone
// changes what they come to.
const (
	PricesFor      = time.Minute
	manyFills      = 2000
	maxPricesInUse = 100
)

// pricesInUse are the prices of much-traded items. It is safe for concurrent use.
type pricesInUse struct {
	mu    sync.Mutex
	items map[pricesKey]*pricesEntry
}

type pricesKey struct {
	item  ItemID
	daily bool
}

type pricesEntry struct {
	prices     ItemPrices
	at         time.Time
	refreshing bool
}

// get returns the prices of an item as long as they may be used, and whether the caller is the one to read them again meanwhile.
func (p *pricesInUse) get(key pricesKey, now time.Time) (prices ItemPrices, known, refresh bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	entry := p.items[key]
	if entry == nil || now.Sub(entry.at) > 10*PricesFor {
		return ItemPrices{}, false, false
	}
	if refresh = now.Sub(entry.at) > PricesFor && !entry.refreshing; refresh {
		entry.refreshing = true
	}
	return entry.prices, true, refresh
}

func (p *pricesInUse) put(key pricesKey, prices ItemPrices, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.items == nil || len(p.items) >= maxPricesInUse {
		p.items = map[pricesKey]*pricesEntry{}
	}
	p.items[key] = &pricesEntry{prices: prices, at: now}
}

func (p *pricesInUse) failed(key pricesKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry := p.items[key]; entry != nil {
		entry.refreshing = false
	}
}

func (p *pricesInUse) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items = nil
}

// ItemPrices returns what an item was traded for over the last 7, 30 and 90 days, with daily also day by day, and what is asked now.
// What it takes is in PriceOf. It fails with NotFound.
func (m *Market) ItemPrices(ctx context.Context, id ItemID, daily bool) (ItemPrices, error) {
	index, err := m.catalogue(ctx)
	if err != nil {
		return ItemPrices{}, err
	}
	item, known := index.Item(id)
	if !m.features.Prices || !known || !item.Known() {
		return ItemPrices{}, itemNotFound()
	}
	keys := index.keysOf(index.NamesOf(item.ID))
	now, key := m.now(), pricesKey{item.ID, daily}
	prices, known, refresh := m.prices.get(key, now)
	switch {
	case refresh:
		go func() {
			if _, err := m.readPrices(context.WithoutCancel(ctx), item, keys, key, now); err != nil {
				m.prices.failed(key) // those in use stay
			}
		}()
	case !known:
		if prices, err = m.readPrices(ctx, item, keys, key, now); err != nil {
			return ItemPrices{}, err
		}
	}
	prices.Item = item
	if prices.Asked, err = m.store.Asked(ctx, keys, now); err != nil {
		return ItemPrices{}, fmt.Errorf("what is asked for item %d: %w", id, err)
	}
	return prices, nil
}

func (m *Market) readPrices(ctx context.Context, item Item, keys []string, key pricesKey, now time.Time) (ItemPrices, error) {
	established, err := m.store.CountEstablished(ctx)
	if err != nil {
		return ItemPrices{}, fmt.Errorf("count established traders: %w", err)
	}
	fills, err := m.store.Fills(ctx, keys, now.Add(-fillsFor))
	if err != nil {
		return ItemPrices{}, fmt.Errorf("fills of item %d: %w", item.ID, err)
	}
	prices := ItemPrices{Young: established < youngMarketTraders}
	prices.Windows = priceWindows(fills, prices.Young, now)
	if key.daily {
		prices.Days = priceByDay(fills, prices.Young, now)
	}
	if len(fills) >= manyFills {
		m.prices.put(key, prices, now)
	}
	return prices, nil
}

// oddsFor is for how long requests count in odds.
const oddsFor = 90 * 24 * time.Hour

// ItemOdds returns how likely requests for an item were filled, by price; those of its kind where too few of the item's have ended. It
// fails with NotFound.
func (m *Market) ItemOdds(ctx context.Context, id ItemID) (ItemOdds, error) {
	index, err := m.catalogue(ctx)
	if err != nil {
		return ItemOdds{}, err
	}
	item, known := index.Item(id)
	if !m.features.Prices || !known || !item.Known() {
		return ItemOdds{}, itemNotFound()
	}
	odds, now := ItemOdds{Item: item}, m.now()
	for _, names := range [][]string{index.NamesOf(item.ID), index.namesOfKind(item.Kind)} {
		if len(names) == 0 {
			continue
		}
		outcomes, err := m.store.Outcomes(ctx, index.keysOf(names), now.Add(-oddsFor), now)
		if err != nil {
			return ItemOdds{}, fmt.Errorf("odds of item %d: %w", id, err)
		}
		if odds.Steps = OddsAtLeast(outcomes); len(odds.Steps) > 0 {
			return odds, nil
		}
		odds.OfKind = true
	}
	odds.OfKind = false
	return odds, nil
}

func (x *ItemIndex) keysOf(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = x.forms.FoldItem(name)
	}
	return keys
}

// namesOfKind returns the names of every item of a kind.
func (x *ItemIndex) namesOfKind(kind string) (names []string) {
	if kind == "" {
		return nil
	}
	for i := range x.items {
		if x.items[i].Kind == kind && x.items[i].Known() {
			names = append(names, x.NamesOf(x.items[i].ID)...)
		}
	}
	return names
}
