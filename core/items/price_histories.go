package items

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

const (
	// historyFor is how long the history is used before it is read again in the background: trades that were
	// undone, and accounts that are set aside, leave it by then.
	historyFor = 10 * time.Minute
	// maxHistoryFills limits the accepts that are read. A market with more has a shorter history.
	maxHistoryFills = 100_000
)

// PriceHistory returns the prices of the last 90 days by day, else by week, of the items that have any, by
// their ids: of those with some ids alone, or all. It changes by day; what no longer counts leaves it within
// minutes.
func (m *Service) PriceHistory(ctx context.Context, ids []core.ItemID) (PriceHistory, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return PriceHistory{}, err
	}
	read, err := m.latestHistory(ctx, m.now())
	if err != nil {
		return PriceHistory{}, err
	}
	history := PriceHistory{AsOf: read.asOf, From: read.from, Young: read.young}
	for id, periods := range read.periods {
		item, known := index.Item(id)
		if known && item.Known() && (ids == nil || slices.Contains(ids, id)) {
			history.Items = append(history.Items, ItemHistory{item, periods})
		}
	}
	slices.SortFunc(history.Items, func(a, b ItemHistory) int { return cmp.Compare(a.Item.ID, b.Item.ID) })
	return history, nil
}

func (m *Service) latestHistory(ctx context.Context, now time.Time) (readHistory, error) {
	if fresh, ok := m.history.Fresh(now); ok {
		return fresh, nil
	}
	wait := m.history.ReloadLater(ctx, now, func(ctx context.Context) (readHistory, time.Time, error) {
		read, err := m.readHistory(ctx, midnight(now))
		until := now.Add(historyFor)
		if tomorrow := midnight(now).Add(core.Day); tomorrow.Before(until) {
			until = tomorrow
		}
		return read, until, err
	})
	// A day too few is better than a wait.
	if latest, ok := m.history.Latest(); ok && now.Sub(latest.asOf) < 2*core.Day {
		return latest, nil
	}
	return wait(ctx)
}

func (m *Service) readHistory(ctx context.Context, asOf time.Time) (readHistory, error) {
	index, err := m.Index(ctx)
	if err != nil {
		return readHistory{}, err
	}
	read := readHistory{asOf: asOf, periods: map[core.ItemID][]PricePeriod{}}
	if read.young, err = m.store.Young(ctx); err != nil {
		return readHistory{}, fmt.Errorf("whether the market is young: %w", err)
	}
	all, complete, err := m.store.FillsOf(ctx, historyFrom(asOf), asOf, maxHistoryFills)
	if err != nil {
		return readHistory{}, fmt.Errorf("fills of the history: %w", err)
	}
	if read.from = mondayOf(complete); read.from.Before(complete) {
		read.from = read.from.Add(week)
	}
	fills := map[core.ItemID][]Fill{}
	for _, f := range all {
		if item, known := index.Named(f.Key); known {
			fills[item.ID] = append(fills[item.ID], f.Fill)
		}
	}
	for id, of := range fills {
		settled, _ := settledFills(of, asOf)
		if periods := pricePeriods(settled, read.young, read.from, asOf); len(periods) > 0 {
			read.periods[id] = periods
		}
	}
	return read, nil
}
