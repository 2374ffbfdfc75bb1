package items

import (
	"cmp"
	"slices"
	"time"

	"tradepost/core"
)

// Fill is an accept between two users that was not undone and of which neither side is set aside. Prices are
// computed from fills.
type Fill struct {
	At            time.Time
	Buyer, Seller core.UserID
	Price         core.Copper // for one
	Quantity      int
	Established   bool // both sides are established traders
}

// Price sums up the prices that an item was traded for within a time.
type Price struct {
	Median core.Copper
	// ten of a hundred trades were below, and above; two different pairs paid High or more
	Low, High core.Copper
	// The true median is between them 90 times of 100. Both are zero where too few fills count to say so.
	MedianFrom, MedianTo core.Copper
	Fills                int // accepts that the price is made of
	Trades               int // all accepts between traders who count, among them repeats of a pair
}

// Certain reports whether the interval of the median is narrow enough for a suggestion.
func (p Price) Certain() bool {
	return p.MedianTo > 0 && (p.MedianTo-p.MedianFrom)*narrowInterval <= p.Median
}

// The minimum data for a price, and how often one trader counts in it.
const (
	minPriceFills      = 5
	minPricePairs      = 3
	maxFillsOfTrader   = 5
	maxFillQuantity    = 10 // a fill of so many or more has the same weight
	YoungMarketTraders = 10 // with fewer established traders a market is young
	narrowInterval     = 4  // the interval of a certain median is at most a fourth of it
)

// PriceWindows are the times over which an item has prices, in days.
var PriceWindows = [3]int{7, 30, 90}

// PriceOf returns the price that fills make, which are of one time and the latest first. Only those between
// established traders count, in a young market all. A pair counts once, with its latest fill, and a trader
// maxFillsOfTrader times, with the latest. A fill weighs its quantity, maxFillQuantity at most. There is no
// price with fewer than minPriceFills fills from minPricePairs pairs.
func PriceOf(fills []Fill, young bool) (Price, bool) {
	counting, all, pairs := countingFills(fills, young)
	if all < minPriceFills || pairs < minPricePairs {
		return Price{}, false
	}
	prices := make([]weighedPrice, len(counting))
	for i, f := range counting {
		prices[i] = weighedPrice{f.Price, min(max(f.Quantity, 1), maxFillQuantity)}
	}
	slices.SortFunc(prices, func(a, b weighedPrice) int { return cmp.Compare(a.price, b.price) })
	price := Price{
		Median: medianOf(prices), Low: quantile(prices, 1, 10), High: quantile(prices, 9, 10),
		Fills: len(prices), Trades: all,
	}
	// A single mistyped coin does not set the upper end.
	price.High = max(price.Median, min(price.High, prices[len(prices)-2].price))
	price.MedianFrom, price.MedianTo = medianInterval(prices)
	return price, true
}

// countingFills returns the fills that count, the latest first, and the numbers of all fills and pairs of
// traders, including the ones that don't.
func countingFills(fills []Fill, young bool) (counting []Fill, all, pairs int) {
	known := map[[2]core.UserID]bool{}
	of := map[core.UserID]int{}
	for _, f := range fills {
		if !f.Established && !young {
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
// another day begins.
func pricesUntil(fills []Fill, now time.Time) time.Time {
	until := now.Truncate(24*time.Hour).AddDate(0, 0, 1)
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

// PriceDay is a day, by its midnight in UTC, with the price of the week that ends with it and the fills of
// the day itself. Price is nil when there is none; then the day has Singles.
type PriceDay struct {
	Day   time.Time
	Price *Price
	Fills int // accepts of the day that count
	// Singles are the prices of the day's accepts that count in the price of all days, the latest first; nil
	// when there is no such price.
	Singles []core.Copper
}

// priceByDay returns the last priceDays days, the oldest first.
func priceByDay(fills []Fill, young bool, now time.Time) []PriceDay {
	today := now.Truncate(24 * time.Hour)
	days := make([]PriceDay, priceDays)
	var singles []Fill
	if in := Since(fills, now.AddDate(0, 0, -priceDays)); len(in) > 0 {
		if _, known := PriceOf(in, young); known {
			singles, _, _ = countingFills(in, young)
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
				if f.Established || young {
					day.Fills++
				}
			}
			continue
		}
		for _, f := range singles {
			if !f.At.Before(day.Day) && f.At.Before(end) {
				day.Singles = append(day.Singles, f.Price)
			}
		}
	}
	return days
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
	Young   bool // fewer than youngMarketTraders are established, so that all traders count
	Windows [len(PriceWindows)]PriceWindow
	Lowest  core.Copper // that two different pairs agreed on within 90 days; zero when there is none
	Asked   Asked
	Days    []PriceDay // nil unless they were asked for
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
