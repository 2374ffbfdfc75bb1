package match

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// Unmet demand: requests without offers, items that are filled fast, and prices that moved.

const (
	// WantedPeriod is the period of a report, which it compares with the weeks before.
	WantedPeriod = 7 * core.Day
	// pricesBefore is how far before the period prices are compared with.
	pricesBefore = 28 * core.Day
	// LevelBand is how many levels a group has.
	LevelBand = 50
	// leastTraded is how often an item was filled, or a name traded in each time, to be looked at.
	leastTraded = 3
	// leastMove is by how many percent a price has to move to be named.
	leastMove = 10

	wantedItems = 3  // named in a group
	wantedShown = 10 // of each list
	wantedFor   = 10 * time.Minute
)

// Unmet is one thing that is wanted in open requests without an offer, as it is stored.
type Unmet struct {
	ItemName string
	Category game.Category
	Level    *int // that a request requires; nil for any
	Requests int
	Quantity int
	Value    core.Copper
}

// UnmetGroup sums up the requests without offers of a profession and a band of levels.
type UnmetGroup struct {
	Category game.Category
	From, To int // the levels; zero for any level
	Requests int
	Value    core.Copper // the total that the requests pay
	Items    []UnmetItem // the most valued
}

// UnmetItem is an item that is wanted and not offered.
type UnmetItem struct {
	Name     string
	ItemID   core.ItemID // zero for a name that is no item's
	Quantity int
	Value    core.Copper
}

// FilledItem is an item with filled requests, and how long that took.
type FilledItem struct {
	Name     string
	ItemID   core.ItemID // zero for a name that is no item's
	Requests int
	Median   time.Duration
}

// MovedPrice is an item with a price that has moved, by the medians that PriceOf returns for both times.
type MovedPrice struct {
	Name        string
	ItemID      core.ItemID // zero for a name that is no item's
	Before, Now core.Copper
}

// Percent is by how much the price has moved, in whole percent.
func (m MovedPrice) Percent() int { return int((m.Now - m.Before) * 100 / m.Before) }

// Wanted is a report of unmet demand.
type Wanted struct {
	From, To time.Time
	Unmet    []UnmetGroup // the most valued first
	Fastest  []FilledItem // the fastest first
	Moved    []MovedPrice // the largest moves first
}

// Empty reports whether there is nothing to report.
func (w Wanted) Empty() bool { return len(w.Unmet)+len(w.Fastest)+len(w.Moved) == 0 }

// Demand holds the store's data for a report.
type Demand struct {
	Unmet []Unmet
	// what trades say; nothing while the market is Young. Filled has requests of established buyers, and
	// Fills, by name and the latest first, the prices before and since.
	Filled []FilledItem
	Fills  map[string][]items.Fill
	Young  bool
}

// NewWanted makes the report of a demand. The level of an item comes from the catalogue, else from a
// request.
func NewWanted(d Demand, index *items.Index, now time.Time) Wanted {
	type key struct {
		category game.Category
		band     int // zero for any level
	}
	groups, unmet := map[key]*UnmetGroup{}, map[key]map[string]*UnmetItem{}
	for _, u := range d.Unmet {
		name, level := u.ItemName, u.Level
		var id core.ItemID
		if item, known := index.Named(u.ItemName); known {
			name, id = item.Name, item.ID
			if item.MadeAt != nil {
				level = item.MadeAt
			}
		}
		k := key{category: u.Category}
		g := UnmetGroup{Category: u.Category}
		if level != nil && *level > 0 {
			k.band = 1 + (*level-1)/LevelBand
			g.From, g.To = (k.band-1)*LevelBand+1, k.band*LevelBand
		}
		if groups[k] == nil {
			groups[k], unmet[k] = &g, map[string]*UnmetItem{}
		}
		groups[k].Requests += u.Requests
		groups[k].Value += u.Value
		if unmet[k][name] == nil {
			unmet[k][name] = &UnmetItem{Name: name, ItemID: id}
		}
		unmet[k][name].Quantity += u.Quantity
		unmet[k][name].Value += u.Value
	}
	w := Wanted{From: now.Add(-WantedPeriod), To: now, Unmet: []UnmetGroup{}, Fastest: []FilledItem{},
		Moved: []MovedPrice{}}
	for k, g := range groups {
		of := slices.SortedFunc(maps.Values(unmet[k]), func(a, b *UnmetItem) int {
			return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name))
		})
		for _, i := range of[:min(len(of), wantedItems)] {
			g.Items = append(g.Items, *i)
		}
		w.Unmet = append(w.Unmet, *g)
	}
	slices.SortFunc(w.Unmet, func(a, b UnmetGroup) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.From, b.From))
	})
	w.Unmet = w.Unmet[:min(len(w.Unmet), wantedShown)]
	for _, f := range d.Filled {
		if f.Requests >= leastTraded && !d.Young {
			if item, known := index.Named(f.Name); known {
				f.Name, f.ItemID = item.Name, item.ID
			}
			w.Fastest = append(w.Fastest, f)
		}
	}
	slices.SortFunc(w.Fastest, func(a, b FilledItem) int {
		return cmp.Or(cmp.Compare(a.Median, b.Median), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Name, b.Name))
	})
	w.Fastest = w.Fastest[:min(len(w.Fastest), wantedShown)]
	for name, fills := range fillsOfItems(d.Fills, index) {
		if m, moved := movedPrice(fills, w.From); moved && !d.Young {
			m.Name = name
			if item, known := index.Named(name); known {
				m.ItemID = item.ID
			}
			w.Moved = append(w.Moved, m)
		}
	}
	slices.SortFunc(w.Moved, func(a, b MovedPrice) int {
		return cmp.Or(cmp.Compare(max(b.Percent(), -b.Percent()), max(a.Percent(), -a.Percent())),
			cmp.Compare(a.Name, b.Name))
	})
	w.Moved = w.Moved[:min(len(w.Moved), wantedShown)]
	return w
}

// fillsOfItems puts the fills of an item's names together, under the name of the item.
func fillsOfItems(named map[string][]items.Fill, index *items.Index) map[string][]items.Fill {
	byItem := map[string][]items.Fill{}
	for name, fills := range named {
		if item, known := index.Named(name); known {
			name = item.Name
		}
		byItem[name] = append(byItem[name], fills...)
	}
	for _, fills := range byItem {
		slices.SortStableFunc(fills, func(a, b items.Fill) int { return b.At.Compare(a.At) })
	}
	return byItem
}

// movedPrice returns the prices that fills make before and after a time. It reports whether they are
// certain to differ: both have an interval of their median, these have nothing in common, and the medians
// are leastMove percent apart. Fills far from the price before are slips and left out.
func movedPrice(fills []items.Fill, at time.Time) (MovedPrice, bool) {
	now := items.Since(fills, at)
	before, knownBefore := items.PriceOf(fills[len(now):], false)
	usual := items.KnownPrice{Price: before.Median, From: items.PriceTraded}
	now = slices.DeleteFunc(slices.Clone(now), func(f items.Fill) bool { return usual.Far(f.Price) })
	after, known := items.PriceOf(now, false)
	if !known || !knownBefore || after.MedianTo == 0 || before.MedianTo == 0 {
		return MovedPrice{}, false
	}
	m := MovedPrice{Before: before.Median, Now: after.Median}
	apart := after.MedianFrom > before.MedianTo || after.MedianTo < before.MedianFrom
	return m, apart && max(m.Percent(), -m.Percent()) >= leastMove
}
