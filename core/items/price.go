package items

import (
	"cmp"
	"slices"
	"time"

	"tradepost/core"
)

// Fill is an accept between two users that was not undone and of which neither side is set aside. Prices are
// computed from fills that are settled.
type Fill struct {
	At            time.Time
	SettledAt     time.Time // from when on it counts; zero while its two sides have not both said so
	Buyer, Seller core.UserID
	Price         core.Copper // for one
	Quantity      int
	Trust         float64 // the smaller of what its two sides are trusted with, one at most
	NewAccount    bool    // the Discord account of either side was new then
	// People who mostly trade among themselves have the same circle; zero for a person without one.
	BuyerCircle, SellerCircle core.UserID
}

// settledFills returns the fills that count at a time, and how many are still on their way.
func settledFills(fills []Fill, now time.Time) (settled []Fill, onTheirWay int) {
	for _, f := range fills {
		if f.SettledAt.IsZero() || f.SettledAt.After(now) {
			onTheirWay++
			continue
		}
		settled = append(settled, f)
	}
	return settled, onTheirWay
}

// weight returns what a fill weighs in a price before its quantity, fullWeight at most. While a market is
// young all weigh the same, but for those of new accounts, which weigh nothing: anyone can make these.
func (f Fill) weight(young bool) int {
	switch {
	case young && f.NewAccount:
		return 0
	case young:
		return fullWeight
	}
	return int(f.Trust * fullWeight)
}

// circles returns the circles of the two sides.
func (f Fill) circles() [2]core.UserID {
	of := [2]core.UserID{f.BuyerCircle, f.SellerCircle}
	for i, user := range [2]core.UserID{f.Buyer, f.Seller} {
		if of[i] == 0 {
			of[i] = user
		}
	}
	return of
}

// Price sums up the prices that an item was traded for within a time.
type Price struct {
	Median core.Copper
	// ten of a hundred trades were below, and above; two different pairs, with the weight of two usual fills,
	// paid Low or less, and two paid High or more
	Low, High core.Copper
	// A quarter of the trades was below the one, and above the other. Their ranges end as Low and High do.
	LowerQuartile, UpperQuartile core.Copper
	// The true median is between them 90 times of 100. Both are zero where too few fills count to say so.
	MedianFrom, MedianTo core.Copper
	Fills                int // accepts that the price is made of
	Trades               int // all accepts between traders who count, among them repeats of a pair
	Circles              int // of people that they come from, who mostly trade among themselves
	// Volume is how many were traded between people who count. What people of one circle trade among
	// themselves is left out: they can make as much of it as they like.
	Volume int
}

// Certain reports whether the interval of the median is narrow enough for a suggestion.
func (p Price) Certain() bool {
	return p.MedianTo > 0 && (p.MedianTo-p.MedianFrom)*narrowInterval <= p.Median
}

// The minimum data for a price, and how often one trader counts in it.
const (
	minPriceFills    = 5
	minPricePairs    = 3
	minPriceCircles  = 3
	minPriceWeight   = 3 * fullWeight
	maxFillsOfTrader = 5
	maxFillQuantity  = 10   // a fill of so many or more has the same weight
	fullWeight       = 1000 // of a fill of one between people who are trusted
	narrowInterval   = 4    // the interval of a certain median is at most a fourth of it
)

// PriceRule has the numbers of the rule of PriceOf, for the page that explains it.
type PriceRule struct{ Fills, Pairs, Circles, OfTrader, Quantity int }

// TheRule is the rule of PriceOf.
var TheRule = PriceRule{minPriceFills, minPricePairs, minPriceCircles, maxFillsOfTrader, maxFillQuantity}

// PriceWindows are the times over which an item has prices, in days.
var PriceWindows = [3]int{7, 30, 90}

// PriceOf returns the price that fills make, which are of one time, settled, and the latest first. A fill
// weighs its quantity, maxFillQuantity at most, times the smaller trust of its two sides; in a young market
// all are trusted whose accounts were not new. A pair counts once, with its latest fill, and a trader
// maxFillsOfTrader times, with the latest. There is no price with fewer than minPriceFills fills from
// minPricePairs pairs, nor, once a market is young no more, from fewer than minPriceCircles circles or people
// with less trust than minPriceWeight.
func PriceOf(fills []Fill, young bool) (Price, bool) {
	counting, all, pairs := countingFills(fills, young)
	if all < minPriceFills || pairs < minPricePairs {
		return Price{}, false
	}
	prices, trust := weighed(counting, young)
	circles := map[core.UserID]bool{}
	for _, f := range counting {
		for _, circle := range f.circles() {
			circles[circle] = true
		}
	}
	if !young && (len(circles) < minPriceCircles || trust < minPriceWeight) {
		return Price{}, false
	}
	slices.SortFunc(prices, func(a, b weighedPrice) int { return cmp.Compare(a.price, b.price) })
	price := Price{
		Median: medianOf(prices), Fills: len(prices), Trades: all, Circles: len(circles),
		Volume: volumeOf(fills, young),
	}
	// A single mistyped coin does not set an end, nor do many fills that weigh little.
	lower, upper := ends(prices)
	lower, upper = max(lower, prices[1].price), min(upper, prices[len(prices)-2].price)
	price.Low = min(price.Median, max(quantile(prices, 1, 10), lower))
	price.High = max(price.Median, min(quantile(prices, 9, 10), upper))
	price.LowerQuartile = min(price.Median, max(quantile(prices, 1, 4), lower))
	price.UpperQuartile = max(price.Median, min(quantile(prices, 3, 4), upper))
	price.MedianFrom, price.MedianTo = medianInterval(prices)
	return price, true
}

// weighed returns the prices of fills with what each weighs, and what all are trusted with. Fills between
// people of one circle weigh together as if each of these people traded once, for the quantity that is usual
// beyond the circle: who trades among themselves makes as many fills as they like.
func weighed(fills []Fill, young bool) (prices []weighedPrice, trust int) {
	type inside struct{ weight, quantity, fills int }
	within := map[core.UserID]*inside{}
	people := map[core.UserID]map[core.UserID]int{} // of a circle, with their weights
	all := inside{}
	for _, f := range fills {
		w, quantity := f.weight(young), min(max(f.Quantity, 1), maxFillQuantity)
		prices = append(prices, weighedPrice{f.Price, w * quantity})
		trust += w
		all.quantity += quantity
		if of := f.circles(); of[0] == of[1] && !young {
			if within[of[0]] == nil {
				within[of[0]], people[of[0]] = &inside{}, map[core.UserID]int{}
			}
			in, known := within[of[0]], people[of[0]]
			in.weight, in.quantity, in.fills = in.weight+w*quantity, in.quantity+quantity, in.fills+1
			known[f.Buyer], known[f.Seller] = max(known[f.Buyer], w), max(known[f.Seller], w)
		}
	}
	for i, f := range fills {
		of := f.circles()
		in := within[of[0]]
		if of[0] != of[1] || in == nil {
			continue
		}
		most := 0
		for _, w := range people[of[0]] {
			most += w
		}
		quantity, others := in.quantity, in.fills
		if len(fills) > in.fills {
			quantity, others = all.quantity-in.quantity, len(fills)-in.fills
		}
		most = most * quantity / others / 2
		if in.weight > most {
			prices[i].weight = prices[i].weight * most / in.weight
		}
	}
	return prices, trust
}

// countingFills returns the fills that count, the latest first, and the numbers of all fills and pairs of
// traders, including the ones that don't.
func countingFills(fills []Fill, young bool) (counting []Fill, all, pairs int) {
	known := map[[2]core.UserID]bool{}
	of := map[core.UserID]int{}
	for _, f := range fills {
		if f.weight(young) == 0 {
			continue
		}
		all++
		pair := f.pair()
		if known[pair] {
			continue
		}
		known[pair] = true
		if of[f.Buyer] == maxFillsOfTrader || of[f.Seller] == maxFillsOfTrader {
			continue
		}
		of[f.Buyer]++
		of[f.Seller]++
		counting = append(counting, f)
	}
	return counting, all, len(known)
}

// volumeOf returns the quantity traded between people who count and are in different circles.
func volumeOf(fills []Fill, young bool) (volume int) {
	for _, f := range fills {
		if of := f.circles(); f.weight(young) > 0 && (young || of[0] != of[1]) {
			volume += f.Quantity
		}
	}
	return volume
}

func (f Fill) pair() [2]core.UserID {
	return [2]core.UserID{min(f.Buyer, f.Seller), max(f.Buyer, f.Seller)}
}

// Since returns the fills after a time, of fills that are the latest first.
func Since(fills []Fill, t time.Time) []Fill {
	n, _ := slices.BinarySearchFunc(fills, t, func(f Fill, t time.Time) int {
		if f.At.After(t) {
			return -1
		}
		return 1
	})
	return fills[:n]
}

// PriceWindow is the price of the last days. Price is nil when there is none yet.
type PriceWindow struct {
	Days  int
	Price *Price
}

func priceWindows(fills []Fill, young bool, now time.Time) (windows [len(PriceWindows)]PriceWindow) {
	for i, days := range PriceWindows {
		windows[i].Days = days
		if price, known := PriceOf(Since(fills, now.AddDate(0, 0, -days)), young); known {
			windows[i].Price = &price
		}
	}
	return windows
}

// pricesUntil returns when prices change by themselves: when a fill becomes too old for a window, or
// another day begins, or a fill begins to count.
func pricesUntil(fills []Fill, now time.Time) time.Time {
	until := now.Truncate(24*time.Hour).AddDate(0, 0, 1)
	for _, f := range fills {
		if f.SettledAt.After(now) && f.SettledAt.Before(until) {
			until = f.SettledAt
		}
	}
	for _, days := range PriceWindows {
		if in := Since(fills, now.AddDate(0, 0, -days)); len(in) > 0 {
			if leaves := in[len(in)-1].At.AddDate(0, 0, days); leaves.Before(until) {
				until = leaves
			}
		}
	}
	return until
}

const (
	priceDays    = 90
	priceDaySpan = 7 // a day's price covers so many days up to its end
)

// maxSingles is how many single trades a chart has room for. Of more, some are left out evenly.
const maxSingles = 300

// PriceDay is a day, by its midnight in UTC, with the price of the week that ends with it, nil when there is
// none, and the fills of the day itself.
type PriceDay struct {
	Day   time.Time
	Price *Price
	Fills int // accepts of the day that count
	// Singles are the prices of the day's accepts that count in the price of all days, the latest first; nil
	// when there is no such price. Of more than maxSingles on all days, they are a part.
	Singles []core.Copper
}

// priceByDay returns the last priceDays days, the oldest first.
func priceByDay(fills []Fill, young bool, now time.Time) []PriceDay {
	today := now.Truncate(24 * time.Hour)
	days := make([]PriceDay, priceDays)
	var singles []Fill
	if in := Since(fills, now.AddDate(0, 0, -priceDays)); len(in) > 0 {
		if _, known := PriceOf(in, young); known {
			counting, _, _ := countingFills(in, young)
			singles = thinned(counting, maxSingles)
		}
	}
	for i := range days {
		day := &days[i]
		day.Day = today.AddDate(0, 0, i+1-priceDays)
		end := day.Day.AddDate(0, 0, 1)
		week := fills[len(Since(fills, end.Add(-time.Nanosecond))):]
		week = Since(week, end.AddDate(0, 0, -priceDaySpan).Add(-time.Nanosecond))
		if price, known := PriceOf(week, young); known {
			day.Price = &price
			for _, f := range Since(week, day.Day.Add(-time.Nanosecond)) {
				if f.weight(young) > 0 {
					day.Fills++
				}
			}
		}
		for _, f := range singles {
			if !f.At.Before(day.Day) && f.At.Before(end) {
				day.Singles = append(day.Singles, f.Price)
			}
		}
	}
	return days
}

// thinned returns at most so many fills, evenly from all of them.
func thinned(fills []Fill, most int) []Fill {
	every := (len(fills) + most - 1) / most
	if every < 2 {
		return fills
	}
	kept := make([]Fill, 0, most)
	for i := 0; i < len(fills); i += every {
		kept = append(kept, fills[i])
	}
	return kept
}

// fillsFor is for how long fills are read: the first day of a chart has a week before it.
const fillsFor = (priceDays + priceDaySpan) * 24 * time.Hour

// Asked sums up the prices that open requests offer for one of an item. It is no market price: no trade has
// taken place. A buyer counts once, with the latest request.
type Asked struct {
	Buyers            int
	Low, Median, High core.Copper // zero without a request
}

// Prices holds the known prices of an item.
type Prices struct {
	Item    Item
	Young   bool // too few people are trusted, so that all traders count; see trust.Market
	Windows [len(PriceWindows)]PriceWindow
	Lowest  core.Copper // that two different pairs agreed on within 90 days; zero when there is none
	Asked   Asked
	Days    []PriceDay // nil unless they were asked for
	// OnTheirWay is how many trades count once both sides have said that they met.
	OnTheirWay int
}

// Usual returns the price to suggest while posting: of the shortest time with a certain median, else of the
// longest; nil without one.
func (p Prices) Usual() *PriceWindow {
	for _, w := range p.Windows {
		if w.Price != nil && w.Price.Certain() {
			return &w
		}
	}
	if longest := p.Windows[len(p.Windows)-1]; longest.Price != nil {
		return &longest
	}
	return nil
}
