package items

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"tradepost/core"
)

// Rankings by worth leave out open requests with a price far beyond the known price. These are few, so they
// are found first, and a ranking is one statement with their IDs as a parameter.

// beyondFor is for how long the requests that were found are used.
const beyondFor = 5 * time.Minute

// Limits of the items, and of the requests of each, that are compared exactly: the highest-paying ones.
const (
	maxBeyondItems  = 100
	maxBeyondOrders = 50
)

// NameAskedFor is a name in open requests.
type NameAskedFor struct {
	Name      string
	High, Low core.Copper // that they pay for one
	Paid      core.Copper // the lowest price of its latest trades; zero without one
}

// PricedOrder is an order with its unit price.
type PricedOrder struct {
	ID       core.OrderID
	Owner    core.UserID
	ItemName string
	Price    core.Copper
}

// askedItem is an item in open requests, under all its names.
type askedItem struct {
	item      Item // zero when it is not in the catalogue
	name      string
	high, low core.Copper // low is the lowest that is asked or was paid
	paid      bool
}

// askedItems groups the names by item, the highest-paying items first.
func askedItems(names []NameAskedFor, index *Index, forms core.TextForms) []askedItem {
	at := map[string]int{}
	var items []askedItem
	for _, n := range names {
		item, known := index.Named(n.Name)
		key := forms.FoldItem(n.Name)
		if known {
			key = forms.FoldItem(item.Name)
		}
		low := n.Low
		if n.Paid > 0 {
			low = min(low, n.Paid)
		}
		i, seen := at[key]
		if !seen {
			i, at[key] = len(items), len(items)
			items = append(items, askedItem{item: item, name: n.Name, low: math.MaxInt64})
		}
		items[i].high, items[i].low = max(items[i].high, n.High), min(items[i].low, low)
		items[i].paid = items[i].paid || n.Paid > 0
	}
	slices.SortStableFunc(items, func(a, b askedItem) int { return cmp.Compare(b.high, a.high) })
	return items
}

// suspects returns the items with requests that may be far beyond the known price, with the lowest price at
// which one is: it pays farFactor times the least that is asked and was paid for the item, or for a
// neighbour where nothing was paid.
func suspects(items []askedItem, index *Index) []askedItem {
	lows := map[core.ItemID]core.Copper{}
	for _, i := range items {
		if i.item.ID != 0 {
			lows[i.item.ID] = i.low
		}
	}
	var found []askedItem
	for _, i := range items {
		if !i.paid && i.item.ID != 0 {
			for _, near := range index.nearItems(i.item) {
				for _, other := range near {
					if low, asked := lows[other.ID]; asked {
						i.low = min(i.low, low)
					}
				}
			}
		}
		if (KnownPrice{Price: i.low}).Beyond(i.high) {
			found = append(found, i)
		}
	}
	return found[:min(len(found), maxBeyondItems)]
}

// BeyondKnown returns the open requests with a price far beyond the known price. The result may be some
// minutes old. A market that cannot read prices ranks as if there were none.
func (m *Service) BeyondKnown(ctx context.Context, index *Index, now time.Time) []core.OrderID {
	if !m.features.Prices {
		return nil
	}
	ids, err := m.beyond.Get(ctx, now, func(ctx context.Context) ([]core.OrderID, time.Time, error) {
		ids, err := m.findBeyond(ctx, index, now)
		return ids, now.Add(beyondFor), err
	})
	if err != nil {
		ids, _ = m.beyond.Latest()
	}
	return ids
}

// findBeyond compares each request with the price that its buyer would be asked about. A single other buyer
// is not enough here: a request at one copper would hide honest requests.
func (m *Service) findBeyond(ctx context.Context, index *Index, now time.Time) ([]core.OrderID, error) {
	names, err := m.store.NamesAskedFor(ctx, now, now.Add(-fillsFor))
	if err != nil {
		return nil, err
	}
	var ids []core.OrderID
	for _, item := range suspects(askedItems(names, index, m.forms), index) {
		orders, err := m.store.AskedFrom(ctx, index.KeysOf(index.Same(item.name)), item.low*farFactor, now,
			maxBeyondOrders)
		if err != nil {
			return nil, err
		}
		known := map[core.UserID]KnownPrice{}
		for _, o := range orders {
			price, read := known[o.Owner]
			if !read {
				if price, err = m.knownPrice(ctx, o.Owner, neighboursAsked, index, o.ItemName); err != nil {
					return nil, err
				}
				known[o.Owner] = price
			}
			if price.Beyond(o.Price) {
				ids = append(ids, o.ID)
			}
		}
	}
	return ids, nil
}
