package core

import (
	"slices"
	"time"
)

// Fill is an accept between two users that was not undone and of which neither side is set aside: what prices are made of.
type Fill struct {
	At            time.Time
	Buyer, Seller UserID
	Price         Copper // for one
	Established   bool   // both sides are established traders
}

// Price is what an item was traded for within a time.
type Price struct {
	Median    Copper
	Low, High Copper // ten of a hundred trades were below, and above
	Fills     int    // accepts that count
	Pairs     int    // how many different pairs of traders made them
}

// What it takes for a price, and how often one trader counts in it.
const (
	minPriceFills      = 5
	minPricePairs      = 3
	maxFillsOfTrader   = 5
	youngMarketTraders = 10 // with fewer established traders a market is young
)

// PriceWindows are the times over which an item has prices, in days.
var PriceWindows = [3]int{7, 30, 90}

// PriceOf returns the price that fills make, which are of one time and the latest first. Only those between established traders count,
// in a young market all. A pair counts once, with its latest fill, and a trader maxFillsOfTrader times, with the latest. There is no
// price with fewer than minPriceFills fills from minPricePairs pairs.
func PriceOf(fills []Fill, young bool) (Price, bool) {
	pairs := map[[2]UserID]bool{}
	of := map[UserID]int{}
	all := 0
	var prices []Copper
	for _, f := range fills {
		if !f.Established && !young {
			continue
		}
		all++
		pair := [2]UserID{min(f.Buyer, f.Seller), max(f.Buyer, f.Seller)}
		if pairs[pair] {
			continue
		}
		pairs[pair] = true
		if of[f.Buyer] == maxFillsOfTrader || of[f.Seller] == maxFillsOfTrader {
			continue
		}
		of[f.Buyer]++
		of[f.Seller]++
		prices = append(prices, f.Price)
	}
	if all < minPriceFills || len(pairs) < minPricePairs {
		return Price{}, false
	}
	slices.Sort(prices)
	n := len(prices)
	return Price{
		Median: (prices[(n-1)/2] + prices[n/2]) / 2, Low: prices[(n+9)/10-1], High: prices[(9*n+9)/10-1],
		Fills: all, Pairs: len(pairs),
	}, true
}

// since returns the fills after a time, of fills that are the latest first.
func since(fills []Fill, t time.Time) []Fill {
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
		if price, known := PriceOf(since(fills, now.AddDate(0, 0, -days)), young); known {
			windows[i].Price = &price
		}
	}
	return windows
}

// pricesUntil returns when prices change by themselves: when a fill becomes too old for a window, or another day begins.
func pricesUntil(fills []Fill, now time.Time) time.Time {
	until := now.Truncate(24*time.Hour).AddDate(0, 0, 1)
	for _, days := range PriceWindows {
		if in := since(fills, now.AddDate(0, 0, -days)); len(in) > 0 {
			if leaves := in[len(in)-1].At.AddDate(0, 0, days); leaves.Before(until) {
				until = leaves
			}
		}
	}
	return until
}

const (
	priceDays    = 90
	priceDaySpan = 7 // the price of a day is that of so many days up to its end
)

// PriceDay is a day, by its midnight in UTC, with the price of the week that ends with it and the fills of the day itself. Price is nil
// when there is none; then nothing is said of the fills either.
type PriceDay struct {
	Day   time.Time
	Price *Price
	Fills int // accepts of the day that count
}

// priceByDay returns the last priceDays days, the oldest first.
func priceByDay(fills []Fill, young bool, now time.Time) []PriceDay {
	today := now.Truncate(24 * time.Hour)
	days := make([]PriceDay, priceDays)
	for i := range days {
		day := &days[i]
		day.Day = today.AddDate(0, 0, i+1-priceDays)
		end := day.Day.AddDate(0, 0, 1)
		week := fills[len(since(fills, end.Add(-time.Nanosecond))):]
		week = since(week, end.AddDate(0, 0, -priceDaySpan).Add(-time.Nanosecond))
		if price, known := PriceOf(week, young); known {
			day.Price = &price
			for _, f := range since(week, day.Day.Add(-time.Nanosecond)) {
				if f.Established || young {
					day.Fills++
				}
			}
		}
	}
	return days
}

// fillsFor is for how long fills are read: the first day of a chart has a week before it.
const fillsFor = (priceDays + priceDaySpan) * 24 * time.Hour

// Asked is what open requests for an item pay for one. It is no price: nobody has traded for it yet.
type Asked struct {
	Requests          int
	Low, Median, High Copper // zero without a request
}

// ItemPrices is what is known of an item's price.
type ItemPrices struct {
	Item    Item
	Young   bool // fewer than youngMarketTraders are established, so that all traders count
	Windows [len(PriceWindows)]PriceWindow
	Asked   Asked
	Days    []PriceDay // nil unless they were asked for
}

// Usual returns the price that helps while posting: that of 30 days, else of 90; nil without one.
func (p ItemPrices) Usual() *PriceWindow {
	for _, w := range p.Windows[1:] {
		if w.Price != nil {
			return &w
		}
	}
	return nil
}
